//! rc20: error=assertion-failure line=@thread thread=2
//! rc20: verified executions=1 blocked=0 flags="-- -DEXPECTED=1"
// In a thread, inside a lambda inside a function; the report names the thread.
#include <cassert>
#include <functional>
#include <thread>

#ifndef EXPECTED
#define EXPECTED 2
#endif

int value = 1;

void check(const std::function<int()>& get) {
  assert(get() == EXPECTED);  // @thread
}

int main() {
  std::thread first([] {});
  std::thread second([] { check([] { return value; }); });
  first.join();
  second.join();
}
