// A signal to heddle's parent.
//! options: --pure kill --pure getppid
//! outcome: error forbidden-call
#include <signal.h>
#include <unistd.h>
int main(void) { return kill(getppid(), SIGKILL); }
