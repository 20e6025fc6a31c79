//! rc20: error=assertion-failure line=@stale flags="--suggest"
//! why: 3 store data = 1 (mp_relaxed.cpp:13) is followed in its thread by 4 store flag = 1 (mp_relaxed.cpp:14) is read by 5 load flag = 1 (mp_relaxed.cpp:18) is followed in its thread by 6 load data = 0 (mp_relaxed.cpp:18) reads what is overwritten by
//! why: ARMv8, RISC-V and POWER allow it; x86 (tso) forbids it.
//! why: Suggestion: release instead of relaxed for store flag at mp_relaxed.cpp:14 and acquire instead of relaxed for load flag at mp_relaxed.cpp:18. With these changes the program has no error
// Message passing with relaxed accesses only: both the store and the load of the flag have to change.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> data{0}, flag{0};

void writer() {
  data.store(1, std::memory_order_relaxed);
  flag.store(1, std::memory_order_relaxed);
}

void reader() {
  if (flag.load(std::memory_order_relaxed) == 1) assert(data.load(std::memory_order_relaxed) == 1);  // @stale
}

int main() {
  std::thread a(writer), b(reader);
  a.join();
  b.join();
}
