//! rc20: error=uninitialised-atomic line=@load flags="-- -std=c++17"
//! rc20: verified executions=1 flags="-- -std=c++20"
// The default constructor of std::atomic leaves the value alone until C++17, and makes it zero from C++20 on.
#include <atomic>
#include <memory>

int main() {
  const std::unique_ptr<std::atomic<int>> cell(new std::atomic<int>);
  return cell->load() == 9;  // @load
}
