//! rc20: verified executions=26 blocked=2 flags="--leaks"
//! sc: verified executions=26 blocked=2 flags="--leaks"
//! rc20: error=use-after-free|data-race line=@look|@delete|@value flags="--suggest -- -DBUG"
//! why: x86 (tso), ARMv8, RISC-V and POWER allow it.
//! why: Suggestion: a seq_cst fence right after the store at treiber_stack.cpp:66. With this change the program has no error
//! sc: verified executions=26 blocked=2 flags="-- -DBUG"
//
// Treiber's stack (R. K. Treiber, "Systems programming: coping with parallelism", IBM RJ 5118, 1986) with hazard
// pointers (M. M. Michael, "Hazard pointers: safe memory reclamation for lock-free objects", TPDS 2004). A thread that
// is going to look into a node first says so in its hazard pointer, and then makes sure that the node is still the
// head; a thread that has taken a node out frees it only when no hazard pointer names it.
//
// BUG: no seq_cst fence between the store of the hazard pointer and the second look at the head. It is store buffering:
// both threads may miss what the other one wrote, and the node is freed under the reader's feet. Not so under sc.
#include <array>
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

constexpr unsigned threads = 2;

struct Node {
  int value;
  Node* next = nullptr;
};

class Stack {
 public:
  ~Stack() {
    for (Node* node = head_.load(std::memory_order_relaxed); node != nullptr;) {
      Node* const next = node->next;
      delete node;
      node = next;
    }
    for (auto& retired : retired_) {
      for (Node* node : retired) delete node;
    }
  }

  void push(int value) {
    Node* const node = new Node{value, head_.load(std::memory_order_relaxed)};
    while (!head_.compare_exchange_weak(node->next, node, std::memory_order_release, std::memory_order_relaxed)) {
    }
  }

  bool pop(unsigned self, int& value) {
    while (true) {
      Node* node = protect(self);
      if (node == nullptr) return false;
      // Strong: a spurious failure would make us protect the same node again.
      Node* const next = node->next;  // @look
      if (!head_.compare_exchange_strong(node, next, std::memory_order_acquire, std::memory_order_relaxed)) continue;
      value = node->value;  // @value
      hazards_[self].store(nullptr, std::memory_order_release);
      retire(self, node);
      return true;
    }
  }

 private:
  // The store releases: it may end the protection of another node, into which this thread has looked.
  Node* protect(unsigned self) {
    Node* node = head_.load(std::memory_order_relaxed);
    while (true) {
      hazards_[self].store(node, std::memory_order_release);
#ifndef BUG
      std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
      Node* const again = head_.load(std::memory_order_acquire);
      if (again == node) return node;
      node = again;
    }
  }

  void retire(unsigned self, Node* node) {
    retired_[self].push_back(node);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    for (auto& hazard : hazards_) {
      if (hazard.load(std::memory_order_acquire) == node) return;  // freed with the stack
    }
    retired_[self].pop_back();
    delete node;  // @delete
  }

  std::atomic<Node*> head_{nullptr};
  std::array<std::atomic<Node*>, threads> hazards_{};
  std::array<std::vector<Node*>, threads> retired_;  // each used by its own thread
};

int main() {
  Stack stack;
  stack.push(1);
  stack.push(2);
  std::array<int, threads> taken{};
  std::array<std::thread, threads> workers;
  for (unsigned self = 0; self < threads; ++self) {
    workers[self] = std::thread([&, self] {
      const bool found = stack.pop(self, taken[self]);
      assert(found);
    });
  }
  for (std::thread& worker : workers) worker.join();
  assert(taken[0] + taken[1] == 3);
}
