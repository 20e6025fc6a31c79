//! rc20: error=dead-frame|data-race line=@error flags="-- -std=c++20 -DVALUE"
//! rc20: error=dead-frame|data-race line=@error-2 flags="-- -std=c++20 -DATOMIC"
//! rc20: error=dead-frame|data-race line=@error flags="-- -std=c++20 -DLATCH"
//! rc20: error=dead-frame|data-race line=@error flags="-- -std=c++20 -DMUTEX"
//! sc: error=dead-frame|data-race line=@error-2 flags="-j 2 -- -std=c++20 -DATOMIC"
//! rc20: verified executions=1 blocked=0 flags="-- -std=c++20 -DVALUE -DGOOD"
//! rc20: verified executions=1 blocked=0 flags="-- -std=c++20 -DATOMIC -DGOOD"
//! rc20: verified executions=1 blocked=0 flags="-- -std=c++20 -DLATCH -DGOOD"
//! rc20: verified executions=4 blocked=0 flags="-- -std=c++20 -DMUTEX -DGOOD"
// An object that leaves its block while another thread still uses it. GOOD: the thread is joined before.
#include <atomic>
#include <latch>
#include <mutex>
#include <thread>

int main() {
  std::thread worker;
  for (int i = 0; i < 2; ++i) {
#if defined(VALUE)
    int object = 0;
    worker = std::thread([&] { object = 1; });
#elif defined(ATOMIC)
    std::atomic<int> object{0};
    worker = std::thread([&] { object.store(1); });  // @error-2
#elif defined(LATCH)
    std::latch object(1);
    worker = std::thread([&] { object.wait(); });
    object.count_down();
#else
    std::mutex object;
    worker = std::thread([&] { std::lock_guard lock(object); });
    std::lock_guard lock(object);
#endif
#ifdef GOOD
#ifdef MUTEX
    object.unlock();
    worker.join();
    object.lock();
#else
    worker.join();
#endif
#else
    break;
#endif
  }  // @error
#ifndef GOOD
  worker.join();
#endif
}
