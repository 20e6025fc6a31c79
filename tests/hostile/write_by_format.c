// Text printed into the shadow memory.
//! outcome: error wild-pointer
#include <stdio.h>
int main(void) { snprintf((char *)0x300000001000, 64, "%s", "hello"); }
