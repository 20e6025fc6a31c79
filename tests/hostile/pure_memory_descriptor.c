// A file in memory.
//! options: --pure memfd_create
#define _GNU_SOURCE
#include <sys/mman.h>
int main(void) { return memfd_create("x", 0); }
