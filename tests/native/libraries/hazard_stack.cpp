//! rc20: verified executions=1112 blocked=1261 flags="--leaks"
//! sc: verified executions=1024 blocked=1129 flags="--leaks"
//! rc20: verified executions=1112 blocked=1261 flags="--leaks --races off"
//! rc20: error=use-after-free line=@next flags="-- -DBUG"
// A stack whose nodes are reclaimed by hazard pointers, as a library has them: a domain with one slot for each thread, a guard
// that protects what an atomic pointer points to, and lists of retired nodes that are scanned now and then. BUG: the guard does
// not look whether the pointer is still there after it has announced it.
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

template <class Node, std::size_t Threads>
class HazardDomain {
 public:
  class Guard {
   public:
    Guard(HazardDomain& domain, std::size_t self) : slot_(domain.slots_[self].pointer) {}
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    ~Guard() { reset(); }

    // What `source` points to is not deleted until the guard ends or protects something else.
    Node* protect(const std::atomic<Node*>& source) {
      Node* node = source.load(std::memory_order_acquire);
      while (true) {
        slot_.store(node, std::memory_order_release);
        std::atomic_thread_fence(std::memory_order_seq_cst);
#ifdef BUG
        return node;
#else
        Node* const now = source.load(std::memory_order_acquire);
        if (now == node) return node;
        node = now;
#endif
      }
    }

    void reset() { slot_.store(nullptr, std::memory_order_release); }

   private:
    std::atomic<Node*>& slot_;
  };

  void retire(std::size_t self, Node* node) {
    std::vector<std::unique_ptr<Node>>& retired = slots_[self].retired;
    retired.emplace_back(node);
    if (retired.size() >= threshold) scan(retired);
  }

 private:
  static constexpr std::size_t threshold = 1;

  void scan(std::vector<std::unique_ptr<Node>>& retired) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    std::vector<std::unique_ptr<Node>> kept;
    for (std::unique_ptr<Node>& node : retired) {
      bool used = false;
      for (const Slot& slot : slots_) used = used || slot.pointer.load(std::memory_order_acquire) == node.get();
      if (used) kept.push_back(std::move(node));
    }
    retired = std::move(kept);
  }

  struct Slot {
    std::atomic<Node*> pointer{nullptr};
    std::vector<std::unique_ptr<Node>> retired;  // of its thread
  };

  std::array<Slot, Threads> slots_;
};

template <class T, std::size_t Threads>
class Stack {
 public:
  Stack() = default;
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  ~Stack() {
    for (Node* node = head_.load(std::memory_order_relaxed); node != nullptr;) {
      Node* const next = node->next;
      delete node;
      node = next;
    }
  }

  void push(T value) {
    Node* const node = new Node{std::move(value), head_.load(std::memory_order_relaxed)};
    while (!head_.compare_exchange_weak(node->next, node, std::memory_order_release, std::memory_order_relaxed)) {
    }
  }

  std::optional<T> pop(std::size_t self) {
    typename Domain::Guard guard(domain_, self);
    while (true) {
      Node* node = guard.protect(head_);
      if (node == nullptr) return std::nullopt;
      Node* const next = node->next;  // @next
      if (!head_.compare_exchange_weak(node, next, std::memory_order_acquire, std::memory_order_relaxed)) continue;
      std::optional<T> value = std::move(node->value);
      guard.reset();
      domain_.retire(self, node);
      return value;
    }
  }

 private:
  struct Node {
    T value;
    Node* next;
  };
  using Domain = HazardDomain<Node, Threads>;

  std::atomic<Node*> head_{nullptr};
  Domain domain_;
};

int main() {
  Stack<int, 2> stack;
  stack.push(1);
  stack.push(2);
  std::array<int, 2> sums{};
  auto worker = [&](std::size_t self) {
    const std::optional<int> value = stack.pop(self);
    assert(value);
    sums[self] = *value;
  };
  std::thread first([&] {
    worker(0);
    stack.push(4);
  });
  std::thread second(worker, 1);
  first.join();
  second.join();
  int rest = 0;
  while (const std::optional<int> value = stack.pop(0)) rest += *value;
  assert(sums[0] + sums[1] + rest == 7);
}
