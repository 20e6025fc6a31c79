// The system calls that lock implementations make: futex, and the number of the thread or processor.
//
// As in the kernel, a lock for each word (or, as there, for a few) makes looking at the word and going to sleep one
// step: a wake that comes after the store it announces is either late enough to find the sleeper, or early enough for
// the sleeper to see the store and not to sleep.

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "failure.h"
#include "parking.h"

using heddle::library::fail;
using heddle::library::Failure;
using heddle::library::ThreadSet;

namespace {

constexpr unsigned kBuckets = 32;

struct Bucket {
  uint32_t lock;
  uint32_t unused;
  ThreadSet sleepers;
  struct {
    const uint32_t* word;
    uint32_t bits;  // that a wake must have one of
  } asleep[heddle::library::kThreads];
};

Bucket buckets[kBuckets];

Bucket& bucketOf(const uint32_t* word) { return buckets[reinterpret_cast<uintptr_t>(word) / sizeof *word % kBuckets]; }

int failed(int error) {
  errno = error;
  return -1;
}

enum class Limit { duration, deadline };

int wait(const uint32_t* word, uint32_t value, const timespec* timeout, Limit limit, uint32_t bits) {
  if (bits == 0 || (timeout && !heddle::library::isTime(*timeout))) return failed(EINVAL);
  Bucket& bucket = bucketOf(word);
  const uint32_t self = heddle_self();
  heddle_lock(&bucket.lock);
  if (__atomic_load_n(word, __ATOMIC_RELAXED) != value) {
    heddle_unlock(&bucket.lock);
    return failed(EAGAIN);
  }
  bucket.sleepers.insert(self);
  bucket.asleep[self] = {word, bits};
  heddle_unlock(&bucket.lock);
  if (!timeout) {
    heddle::library::park(word);
    return 0;
  }
  if (heddle_choose_hook(2) == 0) {
    heddle::library::parkOrNever();
    return 0;
  }
  heddle_lock(&bucket.lock);
  heddle_assume_hook(bucket.sleepers.contains(self));
  bucket.sleepers.erase(self);
  heddle_unlock(&bucket.lock);
  if (limit == Limit::duration) {
    heddle::library::sleepFor(*timeout);
  } else {
    heddle::library::sleepUntil(*timeout);
  }
  return failed(ETIMEDOUT);
}

// Any `atMost` of the sleepers that wait for one of these bits; one, if it is less, as the kernel does.
int wake(const uint32_t* word, int atMost, uint32_t bits) {
  if (bits == 0) return failed(EINVAL);
  const auto count = static_cast<uint32_t>(atMost > 1 ? atMost : 1);
  Bucket& bucket = bucketOf(word);
  heddle_lock(&bucket.lock);
  ThreadSet candidates = {};
  bucket.sleepers.forEach([&](uint32_t thread) {
    const auto& sleeper = bucket.asleep[thread];
    if (sleeper.word == word && (sleeper.bits & bits) != 0) candidates.insert(thread);
  });
  ThreadSet chosen = {};
  uint32_t woken = 0;
  for (uint32_t left = candidates.size(); woken < count && left != 0; ++woken, --left) {
    const uint32_t thread = candidates.at(left <= count - woken ? 0 : heddle_choose_hook(left));
    chosen.insert(thread);
    candidates.erase(thread);
  }
  bucket.sleepers.erase(chosen);
  heddle_unlock(&bucket.lock);
  heddle::library::wakeAll(chosen);
  return static_cast<int>(woken);
}

// The last argument, behind the address of a second word.
uint32_t bitsAfterAddress(va_list& arguments) {
  va_arg(arguments, const uint32_t*);
  return va_arg(arguments, uint32_t);
}

long futex(va_list& arguments) {
  const auto* word = va_arg(arguments, const uint32_t*);
  const int operation = va_arg(arguments, int);
  const uint32_t value = va_arg(arguments, uint32_t);
  constexpr uint32_t kAnyBits = FUTEX_BITSET_MATCH_ANY;
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT: return wait(word, value, va_arg(arguments, const timespec*), Limit::duration, kAnyBits);
    case FUTEX_WAKE: return wake(word, static_cast<int>(value), kAnyBits);
    case FUTEX_WAIT_BITSET: {
      const auto* deadline = va_arg(arguments, const timespec*);
      return wait(word, value, deadline, Limit::deadline, bitsAfterAddress(arguments));
    }
    case FUTEX_WAKE_BITSET: {
      va_arg(arguments, const timespec*);
      return wake(word, static_cast<int>(value), bitsAfterAddress(arguments));
    }
    default: fail(Failure::unsupported, "this operation of the futex system call is not supported");
  }
}

long processor(va_list& arguments) {
  auto* const number = va_arg(arguments, unsigned*);
  auto* const node = va_arg(arguments, unsigned*);
  return getcpu(number, node);
}

}  // namespace

extern "C" long syscall(long number, ...) {
  if (number == SYS_gettid) return 1000 + static_cast<long>(heddle_self());
  if (number == SYS_getpid) return 1000;
  if (number == SYS_sched_yield) return sched_yield();
  if (number != SYS_futex && number != SYS_getcpu) fail(Failure::unsupported, "this system call is not supported");
  va_list arguments;
  va_start(arguments, number);
  const long result = number == SYS_getcpu ? processor(arguments) : futex(arguments);
  va_end(arguments);
  return result;
}
