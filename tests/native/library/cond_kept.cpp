//! rc20: error=assertion-failure line=@loop
//! rc20: error=assertion-failure line=@kept flags="-- -DCALLED"
//! rc20: error=assertion-failure line=@kept flags="-- -DHANDED"
//! rc20: error=assertion-failure line=@kept flags="-- -DSTORED"
//! rc20: error=assertion-failure line=@private flags="-- -DPRIVATE"
//! rc20: verified executions=3 blocked=0 flags="--no-spurious"
// A thread that wakes up spuriously twice, having looked at x before it waited again: it is not where it was, as it keeps what
// it has seen. CALLED: in another function. HANDED: from one to the other. STORED: in memory. PRIVATE: on its stack.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable condition;
int x, seen;
bool done;

[[gnu::noinline]] void look(std::unique_lock<std::mutex>& lock, int before) {
#ifdef CALLED
  before = x;
#endif
  condition.wait(lock);
  assert(done || before != 1);  // @kept
}

int main() {
  std::thread changes([] {
    {
      const std::lock_guard lock(mutex);
      x = 1;
    }
    const std::lock_guard lock(mutex);
    x = 2;
    done = true;
    condition.notify_all();
  });
  std::unique_lock lock(mutex);
  bool started = x != 0;
  while (!started && !done) {
#if defined CALLED
    look(lock, 0);
#elif defined HANDED
    look(lock, x);
#elif defined STORED
    seen = x;
    look(lock, seen);
#elif defined PRIVATE
    volatile int before[2] = {0, x};
    condition.wait(lock);
    assert(done || before[1] != 1);  // @private
#else
    const int before = x;
    condition.wait(lock);
    assert(done || before != 1);  // @loop
#endif
  }
  lock.unlock();
  changes.join();
}
