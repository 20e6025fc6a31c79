//! rc20: verified executions=16 blocked=0
//! rc20: error=assertion-failure line=@signalled flags="-- -DALWAYS"
//! rc20: error=assertion-failure line=@status flags="-- -DSTATUS"
// wait_for ends by a notification or by its time. ALWAYS: the program expects the notification. STATUS: it expects a
// timeout.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

std::mutex mutex;
std::condition_variable condition;
bool ready;

int main() {
  std::thread producer([] {
    const std::lock_guard lock(mutex);
    ready = true;
    condition.notify_all();
  });
  {
    std::unique_lock lock(mutex);
    const bool result = condition.wait_for(lock, 10ms, [] { return ready; });
    assert(result == ready);
#ifdef ALWAYS
    assert(result);  // @signalled
#endif
  }
  producer.join();
  std::unique_lock lock(mutex);
  const auto status = condition.wait_until(lock, std::chrono::steady_clock::now() + 1ms);
#ifdef STATUS
  assert(status == std::cv_status::timeout);  // @status
#else
  assert(status == std::cv_status::timeout || status == std::cv_status::no_timeout);
#endif
}
