//! rc20: verified executions=6
//! sc: verified executions=6
//! rc20: verified executions=6 flags="-- -DEXCHANGE"
//! rc20: error=data-race line=@error flags="-- -DEXCHANGE -DORDER=relaxed"
//! rc20: error=assertion-failure line=@count flags="-- -DCOUNT"
// A lock by test-and-set: setting what is set changes nothing, so a thread waits. COUNT: its loop counts the attempts, and
// that shows.
#include <atomic>
#include <cassert>
#include <thread>

#ifndef ORDER
#define ORDER acquire
#endif

int data;

#ifdef EXCHANGE
std::atomic<bool> locked{false};
bool take() { return !locked.exchange(true, std::memory_order::ORDER); }
void release() { locked.store(false, std::memory_order_release); }
#else
std::atomic_flag locked = ATOMIC_FLAG_INIT;
bool take() { return !locked.test_and_set(std::memory_order_acquire); }
void release() { locked.clear(std::memory_order_release); }
#endif

void work() {
  int attempts = 0;
  while (!take()) {
#ifdef COUNT
    ++attempts;
#endif
    std::this_thread::yield();
  }
  assert(attempts < 2);  // @count
  ++data;  // @error
  release();
}

int main() {
  std::thread first(work), second(work);
  work();
  first.join();
  second.join();
  assert(data == 3);
}
