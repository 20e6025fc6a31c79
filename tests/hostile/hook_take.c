// A primitive that headers use, with a wild pointer.
//! outcome: error wild-pointer
unsigned long heddle_take(void *word, unsigned what, unsigned long operand, int or_never);
int main(void) { return (int)heddle_take((void *)0x401000, 0, 0, 0); }
