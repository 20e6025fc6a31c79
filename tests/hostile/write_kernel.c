// A write to the kernel.
int main(void) { *(volatile long *)0xffffffff81000000 = 1; }
