//! rc20: verified executions=4 blocked=0
//! sc: verified executions=4 blocked=0
//! rc20: verified executions=4 blocked=0 flags="-- -DANY"
//! rc20: error=deadlock line=@error flags="-- -DFORGET"
//! rc20: error=assertion-failure line=@assert flags="-- -DIF"
// Waiting with a predicate. ANY: condition_variable_any. FORGET: nobody notifies. IF: without a predicate.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
#ifdef ANY
std::condition_variable_any condition;
#else
std::condition_variable condition;
#endif
bool ready;
int data;

int main() {
  std::thread producer([] {
    {
      const std::lock_guard lock(mutex);
      data = 42;
      ready = true;
    }
#ifndef FORGET
    condition.notify_one();
#endif
  });
  {
    std::unique_lock lock(mutex);
#ifdef IF
    if (!ready) condition.wait(lock);
    assert(ready);  // @assert
#else
    condition.wait(lock, [] { return ready; });  // @error
#endif
    assert(data == 42);
  }
  producer.join();
}
