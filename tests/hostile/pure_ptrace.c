// --pure for ptrace of the parent.
//! options: --pure ptrace --pure getppid
//! outcome: error forbidden-call
#include <sys/ptrace.h>
#include <unistd.h>
int main(void) { return (int)ptrace(PTRACE_ATTACH, getppid(), 0, 0); }
