//! rc20: verified executions=1 flags="--leaks -- -std=c++17"
//! rc20: error=memory-leak line=@error flags="--leaks -- -std=c++17 -DLOST"
// Everything is freed, through pointers that were elsewhere for a while: tagged, in integers, in the middle of objects.
#include <cassert>
#include <cstdint>
#include <cstdlib>

struct Node {
  long header;
  Node* next;
};

int main() {
  Node* const node = new Node{1, nullptr};
  const std::uintptr_t tagged = reinterpret_cast<std::uintptr_t>(node) | 1;
  Node** const middle = &node->next;
  *middle = new Node{2, nullptr};  // @error
  Node* const back = reinterpret_cast<Node*>(tagged & ~std::uintptr_t{1});
  assert(back->next->header == 2);
#ifndef LOST
  delete back->next;
#endif
  delete back;
}
