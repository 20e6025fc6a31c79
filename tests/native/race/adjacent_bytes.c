//! rc20: verified executions=1 blocked=0
//! rc20: error=data-race line=@loop flags="-- -DOVERLAP"
// Four threads write the four bytes of one word, each its own: no race. OVERLAP: each writes two bytes.
#include <assert.h>
#include <pthread.h>

static char bytes[8];

static void *work(void *argument) {
  char *mine = argument;
#ifdef OVERLAP
  for (int i = 0; i < 2; i++) mine[i] = 1;  // @loop
#else
  *mine = 1;
#endif
  return 0;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, work, &bytes[i]);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
  for (int i = 0; i < 4; i++) assert(bytes[i] == 1);
  return 0;
}
