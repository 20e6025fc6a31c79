// Threads of pthreads; std::thread and C11's thrd_t are made of them.
//
// A handle is the explorer's number of the thread plus one, so that 0 is no thread. What has become of a thread (its
// result, joined, detached) is plain memory that a correct program accesses in order: the thread writes its result
// before the join reads it, and two joins of one thread race unless one comes after the other, which is then reported
// as what it is.

#include <errno.h>
#include <pthread.h>

#include "failure.h"
#include "parking.h"
#include "thread_end.h"

using heddle::library::fail;
using heddle::library::Failure;
using heddle::library::kThreads;
using heddle::library::threadEnd;

namespace {

struct Start {
  void* (*function)(void*);
  void* argument;
};

enum class Fate : uint32_t { joinable, joined, detached };

struct ThreadState {
  // Written by the thread, the fate by others. All bits the other way round, so that it does not count as a pointer.
  uintptr_t result;
  Fate fate;
};

ThreadState states[kThreads];

ThreadState& stateOf(pthread_t thread) {
  if (thread == 0 || thread > kThreads) fail(Failure::invalidJoin, "this is not the handle of a thread");
  return states[thread - 1];
}

void* run(void* argument) {
  auto* start = static_cast<Start*>(argument);
  void* (*const function)(void*) = start->function;
  void* const own = start->argument;
  heddle_free(start, heddle_heap_malloc);
  heddle::library::finishThread(function(own));
  return nullptr;
}

constexpr size_t kDefaultStack = 8 << 20, kLeastStack = 16 << 10, kDefaultGuard = 4096;
size_t& stackSizeOf(pthread_attr_t* attributes) { return reinterpret_cast<size_t*>(attributes)[1]; }
size_t& guardSizeOf(pthread_attr_t* attributes) { return reinterpret_cast<size_t*>(attributes)[2]; }

bool isDetached(const pthread_attr_t* attributes) {
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes) pthread_attr_getdetachstate(attributes, &state);
  return state == PTHREAD_CREATE_DETACHED;
}

}  // namespace

void heddle::library::finishThread(void* result) {
  destroyThreadLocals();
  destroyKeys();
  ThreadState& state = states[heddle_own_place()];
  if (result) state.result = ~reinterpret_cast<uintptr_t>(result);
}

extern "C" {

// The instrumentation gives it a body (instrument/ignored_arguments.h).
int heddle_ignores_argument(const void* function);

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*), void* argument) {
  const bool detached = isDetached(attributes);
  auto* start = static_cast<Start*>(heddle_allocate(sizeof(Start), alignof(Start), heddle_heap_malloc));
  start->function = function;
  start->argument = argument;
  ++threadEnd.spawned;
  heddle_start_alike(reinterpret_cast<const void*>(function), argument,
                     heddle_ignores_argument(reinterpret_cast<const void*>(function)), 0);
  const uint32_t id = heddle_spawn(run, start);
  *thread = id + 1;
  if (detached) {
    states[id].fate = Fate::detached;
    heddle_detach(id);
  }
  return 0;
}

int pthread_join(pthread_t thread, void** result) {
  ThreadState& state = stateOf(thread);
  if (thread == pthread_self()) return EDEADLK;
  const Fate fate = state.fate;
  if (fate == Fate::detached) fail(Failure::invalidJoin, "join of a thread that is detached");
  if (fate == Fate::joined) fail(Failure::joinedTwice, "join of a thread that has been joined already");
  heddle_join(static_cast<uint32_t>(thread - 1));
  if (result) heddle_look_at_result(static_cast<uint32_t>(thread - 1));
  state.fate = Fate::joined;
  if (result) *result = state.result ? reinterpret_cast<void*>(~state.result) : nullptr;
  return 0;
}

int pthread_detach(pthread_t thread) {
  ThreadState& state = stateOf(thread);
  const Fate fate = state.fate;
  if (fate == Fate::detached) fail(Failure::invalidJoin, "detaching a thread that is detached already");
  if (fate == Fate::joined) fail(Failure::invalidJoin, "detaching a thread that has been joined");
  state.fate = Fate::detached;
  heddle_detach(static_cast<uint32_t>(thread - 1));
  return 0;
}

pthread_t pthread_self(void) { return heddle_self() + 1; }
int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

// Nobody cancels a thread here: pthread_cancel is not modelled.
int pthread_setcancelstate(int, int* old) {
  if (old) *old = PTHREAD_CANCEL_ENABLE;
  return 0;
}
int pthread_setcanceltype(int, int* old) {
  if (old) *old = PTHREAD_CANCEL_DEFERRED;
  return 0;
}
void pthread_testcancel(void) {}
int pthread_setconcurrency(int) { return 0; }
int pthread_getconcurrency(void) { return 0; }
int pthread_atfork(void (*)(void), void (*)(void), void (*)(void)) { return 0; }  // nobody forks
int pthread_getcpuclockid(pthread_t, clockid_t* clock) {
  *clock = CLOCK_THREAD_CPUTIME_ID;
  return 0;
}

// Of the attributes only the detach state counts. The sizes can be read again.
int pthread_attr_init(pthread_attr_t* attributes) {
  attributes->__align = PTHREAD_CREATE_JOINABLE;
  stackSizeOf(attributes) = kDefaultStack;
  guardSizeOf(attributes) = kDefaultGuard;
  return 0;
}
int pthread_attr_destroy(pthread_attr_t*) { return 0; }
int pthread_attr_setdetachstate(pthread_attr_t* attributes, int state) {
  if (state != PTHREAD_CREATE_JOINABLE && state != PTHREAD_CREATE_DETACHED) return EINVAL;
  attributes->__align = state;
  return 0;
}
int pthread_attr_getdetachstate(const pthread_attr_t* attributes, int* state) {
  *state = static_cast<int>(attributes->__align);
  return 0;
}
int pthread_attr_setstacksize(pthread_attr_t* attributes, size_t size) {
  if (size < kLeastStack) return EINVAL;
  stackSizeOf(attributes) = size;
  return 0;
}
int pthread_attr_getstacksize(const pthread_attr_t* attributes, size_t* size) {
  *size = stackSizeOf(const_cast<pthread_attr_t*>(attributes));
  return 0;
}
int pthread_attr_setguardsize(pthread_attr_t* attributes, size_t size) {
  guardSizeOf(attributes) = size;
  return 0;
}
int pthread_attr_getguardsize(const pthread_attr_t* attributes, size_t* size) {
  *size = guardSizeOf(const_cast<pthread_attr_t*>(attributes));
  return 0;
}
int pthread_attr_setscope(pthread_attr_t*, int) { return 0; }
int pthread_attr_setinheritsched(pthread_attr_t*, int) { return 0; }
int pthread_attr_setschedpolicy(pthread_attr_t*, int) { return 0; }

}  // extern "C"
