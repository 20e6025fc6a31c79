//! rc20: verified executions=2 blocked=0
// Additions to an atomic pointer go by elements. Two orders of two additions.
#include <atomic>
#include <cassert>
#include <thread>

struct Wide {
  int parts[3];
};

Wide table[4] = {{{0, 0, 0}}, {{1, 1, 1}}, {{2, 2, 2}}, {{3, 3, 3}}};
std::atomic<Wide*> cursor{table};

int main() {
  Wide* mine = nullptr;
  std::thread other([] { cursor.fetch_add(1, std::memory_order_relaxed)->parts[0] += 10; });
  mine = cursor++;
  mine->parts[0] += 10;
  other.join();
  assert(cursor.load() == table + 2);
  assert(table[0].parts[0] == 10 && table[1].parts[0] == 11);
  cursor -= 2;
  assert(cursor.load() == table);
}
