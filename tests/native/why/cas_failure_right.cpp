//! rc20: verified
// What is suggested for cas_failure.cpp.
#include <atomic>
#include <thread>

int data;
std::atomic<int> flag;

void reader() {
  int expected = 0;
  if (!flag.compare_exchange_strong(expected, 5, std::memory_order_acquire, std::memory_order_acquire) && expected == 1) {
    ++data;
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
