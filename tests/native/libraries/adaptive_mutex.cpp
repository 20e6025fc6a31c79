//! rc20,sc: verified executions=9216 blocked=5256
//! rc20: error=deadlock line=@sleeps text="is not notified of the change of main()::account.mutex.state_ and sleeps" flags="-- -DBUG"
// A mutex that spins for a while before it sleeps, in one word: free, taken, or taken while others may sleep. BUG: a thread
// that has slept takes the mutex as if nobody else slept, and whoever else does is never woken up.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

class AdaptiveMutex {
 public:
  void lock() {
    for (int i = 0; i < spins; ++i) {
      if (try_lock()) return;
      std::this_thread::yield();
    }
#ifdef BUG
    while (true) {
      int state = Free;
      if (state_.compare_exchange_strong(state, Taken, std::memory_order_acquire, std::memory_order_relaxed)) return;
      if (state == Contended || state_.compare_exchange_strong(state, Contended, std::memory_order_relaxed)) {
        state_.wait(Contended, std::memory_order_relaxed);  // @sleeps
      }
    }
#else
    while (state_.exchange(Contended, std::memory_order_acquire) != Free) {
      state_.wait(Contended, std::memory_order_relaxed);
    }
#endif
  }

  bool try_lock() {
    int state = state_.load(std::memory_order_relaxed);
    return state == Free && state_.compare_exchange_weak(state, Taken, std::memory_order_acquire, std::memory_order_relaxed);
  }

  void unlock() {
    if (state_.exchange(Free, std::memory_order_release) == Contended) state_.notify_one();
  }

 private:
  static constexpr int spins = 100;

  enum : int { Free, Taken, Contended };
  std::atomic<int> state_{Free};
};

struct Account {
  AdaptiveMutex mutex;
  std::vector<int> bookings;
};

int main() {
  Account account;
  auto book = [&account](int amount) {
    const std::lock_guard<AdaptiveMutex> lock(account.mutex);
    account.bookings.push_back(amount);
  };
  std::thread first(book, 1), second(book, 2);
  book(4);
  first.join();
  second.join();
  int sum = 0;
  for (const int amount : account.bookings) sum += amount;
  assert(account.bookings.size() == 3 && sum == 7);
}
