//! rc20: verified executions=1
// A thread may hold any number of mutexes, and give them back in any order.
#include <pthread.h>

pthread_mutex_t mutexes[50];

int main(void) {
  for (int i = 0; i < 50; ++i) pthread_mutex_init(&mutexes[i], 0);
  for (int i = 0; i < 50; ++i) pthread_mutex_lock(&mutexes[i]);
  for (int i = 0; i < 50; ++i) pthread_mutex_unlock(&mutexes[i * 7 % 50]);
  for (int i = 0; i < 50; ++i) pthread_mutex_destroy(&mutexes[i]);
}
