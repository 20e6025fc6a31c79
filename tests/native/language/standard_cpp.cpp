//! rc20: verified executions=2 flags="-- -std=c++11"
//! rc20: verified executions=2 flags="-- -std=c++14"
//! rc20: verified executions=2 flags="-- -std=c++17"
//! rc20: verified executions=2 flags="-- -std=c++20"
//! rc20: verified executions=2 flags="-- -std=c++23"
//! rc20: verified executions=2
// One program in every version of C++ from C++11 on, with something of each.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
#include <type_traits>
#if __cplusplus >= 201703L
#include <optional>
#include <string_view>
#endif
#if __cplusplus >= 202002L
#include <concepts>
#include <span>
#endif

std::atomic<int> x(0);

#if __cplusplus >= 202002L
template <std::integral T>
T twice(T value) {
  return value * 2;
}
int sum(std::span<const int> numbers) {
  int total = 0;
  for (const int number : numbers) total += number;
  return total;
}
#endif

int main() {
  std::thread writer([] { x.store(1, std::memory_order_release); });
  const int seen = x.load(std::memory_order_acquire);
  assert(seen == 0 || seen == 1);
  writer.join();
  std::unique_ptr<int> owned(new int(3));
#if __cplusplus >= 201402L
  owned = std::make_unique<int>(3);
#endif
  assert(*owned == 3);
#if __cplusplus >= 201703L
  const std::optional<std::string_view> text = "view";
  if (const auto size = text->size(); size != 4) assert(false);
#endif
#if __cplusplus >= 202002L
  const int numbers[] = {1, 2, 3};
  assert(sum(numbers) == 6 && twice(4) == 8);
  assert((1 <=> 2) < 0);
#endif
#if __cplusplus > 202002L
  static_assert(std::is_scoped_enum_v<std::memory_order>);
#endif
}
