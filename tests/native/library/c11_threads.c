//! rc20: verified executions=8 blocked=1
//! sc: verified executions=8 blocked=1
//! rc20: error=self-lock line=@again flags="-- -DTWICE"
// threads.h: threads, mutexes, condition variables, once, thread-specific storage.
#include <assert.h>
#include <threads.h>

mtx_t mutex, recursive;
cnd_t condition;
once_flag flag = ONCE_FLAG_INIT;
tss_t key;
int ready, initialised, destroyed;

void initialise(void) { ++initialised; }
void destroy(void* value) { destroyed += *(int*)value; }

int other(void* argument) {
  static int one = 1;
  call_once(&flag, initialise);
  tss_set(key, &one);
  assert(tss_get(key) == &one);
  mtx_lock(&mutex);
#ifdef TWICE
  mtx_lock(&mutex);  // @again
#endif
  ready = *(int*)argument;
  cnd_signal(&condition);
  mtx_unlock(&mutex);
  if (ready == 5) thrd_exit(6);
  return 7;
}

int main(void) {
  thrd_t thread;
  int argument = 5, result;
  assert(mtx_init(&mutex, mtx_plain) == thrd_success &&
         mtx_init(&recursive, mtx_timed | mtx_recursive) == thrd_success);
  assert(cnd_init(&condition) == thrd_success && tss_create(&key, destroy) == thrd_success);
  struct timespec time = {0, 0};
  assert(mtx_lock(&recursive) == thrd_success && mtx_timedlock(&recursive, &time) == thrd_success);
  mtx_unlock(&recursive);
  mtx_unlock(&recursive);
  assert(thrd_create(&thread, other, &argument) == thrd_success);
  call_once(&flag, initialise);
  assert(initialised == 1);
  mtx_lock(&mutex);
  while (ready == 0) cnd_wait(&condition, &mutex);
  mtx_unlock(&mutex);
  assert(thrd_equal(thrd_current(), thrd_current()) && !thrd_equal(thread, thrd_current()));
  assert(thrd_join(thread, &result) == thrd_success && result == 6 && destroyed == 1);
  thrd_yield();
  thrd_sleep(&time, 0);
  assert(mtx_trylock(&mutex) == thrd_success && mtx_trylock(&mutex) == thrd_busy);
  mtx_unlock(&mutex);
  mtx_destroy(&mutex);
  cnd_destroy(&condition);
  tss_delete(key);
}
