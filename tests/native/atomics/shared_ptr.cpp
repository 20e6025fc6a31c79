//! rc20: verified executions=4 blocked=2 flags="-- -std=c++20"
// std::atomic<std::shared_ptr>, which libstdc++ makes with a lock bit in a pointer.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

std::atomic<std::shared_ptr<int>> shared{std::make_shared<int>(1)};

int main() {
  std::thread writer([] { shared.store(std::make_shared<int>(2)); });
  const std::shared_ptr<int> seen = shared.load();
  assert(*seen == 1 || *seen == 2);
  writer.join();
  assert(*shared.load() == 2);
}
