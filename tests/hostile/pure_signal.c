// Heddle's handlers taken away.
//! options: --pure __sigaction
//! outcome: error forbidden-call
#include <signal.h>
int __sigaction(int, const struct sigaction *, struct sigaction *);
int main(void) {
  struct sigaction action = {0};
  return __sigaction(SIGSEGV, &action, 0);
}
