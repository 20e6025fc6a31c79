// A wild pointer that is to be called at the end.
//! outcome: error wild-call
#include <stdlib.h>
int main(void) { atexit((void (*)(void))0x401000); }
