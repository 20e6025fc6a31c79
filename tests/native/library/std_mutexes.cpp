//! rc20: verified executions=64 blocked=0
//! rc20: error=self-lock line=@again flags="-- -DTWICE"
//! rc20: error=data-race line=@increment flags="-- -DNONE"
// Every kind of mutex of the standard library keeps the other thread out.
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

template <class Mutex>
void exclude() {
  Mutex mutex;
  int x = 0;
  const auto increment = [&] {
#ifndef NONE
    const std::lock_guard<Mutex> guard(mutex);
#endif
    ++x;  // @increment
  };
  std::thread thread(increment);
  increment();
  thread.join();
  assert(x == 2);
}

int main() {
  exclude<std::mutex>();
  exclude<std::recursive_mutex>();
  exclude<std::timed_mutex>();
  exclude<std::recursive_timed_mutex>();
  exclude<std::shared_mutex>();
  exclude<std::shared_timed_mutex>();
  std::recursive_mutex recursive;
  const std::lock_guard one(recursive), two(recursive);
  std::timed_mutex timed;
  std::unique_lock got(timed, 1ms);
  assert(got.owns_lock());
  std::unique_lock<std::timed_mutex> not_got(timed, std::defer_lock);
  got.unlock();
  assert(not_got.try_lock_until(std::chrono::steady_clock::now() + 1s));
  std::shared_timed_mutex shared;
  std::shared_lock reader(shared, 1ms);
  assert(reader.owns_lock() && !std::unique_lock(shared, 1ms).owns_lock());
#ifdef TWICE
  std::mutex mutex;
  mutex.lock();
  mutex.lock();  // @again
#endif
}
