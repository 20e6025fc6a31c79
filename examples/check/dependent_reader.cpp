//! rc20: verified executions=2 blocked=0 flags="-- -DACQUIRE"
//! armv8,riscv,power: verified executions=2 blocked=0
//! armv8,riscv,power: error=assertion-failure line=@filled flags="--suggest -- -DBUG"
//! why: Suggestion: acquire instead of relaxed for load number at dependent_reader.cpp:40. With this change the program has no error
//! rc20,imm,c11-lb: error=assertion-failure line=@filled
//
// A reader that relies on a dependency, as rcu_dereference in the Linux kernel does: it loads the pointer to the current
// version relaxed, and reads through the pointer. The second read cannot be done before its address is known, so on every
// machine it finds what was written before the version was published. C and C++ do not promise that to relaxed
// accesses (ACQUIRE is what they ask for), and a compiler may break the dependency; so check what you ship.
//
// BUG: the version is a number, and the reader branches on it. A branch orders no reads: machines guess where it goes.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef ACQUIRE
constexpr auto look = std::memory_order_acquire;
#else
constexpr auto look = std::memory_order_relaxed;
#endif

struct Version {
  std::atomic<int> value;
};

Version versions[2] = {{1}, {0}};
std::atomic<Version*> current{&versions[0]};
std::atomic<int> number{0};

void writer() {
  versions[1].value.store(2, std::memory_order_relaxed);
  current.store(&versions[1], std::memory_order_release);
  number.store(1, std::memory_order_release);
}

void reader() {
#ifdef BUG
  int value = 0;
  if (number.load(look) == 1) {
    value = versions[1].value.load(std::memory_order_relaxed);
  } else {
    value = versions[0].value.load(std::memory_order_relaxed);
  }
#else
  Version* const version = current.load(look);
  const int value = version->value.load(std::memory_order_relaxed);
#endif
  assert(value != 0);  // @filled
}

int main() {
  std::thread first(writer);
  std::thread second(reader);
  first.join();
  second.join();
}
