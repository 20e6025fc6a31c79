// --pure for mkdir.
//! options: --pure mkdir
//! outcome: error forbidden-call
#include <sys/stat.h>
int main(void) { return mkdir("/tmp/heddle-hostile", 0777); }
