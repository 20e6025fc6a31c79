//! rc20: verified executions=1 blocked=0
//! rc20: error=data-race line=@element flags="-- -DSAME"
// Each thread has an element of its own. SAME: two of them have the same one.
#include <assert.h>
#include <pthread.h>

static int table[3];

static void *fill(void *argument) {
  int *element = argument;
  *element += 1;  // @element
  return 0;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) {
#ifdef SAME
    pthread_create(&threads[i], 0, fill, &table[i / 2]);
#else
    pthread_create(&threads[i], 0, fill, &table[i]);
#endif
  }
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  assert(table[0] == 1 && table[1] == 1 && table[2] == 1);
  return 0;
}
