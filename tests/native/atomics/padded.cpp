//! rc20: verified executions=2 blocked=0
// An atomic of a struct with padding, which nobody initialises and nobody looks at.
#include <atomic>
#include <cassert>
#include <thread>

struct Padded {
  char letter;
  int number;
};

std::atomic<Padded> cell{Padded{'a', 1}};

int main() {
  std::thread writer([] { cell.store(Padded{'b', 2}); });
  const Padded seen = cell.load();
  assert((seen.letter == 'a' && seen.number == 1) || (seen.letter == 'b' && seen.number == 2));
  writer.join();
  const Padded old = cell.exchange(Padded{'c', 3});
  assert(old.letter == 'b' && old.number == 2);
}
