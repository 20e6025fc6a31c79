//! rc20: verified executions=6 flags="--unroll 1"
// The threads of a vector are started and joined in loops that end.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

static std::atomic<int> x;

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++) threads.emplace_back([] { x.fetch_add(1); });
  for (std::thread& thread : threads) thread.join();
  assert(x.load() == 3);
}
