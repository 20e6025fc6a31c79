//! rc20: verified executions=4 blocked=0
//! sc: verified executions=4 blocked=0
//! rc20: error=data-race line=@error flags="--suggest -- -DBUG"
//! why: Suggestion: acq_rel instead of relaxed for fetch_sub main()::barrier.missing_ at sense_barrier.cpp:28. With this change the program has no error
//
// A sense-reversing barrier: D. Hensgen, R. Finkel, U. Manber, "Two algorithms for barrier synchronization" (IJPP
// 1988). The last thread to arrive resets the count and turns the sense round; the others wait for that. Here two
// threads exchange their halves of a table between two phases.
//
// BUG: the arrival is a relaxed decrement. The last thread sees that all have arrived, and not what they did before.
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

#ifdef BUG
constexpr auto arrival = std::memory_order_relaxed;
#else
constexpr auto arrival = std::memory_order_acq_rel;
#endif

class Barrier {
 public:
  explicit Barrier(int threads) : threads_(threads), missing_(threads) {}

  void wait() {
    const bool sense = sense_.load(std::memory_order_relaxed);
    if (missing_.fetch_sub(1, arrival) == 1) {
      missing_.store(threads_, std::memory_order_relaxed);
      sense_.store(!sense, std::memory_order_release);
    } else {
      while (sense_.load(std::memory_order_acquire) == sense) std::this_thread::yield();
    }
  }

 private:
  const int threads_;
  std::atomic<int> missing_;
  std::atomic<bool> sense_{false};
};

int main() {
  Barrier barrier(2);
  std::array<int, 2> table{};
  const auto work = [&](int self) {
    table[self] = self + 1;
    barrier.wait();
    const int theirs = table[1 - self];  // @error
    barrier.wait();
    table[self] += theirs;
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  assert(table[0] == 3 && table[1] == 3);
}
