// A function that makes a system call.
#include <sys/stat.h>
int main(void) { return mkdir("/tmp/heddle-hostile", 0777); }
