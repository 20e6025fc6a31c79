//! rc20: verified executions=1 blocked=0
// Message passing with an assumption in place of a loop (litmus Ctrl+assume-mp); the header in C++.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

std::atomic<int> flag{0};
int data = 0;

int main() {
  std::thread writer([] {
    data = 1;
    flag.store(1, std::memory_order_release);
  });
  heddle_assume(flag.load(std::memory_order_acquire) == 1);
  heddle_assert(data == 1);
  writer.join();
}
