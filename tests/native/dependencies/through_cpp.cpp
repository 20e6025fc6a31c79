//! rc11: verified executions=3 blocked=0
//! armv8,power,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_EXCEPTION"
//! armv8,power,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_VECTOR"
//! armv8,power,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_VIRTUAL"
//! armv8,power,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_FUNCTION"
//! armv8,power,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_STRING"
//! armv8,power,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_PAIR"
//! armv8,power,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_THREAD_LOCAL"
//! armv8,power,c11-lb: error=assertion-failure line=@both flags="--"
// Load buffering as in through.c, with what C++ has besides.
#include <array>
#include <atomic>
#include <cassert>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

std::atomic<int> x, y;

struct Number {
  virtual ~Number() = default;
  virtual int get() const { return 1; }
};
struct OtherNumber : Number {
  int get() const override { return 1; }
};
thread_local int mine;

// Always 1.
int written([[maybe_unused]] int r) {
#if defined(THROUGH_EXCEPTION)
  try {
    throw (r & 0) + 1;
  } catch (int caught) {
    return caught;
  }
#elif defined(THROUGH_VECTOR)
  std::vector<int> all;
  all.push_back(7);
  all.push_back(r & 0);
  const std::vector<int> copy = all;
  return copy[1] + 1;
#elif defined(THROUGH_VIRTUAL)
  const Number first;
  const OtherNumber second;
  const std::array<const Number*, 2> all = {&first, &second};
  return all[r & 1]->get();
#elif defined(THROUGH_FUNCTION)
  const std::function<int()> function = [r] { return (r ^ r) + 1; };
  return function();
#elif defined(THROUGH_STRING)
  const std::string text(1, static_cast<char>('b' + (r & 0)));
  return text[0] - 'a';
#elif defined(THROUGH_PAIR)
  const auto [first, second] = std::make_pair(r & 0, 1L);
  return first + static_cast<int>(second);
#elif defined(THROUGH_THREAD_LOCAL)
  mine = r;
  return mine - mine + 1;
#else
  return 1;
#endif
}

int main() {
  int seen[2];
  std::thread first([&] {
    seen[0] = x.load(std::memory_order_relaxed);
    y.store(written(seen[0]), std::memory_order_relaxed);
  });
  std::thread second([&] {
    seen[1] = y.load(std::memory_order_relaxed);
    x.store(written(seen[1]), std::memory_order_relaxed);
  });
  first.join();
  second.join();
  assert(!(seen[0] == 1 && seen[1] == 1));  // @both
}
