// %n that writes to the shadow memory.
//! outcome: unsupported unsupported
#include <stdio.h>
int main(void) { printf("hello%n", (int *)0x300000001000); }
