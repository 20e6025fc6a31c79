//! rc20: verified executions=58 blocked=0
//! sc: verified executions=54 blocked=0
//! rc20: error=data-race line=@run flags="-- -DBUG"
//! sc: verified executions=54 blocked=0 flags="-- -DBUG"
// A work-stealing deque whose thieves have no fence: they read the top and the bottom with seq_cst order instead. The owner
// takes at the bottom, without a fight unless it is the last task. BUG: the thief reads the top relaxed. It may then see a
// top that another thief has moved on together with a bottom from before, and steals what the owner has taken.
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>

#ifdef BUG
constexpr auto readTop = std::memory_order_relaxed;
#else
constexpr auto readTop = std::memory_order_seq_cst;
#endif

template <class T, std::size_t Capacity>
class StealingDeque {
 public:
  // Of the owner.
  bool push(T* task) {
    const std::ptrdiff_t bottom = bottom_.load(std::memory_order_relaxed);
    const std::ptrdiff_t top = top_.load(std::memory_order_acquire);
    if (bottom - top == Capacity) return false;
    slot(bottom).store(task, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    bottom_.store(bottom + 1, std::memory_order_relaxed);
    return true;
  }

  // Of the owner. None if there is no task.
  T* take() {
    const std::ptrdiff_t bottom = bottom_.load(std::memory_order_relaxed) - 1;
    bottom_.store(bottom, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    std::ptrdiff_t top = top_.load(std::memory_order_relaxed);
    T* task = nullptr;
    if (top < bottom) return slot(bottom).load(std::memory_order_relaxed);
    if (top == bottom && top_.compare_exchange_strong(top, top + 1)) {
      task = slot(bottom).load(std::memory_order_relaxed);
    }
    bottom_.store(bottom + 1, std::memory_order_relaxed);
    return task;
  }

  // None if there is no task, or another one was faster.
  T* steal() {
    std::ptrdiff_t top = top_.load(readTop);
    const std::ptrdiff_t bottom = bottom_.load(std::memory_order_seq_cst);
    if (top >= bottom) return nullptr;
    T* const task = slot(top).load(std::memory_order_relaxed);
    return top_.compare_exchange_strong(top, top + 1) ? task : nullptr;
  }

 private:
  std::atomic<T*>& slot(std::ptrdiff_t index) { return slots_[static_cast<std::size_t>(index) % Capacity]; }

  alignas(64) std::atomic<std::ptrdiff_t> top_{0};
  alignas(64) std::atomic<std::ptrdiff_t> bottom_{0};
  std::array<std::atomic<T*>, Capacity> slots_{};
};

struct Task {
  int runs = 0;

  void run() {
    ++runs;  // @run
  }
};

int main() {
  StealingDeque<Task, 4> deque;
  std::array<Task, 2> tasks;
  for (Task& task : tasks) {
    const bool pushed = deque.push(&task);
    assert(pushed);
  }
  auto thief = [&deque] {
    if (Task* const task = deque.steal()) task->run();
  };
  std::thread first(thief), second(thief);
  if (Task* const task = deque.take()) task->run();
  first.join();
  second.join();
  while (Task* const task = deque.take()) task->run();
  for (const Task& task : tasks) assert(task.runs == 1);
}
