//! tso: verified executions=4 blocked=0 flags="--persistency px86"
//! tso: error=recovery line=@value flags="--persistency px86 -- -DBUG"
//
// A linked list in persistent memory. A node is written, flushed and waited for before the head points to it, so whatever the head points
// to after a crash is there. The list after a crash is a suffix of what was pushed.
//
// BUG: the node is not flushed. The head may persist before what it points to.
#include <heddle/heddle.h>
#include <immintrin.h>

struct Node {
  int value;
  Node* next;
};

HEDDLE_PERSISTENT Node* head;

static void persist(const void* address) {
  _mm_clwb(const_cast<void*>(address));
  _mm_sfence();
}

static void push(int value) {
  Node* const node = static_cast<Node*>(heddle_pmem_alloc(sizeof(Node)));
  node->value = value;
  node->next = head;
#ifndef BUG
  persist(node);
#endif
  head = node;
  persist(&head);
}

extern "C" void heddle_recovery() {
  int expected = 3;
  for (const Node* node = head; node != nullptr; node = node->next) {
    if (expected == 3) expected = node->value;
    heddle_assert(node->value == expected && expected > 0);  // @value
    --expected;
  }
  heddle_assert(expected == 3 || expected == 0);
}

int main() {
  for (int value = 1; value <= 3; ++value) push(value);
}
