// C11's threads.h, in terms of pthreads: the same objects by other names.

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <threads.h>

#include "primitives.h"

namespace {

static_assert(sizeof(mtx_t) >= sizeof(pthread_mutex_t) && sizeof(cnd_t) >= sizeof(pthread_cond_t));
static_assert(sizeof(once_flag) == sizeof(pthread_once_t) && sizeof(thrd_t) == sizeof(pthread_t));

pthread_mutex_t* mutexOf(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* conditionOf(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }

int resultOf(int error) {
  switch (error) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    case ENOMEM: return thrd_nomem;
    default: return thrd_error;
  }
}

struct Start {
  thrd_start_t function;
  void* argument;
};

void* run(void* argument) {
  const Start start = *static_cast<Start*>(argument);
  heddle_free(argument, heddle_heap_malloc);
  return reinterpret_cast<void*>(static_cast<intptr_t>(start.function(start.argument)));
}

}  // namespace

extern "C" {

int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
  auto* start = static_cast<Start*>(heddle_allocate(sizeof(Start), alignof(Start), heddle_heap_malloc));
  *start = {function, argument};
  return resultOf(pthread_create(thread, nullptr, run, start));
}

int thrd_join(thrd_t thread, int* result) {
  void* value = nullptr;
  const int error = pthread_join(thread, result ? &value : nullptr);
  if (error == 0 && result) *result = static_cast<int>(reinterpret_cast<intptr_t>(value));
  return resultOf(error);
}

void thrd_exit(int result) { pthread_exit(reinterpret_cast<void*>(static_cast<intptr_t>(result))); }
int thrd_detach(thrd_t thread) { return resultOf(pthread_detach(thread)); }
thrd_t thrd_current(void) { return pthread_self(); }
int thrd_equal(thrd_t a, thrd_t b) { return a == b; }
int thrd_sleep(const timespec* duration, timespec* left) { return nanosleep(duration, left) == 0 ? 0 : -2; }
void thrd_yield(void) { heddle_yield(); }

int mtx_init(mtx_t* mutex, int type) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
  return resultOf(pthread_mutex_init(mutexOf(mutex), &attributes));
}
void mtx_destroy(mtx_t* mutex) { pthread_mutex_destroy(mutexOf(mutex)); }
int mtx_lock(mtx_t* mutex) { return resultOf(pthread_mutex_lock(mutexOf(mutex))); }
int mtx_trylock(mtx_t* mutex) { return resultOf(pthread_mutex_trylock(mutexOf(mutex))); }
int mtx_timedlock(mtx_t* mutex, const timespec* time) { return resultOf(pthread_mutex_timedlock(mutexOf(mutex), time)); }
int mtx_unlock(mtx_t* mutex) { return resultOf(pthread_mutex_unlock(mutexOf(mutex))); }

int cnd_init(cnd_t* condition) { return resultOf(pthread_cond_init(conditionOf(condition), nullptr)); }
void cnd_destroy(cnd_t* condition) { pthread_cond_destroy(conditionOf(condition)); }
int cnd_signal(cnd_t* condition) { return resultOf(pthread_cond_signal(conditionOf(condition))); }
int cnd_broadcast(cnd_t* condition) { return resultOf(pthread_cond_broadcast(conditionOf(condition))); }
int cnd_wait(cnd_t* condition, mtx_t* mutex) { return resultOf(pthread_cond_wait(conditionOf(condition), mutexOf(mutex))); }
int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* time) {
  return resultOf(pthread_cond_timedwait(conditionOf(condition), mutexOf(mutex), time));
}

void call_once(once_flag* flag, void (*function)(void)) { pthread_once(reinterpret_cast<pthread_once_t*>(flag), function); }

int tss_create(tss_t* key, tss_dtor_t destructor) { return resultOf(pthread_key_create(key, destructor)); }
void tss_delete(tss_t key) { pthread_key_delete(key); }
void* tss_get(tss_t key) { return pthread_getspecific(key); }
int tss_set(tss_t key, void* value) { return resultOf(pthread_setspecific(key, value)); }

}  // extern "C"
