// A file without end.
//! options: --time 2
//! outcome: unsupported unsupported
#include <stdio.h>
int main(void) { FILE *file = fopen("/tmp/heddle-hostile", "w"); for (;;) fputs("more", file); }
