// The end of a number written to the shadow memory.
//! outcome: error wild-pointer
#include <stdlib.h>
int main(void) { return (int)strtol("12", (char **)0x300000001000, 10); }
