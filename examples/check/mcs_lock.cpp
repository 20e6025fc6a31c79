//! rc20: verified executions=6 blocked=0
//! sc: verified executions=6 blocked=0
//! rc20: error=data-race line=@increment flags="--suggest -- -DBUG"
//! why: Suggestion: acq_rel instead of release for exchange mcs.tail_ at mcs_lock.cpp:31. With this change the program has no error
//
// The MCS queue lock: J. M. Mellor-Crummey and M. L. Scott, "Algorithms for scalable synchronization on shared-memory
// multiprocessors" (TOCS 1991). Each thread waits on a node of its own, here a local variable that its predecessor and
// its successor reach through pointers.
//
// BUG: the exchange that joins the queue releases but does not acquire. A thread that had to wait is still safe,
// because the hand-over acquires; a thread that finds the queue empty never looks at anything else, and races with the
// last owner.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef BUG
constexpr auto joinOrder = std::memory_order_release;
#else
constexpr auto joinOrder = std::memory_order_acq_rel;
#endif

class McsLock {
 public:
  struct Node {
    std::atomic<Node*> next{nullptr};
    std::atomic<bool> waiting{true};
  };

  void lock(Node& node) {
    Node* const previous = tail_.exchange(&node, joinOrder);
    if (previous == nullptr) return;
    previous->next.store(&node, std::memory_order_release);
    while (node.waiting.load(std::memory_order_acquire)) std::this_thread::yield();
  }

  void unlock(Node& node) {
    Node* next = node.next.load(std::memory_order_acquire);
    if (next == nullptr) {
      Node* self = &node;
      if (tail_.compare_exchange_strong(self, nullptr, std::memory_order_release, std::memory_order_relaxed)) return;
      // Somebody is between the exchange and the store to our node.
      while ((next = node.next.load(std::memory_order_acquire)) == nullptr) std::this_thread::yield();
    }
    next->waiting.store(false, std::memory_order_release);
  }

 private:
  std::atomic<Node*> tail_{nullptr};
};

McsLock mcs;
int counter = 0;

void increment() {
  McsLock::Node node;
  mcs.lock(node);
  ++counter;  // @increment
  mcs.unlock(node);
}

int main() {
  std::thread first(increment);
  std::thread second(increment);
  first.join();
  second.join();
  assert(counter == 2);
}
