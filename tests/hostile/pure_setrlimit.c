// Limits of the parent changed.
//! options: --pure prlimit --pure getppid
//! outcome: error forbidden-call
#define _GNU_SOURCE
#include <sys/resource.h>
#include <unistd.h>
int main(void) {
  struct rlimit limit = {1, 1};
  return prlimit(getppid(), RLIMIT_CPU, &limit, 0);
}
