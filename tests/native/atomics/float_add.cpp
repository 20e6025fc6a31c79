//! rc20: verified executions=2 flags="--no-spurious -- -std=c++20"
// fetch_add of a double is a loop with a compare-exchange: either thread's may come first. A loop that reads the old
// value and then fails its exchange does it again with the value it found; executions in which that happens count
// once for each way to fail.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<double> sum{0.25};

int main() {
  std::thread other([] { sum.exchange(2.0, std::memory_order_relaxed); });
  other.join();
  assert(sum.fetch_add(0.5) == 2.0);
  assert(sum.fetch_sub(0.25) == 2.5);
  float plain = 1.0f;
  std::thread third([&] { std::atomic_ref(plain).store(2.0f); });
  const float seen = std::atomic_ref(plain).load();
  assert(seen == 1.0f || seen == 2.0f);
  third.join();
  assert(sum == 2.25);
}
