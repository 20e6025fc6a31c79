//! rc20: verified executions=1 blocked=2 flags="-- -std=c++20"
//! rc20: error=data-race line=@error flags="-- -std=c++20 -DRELAXED"
// wait and notify_all of atomic_flag, of a bool and of a pointer-sized value. RELAXED: the wait does not synchronise.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef RELAXED
constexpr auto order = std::memory_order_relaxed;
#else
constexpr auto order = std::memory_order_acquire;
#endif

std::atomic_flag ready;
std::atomic<long> count{2};
int data = 0;

int main() {
  std::thread first([] {
    ready.wait(false, order);
    assert(data == 5);  // @error
    count.fetch_sub(1, std::memory_order_release);
    count.notify_all();
  });
  data = 5;
  ready.test_and_set(std::memory_order_release);
  ready.notify_all();
  count.wait(2, std::memory_order_acquire);
  assert(count == 1);
  first.join();
}
