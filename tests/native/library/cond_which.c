//! rc20: error=assertion-failure line=@assert flags="--no-spurious"
//! rc20: error=assertion-failure line=@second flags="--no-spurious -- -DSECOND"
//! rc20: verified executions=30 blocked=0 flags="--no-spurious -- -DEITHER"
// A signal may wake either of two waiting threads, whichever came first.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int waiting, first, woken[2], signals;

void* consumer(void* argument) {
  int self = *(int*)argument;
  pthread_mutex_lock(&mutex);
  if (waiting++ == 0) first = self;
  while (signals == 0) pthread_cond_wait(&condition, &mutex);
  --signals;
  woken[self] = 1;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  int numbers[2] = {0, 1};
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, consumer, &numbers[i]);
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&mutex);
    // The second signal comes when the first has woken somebody.
    int both = waiting == 2 && (i == 0 || signals == 0);
    if (both && i == 1) {
#if defined(SECOND)
      assert(woken[first]);  // @second
#elif !defined(EITHER)
      assert(!woken[first]);  // @assert
#endif
      assert(woken[0] + woken[1] == 1);
    }
    ++signals;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
}
