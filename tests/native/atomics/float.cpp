//! rc20: verified executions=2 blocked=0 flags="--no-spurious -- -std=c++17"
//! rc20: verified executions=2 blocked=0 flags="-- -std=c++17"
// Atomic floats and doubles: what is stored is what is read, to the bit. Two executions: the reader is early or late.
#include <atomic>
#include <cassert>
#include <cmath>
#include <thread>

std::atomic<double> number{0.5};
std::atomic<float> narrow{-0.0f};

int main() {
  assert(std::signbit(narrow.load()));
  float expected = 0.0f;  // equal, but not the same bits
  assert(!narrow.compare_exchange_strong(expected, 1.5f));
  assert(std::signbit(expected));
  assert(narrow.compare_exchange_strong(expected, 1.5f));
  assert(narrow.exchange(2.5f) == 1.5f);
  std::thread writer([] { number.store(3.25, std::memory_order_release); });
  const double seen = number.load(std::memory_order_acquire);
  assert(seen == 0.5 || seen == 3.25);
  writer.join();
  assert(number == 3.25);
}
