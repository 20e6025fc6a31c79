//! rc20: error=uncaught-exception line=@throw flags="--suggest"
//! why: ARMv8, RISC-V and POWER allow it; x86 (tso) forbids it.
//! why: Suggestion: release instead of relaxed for store published at thrown.cpp:13. With this change the program has no error
// A stale read ends in an exception that nobody catches.
#include <atomic>
#include <stdexcept>
#include <thread>

std::atomic<int> size{0}, published{0};

void grow() {
  size.store(8, std::memory_order_relaxed);
  published.store(1, std::memory_order_relaxed);
}

void check() {
  if (published.load(std::memory_order_acquire) == 0) return;
  if (size.load(std::memory_order_relaxed) == 0) throw std::length_error("empty");  // @throw
}

int main() {
  std::thread a(grow), b(check);
  a.join();
  b.join();
}
