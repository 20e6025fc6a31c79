// A write to the kernel.
//! outcome: error wild-pointer
int main(void) { *(volatile long *)0xffffffff81000000 = 1; }
