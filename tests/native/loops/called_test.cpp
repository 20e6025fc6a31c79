//! rc20: verified executions=1 flags="-- -DSHAPE=1"
//! rc20: verified executions=1 flags="-- -DSHAPE=2"
//! rc20: verified executions=1 flags="-- -DSHAPE=3"
//! rc20: verified executions=1 flags="-- -DSHAPE=4"
//! rc20: error=assertion-failure line=@calls flags="-- -DSHAPE=5"
//! rc20: error=assertion-failure line=@stores flags="-- -DSHAPE=6"
//! rc20: error=assertion-failure line=@calls flags="-- -DSHAPE=7"
//! rc20: error=assertion-failure line=@calls flags="--races off -- -DSHAPE=7"
//! rc20: verified executions=1 flags="-- -DSHAPE=8"
//! rc20: error=non-termination line=@error flags="-- -DSHAPE=1 -DNOBODY"
// The test of a loop that waits is a call of code that is not known before it runs: a function that is not inlined (1), a
// virtual one (2), one by a pointer (3), a std::function (4). What it has changed counts: a counter (5), an atomic (6), also one that
// the thread has written right before the loop (7). One that is counted up and down again is what it was (8). All but the first are not
// inlined into the loop.
#include <atomic>
#include <cassert>
#include <functional>
#include <thread>

static std::atomic<int> ready, looked;
static int calls;

__attribute__((noinline)) static bool isReady() {
#if SHAPE == 5 || SHAPE == 7
  calls++;
#elif SHAPE == 8
  calls++;
  const bool is = ready.load(std::memory_order_acquire) != 0;
  calls--;
  return is;
#elif SHAPE == 6
  looked.fetch_add(1, std::memory_order_relaxed);
#endif
  return ready.load(std::memory_order_acquire) != 0;
}

struct Test {
  virtual ~Test() = default;
  virtual bool done() = 0;
};
struct ReadyTest final : Test {
  bool done() override { return isReady(); }
};

static bool (*volatile test)() = isReady;

static void wait() {
#if SHAPE == 2
  ReadyTest own;
  Test* volatile any = &own;
  Test* one = any;
  while (!one->done()) {
  }
#elif SHAPE == 3
  bool (*const one)() = test;
  while (!one()) {
  }
#elif SHAPE == 4
  std::function<bool()> one = [] { return isReady(); };
  while (!one()) {
  }
#elif SHAPE >= 5
  bool (*const one)() = test;
#if SHAPE >= 7
  calls = 0;
#endif
  while (!one()) {
  }
#else
  while (!isReady()) {  // @error
  }
#endif
}

int main() {
  std::thread thread([] { wait(); });
#ifndef NOBODY
  ready.store(1, std::memory_order_release);
#endif
  thread.join();
  assert(calls < 3);          // @calls
  assert(looked.load() < 3);  // @stores
  return 0;
}
