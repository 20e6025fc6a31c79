// A file removed.
//! options: --pure unlinkat
//! outcome: error forbidden-call
#include <fcntl.h>
#include <unistd.h>
int main(void) { return unlinkat(AT_FDCWD, "/tmp/heddle-hostile", 0); }
