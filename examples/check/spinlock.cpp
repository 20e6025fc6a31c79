//! rc20: verified executions=2 blocked=2
//! sc: verified executions=2 blocked=2
//! rc20: error=data-race line=@increment flags="--suggest -- -DBUG"
//! why: Suggestion: release instead of relaxed for store spin.locked_ at spinlock.cpp:32. With this change the program has no error
//
// A test-and-test-and-set spinlock: L. Rudolph and Z. Segall, "Dynamic decentralized cache schemes for MIMD parallel
// processors" (ISCA 1984). A thread that finds the lock taken waits with plain loads, so that the waiting does not take
// the cache line away from the owner, and tries again only when the lock looks free.
//
// BUG: unlock stores with relaxed order. The next owner sees the lock free, and nothing that was done under it.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#ifdef BUG
constexpr auto unlockOrder = std::memory_order_relaxed;
#else
constexpr auto unlockOrder = std::memory_order_release;
#endif

class SpinLock {
 public:
  void lock() {
    while (locked_.exchange(true, std::memory_order_acquire)) {
      while (locked_.load(std::memory_order_relaxed)) std::this_thread::yield();
    }
  }
  bool try_lock() {
    return !locked_.load(std::memory_order_relaxed) && !locked_.exchange(true, std::memory_order_acquire);
  }
  void unlock() { locked_.store(false, unlockOrder); }

 private:
  std::atomic<bool> locked_{false};
};

SpinLock spin;
int counter = 0;

void increment() {
  std::lock_guard guard(spin);
  ++counter;  // @increment
}

int main() {
  std::thread first(increment);
  std::thread second(increment);
  first.join();
  second.join();
  assert(counter == 2);
}
