//! rc20: verified executions=2
//! rc20: verified executions=2 flags="-- -DSTRONG"
//! rc20: error=assertion-failure line=@patience flags="-- -DIMPATIENT"
// Loops of C++ that back off: a count decides how long to pause and when to yield, and matters to nothing else.
#include <atomic>
#include <cassert>
#include <thread>

class Lock {
 public:
  void lock() {
    unsigned delay = 1, tries = 0;
    bool expected = false;
#ifdef STRONG
    while (!taken_.compare_exchange_strong(expected, true, std::memory_order_acquire, std::memory_order_relaxed)) {
#else
    while (!taken_.compare_exchange_weak(expected, true, std::memory_order_acquire, std::memory_order_relaxed)) {
#endif
      expected = false;
      for (unsigned i = 0; i < delay; ++i) __builtin_ia32_pause();
      delay = delay < 64 ? 2 * delay : delay;
      if (++tries > 10) std::this_thread::yield();
#ifdef IMPATIENT
      assert(tries < 3);  // @patience
#endif
      if (tries > 100) tries = 0;
    }
  }
  void unlock() { taken_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> taken_{false};
};

Lock lock;
int data;

void work() {
  lock.lock();
  ++data;
  lock.unlock();
}

int main() {
  std::thread first(work);
  work();
  first.join();
  assert(data == 2);
}
