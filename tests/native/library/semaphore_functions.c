//! rc20: verified executions=1
//! rc20: error=misuse line=@destroyed flags="-- -DDESTROYED"
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>
#include <time.h>

int main(void) {
  sem_t s;
  int value;
  struct timespec time = {0, 0};
  assert(sem_init(&s, 0, (unsigned)INT_MAX + 1) == -1 && errno == EINVAL);
  assert(sem_init(&s, 0, 3) == 0);
  assert(sem_getvalue(&s, &value) == 0 && value == 3);
  assert(sem_wait(&s) == 0 && sem_trywait(&s) == 0 && sem_timedwait(&s, &time) == 0);
  assert(sem_getvalue(&s, &value) == 0 && value == 0);
  assert(sem_trywait(&s) == -1 && errno == EAGAIN);
  assert(sem_timedwait(&s, &time) == -1 && errno == ETIMEDOUT);
  assert(sem_post(&s) == 0 && sem_trywait(&s) == 0);
  sem_destroy(&s);
#ifdef DESTROYED
  sem_post(&s);  // @destroyed
#endif
}
