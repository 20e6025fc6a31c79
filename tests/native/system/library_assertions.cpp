//! rc20: verified executions=1 flags="-- -D_GLIBCXX_ASSERTIONS"
//! rc20: error=assertion-failure line=@index text="__n < this->size()" flags="-- -D_GLIBCXX_ASSERTIONS -DINDEX"
//! rc20: error=assertion-failure line=@front flags="-- -D_GLIBCXX_ASSERTIONS -DFRONT"
//! rc20: error=assertion-failure line=@pointer flags="-- -D_GLIBCXX_ASSERTIONS -DPOINTER"
// The library's own assertions fail at the program's call.
#include <cassert>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

int main() {
  std::vector<int> numbers = {1, 2};
  std::deque<int> queue = {1};
  std::unique_ptr<int[]> array = std::make_unique<int[]>(2);
  assert(numbers[1] == 2 && queue.front() == 1 && array[1] == 0);
#ifdef INDEX
  numbers[2] = 1;  // @index
#endif
#ifdef FRONT
  queue.pop_front();
  queue.front() = 1;  // @front
#endif
#ifdef POINTER
  array.reset();
  array[0] = 1;  // @pointer
#endif
}
