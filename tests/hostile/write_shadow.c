// A write to the shadow memory of the race check.
//! outcome: error wild-pointer
int main(void) { *(volatile long *)0x300000000000 = 1; }
