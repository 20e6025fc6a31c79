// A write to the first page.
int main(void) { *(volatile long *)0x10 = 1; }
