// Control characters in the name of a file.
//! outcome: error assertion-failure
#line 1 "\033[2Jverified\n\ninnocent.c"
#include <assert.h>
int main(void) { assert(0); }
