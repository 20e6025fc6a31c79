//! rc20: verified executions=3 blocked=0
//! rc20: error=deadlock line=@error flags="-- -DFORGET"
//! rc20: error=data-race line=@write|@read flags="-- -DEARLY"
// promise and future, in two threads. FORGET: the value never comes. EARLY: data is written after the promise is kept.
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

int data;

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread producer([&promise] {
#ifndef EARLY
    data = 1;
#endif
#ifndef FORGET
    promise.set_value(42);
#endif
#ifdef EARLY
    data = 1;  // @write
#endif
  });
  assert(future.valid());
  const auto status = future.wait_for(std::chrono::milliseconds(1));
  assert(status == std::future_status::ready || status == std::future_status::timeout);
  assert(future.get() == 42 && !future.valid());  // @error
  assert(data == 1);  // @read
  producer.join();
}
