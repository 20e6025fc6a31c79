//! rc20,sc: verified executions=20 blocked=0
//! rc20: error=data-race|use-after-free line=@error flags="-- -DRACE"
// An exception that two threads handle ends when both have done so: its destructor sees what both have written. RACE: one of them
// uses it after that.
#include <atomic>
#include <cassert>
#include <exception>
#include <thread>
#include <utility>

std::atomic<int> ended;

struct Error {
  ~Error() {
    if (first != 0) {
      assert(first == 1 && second == 1);  // @error
      ++ended;
    }
  }
  int first = 0, second = 0;
};

int main() {
  std::exception_ptr pointer = std::make_exception_ptr(Error());
  Error* late = nullptr;
  std::thread other([copy = pointer]() mutable {
    try {
      std::rethrow_exception(std::move(copy));
    } catch (Error& error) {
      copy = nullptr;
      error.first = 1;
    }
  });
  try {
    std::rethrow_exception(std::exchange(pointer, nullptr));
  } catch (Error& error) {
    late = &error;
    error.second = 1;
  }
#ifdef RACE
  late->second = 2;
#endif
  other.join();
  assert(ended == 1);
}
