//! rc20: verified executions=2 blocked=0
//! rc20: verified executions=2 blocked=0 flags="-- -mcx16"
// Atomics of sixteen bytes. The reader sees both halves of one write or of none: two executions. With and without the
// instruction that does it, because clang then calls the library.
#include <atomic>
#include <cassert>
#include <thread>

struct alignas(16) Pair {
  long first, second;
};

std::atomic<Pair> cell{Pair{0, 0}};

int main() {
  Pair expected{0, 0};
  assert(cell.compare_exchange_strong(expected, Pair{1, -1}));
  assert(!cell.compare_exchange_strong(expected, Pair{5, 5}));
  assert(expected.first == 1 && expected.second == -1);
  const Pair old = cell.exchange(Pair{2, -2});
  assert(old.first == 1 && old.second == -1);
  std::thread writer([] { cell.store(Pair{3, -3}, std::memory_order_relaxed); });
  const Pair seen = cell.load(std::memory_order_relaxed);
  assert(seen.first == -seen.second);
  assert(seen.first == 2 || seen.first == 3);
  writer.join();
}
