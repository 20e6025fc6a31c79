//! rc20: verified executions=2 blocked=0
// Captures by value, by reference, by move; a generic lambda; a closure that lives on the heap.
#include <atomic>
#include <cassert>
#include <functional>
#include <memory>
#include <thread>

int main() {
  std::atomic<int> sum{0};
  int copied = 1, referenced = 2;
  auto moved = std::make_unique<int>(3);
  std::function<void()> kept = [&sum, copied, &referenced] { sum += copied + referenced; };
  std::thread first(kept);
  std::thread second([&sum, owned = std::move(moved)] { sum += *owned; });
  first.join();
  second.join();
  assert(sum == 6 && moved == nullptr);
  const auto twice = [](auto x) { return x + x; };
  assert(twice(2) == 4 && twice(1.5) == 3.0);
}
