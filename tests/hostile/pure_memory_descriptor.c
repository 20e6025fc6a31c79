// A file in memory.
//! options: --pure memfd_create
//! outcome: error forbidden-call
#define _GNU_SOURCE
#include <sys/mman.h>
int main(void) { return memfd_create("x", 0); }
