//! rc20: verified executions=1 blocked=0
// Rounds of work for a few threads each.
#include <future>

int main() {
  int sum = 0;
  for (int i = 0; i < 50; ++i) {
    auto one = std::async(std::launch::async, [] { return 1; });
    sum += one.get();
    auto two = std::async(std::launch::async, [] { return 2; });
    sum += two.get();
  }
  return sum == 150 ? 0 : 1;
}
