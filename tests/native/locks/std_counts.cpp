//! rc20: verified executions=6 blocked=0 flags="-- -std=c++20"
//! rc20: verified executions=6 blocked=0 flags="-- -std=c++20 -DLOCK=std::recursive_mutex"
//! rc20: verified executions=6 blocked=0 flags="-- -std=c++20 -DLOCK=std::timed_mutex"
//! rc20: verified executions=6 blocked=0 flags="-- -std=c++20 -DLOCK=std::shared_mutex"
//! rc20: verified executions=6 blocked=0 flags="-- -std=c++20 -DLOCK=std::shared_timed_mutex"
//! rc20: verified executions=1 blocked=0 flags="-- -std=c++20 -DLOCK=std::shared_mutex -DGUARD=std::shared_lock"
//! rc20: verified executions=1 blocked=0 flags="-- -std=c++20 -DLOCK=std::shared_timed_mutex -DGUARD=std::shared_lock"
// Three threads that take a lock of the standard library once, and for reading only.
#include <mutex>
#include <shared_mutex>
#include <thread>

#ifndef LOCK
#define LOCK std::mutex
#endif
#ifndef GUARD
#define GUARD std::unique_lock
#endif

LOCK lock;

int main() {
  const auto work = [] { const GUARD guard(lock); };
  std::thread a(work), b(work), c(work);
  a.join();
  b.join();
  c.join();
}
