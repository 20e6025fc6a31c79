//! rc20: error=use-after-free|data-race line=@use|@delete flags="--suggest"
//! why: They would be ordered with - acq_rel instead of relaxed for fetch_sub owners at use_after_free.cpp:17
//! why: Suggestion: acq_rel instead of relaxed for fetch_sub owners
// The reader counts itself out with a relaxed decrement: who deletes need not have seen its reads.
#include <atomic>
#include <thread>

struct Node {
  int value = 1;
};
Node* node;
std::atomic<int> owners{2};
int sum[2];

void use(int who) {
  sum[who] = node->value;  // @use
  if (owners.fetch_sub(1, std::memory_order_relaxed) == 1) delete node;  // @delete
}

int main() {
  node = new Node;
  std::thread a(use, 0), b(use, 1);
  a.join();
  b.join();
}
