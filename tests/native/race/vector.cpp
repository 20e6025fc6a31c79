//! rc20: error=data-race line=@error
//! rc20: verified executions=2 flags="-- -DLOCKED"
// push_back from two threads. The race is inside the vector; the report is about our line.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

std::vector<int> numbers;
std::mutex mutex;

void add(int number) {
#ifdef LOCKED
  std::lock_guard<std::mutex> lock(mutex);
#endif
  numbers.push_back(number);  // @error
}

int main() {
  std::thread other(add, 1);
  add(2);
  other.join();
  assert(numbers.size() == 2 && numbers[0] + numbers[1] == 3);
}
