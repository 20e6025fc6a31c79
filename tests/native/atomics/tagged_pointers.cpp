//! rc20: verified executions=2
// A stack whose head has a version in the bits above the address, and a pointer with a mark in its lowest bit.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

struct Node {
  int value;
  Node* next;
};

constexpr uintptr_t kVersion = uintptr_t{1} << 48;
static std::atomic<uintptr_t> head;
static std::atomic<Node*> marked;

static Node* nodeOf(uintptr_t word) { return reinterpret_cast<Node*>(word & (kVersion - 1)); }

static void push(Node* node) {
  uintptr_t old = head.load();
  do {
    node->next = nodeOf(old);
  } while (!head.compare_exchange_weak(old, reinterpret_cast<uintptr_t>(node) | (old / kVersion + 1) * kVersion));
}

int main() {
  Node one{1, nullptr}, two{2, nullptr};
  std::thread other([&] { push(&one); });
  push(&two);
  other.join();
  assert(head / kVersion == 2);
  int sum = 0;
  for (Node* node = nodeOf(head); node; node = node->next) sum += node->value;
  assert(sum == 3);
  marked = reinterpret_cast<Node*>(reinterpret_cast<uintptr_t>(&one) | 1);
  assert(reinterpret_cast<Node*>(reinterpret_cast<uintptr_t>(marked.load()) & ~uintptr_t{1})->value == 1);
}
