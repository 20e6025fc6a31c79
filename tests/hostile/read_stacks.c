// A read of heddle's stacks, to find its secrets.
//! outcome: error stack-overflow
int main(void) { return (int)*(volatile long *)0x400000000000; }
