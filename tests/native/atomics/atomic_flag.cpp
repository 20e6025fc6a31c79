//! rc20: verified executions=2 blocked=0 flags="-- -std=c++11"
//! rc20: verified executions=2 blocked=0 flags="-- -std=c++20"
// Exactly one thread finds the flag clear.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic_flag flag = ATOMIC_FLAG_INIT;

int main() {
  bool first = false;
  std::thread other([&] { first = !flag.test_and_set(std::memory_order_acq_rel); });
  const bool second = !flag.test_and_set(std::memory_order_acq_rel);
  other.join();
  assert(first != second);
#if __cplusplus >= 202002L
  assert(flag.test());
#endif
  flag.clear(std::memory_order_release);
  assert(!flag.test_and_set());
}
