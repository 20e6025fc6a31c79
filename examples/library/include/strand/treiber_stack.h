// R. K. Treiber's stack. Its nodes are the callers'.
#pragma once

#include <atomic>

namespace strand {

class TreiberStack {
 public:
  struct Node {
    int value = 0;
    Node* next = nullptr;
  };
  void push(Node& node) {
    node.next = top_.load(std::memory_order_relaxed);
    while (!top_.compare_exchange_strong(node.next, &node, std::memory_order_release, std::memory_order_relaxed)) {
    }
  }
  // All that is there, the newest first.
  Node* popAll() { return top_.exchange(nullptr, std::memory_order_acquire); }

 private:
  std::atomic<Node*> top_{nullptr};
};

}  // namespace strand
