//! rc20,sc: error=deadlock line=@error flags="--equivalence rf -- -std=c++20"
//! rc20,sc: error=deadlock line=@error flags="--equivalence rf -- -std=c++20 -DSWAP"
//! rc20: error=deadlock line=@error flags="-- -std=c++20 -DSWAP"
//! rc20: verified executions=1 blocked=2 flags="--equivalence rf -- -std=c++20 -DONE_WRITER"
//! rc20: verified executions=1 blocked=2 flags="--equivalence rf -- -std=c++20 -DONE_WRITER -DSWAP"
// The thread that waits is notified of the 1, but it may be 0 again by then, and stay so.
#include <atomic>
#include <thread>

std::atomic<int> x{0};

static void change() {
#ifdef ONE_WRITER
  x.store(0, std::memory_order_relaxed);
#endif
  x.store(1, std::memory_order_relaxed);
  x.notify_all();
}

static void changeBack() {
#ifndef ONE_WRITER
  x.store(0, std::memory_order_relaxed);
#endif
}

int main() {
#ifdef SWAP
  std::thread a(changeBack), b(change);
#else
  std::thread a(change), b(changeBack);
#endif
  x.wait(0, std::memory_order_relaxed);  // @error
  a.join();
  b.join();
}
