// A file removed.
//! options: --pure unlinkat
//! outcome: unsupported unsupported
#include <fcntl.h>
#include <unistd.h>
int main(void) { return unlinkat(AT_FDCWD, "/tmp/heddle-hostile", 0); }
