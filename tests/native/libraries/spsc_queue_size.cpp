//! rc20: verified executions=5 blocked=9 flags="--leaks"
//! sc: verified executions=5 blocked=8 flags="--leaks"
//! rc20: error=data-race line=@take|@put flags="-- -DBUG"
// A bounded queue for one producer and one consumer, which constructs its elements in place. Each side keeps a copy of the
// other one's index and looks again only when it must. The consumer takes as many as `size` says, without another look.
// BUG: `size` reads the indices without synchronisation.
#include <atomic>
#include <cassert>
#include <cstddef>
#include <memory>
#include <new>
#include <thread>
#include <utility>

#ifdef BUG
constexpr auto look = std::memory_order_relaxed;
#else
constexpr auto look = std::memory_order_acquire;
#endif

template <class T>
class SpscQueue {
 public:
  // One slot is always free, so that full and empty differ.
  explicit SpscQueue(std::size_t capacity) : slotCount_(capacity + 1), slots_(std::allocator<T>().allocate(slotCount_)) {}
  SpscQueue(const SpscQueue&) = delete;
  SpscQueue& operator=(const SpscQueue&) = delete;
  ~SpscQueue() {
    while (size() > 0) take();
    std::allocator<T>().deallocate(slots_, slotCount_);
  }

  // Of the producer. Waits while the queue is full.
  template <class... Arguments>
  void emplace(Arguments&&... arguments) {
    const std::size_t write = write_.load(std::memory_order_relaxed);
    const std::size_t next = after(write);
    while (next == knownRead_) knownRead_ = read_.load(std::memory_order_acquire);
    new (&slots_[write]) T(std::forward<Arguments>(arguments)...);  // @put
    write_.store(next, std::memory_order_release);
  }

  // How many elements there are; the consumer can take so many.
  std::size_t size() const {
    const std::size_t write = write_.load(look);
    const std::size_t read = read_.load(look);
    return write >= read ? write - read : write + slotCount_ - read;
  }

  // Of the consumer. There must be an element.
  T take() {
    const std::size_t read = read_.load(std::memory_order_relaxed);
    T value = std::move(slots_[read]);  // @take
    slots_[read].~T();
    read_.store(after(read), std::memory_order_release);
    return value;
  }

 private:
  std::size_t after(std::size_t index) const { return index + 1 == slotCount_ ? 0 : index + 1; }

  const std::size_t slotCount_;
  T* const slots_;
  alignas(64) std::atomic<std::size_t> write_{0};
  alignas(64) std::size_t knownRead_ = 0;
  alignas(64) std::atomic<std::size_t> read_{0};
};

int main() {
  SpscQueue<std::unique_ptr<int>> queue(2);
  std::thread producer([&queue] {
    for (int i = 0; i < 3; ++i) queue.emplace(std::make_unique<int>(i));
  });
  std::thread consumer([&queue] {
    int expected = 0;
    while (expected < 3) {
      for (std::size_t count = queue.size(); count > 0; --count) {
        const std::unique_ptr<int> value = queue.take();
        assert(*value == expected);
        ++expected;
      }
    }
  });
  producer.join();
  consumer.join();
  assert(queue.size() == 0);
}
