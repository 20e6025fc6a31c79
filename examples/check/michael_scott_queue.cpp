//! rc20: verified executions=8 blocked=4 flags="--leaks"
//! sc: verified executions=8 blocked=4 flags="--leaks"
//! rc20: error=data-race line=@error flags="--suggest -- -DBUG"
//! why: Suggestion: release instead of relaxed for compare_exchange Queue::Node#2.next at michael_scott_queue.cpp:42 and release instead of relaxed for compare_exchange main()::queue.tail_ at michael_scott_queue.cpp:43. With these changes the program has no error
//
// The Michael-Scott queue: M. M. Michael and M. L. Scott, "Simple, fast, and practical non-blocking and blocking
// concurrent queue algorithms" (PODC 1996). A linked list with a dummy node in front; the tail may lag behind by one
// node, and whoever notices helps it on. Nodes that have been taken out are freed with the queue.
//
// BUG: a new node is linked in with a relaxed compare-exchange, so a consumer can reach it before it is filled.
#include <atomic>
#include <cassert>
#include <optional>
#include <thread>

#ifdef BUG
constexpr auto linkOrder = std::memory_order_relaxed;
#else
constexpr auto linkOrder = std::memory_order_release;
#endif

class Queue {
 public:
  Queue() : first_(new Node{}), head_(first_), tail_(first_) {}
  ~Queue() {
    while (first_ != nullptr) {
      Node* const next = first_->next.load(std::memory_order_relaxed);
      delete first_;
      first_ = next;
    }
  }
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  void enqueue(int value) {
    Node* const node = new Node{value};
    while (true) {
      Node* tail = tail_.load(std::memory_order_acquire);
      Node* next = tail->next.load(std::memory_order_acquire);  // @error
      if (next != nullptr) {
        tail_.compare_exchange_strong(tail, next, std::memory_order_release, std::memory_order_relaxed);
      } else if (tail->next.compare_exchange_strong(next, node, linkOrder, std::memory_order_relaxed)) {
        tail_.compare_exchange_strong(tail, node, linkOrder, std::memory_order_relaxed);
        return;
      }
    }
  }

  std::optional<int> dequeue() {
    while (true) {
      Node* head = head_.load(std::memory_order_acquire);
      Node* tail = tail_.load(std::memory_order_acquire);
      Node* const next = head->next.load(std::memory_order_acquire);
      if (next == nullptr) return std::nullopt;
      if (head == tail) {
        tail_.compare_exchange_strong(tail, next, std::memory_order_release, std::memory_order_relaxed);
        continue;
      }
      if (head_.compare_exchange_strong(head, next, std::memory_order_release, std::memory_order_relaxed)) {
        return next->value;
      }
    }
  }

 private:
  struct Node {
    int value = 0;
    std::atomic<Node*> next{nullptr};
  };

  Node* first_;  // of all nodes that there ever were
  std::atomic<Node*> head_, tail_;
};

int main() {
  Queue queue;
  std::thread producer([&] { queue.enqueue(1); });
  std::thread both([&] {
    queue.enqueue(2);
    const std::optional<int> value = queue.dequeue();  // there is at least our own element
    assert(value == 1 || value == 2);
  });
  producer.join();
  both.join();
  const std::optional<int> last = queue.dequeue();
  assert(last == 1 || last == 2);
  assert(!queue.dequeue());
}
