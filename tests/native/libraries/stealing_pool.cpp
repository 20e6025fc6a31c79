//! rc20: error=use-after-free|data-race line=@call flags="-- -DBUG"
//! rc20: error=data-race line=@call flags="-- -DSTORE"
//! rc11: verified executions=2266 blocked=4025 flags="-- -DSTORE"
//! rc20: verified executions=1920 blocked=3409 flags="--leaks"
// A pool of two workers with a deque each. A worker runs the tasks of its own deque, newest first, and steals the oldest of the
// other one if it has none; tasks start other tasks. The workers stop when no task is left. BUG: the owner takes without a
// fence, and a task is run twice. STORE: `push` has a release store in place of the fence, and a thief who reads the bottom that
// a later `take` has stored does not see the task (since C++20, and not in rc11, that store is not part of the release sequence).
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <functional>
#include <memory>
#include <thread>
#include <utility>

template <class T, std::size_t Capacity>
class StealingDeque {
 public:
  bool push(T* task) {
    const std::ptrdiff_t bottom = bottom_.load(std::memory_order_relaxed);
    if (bottom - top_.load(std::memory_order_acquire) == Capacity) return false;
    slot(bottom).store(task, std::memory_order_relaxed);
#ifdef STORE
    bottom_.store(bottom + 1, std::memory_order_release);
#else
    std::atomic_thread_fence(std::memory_order_release);  // for all stores to the bottom from now on, those of `take` too
    bottom_.store(bottom + 1, std::memory_order_relaxed);
#endif
    return true;
  }

  T* take() {
    const std::ptrdiff_t bottom = bottom_.load(std::memory_order_relaxed) - 1;
    if (top_.load(std::memory_order_relaxed) > bottom) return nullptr;
    bottom_.store(bottom, std::memory_order_relaxed);
#ifndef BUG
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
    std::ptrdiff_t top = top_.load(std::memory_order_relaxed);
    if (top < bottom) return slot(bottom).load(std::memory_order_relaxed);
    T* task = nullptr;
    if (top == bottom && claim(top)) task = slot(bottom).load(std::memory_order_relaxed);
    bottom_.store(bottom + 1, std::memory_order_relaxed);
    return task;
  }

  T* steal() {
    const std::ptrdiff_t top = top_.load(std::memory_order_acquire);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const std::ptrdiff_t bottom = bottom_.load(std::memory_order_acquire);
    if (top >= bottom) return nullptr;
    T* const task = slot(top).load(std::memory_order_relaxed);
    return claim(top) ? task : nullptr;
  }

 private:
  std::atomic<T*>& slot(std::ptrdiff_t index) { return slots_[static_cast<std::size_t>(index) % Capacity]; }

  bool claim(std::ptrdiff_t top) {
    return top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst, std::memory_order_relaxed);
  }

  alignas(64) std::atomic<std::ptrdiff_t> top_{0};
  alignas(64) std::atomic<std::ptrdiff_t> bottom_{0};
  std::array<std::atomic<T*>, Capacity> slots_{};
};

class Pool {
 public:
  using Function = std::function<void(std::size_t)>;  // of the number of the worker

  // Runs the function and all that it starts.
  void run(Function function) {
    start(0, std::move(function));
    std::thread other([this] { work(1); });
    work(0);
    other.join();
  }

  // Called by worker `self`.
  void start(std::size_t self, Function function) {
    unfinished_.fetch_add(1, std::memory_order_relaxed);
    auto task = std::make_unique<Task>(Task{std::move(function)});
    const bool pushed = deques_[self].push(task.get());
    assert(pushed);
    task.release();
  }

 private:
  struct Task {
    Function function;
  };

  void work(std::size_t self) {
    while (unfinished_.load(std::memory_order_acquire) != 0) {
      Task* task = deques_[self].take();
      if (task == nullptr) task = deques_[1 - self].steal();
      if (task == nullptr) continue;
      const std::unique_ptr<Task> owned(task);
      owned->function(self);  // @call
      unfinished_.fetch_sub(1, std::memory_order_release);
    }
  }

  std::array<StealingDeque<Task, 4>, 2> deques_;
  std::atomic<int> unfinished_{0};
};

int main() {
  Pool pool;
  std::array<int, 2> results{};
  pool.run([&](std::size_t self) {
    for (int i = 0; i < 2; ++i) {
      pool.start(self, [&results, i](std::size_t) { results[i] += i + 1; });
    }
  });
  assert(results[0] == 1 && results[1] == 2);
}
