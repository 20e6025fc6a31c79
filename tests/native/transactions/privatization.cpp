//! sc,rc20: verified executions=2 blocked=0
//! rc20: error=data-race line=@outside|@inside flags="-- -DPUBLIC"
//! rc20: error=use-after-free flags="-- -DPUBLIC -DONLY_READ"
// A node is taken out of a list by a transaction, and is the thread's own from then on: who has seen it in a transaction was there
// before. PUBLIC: it is left in the list.
#include <cassert>
#include <heddle/heddle.h>
#include <thread>

struct Node {
  int value;
  Node* next;
};
static Node* list;

static void change() {
  heddle::transaction([] {
#ifdef ONLY_READ
    if (list != nullptr && list->value == 7) list->next = nullptr;
#else
    if (list != nullptr) list->value++;  // @inside
#endif
  });
}

static void take() {
  Node* const mine = heddle::transaction([] {
    Node* const first = list;
#ifndef PUBLIC
    list = first->next;
#endif
    return first;
  });
#ifndef ONLY_READ
  mine->value = mine->value * 2;  // @outside
  assert(mine->value == 2 || mine->value == 4);
#endif
  delete mine;
}

int main() {
  list = new Node{1, nullptr};
  std::thread one(change), other(take);
  one.join();
  other.join();
}
