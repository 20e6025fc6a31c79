//! rc20: verified executions=6 flags="-- -DLAMBDA"
//! rc20: verified executions=1 flags="--symmetry on -- -DLAMBDA"
//! rc20: verified executions=1 flags="--symmetry on -- -DPUSH"
//! rc20: verified executions=6 flags="--symmetry on -- -DLAMBDA -DNUMBERED"
//! rc20: error=assertion-failure flags="--symmetry on -- -DLAMBDA -DWRONG"
// Threads of C++. What a thread is to do is in a heap block of its own, and so may be what it makes.
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  Node* next;
};
std::atomic<Node*> top{nullptr};
std::atomic<int> x{0};

void push() {
  auto* const node = new Node;
  Node* old = top.load(std::memory_order_relaxed);
  do node->next = old;
  while (!top.compare_exchange_weak(old, node, std::memory_order_release, std::memory_order_relaxed));
}

int main() {
#ifdef PUSH
  std::thread a(push), b(push), c(push);
#else
  int local = 1;
  const auto make = [&](int number) {
#ifdef NUMBERED
    return std::thread([&local, number] { x.fetch_add(local + 0 * number, std::memory_order_relaxed); });
#else
    return std::thread([&local] {
      const int old = x.fetch_add(local, std::memory_order_relaxed);
#ifdef WRONG
      assert(old != 2);
#else
      static_cast<void>(old);
#endif
    });
#endif
  };
  std::thread a = make(1), b = make(2), c = make(3);
#endif
  a.join();
  b.join();
  c.join();
}
