//! rc20: error=assertion-failure line=@load text="{3, 4}"
// The value of a structure in one word, in the trace of an error: its empty member, behind the last byte, is not shown.
#include <atomic>
#include <cassert>
#include <thread>

struct Pair {
  int first, second;
  char rest[0];
};

std::atomic<Pair> cell{Pair{0, 0}};

int main() {
  std::thread writer([] { cell.store(Pair{1 + 2, 2 + 2}); });
  assert(cell.load().first == 0);  // @load
  writer.join();
}
