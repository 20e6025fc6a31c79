//! rc20: verified executions=2 blocked=0
//! sc: verified executions=2 blocked=0
// Exactly one of two threads wins an exchange on an atomic<bool>.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> taken{false};

int main() {
  bool first = false, second = false;
  std::thread other([&] { first = !taken.exchange(true); });
  second = !taken.exchange(true);
  other.join();
  assert(first != second);
  taken = false;
  assert(!taken);
}
