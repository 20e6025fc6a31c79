// A system call by the function syscall.
//! outcome: unsupported unsupported
#include <sys/syscall.h>
#include <unistd.h>
int main(void) { return (int)syscall(SYS_mkdir, "/tmp/heddle-hostile", 0777); }
