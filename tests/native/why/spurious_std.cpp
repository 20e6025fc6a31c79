//! rc20: error=assertion-failure line=@ready text="spurious wake-up"
// A wait without a loop, of C++: it may wake up although nobody has notified it.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool ready;

void waiter() {
  std::unique_lock<std::mutex> lock(mutex);
  if (!ready) changed.wait(lock);
  assert(ready);  // @ready
}

int main() {
  std::thread thread(waiter);
  {
    std::lock_guard<std::mutex> lock(mutex);
    ready = true;
    changed.notify_one();
  }
  thread.join();
}
