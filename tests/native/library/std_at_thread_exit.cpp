//! rc20: verified executions=8 blocked=1
// What becomes ready when a thread ends is ready after its thread_locals are gone.
#include <cassert>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

int destroyed;

struct Local {
  ~Local() { ++destroyed; }
};

thread_local Local local;

std::mutex mutex;
std::condition_variable condition;
bool done;

int main() {
  std::promise<int> promise;
  auto future = promise.get_future();
  std::thread thread([&promise] {
    (void)&local;
    promise.set_value_at_thread_exit(1);
  });
  assert(future.get() == 1 && destroyed == 1);
  thread.join();
  std::thread notifier([] {
    (void)&local;
    std::unique_lock lock(mutex);
    done = true;
    std::notify_all_at_thread_exit(condition, std::move(lock));
  });
  {
    std::unique_lock lock(mutex);
    condition.wait(lock, [] { return done; });
    assert(destroyed == 2);
  }
  notifier.join();
}
