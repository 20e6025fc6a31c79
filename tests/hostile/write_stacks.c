// A write to the native stacks.
//! outcome: error stack-overflow
int main(void) { *(volatile long *)0x400000000000 = 1; }
