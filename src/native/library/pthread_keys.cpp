// Thread-specific values: pthread_key_t, and C11's tss_t.
//
// A key is a number that is given out once, so the only thing threads share is the next number and, for each key, its
// destructor, which is written before anybody else can have the key.

#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include "failure.h"
#include "thread_end.h"

using heddle::library::fail;
using heddle::library::Failure;
using heddle::library::threadEnd;

namespace {

constexpr unsigned kKeys = 64;

struct Key {
  uint64_t live;
  void (*destructor)(void*);
};

uint32_t created;
Key keys[kKeys];
__thread const void* values[kKeys];
__thread uint32_t used;  // keys below this one have been set in this thread

bool isKey(pthread_key_t key) { return key < kKeys && keys[key].live; }

void destroyValues() {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    bool any = false;
    for (uint32_t key = 0; key < used; ++key) {
      void* value = const_cast<void*>(values[key]);
      if (!value || !keys[key].live || !keys[key].destructor) continue;
      values[key] = nullptr;
      any = true;
      keys[key].destructor(value);
    }
    if (!any) return;
  }
}

}  // namespace

extern "C" {

int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  const uint32_t number = __atomic_fetch_add(&created, 1, __ATOMIC_RELAXED);
  if (number >= kKeys) fail(Failure::unsupported, "more than 64 keys of thread-specific values");
  keys[number] = {1, destructor};
  *key = number;
  return 0;
}

int pthread_key_delete(pthread_key_t key) {
  if (!isKey(key)) return EINVAL;
  keys[key].live = 0;
  return 0;
}

void* pthread_getspecific(pthread_key_t key) { return isKey(key) ? const_cast<void*>(values[key]) : nullptr; }

int pthread_setspecific(pthread_key_t key, const void* value) {
  if (!isKey(key)) return EINVAL;
  values[key] = value;
  if (used <= key) used = key + 1;
  threadEnd.destroyKeys = destroyValues;
  heddle_note(kNotedThreadEnd);
  return 0;
}

}  // extern "C"
