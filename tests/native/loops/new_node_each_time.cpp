//! rc20: verified executions=6
//! rc20: verified executions=6 flags="--no-spurious"
// The same in C++: the constructor's writes are to memory that is the attempt's own, and so is what is deleted.
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  Node(Node* after, int number) : next(after), value(number) {}
  Node* next;
  int value;
};
static std::atomic<Node*> top{nullptr};

static void push(int value) {
  while (true) {
    Node* node = new Node(top.load(std::memory_order_relaxed), value);
    Node* expected = node->next;
    if (top.compare_exchange_weak(expected, node)) break;
    delete node;
  }
}

int main() {
  std::thread first(push, 1), second(push, 2);
  push(3);
  first.join();
  second.join();
  int sum = 0;
  for (Node *node = top, *next = nullptr; node != nullptr; node = next) {
    next = node->next;
    sum += node->value;
    delete node;
  }
  assert(sum == 6);
}
