//! rc20: error=data-race line=@data flags="--suggest"
//! why: - acquire instead of relaxed for the failure of compare_exchange flag at cas_failure.cpp:14
//! why: Suggestion: acquire instead of relaxed for the failure of compare_exchange flag at cas_failure.cpp:14. With this change the program has no error; it was explored again.
// A compare-exchange has two orders: the one of the failure is too weak, and no stronger one for the success helps.
#include <atomic>
#include <thread>

int data;
std::atomic<int> flag;

void reader() {
  int expected = 0;
  // Only who fails has seen the flag.
  if (!flag.compare_exchange_strong(expected, 5, std::memory_order_acquire, std::memory_order_relaxed) && expected == 1) {
    ++data;  // @data
  }
}

int main() {
  std::thread writer([] {
    data = 1;
    flag.store(1, std::memory_order_release);
  });
  std::thread other(reader);
  writer.join();
  other.join();
}
