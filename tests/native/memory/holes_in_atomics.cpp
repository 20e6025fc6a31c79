//! rc20: verified executions=3 blocked=0
//! rc20: verified executions=3 blocked=0 flags="--races off"
//! rc20: error=uninitialised-read line=@expected flags="-- -DEXPECTED"
//! rc20: error=uninitialised-read line=@desired flags="-- -DDESIRED"
//! rc20: error=uninitialised-atomic line=@exchange flags="-- -DOBJECT"
// Atomic structures, such as pointers with a tag, are read and written as a whole, with what lies between their members. Nobody
// writes that; members that nobody has written are an error.
#include <atomic>
#include <cassert>
#include <new>
#include <thread>

struct Tagged {
  void* pointer;
  int tag;
};
struct Small {
  char c;
  int i;
};
struct Node {
  std::atomic<Tagged> tagged;
  std::atomic<Small> small;
};

[[gnu::noinline]] bool replace(std::atomic<Tagged>& object, Tagged& expected, Tagged desired) {
  return object.compare_exchange_strong(expected, desired);  // @expected
}

int main() {
  std::atomic<Tagged> local(Tagged{nullptr, 0});
  Tagged expected;
  expected.pointer = nullptr;
#ifndef EXPECTED
  expected.tag = 0;
#endif
  assert(replace(local, expected, Tagged{nullptr, 1}));
  assert(!replace(local, expected, Tagged{nullptr, 2}) && expected.tag == 1);
  Tagged desired;
  desired.pointer = nullptr;
#ifndef DESIRED
  desired.tag = 5;
#endif
  assert(local.exchange(desired).tag == 1);  // @desired

#ifdef OBJECT
  void* const memory = ::operator new(sizeof(Node));
  Node* const node = static_cast<Node*>(memory);
  reinterpret_cast<Tagged*>(&node->tagged)->pointer = nullptr;
#else
  Node* const node = new Node{Tagged{nullptr, 1}, Small{1, 2}};
#endif
  std::thread thread([=] {
    Tagged seen = node->tagged.load();
    Small small = node->small.load();
    node->small.compare_exchange_strong(small, Small{3, 4});
    node->tagged.compare_exchange_strong(seen, Tagged{nullptr, 2});
  });
  const Tagged old = node->tagged.exchange(Tagged{nullptr, 3});  // @exchange
  assert(old.tag == 1 || old.tag == 2);
  thread.join();
  delete node;
}
