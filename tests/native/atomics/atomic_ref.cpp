//! rc20: verified executions=2 blocked=0 flags="-- -std=c++20"
//! rc20: error=data-race line=@error flags="-- -std=c++20 -DPLAIN"
// A plain variable through std::atomic_ref while it is shared, and plainly before and after. PLAIN: one thread forgets.
#include <atomic>
#include <cassert>
#include <thread>

int counter = 0;

int main() {
  counter = 5;
  std::thread other([] { std::atomic_ref<int>(counter).fetch_add(1, std::memory_order_relaxed); });  // @error
#ifdef PLAIN
  ++counter;
#else
  std::atomic_ref<int>(counter).fetch_add(1, std::memory_order_relaxed);
#endif
  other.join();
  assert(counter == 7);
  counter = 0;
}
