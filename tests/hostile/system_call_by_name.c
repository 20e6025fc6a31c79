// A function that makes a system call.
//! outcome: unsupported unsupported
#include <sys/stat.h>
int main(void) { return mkdir("/tmp/heddle-hostile", 0777); }
