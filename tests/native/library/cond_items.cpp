//! rc20: verified executions=424 blocked=0
//! rc20: error=deadlock line=@error flags="-- -DONCE"
//! rc20: verified executions=424 blocked=0 flags="-- -DANY"
//! rc20: verified executions=4 blocked=0 flags="-- -DSHARED"
//! rc20: verified executions=21 blocked=32 flags="-- -std=c++20 -DSTOP"
// A consumer that may wake up without a reason for each of three items: it leaves the loop each time, so there is an end to
// it, and nothing is cut. ONCE: the producer tells it about the first item only. ANY, SHARED: another kind of condition
// variable, and of lock. STOP: it is stopped, and that is not missed.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

#ifdef STOP
std::mutex mutex;
std::condition_variable_any condition;
bool ready;

int main() {
  std::jthread waits([](std::stop_token stop) {
    std::unique_lock lock(mutex);
    const bool result = condition.wait(lock, stop, [] { return ready; });
    assert(result == ready);
  });
}
#elif defined SHARED
std::shared_mutex mutex;
std::condition_variable_any condition;
bool ready;

int main() {
  std::thread reader([] {
    std::shared_lock lock(mutex);
    condition.wait(lock, [] { return ready; });
  });
  {
    const std::unique_lock lock(mutex);
    ready = true;
  }
  condition.notify_all();
  reader.join();
}
#else
std::mutex mutex;
#ifdef ANY
std::condition_variable_any condition;
#else
std::condition_variable condition;
#endif
int items, taken;

int main() {
  std::thread producer([] {
    for (int i = 0; i < 3; i++) {
      {
        const std::lock_guard lock(mutex);
        items++;
      }
#ifdef ONCE
      if (i == 0)
#endif
      condition.notify_one();
    }
  });
  for (int i = 0; i < 3; i++) {
    std::unique_lock lock(mutex);
    condition.wait(lock, [] { return items > 0; });  // @error
    items--;
    taken++;
  }
  producer.join();
  assert(taken == 3 && items == 0);
}
#endif
