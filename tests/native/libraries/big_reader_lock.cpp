//! rc20: verified executions=9 blocked=24
//! rc20: error=data-race line=@read flags="-- -DBUG"
// A reader-writer lock that scales with its readers: each has a lock of its own, on a cache line of its own, and a writer takes
// all of them. BUG: the writer forgets the last one.
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <mutex>
#include <thread>

class SpinLock {
 public:
  void lock() {
    while (taken_.exchange(true, std::memory_order_acquire)) {
      while (taken_.load(std::memory_order_relaxed)) std::this_thread::yield();
    }
  }

  void unlock() { taken_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> taken_{false};
};

template <std::size_t Readers>
class BigReaderLock {
 public:
  // What a reader locks; for std::lock_guard.
  SpinLock& reader(std::size_t self) { return slots_[self].lock; }

  void lock() {
    for (std::size_t i = 0; i < count; ++i) slots_[i].lock.lock();
  }

  void unlock() {
    for (std::size_t i = count; i-- > 0;) slots_[i].lock.unlock();
  }

 private:
#ifdef BUG
  static constexpr std::size_t count = Readers - 1;
#else
  static constexpr std::size_t count = Readers;
#endif

  struct alignas(64) Slot {
    SpinLock lock;
  };
  std::array<Slot, Readers> slots_;
};

struct Range {
  int begin = 0, end = 10;
};

int main() {
  BigReaderLock<2> lock;
  Range range;
  auto reader = [&](std::size_t self) {
    for (int i = 0; i < 2; ++i) {
      const std::lock_guard<SpinLock> guard(lock.reader(self));
      assert(range.end - range.begin == 10);  // @read
    }
  };
  std::thread first(reader, 0), second(reader, 1);
  {
    const std::lock_guard<BigReaderLock<2>> guard(lock);
    range.begin += 5;
    range.end += 5;
  }
  first.join();
  second.join();
  assert(range.begin == 5 && range.end == 15);
}
