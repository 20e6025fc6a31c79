//! rc20: verified executions=25 blocked=50 flags="--leaks"
//! sc: verified executions=17 blocked=42 flags="--leaks"
//! rc20: error=data-race line=@make|@use flags="-- -DBUG"
// A ring of pointers for one producer and many consumers. A consumer makes sure that the ring is not empty, reads the next
// slot, and claims it by moving the head on. BUG: the check whether the ring is empty is relaxed, so that what the pointer
// points to may not be there yet.
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>

#ifdef BUG
constexpr auto check = std::memory_order_relaxed;
#else
constexpr auto check = std::memory_order_acquire;
#endif

template <class T, std::size_t Capacity>
class Ring {
 public:
  bool tryPush(T* value) {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == Capacity) return false;
    slots_[tail % Capacity].store(value, std::memory_order_relaxed);
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }

  // None if the ring is empty.
  T* tryPop() {
    std::size_t head = head_.load(std::memory_order_relaxed);
    while (!isEmpty(head)) {
      T* const value = slots_[head % Capacity].load(std::memory_order_relaxed);
      if (head_.compare_exchange_weak(head, head + 1, std::memory_order_release, std::memory_order_relaxed)) return value;
    }
    return nullptr;
  }

 private:
  // The tail that is read may be behind the head: another consumer has seen a newer one.
  bool isEmpty(std::size_t head) const { return static_cast<std::ptrdiff_t>(tail_.load(check) - head) <= 0; }

  std::array<std::atomic<T*>, Capacity> slots_{};
  alignas(64) std::atomic<std::size_t> head_{0};
  alignas(64) std::atomic<std::size_t> tail_{0};
};

struct Message {
  int number;
  int square;
};

int main() {
  Ring<Message, 2> ring;
  std::array<int, 2> sums{};
  std::thread producer([&ring] {
    for (int number = 1; number <= 2; ++number) {
      const bool pushed = ring.tryPush(new Message{number, number * number});  // @make
      assert(pushed);
    }
  });
  auto consumer = [&ring, &sums](int self) {
    if (Message* const message = ring.tryPop()) {
      assert(message->square == message->number * message->number);  // @use
      sums[self] += message->number;
      delete message;
    }
  };
  std::thread first(consumer, 0), second(consumer, 1);
  producer.join();
  first.join();
  second.join();
  int rest = 0;
  while (Message* const message = ring.tryPop()) {
    rest += message->number;
    delete message;
  }
  assert(sums[0] + sums[1] + rest == 3);
}
