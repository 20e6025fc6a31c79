//! rc20: verified executions=3 blocked=0 flags="--leaks"
//! rc20: error=data-race line=@error flags="-- -DASSIGN"
// Copies of a shared_ptr in two threads are safe, its count is atomic. ASSIGN: the same shared_ptr is assigned and
// copied.
#include <cassert>
#include <memory>
#include <thread>

std::shared_ptr<int> shared = std::make_shared<int>(7);

int main() {
  std::thread other([] {
    const std::shared_ptr<int> copy = shared;
    assert(*copy == 7);
  });
#ifdef ASSIGN
  shared = std::make_shared<int>(8);  // @error
#else
  const std::shared_ptr<int> copy = shared;
  assert(*copy == 7);
#endif
  other.join();
}
