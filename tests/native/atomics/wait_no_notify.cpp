//! rc20: error=deadlock line=@error flags="-- -std=c++20"
//! rc20: verified executions=1 blocked=1 flags="-- -std=c++20 -DNOTIFY"
// The value changes, but nobody says so: a thread that is asleep by then does not wake up.
#include <atomic>
#include <thread>

std::atomic<int> state{0};

int main() {
  std::thread worker([] {
    state.store(1);
#ifdef NOTIFY
    state.notify_one();
#endif
  });
  state.wait(0);  // @error
  worker.join();
}
