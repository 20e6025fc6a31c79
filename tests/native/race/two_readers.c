//! rc20: error=data-race line=@read|@write flags="-- -DFORGOTTEN=0"
//! rc20: error=data-race line=@read|@write flags="-- -DFORGOTTEN=1"
//! rc20: error=data-race line=@read|@write flags="-- -DFORGOTTEN=2"
//! rc20: verified executions=1 flags="-- -DFORGOTTEN=3"
// Three threads read; main writes when it has joined all but one, whichever that is. A checker that remembers only one
// reader of a place misses some of these.
#include <pthread.h>

static int shared = 5;
static int copies[3];

static void *look(void *copy) {
  *(int *)copy = shared;  // @read
  return 0;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, look, &copies[i]);
  for (int i = 0; i < 3; i++) {
    if (i != FORGOTTEN) pthread_join(threads[i], 0);
  }
  shared = 6;  // @write
  if (FORGOTTEN < 3) pthread_join(threads[FORGOTTEN], 0);
  return 0;
}
