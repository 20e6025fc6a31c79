//! rc20: verified executions=2 blocked=0
// memory_order_consume is taken for acquire.
#include <atomic>
#include <cassert>
#include <thread>

int data = 0;
std::atomic<int*> pointer{nullptr};

int main() {
  std::thread writer([] {
    data = 1;
    pointer.store(&data, std::memory_order_release);
  });
  if (int* const p = pointer.load(std::memory_order_consume)) assert(*p == 1 && data == 1);
  writer.join();
}
