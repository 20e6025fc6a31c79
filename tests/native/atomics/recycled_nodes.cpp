//! rc20: verified executions=8 blocked=0
// A pool: the link of a free node lies where the atomic of its object was.
#include <atomic>
#include <cassert>
#include <new>
#include <thread>

struct Object {
  std::atomic<int> owners;
  int value;
};
union Node {
  Node() : next(nullptr) {}
  ~Node() {}
  Node* next;
  Object object;
};

static Node nodes[2];
static Node* unused = &nodes[0];

static Object* take() {
  Node* const node = unused;
  unused = node->next;
  return new (&node->object) Object{1, 0};
}
static void give(Object* object) {
  object->~Object();
  Node* const node = reinterpret_cast<Node*>(object);
  node->next = unused;
  unused = node;
}

int main() {
  nodes[0].next = &nodes[1];
  for (int i = 0; i < 3; ++i) {
    Object* const object = take();
    object->owners.fetch_add(1);
    std::thread other([=] {
      object->value = i;
      object->owners.fetch_sub(1, std::memory_order_acq_rel);
    });
    if (object->owners.load(std::memory_order_acquire) == 1) assert(object->value == i);
    other.join();
    give(object);
  }
}
