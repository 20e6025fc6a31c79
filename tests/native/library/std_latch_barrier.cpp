//! rc20: verified executions=2 blocked=0 flags="-- -std=c++20"
//! rc20: error=deadlock line=@error flags="-- -std=c++20 -DFEW"
// latch, barrier and semaphores of C++20. FEW: the latch waits for three, but two arrive.
#include <barrier>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

int x, y, completions;

int main() {
#ifdef FEW
  std::latch latch(3);
#else
  std::latch latch(2);
#endif
  std::binary_semaphore signal(0);
  const auto complete = []() noexcept { ++completions; };
  std::barrier barrier(2, complete);
  std::thread thread([&] {
    x = 1;
    latch.count_down();
    barrier.arrive_and_wait();
    signal.acquire();
    assert(y == 1);
  });
  latch.arrive_and_wait();  // @error
  assert(x == 1 && latch.try_wait());
  barrier.arrive_and_wait();
  assert(completions == 1);
  y = 1;
  signal.release();
  thread.join();
}
