// A write to heddle's own code.
//! outcome: error wild-pointer
int main(void) { *(volatile long *)0x401000 = 1; }
