//! rc20: verified executions=1 blocked=1 flags="-- -std=c++20"
//! sc: verified executions=1 blocked=1 flags="-- -std=c++20"
//! rc20: error=deadlock line=@error flags="-- -std=c++20 -DFORGET"
// std::atomic::wait returns when the value has changed and the thread was notified. FORGET: nobody sets the value.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> state{0};
int data = 0;

int main() {
  std::thread worker([] {
    data = 1;
#ifndef FORGET
    state.store(1, std::memory_order_release);
#endif
    state.notify_one();
  });
  state.wait(0, std::memory_order_acquire);  // @error
  assert(state.load(std::memory_order_relaxed) == 1);
  assert(data == 1);
  worker.join();
}
