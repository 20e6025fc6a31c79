//! rc20: verified executions=1920 blocked=0
//! rc20: error=deadlock line=@sleeps flags="-- -DTHREADS=3"
//! rc20: error=misuse line=@many flags="-- -DMANY"
// As groups.c, for std::barrier. MANY: one arrival for more than are expected in a phase is an error all the same.
#include <barrier>
#include <cassert>
#include <atomic>
#include <thread>
#include <vector>

#ifndef THREADS
#define THREADS 4
#endif

int main() {
  std::barrier barrier(2);
  std::atomic<int> come{0};
#ifdef MANY
  (void)barrier.arrive(3);  // @many
#endif
  std::vector<std::thread> threads;
  for (int i = 0; i < THREADS; ++i) {
    threads.emplace_back([&] {
      ++come;
      barrier.arrive_and_wait();  // @sleeps
      assert(come >= 2);
    });
  }
  for (std::thread& thread : threads) thread.join();
}
