//! rc20: verified executions=3 blocked=0
//! rc20: error=assertion-failure line=@assert flags="-- -DBUG"
// async (in a thread, and deferred), packaged_task, shared_future, void and reference results.
#include <cassert>
#include <future>
#include <thread>

int x;

int main() {
  std::future<int> asynchronous = std::async(std::launch::async, [](int n) { return n + 1; }, 1);
  std::future<int> deferred = std::async(std::launch::deferred, [] { return ++x; });
#ifdef BUG
  assert(x == 1);  // @assert
#else
  assert(x == 0);
#endif
  assert(asynchronous.get() == 2 && deferred.get() == 1 && x == 1);

  std::packaged_task<int&(int&)> task([](int& r) -> int& { return ++r; });
  std::future<int&> reference = task.get_future();
  std::thread thread(std::move(task), std::ref(x));
  assert(&reference.get() == &x);
  thread.join();
  assert(x == 2);

  std::promise<void> promise;
  std::shared_future<void> shared = promise.get_future().share();
  std::thread waiter([shared] { shared.wait(); });
  promise.set_value();
  waiter.join();
}
