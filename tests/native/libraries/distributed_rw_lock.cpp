//! rc20: verified executions=16 blocked=10
//! rc20: error=data-race line=@read flags="-- -DBUG"
//! sc: verified executions=16 blocked=10 flags="-- -DBUG"
// A reader-writer lock that scales with its readers: each counts itself in on a cache line of its own, looks whether there is a
// writer, and if so takes itself out again and waits. A writer says that it is there and waits until all counts are zero. BUG:
// the reader's announcement and its look are not seq_cst, and neither sees the other.
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <mutex>
#include <thread>

#ifdef BUG
constexpr auto announce = std::memory_order_acq_rel, look = std::memory_order_acquire;
#else
constexpr auto announce = std::memory_order_seq_cst, look = std::memory_order_seq_cst;
#endif

template <std::size_t Slots>
class DistributedRwLock {
 public:
  void lock_shared(std::size_t self) {
    std::atomic<int>& count = slots_[self % Slots].readers;
    while (true) {
      count.fetch_add(1, announce);
      if (!writing_.load(look)) return;
      count.fetch_sub(1, std::memory_order_release);
      while (writing_.load(std::memory_order_relaxed)) std::this_thread::yield();
    }
  }

  void unlock_shared(std::size_t self) { slots_[self % Slots].readers.fetch_sub(1, std::memory_order_release); }

  void lock() {
    while (writing_.exchange(true, std::memory_order_seq_cst)) std::this_thread::yield();
    for (Slot& slot : slots_) {
      while (slot.readers.load(std::memory_order_seq_cst) != 0) std::this_thread::yield();
    }
  }

  void unlock() { writing_.store(false, std::memory_order_release); }

 private:
  struct alignas(64) Slot {
    std::atomic<int> readers{0};
  };
  std::array<Slot, Slots> slots_;
  alignas(64) std::atomic<bool> writing_{false};
};

struct Range {
  int begin = 0, end = 10;
};

int main() {
  DistributedRwLock<2> lock;
  Range range;
  auto reader = [&](std::size_t self) {
    lock.lock_shared(self);
    assert(range.end - range.begin == 10);  // @read
    lock.unlock_shared(self);
  };
  std::thread first(reader, 0), second(reader, 1);
  {
    const std::lock_guard<DistributedRwLock<2>> guard(lock);
    range.begin += 5;
    range.end += 5;
  }
  first.join();
  second.join();
  assert(range.begin == 5 && range.end == 15);
}
