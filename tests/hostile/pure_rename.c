// A file renamed.
//! options: --pure renameat
//! outcome: unsupported unsupported
#include <stdio.h>
#include <fcntl.h>
int main(void) { return renameat(AT_FDCWD, "/tmp/a", AT_FDCWD, "/tmp/heddle-hostile"); }
