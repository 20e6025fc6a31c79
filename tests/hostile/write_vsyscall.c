// A write to the kernel's page in the process.
//! outcome: error wild-pointer
int main(void) { *(volatile long *)0xffffffffff600000 = 1; }
