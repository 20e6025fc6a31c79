//! rc20: verified executions=2 blocked=1
//! rc20: verified executions=2 blocked=1 flags="--fair"
//! rc20: verified executions=2 blocked=1 flags="--stale 1"
//! rc20: error=non-termination line=@error flags="-- -DNEVER"
// A loop that sleeps until something happens waits like any other. NEVER: nothing happens.
#include <atomic>
#include <chrono>
#include <thread>
#include <unistd.h>

std::atomic<bool> ready;

int main() {
  std::thread thread([] {
#ifndef NEVER
    ready = true;
#endif
  });
  while (!ready) {  // @error
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    usleep(100);
  }
  thread.join();
}
