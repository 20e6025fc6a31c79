//! rc20: verified executions=2 blocked=0
//! rc20: error=data-race line=@error flags="-- -DPLAIN"
// The free functions for atomic access to a shared_ptr. PLAIN: one thread does without.
#include <cassert>
#include <memory>
#include <thread>

std::shared_ptr<int> pointer = std::make_shared<int>(1);

int main() {
  std::thread writer([] { std::atomic_store(&pointer, std::make_shared<int>(2)); });  // @error
#ifdef PLAIN
  const std::shared_ptr<int> mine = pointer;
#else
  const std::shared_ptr<int> mine = std::atomic_load(&pointer);
#endif
  assert(*mine == 1 || *mine == 2);
  writer.join();
  assert(*pointer == 2);
  auto expected = mine;
  std::atomic_compare_exchange_strong(&pointer, &expected, std::make_shared<int>(3));
  assert(*pointer == (*mine == 2 ? 3 : 2));
}
