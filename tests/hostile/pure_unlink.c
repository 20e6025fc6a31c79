// A file removed.
//! options: --pure unlinkat
#include <fcntl.h>
#include <unistd.h>
int main(void) { return unlinkat(AT_FDCWD, "/tmp/heddle-hostile", 0); }
