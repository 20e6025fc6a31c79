//! rc20: error=assertion-failure line=@two
//! rc20: verified executions=4 blocked=0 flags="--no-spurious"
//! rc20: verified executions=8 blocked=0 flags="-- -DLOOP"
//! sc: verified executions=8 blocked=0 flags="-- -DLOOP"
//! rc20: verified executions=8 blocked=0 flags="-- -DPREDICATE"
//! rc20: verified executions=8 blocked=0 flags="-- -DPREDICATE -DANY"
//! rc20: verified executions=8 blocked=0 flags="-- -DLOOP -DANY"
//! rc20: verified executions=8 blocked=0 flags="-- -DWRAPPED"
//! rc20: verified executions=8 blocked=0 flags="-- -DREGISTERED"
//! rc20: bounded executions=12 blocked=0 flags="-- -DCOUNTED=9"
//! rc20: error=assertion-failure line=@counted flags="-- -DCOUNTED=2"
//! rc20: error=assertion-failure line=@counted flags="--unroll 6 -- -DCOUNTED=4"
//! rc20: verified executions=4 blocked=0 flags="--no-spurious -- -DCOUNTED=2"
//! rc20: bounded flags="-- -DROUNDS"
//! rc20: verified executions=15 blocked=0 flags="--unroll 5 -- -DROUNDS"
//! rc20: verified executions=8 blocked=0 flags="-- -DLOOP -DTRY=0"
//! rc20: bounded flags="-- -DLOOP -DTRY=1"
//! rc20: error=assertion-failure line=@fails flags="-- -DLOOP -DTRY=2"
// Spurious wake-ups. A thread waits at two condition variables, and wakes up from each without a reason. LOOP, PREDICATE: it
// waits again, and nothing has changed meanwhile, so that one wake-up is all that has to be explored. WRAPPED: the wait is
// in another function. REGISTERED: it counts those that wait, up and down. COUNTED: it counts its wake-ups, so that
// each one counts, and there is no end of them. ROUNDS: there is. TRY: another thread tries to take the mutex, which
// fails when the thread has a look (2), might fail twice if it looked twice (1), and does not if it is another mutex (0).
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex, other;
#ifdef ANY
std::condition_variable_any first, second;
#else
std::condition_variable first, second;
#endif
int x, y, waiting, wakeups, failures;

#ifdef WRAPPED
[[gnu::noinline]] void waitThere(std::unique_lock<std::mutex>& lock) { first.wait(lock); }
#endif

void wait() {
  std::unique_lock lock(mutex);
#if defined LOOP
  while (!x) first.wait(lock);
#elif defined PREDICATE
  first.wait(lock, [] { return x != 0; });
#elif defined WRAPPED
  while (!x) waitThere(lock);
#elif defined REGISTERED
  while (!x) {
    waiting++;
    first.wait(lock);
    waiting--;
  }
#elif defined COUNTED
  int count = 0;
  while (!x) {
    first.wait(lock);
    count++;
  }
  wakeups = count;
#elif defined ROUNDS
  for (int i = 0; i < 3 && !x; i++) first.wait(lock);
#else
  if (x) return;
  first.wait(lock);
  const int a = x;
  if (y) return;
  second.wait(lock);
  assert(a || y);  // @two
#endif
}

int main() {
  std::thread waiter(wait);
#ifdef TRY
  for (int i = 0; i < 2; i++) {
    std::mutex& tried = TRY == 0 ? other : mutex;
    if (tried.try_lock())
      tried.unlock();
    else
      failures++;
  }
#if TRY == 2
  assert(failures == 0);  // @fails
#endif
#endif
  {
    const std::lock_guard lock(mutex);
    x = 1;
  }
  first.notify_all();
  {
    const std::lock_guard lock(mutex);
    y = 1;
  }
  second.notify_all();
  waiter.join();
#ifdef COUNTED
  assert(wakeups < COUNTED);  // @counted
#endif
}
