//! rc20: verified executions=6 blocked=0
// Atomics anywhere: in a local that is captured by reference, on the heap, in a struct in an array. Three additions
// to one location in three threads: 3! orders.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

struct Cell {
  char padding;
  std::atomic<int> value{0};
};

int main() {
  std::atomic<int> local{0};
  const std::unique_ptr<Cell[]> cells(new Cell[2]);
  const auto work = [&](int which) {
    cells[which].value.store(1, std::memory_order_relaxed);
    local.fetch_add(1, std::memory_order_relaxed);
  };
  std::thread first(work, 0), second(work, 1);
  local.fetch_add(1, std::memory_order_relaxed);
  first.join();
  second.join();
  assert(local == 3 && cells[0].value == 1 && cells[1].value == 1);
}
