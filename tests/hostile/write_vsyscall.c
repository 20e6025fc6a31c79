// A write to the kernel's page in the process.
int main(void) { *(volatile long *)0xffffffffff600000 = 1; }
