//! rc20: verified executions=1 blocked=0
//! rc20: error=data-race line=@write thread=0 text="thread 199" flags="-- -DEARLY"
// What many threads read may be written when all of them have ended. EARLY: when one of them has not been joined.
#include <assert.h>
#include <pthread.h>

#define N 200

static int read_by_all = 1;
static int sums[N];

static void *run(void *argument) {
  sums[(long)argument] = read_by_all;
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, run, (void *)i);
#ifdef EARLY
  for (long i = 0; i < N; i++) {
    if (i != 198) pthread_join(threads[i], NULL);
  }
  read_by_all = 2;  // @write
  pthread_join(threads[198], NULL);
#else
  for (long i = 0; i < N; i++) pthread_join(threads[i], NULL);
  read_by_all = 2;
#endif
  for (long i = 0; i < N; i++) assert(sums[i] == 1);
  return 0;
}
