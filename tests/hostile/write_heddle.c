// A write to heddle's own code.
int main(void) { *(volatile long *)0x401000 = 1; }
