// A write to the native stacks.
int main(void) { *(volatile long *)0x400000000000 = 1; }
