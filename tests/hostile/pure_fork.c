// --pure for fork: two processes, two verdicts.
//! options: --pure fork
//! outcome: error forbidden-call
#include <unistd.h>
int main(void) { return fork() == 0; }
