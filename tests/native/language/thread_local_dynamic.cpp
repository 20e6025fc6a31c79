//! rc20: verified executions=2
// A thread_local whose initialiser is computed, in a function and at namespace scope.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> next{1};

int ticket() {
  thread_local const int mine = next.fetch_add(1, std::memory_order_relaxed);
  return mine;
}

int main() {
  int theirs = 0;
  std::thread other([&] {
    theirs = ticket();
    assert(ticket() == theirs);
  });
  const int mine = ticket();
  assert(ticket() == mine);
  other.join();
  assert(mine + theirs == 3);
}
