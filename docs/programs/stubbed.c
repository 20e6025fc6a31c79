#include <assert.h>
#include <unistd.h>

#ifdef __HEDDLE__
#include <heddle/heddle.h>

// In the parent, or not at all.
pid_t fork(void) { return heddle_choose(2) == 0 ? 1234 : -1; }
#endif

int main(void) {
  const pid_t child = fork();
  assert(child >= 0);
}
