//! rc20: verified executions=9 blocked=0
//! sc: verified executions=9 blocked=0
//! rc20: error=data-race line=@put|@take flags="--suggest -- -DBUG"
//! why: Suggestion: release instead of relaxed for store ring.tail_ at spsc_ring.cpp:30. With this change the program has no error
//
// A ring buffer for one producer and one consumer: L. Lamport, "Specifying concurrent program modules" (TOPLAS 1983).
// Each side writes one index only; an index is what says that a slot may be touched.
//
// BUG: the producer announces a new element with a relaxed store.
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>
#include <utility>

#ifdef BUG
constexpr auto announce = std::memory_order_relaxed;
#else
constexpr auto announce = std::memory_order_release;
#endif

template <class T, std::size_t Capacity>
class SpscRing {
 public:
  bool tryPush(T value) {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == Capacity) return false;
    slots_[tail % Capacity] = std::move(value);  // @put
    tail_.store(tail + 1, announce);
    return true;
  }

  bool tryPop(T& value) {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return false;
    value = std::move(slots_[head % Capacity]);  // @take
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

 private:
  std::array<T, Capacity> slots_{};
  alignas(64) std::atomic<std::size_t> head_{0};  // written by the consumer
  alignas(64) std::atomic<std::size_t> tail_{0};  // written by the producer
};

SpscRing<int, 2> ring;
constexpr int items = 3;

int main() {
  std::thread producer([] {
    for (int i = 1; i <= items; ++i) {
      while (!ring.tryPush(i)) std::this_thread::yield();
    }
  });
  std::thread consumer([] {
    for (int i = 1; i <= items; ++i) {
      int value = 0;
      while (!ring.tryPop(value)) std::this_thread::yield();
      assert(value == i);
    }
  });
  producer.join();
  consumer.join();
}
