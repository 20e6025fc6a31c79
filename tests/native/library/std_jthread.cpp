//! rc20: verified executions=28 blocked=106 flags="-- -std=c++20"
//! rc20: error=deadlock line=@sleeps flags="-- -std=c++20 -DTHREAD"
// A jthread asks its function to stop, and joins, when it is destroyed; callbacks run. THREAD: nobody asks.
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

std::atomic<int> steps{0};

int main() {
#ifdef THREAD
  std::stop_source nobody;
  std::jthread worker([token = nobody.get_token()] {
#else
  std::jthread worker([](std::stop_token token) {
#endif
    std::atomic<bool> stop{false};
    std::stop_callback callback(token, [&] {
      stop = true;
      stop.notify_one();
    });
    stop.wait(false);  // @sleeps
    ++steps;
  });
#ifndef THREAD
  assert(worker.get_stop_source().stop_possible());
  assert(worker.request_stop());
  worker.join();
  assert(steps == 1);
#endif
}
