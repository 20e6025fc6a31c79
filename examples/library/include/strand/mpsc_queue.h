// A queue for several threads that push and one that pops, after D. Vyukov.
#pragma once

#include <atomic>

namespace strand {

class MpscQueue {
 public:
  struct Node {
    int value = 0;
    std::atomic<Node*> next{nullptr};
  };
  MpscQueue() : tail_(&stub_), head_(&stub_) {}
  void push(Node& node) {
    node.next.store(nullptr, std::memory_order_relaxed);
    Node* const before = tail_.exchange(&node, std::memory_order_acq_rel);
    before->next.store(&node, std::memory_order_release);
  }
  // The oldest, or none that can be reached yet.
  Node* pop() {
    Node* const next = head_->next.load(std::memory_order_acquire);
    if (next != nullptr) head_ = next;
    return next;
  }

 private:
  Node stub_;
  std::atomic<Node*> tail_;
  Node* head_;
};

}  // namespace strand
