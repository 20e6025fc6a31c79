//! rc20: error=data-race line=@write
//! why: Nothing orders the two accesses.
//! why: No stronger memory orders
// A reader's lock is not enough to write: no memory order is at fault.
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
int value;

void record() {
  std::shared_lock<std::shared_mutex> lock(mutex);
  value = 1;  // @write
}

int main() {
  std::thread a(record), b(record);
  a.join();
  b.join();
}
