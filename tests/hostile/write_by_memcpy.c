// A copy into the shadow memory.
//! outcome: error wild-pointer
#include <string.h>
static char zeros[4096];
int main(void) { memcpy((void *)0x300000001000, zeros, sizeof zeros); }
