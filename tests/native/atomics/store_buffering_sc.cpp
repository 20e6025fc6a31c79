//! sc,tso,rc20: verified executions=3 blocked=0
// Operators on std::atomic are sequentially consistent (litmus SB+sc).
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x, y;

int main() {
  int seenX = 0, seenY = 0;
  std::thread other([&] {
    x = 1;
    seenY = y;
  });
  y = 1;
  seenX = x;
  other.join();
  assert(seenX == 1 || seenY == 1);
}
