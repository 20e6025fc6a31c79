//! rc20: verified executions=1 flags="-- -std=c++20"
// Ranges, spans and views of C++20.
#include <algorithm>
#include <cassert>
#include <ranges>
#include <span>
#include <string>
#include <vector>

int main() {
  std::vector<int> numbers = {5, 2, 8, 1};
  std::ranges::sort(numbers);
  int sum = 0;
  for (const int n :
       numbers | std::views::filter([](int x) { return x > 1; }) | std::views::transform([](int x) { return x * x; })) {
    sum += n;
  }
  assert(sum == 4 + 25 + 64);
  const std::span<int> middle = std::span(numbers).subspan(1, 2);
  assert(middle.front() == 2 && middle.back() == 5);
  std::string text = "abc";
  assert(text.starts_with("ab"));
  std::erase_if(numbers, [](int x) { return x % 2 == 0; });
  assert(numbers.size() == 2);
}
