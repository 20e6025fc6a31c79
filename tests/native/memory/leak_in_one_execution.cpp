//! rc20: error=memory-leak line=@error flags="--leaks"
//! rc20: verified executions=2 blocked=0 flags="--leaks -- -DOWNER"
// The losing thread forgets what it had made. OWNER: it does not.
#include <atomic>
#include <memory>
#include <thread>

std::atomic<int*> winner{nullptr};

void offer() {
  auto mine = std::make_unique<int>(1);  // @error
  int* nobody = nullptr;
  if (winner.compare_exchange_strong(nobody, mine.get())) {
    mine.release();
    return;
  }
#ifndef OWNER
  mine.release();
#endif
}

int main() {
  std::thread other(offer);
  offer();
  other.join();
  delete winner.load();
}
