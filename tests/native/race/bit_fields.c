//! rc20: error=data-race line=@left|@right
//! rc20: verified executions=1 flags="-- -DSEPARATE"
// Neighbouring bit fields are one memory location; a field of width zero begins another one (C11 3.14).
#include <pthread.h>

static struct {
  unsigned left : 4;
#ifdef SEPARATE
  unsigned : 0;
#endif
  unsigned right : 4;
} flags;

static void *set_left(void *unused) {
  flags.left = 3;  // @left
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set_left, 0);
  flags.right = 5;  // @right
  pthread_join(thread, 0);
  return flags.left + flags.right == 9;
}
