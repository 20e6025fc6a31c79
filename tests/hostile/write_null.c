// A write to the first page.
//! outcome: error null-pointer
int main(void) { *(volatile long *)0x10 = 1; }
