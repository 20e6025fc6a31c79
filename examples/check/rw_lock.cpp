//! rc20: verified executions=34 blocked=22
//! sc: verified executions=34 blocked=22
//! rc20: error=data-race line=@write|@read flags="--suggest -- -DBUG"
//! why: Suggestion: release instead of relaxed for fetch_sub guard.state_ at rw_lock.cpp:45. With this change the program has no error
//
// A reader-writer spinlock in one word: the number of readers, or -1 for a writer. The problem is that of P. J.
// Courtois, F. Heymans, D. L. Parnas, "Concurrent control with readers and writers" (CACM 1971); the counter is the
// simplest of the locks in J. M. Mellor-Crummey and M. L. Scott, "Scalable reader-writer synchronization" (PPoPP 1991).
//
// BUG: a reader leaves with relaxed order, because it has written nothing. But the writer that comes next must not
// overwrite what the reader is still reading.
#include <atomic>
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

#ifdef BUG
constexpr auto leave = std::memory_order_relaxed;
#else
constexpr auto leave = std::memory_order_release;
#endif

class RwSpinLock {
 public:
  void lock() {
    int none = 0;
    while (!state_.compare_exchange_strong(none, -1, std::memory_order_acquire, std::memory_order_relaxed)) {
      none = 0;
      std::this_thread::yield();
    }
  }
  void unlock() { state_.store(0, std::memory_order_release); }

  void lock_shared() {
    while (true) {
      int readers = state_.load(std::memory_order_relaxed);
      if (readers >= 0 &&
          state_.compare_exchange_strong(readers, readers + 1, std::memory_order_acquire, std::memory_order_relaxed)) {
        return;
      }
      std::this_thread::yield();
    }
  }
  void unlock_shared() { state_.fetch_sub(1, leave); }

 private:
  std::atomic<int> state_{0};
};

RwSpinLock guard;
int width = 1, height = 1;

void grow() {
  std::unique_lock lock(guard);
  width += 2;  // @write
  height += 2;
}

void look() {
  std::shared_lock lock(guard);
  const int w = width;  // @read
  assert(w == height);
}

int main() {
  std::thread writer(grow);
  std::thread reader(look);
  look();
  writer.join();
  reader.join();
  assert(width == 3 && height == 3);
}
