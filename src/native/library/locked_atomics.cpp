// Atomic objects that are too large for the processor, or of an odd size: a lock for each, as in libatomic. Those of 1, 2, 4, 8
// and 16 bytes never come here (atomic_calls.h).
//
// A lock orders more than a relaxed access has to. What a program owes to that it would not have with another library, so
// it is warned of.

#include <string.h>

#include "failure.h"

namespace {

constexpr unsigned kLocks = 64;
constexpr uintptr_t kApart = 64;  // addresses in one block of so many bytes have the same lock
uint32_t locks[kLocks];

class Locked {
 public:
  Locked(const void* address, int order) : lock_(&locks[reinterpret_cast<uintptr_t>(address) / kApart % kLocks]) {
    if (order != __ATOMIC_SEQ_CST)
      heddle::library::warn(
          "an atomic object of this size has a lock, as in libatomic: its accesses are ordered like those of a mutex, whatever "
          "their memory order says");
    heddle_lock(lock_);
  }
  ~Locked() { heddle_unlock(lock_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  uint32_t* lock_;
};

}  // namespace

// The compiler has names of its own for these, with other types.
extern "C" {

void lockedLoad(size_t size, const void* object, void* result, int order) __asm__("__atomic_load");
void lockedStore(size_t size, void* object, const void* value, int order) __asm__("__atomic_store");
void lockedExchange(size_t size, void* object, const void* value, void* result, int order) __asm__("__atomic_exchange");
bool lockedCompareExchange(size_t size, void* object, void* expected, const void* desired, int success,
                           int failure) __asm__("__atomic_compare_exchange");

void lockedLoad(size_t size, const void* object, void* result, int order) {
  const Locked locked(object, order);
  memcpy(result, object, size);
}

void lockedStore(size_t size, void* object, const void* value, int order) {
  const Locked locked(object, order);
  memcpy(object, value, size);
}

void lockedExchange(size_t size, void* object, const void* value, void* result, int order) {
  const Locked locked(object, order);
  char* const old = static_cast<char*>(__builtin_alloca(size));
  memcpy(old, object, size);
  memcpy(object, value, size);
  memcpy(result, old, size);
}

bool lockedCompareExchange(size_t size, void* object, void* expected, const void* desired, int success, int failure) {
  const Locked locked(object, success == __ATOMIC_SEQ_CST ? failure : success);
  const bool same = memcmp(object, expected, size) == 0;
  if (same) {
    memcpy(object, desired, size);
  } else {
    memcpy(expected, object, size);
  }
  return same;
}

}  // extern "C"
