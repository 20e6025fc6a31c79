// Executable memory.
//! options: --pure __mmap64 --pure remap_file_pages
//! outcome: error forbidden-call
#define _GNU_SOURCE
#include <sys/mman.h>
int main(void) { return remap_file_pages((void *)0x200000000000, 4096, 0, 0, 0); }
