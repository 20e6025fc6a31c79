//! rc20: error=self-lock line=@again
//! why: An interleaving of the threads, the one above, leads there: it is no matter of memory orders.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void update(void) {
  pthread_mutex_lock(&mutex);  // @again
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  pthread_mutex_lock(&mutex);
  update();
  pthread_mutex_unlock(&mutex);
}
