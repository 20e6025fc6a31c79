// Memory protected by a key of the program.
//! options: --pure pkey_mprotect
//! outcome: error forbidden-call
#define _GNU_SOURCE
#include <sys/mman.h>
int main(void) { return pkey_mprotect((void *)0x200000000000, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, -1); }
