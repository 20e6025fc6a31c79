//! rc20,sc: verified executions=128 blocked=0 flags="--leaks"
//! rc20: error=data-race line=@take flags="-- -DBUG"
// A bounded queue for one producer and one consumer that block: two semaphores count the elements and the free slots. A
// semaphore is an atomic counter that is tried a number of times; only then the thread sleeps at one of the system. BUG: the
// counter is raised without release order.
#include <atomic>
#include <cassert>
#include <cstddef>
#include <memory>
#include <semaphore>
#include <thread>
#include <utility>
#include <vector>

#ifdef BUG
constexpr auto raise = std::memory_order_relaxed;
#else
constexpr auto raise = std::memory_order_release;
#endif

class SpinningSemaphore {
 public:
  explicit SpinningSemaphore(int count) : count_(count) {}

  void release() {
    if (count_.fetch_add(1, raise) < 0) sleepers_.release();
  }

  void acquire() {
    for (int i = 0; i < attempts; ++i) {
      int count = count_.load(std::memory_order_relaxed);
      if (count > 0 && count_.compare_exchange_weak(count, count - 1, std::memory_order_acquire, std::memory_order_relaxed)) {
        return;
      }
    }
    if (count_.fetch_sub(1, std::memory_order_acquire) <= 0) sleepers_.acquire();
  }

 private:
  static constexpr int attempts = 1000;

  std::atomic<int> count_;  // less than zero: so many sleep, or are about to
  std::counting_semaphore<> sleepers_{0};
};

template <class T>
class BlockingRing {
 public:
  explicit BlockingRing(std::size_t capacity) : slots_(capacity), free_(static_cast<int>(capacity)), filled_(0) {}

  void push(T value) {
    free_.acquire();
    slots_[tail_++ % slots_.size()] = std::move(value);
    filled_.release();
  }

  T pop() {
    filled_.acquire();
    T value = std::move(slots_[head_++ % slots_.size()]);  // @take
    free_.release();
    return value;
  }

 private:
  std::vector<T> slots_;
  SpinningSemaphore free_, filled_;
  alignas(64) std::size_t head_ = 0;  // of the consumer
  alignas(64) std::size_t tail_ = 0;  // of the producer
};

int main() {
  BlockingRing<std::unique_ptr<int>> ring(1);
  std::thread producer([&ring] {
    for (int i = 0; i < 2; ++i) ring.push(std::make_unique<int>(i));
  });
  std::thread consumer([&ring] {
    for (int i = 0; i < 2; ++i) {
      const std::unique_ptr<int> value = ring.pop();
      assert(*value == i);
    }
  });
  producer.join();
  consumer.join();
}
