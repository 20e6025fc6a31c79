//! rc20: error=misuse line=@lock
//! rc20: verified executions=1 flags="-- -DBEFORE"
//! rc20: error=misuse line=@print flags="-- -DBEFORE -DPRINT"
// A mutex is used after it was destroyed; a null pointer is printed as a string.
#include <pthread.h>
#include <stdio.h>

static const char *volatile name;

int main(void) {
  pthread_mutex_t lock;
  pthread_mutex_init(&lock, 0);
#ifdef BEFORE
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_mutex_destroy(&lock);
#else
  pthread_mutex_destroy(&lock);
  pthread_mutex_lock(&lock);  // @lock
#endif
#ifdef PRINT
  printf("%s %d", name, 1);  // @print
#endif
  return 0;
}
