//! rc20: verified executions=2 blocked=2
//! sc: verified executions=2 blocked=2
// A static local is made by exactly one thread; the others wait for it, and see it whole.
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

std::atomic<int> made{0};

struct Service {
  std::string name = "a name that is too long to be stored in place";
  int ready = 0;
  Service() {
    made.fetch_add(1, std::memory_order_relaxed);
    ready = 1;
  }
};

Service& service() {
  static Service instance;
  return instance;
}

int main() {
  std::thread other([] { assert(service().ready == 1); });
  assert(service().ready == 1 && service().name.size() > 40);
  other.join();
  assert(made == 1);
}
