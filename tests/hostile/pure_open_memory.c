// /proc/self/mem opened to write.
//! options: --pure __open64
//! outcome: error forbidden-call
#include <fcntl.h>
int __open64(const char *, int, ...);
int main(void) { return __open64("/proc/self/mem", O_RDWR); }
