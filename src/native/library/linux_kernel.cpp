// RCU and SRCU of the Linux kernel (include/heddle/linux.h), and what else of it is no macro.
//
// Critical sections and grace periods are fences with tags. Nothing waits here: which of their orders can be is for the model to
// say, on the complete execution (src/run/kernel_execution.h).
//
// A callback is run by a thread of its own, which is started when it is registered and begins with a grace period. So what comes
// before call_rcu() comes before the callback, and the thread that calls it goes on at once.

#include <pthread.h>

#include "failure.h"
#include "primitives.h"

using heddle::library::fail;
using heddle::library::Failure;

extern "C" {

struct rcu_head {
  rcu_head* next;
  void (*func)(rcu_head*);
};
struct srcu_struct;

}  // extern "C"

namespace {

// Of the thread: how many critical sections of RCU it is in.
thread_local unsigned sections = 0;

struct Callback {
  rcu_head* head;
  void (*func)(rcu_head*);
  void* memory;
};

// All that a thread has registered, for rcu_barrier.
constexpr unsigned kMostCallbacks = 64;
thread_local uint32_t callbacks[kMostCallbacks];
thread_local unsigned registered = 0;

void sleepOutsideOfSections(const char* message) {
  if (sections != 0) fail(Failure::deadlock, message);
}

void* runCallback(void* argument) {
  const Callback callback = *static_cast<Callback*>(argument);
  heddle_free(argument, heddle_heap_malloc);
  heddle_kernel_fence(heddle_fence_syncRcu, nullptr, 0);
  if (callback.func) {
    callback.func(callback.head);
  } else {
    heddle_free(callback.memory, heddle_heap_malloc);
  }
  return nullptr;
}

}  // namespace

extern "C" {

void heddle_rcu_read_lock(void) {
  ++sections;
  heddle_kernel_fence(heddle_fence_rcuLock, nullptr, 0);
}

void heddle_rcu_read_unlock(void) {
  if (sections == 0) fail(Failure::misuse, "rcu_read_unlock() without rcu_read_lock()");
  --sections;
  heddle_kernel_fence(heddle_fence_rcuUnlock, nullptr, 0);
}

void heddle_synchronize_rcu(void) {
  sleepOutsideOfSections("synchronize_rcu() in a critical section of RCU waits for that section to end");
  heddle_kernel_fence(heddle_fence_syncRcu, nullptr, 0);
}

void heddle_call_rcu(rcu_head* head, void (*func)(rcu_head*), void* memory) {
  if (registered == kMostCallbacks) fail(Failure::unsupported, "a thread registers more than 64 callbacks of RCU");
  auto* const callback = static_cast<Callback*>(heddle_allocate(sizeof(Callback), alignof(Callback), heddle_heap_malloc));
  *callback = {head, func, memory};
  callbacks[registered] = heddle_spawn(runCallback, callback);
  heddle_detach(callbacks[registered]);
  ++registered;
}

void heddle_rcu_barrier(void) {
  sleepOutsideOfSections("rcu_barrier() in a critical section of RCU waits for that section to end");
  for (unsigned i = 0; i < registered; ++i) heddle_join(callbacks[i]);
  registered = 0;
}

int heddle_srcu_read_lock(srcu_struct* srcu) {
  const uint32_t index = heddle_self() << 16 | heddle_position();
  heddle_kernel_fence(heddle_fence_srcuLock, srcu, index);
  return static_cast<int>(index);
}

void heddle_srcu_read_unlock(srcu_struct* srcu, int index) {
  heddle_kernel_fence(heddle_fence_srcuUnlock, srcu, static_cast<uint32_t>(index));
}

void heddle_synchronize_srcu(srcu_struct* srcu) {
  sleepOutsideOfSections("synchronize_srcu() sleeps, which a critical section of RCU must not");
  heddle_kernel_fence(heddle_fence_syncSrcu, srcu, 0);
}

unsigned heddle_cpu(void) { return heddle_self(); }

}  // extern "C"
