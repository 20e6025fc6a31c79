// A file without end.
//! options: --time 2
#include <stdio.h>
int main(void) { FILE *file = fopen("/tmp/heddle-hostile", "w"); for (;;) fputs("more", file); }
