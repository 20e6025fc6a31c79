//! rc20: verified executions=10 blocked=0 flags="--no-spurious"
//! rc20: verified executions=138 blocked=0
//! rc20: error=deadlock line=@sleeps flags="--no-spurious -- -DSIGNAL"
//! rc20: error=deadlock line=@sleeps flags="-- -DSIGNAL"
// Two threads wait for the same thing. A broadcast wakes both; a signal (SIGNAL) only one of them. Without spurious
// wake-ups main is first at the mutex, and the others come in 2 orders; or second (2 ways), and the waiting one and
// the other come in 2 orders; or last (2 ways), and the woken ones come in 2 orders: 2 + 4 + 4.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready;

void* consumer(void* unused) {
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&condition, &mutex);  // @sleeps
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, consumer, 0);
  pthread_create(&b, 0, consumer, 0);
  pthread_mutex_lock(&mutex);
  ready = 1;
#ifdef SIGNAL
  pthread_cond_signal(&condition);
#else
  pthread_cond_broadcast(&condition);
#endif
  pthread_mutex_unlock(&mutex);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
