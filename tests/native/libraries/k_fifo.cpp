//! rc20: verified executions=5381 blocked=0 flags="--leaks"
//! sc: verified executions=5285 blocked=0 flags="--leaks"
//! rc20: verified executions=5381 blocked=0 flags="--leaks --without all"
//! rc20: error=data-race line=@look flags="-- -DBUG"
// A k-FIFO queue, after C. M. Kirsch, M. Lippautz and H. Payer, "Fast and scalable, lock-free k-FIFO queues" (PaCT 2013): a
// list of segments of K slots. Elements go into any free slot of the last segment and are taken from any slot of the first
// one, so an element may be overtaken by K - 1 others. A segment that is taken out of the list is marked first, and looked
// into once more, as somebody may have put something into it meanwhile. BUG: the exchange that moves the head on to the next
// segment is relaxed, so that others find a segment that is not made yet.
// No round of its loops is in vain, so there are as many executions without reductions.
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>

#ifdef BUG
constexpr auto moveHead = std::memory_order_relaxed;
#else
constexpr auto moveHead = std::memory_order_acq_rel;
#endif

template <class T, std::size_t K>
class KFifo {
 public:
  KFifo() : first_(new Segment), head_(first_), tail_(first_) {}
  KFifo(const KFifo&) = delete;
  KFifo& operator=(const KFifo&) = delete;
  ~KFifo() {
    while (first_ != nullptr) {
      Segment* const next = first_->next.load(std::memory_order_relaxed);
      delete first_;
      first_ = next;
    }
  }

  void enqueue(T* value) {
    while (true) {
      Segment* const tail = tail_.load(std::memory_order_acquire);
      for (std::atomic<T*>& slot : tail->slots) {
        T* found = nullptr;
        if (!slot.compare_exchange_strong(found, value)) continue;
        if (!tail->removed.load()) return;
        // Nobody may look into this segment again. If somebody has taken the value, all is well.
        found = value;
        if (!slot.compare_exchange_strong(found, nullptr)) return;
        break;
      }
      moveTail(tail);
    }
  }

  // None if there is nothing in the queue.
  T* dequeue() {
    while (true) {
      Segment* head = head_.load(std::memory_order_acquire);
      if (T* const value = takeFrom(head)) return value;
      Segment* const next = head->next.load(std::memory_order_acquire);
      if (next == nullptr) return nullptr;
      moveTail(head);
      head->removed.store(true);
      if (T* const value = takeFrom(head)) return value;
      head_.compare_exchange_strong(head, next, moveHead, std::memory_order_relaxed);
    }
  }

 private:
  struct Segment {
    std::array<std::atomic<T*>, K> slots{};
    std::atomic<bool> removed{false};
    std::atomic<Segment*> next{nullptr};
  };

  static T* takeFrom(Segment* segment) {
    for (std::atomic<T*>& slot : segment->slots) {
      T* value = slot.load();  // @look
      if (value != nullptr && slot.compare_exchange_strong(value, nullptr)) return value;
    }
    return nullptr;
  }

  // Makes sure that `tail` is not the last segment, and not taken for it.
  void moveTail(Segment* tail) {
    Segment* next = tail->next.load(std::memory_order_acquire);
    if (next == nullptr) {
      Segment* const fresh = new Segment;
      if (tail->next.compare_exchange_strong(next, fresh, std::memory_order_acq_rel, std::memory_order_acquire)) {
        next = fresh;
      } else {
        delete fresh;
      }
    }
    tail_.compare_exchange_strong(tail, next, std::memory_order_acq_rel, std::memory_order_relaxed);
  }

  Segment* first_;  // of all that there ever were
  std::atomic<Segment*> head_, tail_;
};

int main() {
  KFifo<int, 1> queue;
  std::array<int, 2> values = {1, 2};
  std::array<int, 2> sums{};
  std::thread producer([&] {
    for (int& value : values) queue.enqueue(&value);
  });
  auto consumer = [&](int self) {
    for (int i = 0; i < 2; ++i) {
      if (const int* const value = queue.dequeue()) sums[self] += *value;
    }
  };
  std::thread first(consumer, 0), second(consumer, 1);
  producer.join();
  first.join();
  second.join();
  int rest = 0;
  while (const int* const value = queue.dequeue()) rest += *value;
  assert(sums[0] + sums[1] + rest == 3);
}
