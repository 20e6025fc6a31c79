//! rc20: verified executions=2 flags="-- -std=c++20"
// A generator, whose frame is on the heap, run by two threads one after the other.
#include <atomic>
#include <cassert>
#include <coroutine>
#include <exception>
#include <thread>

struct Generator {
  struct promise_type {
    int value = 0;
    Generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int next) {
      value = next;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
  int next() {
    handle.resume();
    return handle.promise().value;
  }
};

std::atomic<int> x{0};

Generator numbers() {
  for (int i = 1;; ++i) co_yield i * 10 + x.load(std::memory_order_relaxed);
}

int main() {
  Generator generator = numbers();
  std::thread writer([] { x.store(1, std::memory_order_relaxed); });
  const int first = generator.next();
  assert(first == 10 || first == 11);
  writer.join();
  int second = 0;
  std::thread other([&] { second = generator.next(); });
  other.join();
  assert(second == 21);
  generator.handle.destroy();
}
