//! rc20: verified executions=138 blocked=24
//! rc20: verified executions=10 blocked=0 flags="--no-spurious -j 2"
//! rc20: error=deadlock line=@error thread=102 flags="-- -DLOST"
//! rc20: verified executions=138 blocked=0 flags="-- -DFEW"
//! rc20: verified executions=10 blocked=0 flags="--no-spurious -- -DFEW"
// Condition variables where the set of those that wait does not fit into a word: two of many threads wait for main, or find
// that they need not. LOST: main wakes one of them only. FEW: there are no others.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool ready;

static void waits() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return ready; });  // @error
  assert(ready);
}

int main() {
#ifndef FEW
  for (int i = 0; i < 100; ++i) std::thread([] {}).join();
#endif
  std::thread a(waits), b(waits);
  {
    std::lock_guard lock(mutex);
    ready = true;
  }
#ifdef LOST
  changed.notify_one();
#else
  changed.notify_all();
#endif
  a.join();
  b.join();
}
