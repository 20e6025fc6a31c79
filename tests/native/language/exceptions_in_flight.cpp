//! rc20: verified executions=6 blocked=0
// Visible operations while exceptions are on their way: destructors and handlers count, in two threads, and other
// executions begin in the middle of it. Two additions in each thread to one location: 4! / (2! * 2!) orders.
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <string>
#include <thread>

std::atomic<int> counter{0};
thread_local int seen = 0;

struct Counts {
  ~Counts() { seen += counter.fetch_add(1, std::memory_order_relaxed) >= 0; }
};

void unwinding(const std::string& text) {
  Counts outer;
  Counts inner;
  throw std::runtime_error(text + ", which is long enough to be on the heap");
}

void work(char letter) {
  try {
    unwinding(std::string(10, letter));
    assert(false);
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    assert(text.substr(0, 12) == std::string(10, letter) + ", ");
    assert(text.size() == 50);
  }
  assert(seen == 2);
}

int main() {
  std::thread first(work, 'a');
  std::thread second(work, 'b');
  first.join();
  second.join();
  assert(counter == 4);
}
