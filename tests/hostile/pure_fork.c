// --pure for fork: two processes, two verdicts.
//! options: --pure fork
#include <unistd.h>
int main(void) { return fork() == 0; }
