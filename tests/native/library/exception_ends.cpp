//! rc20: verified executions=1 blocked=0
//! rc20: verified executions=1 blocked=0 flags="--leaks"
//! rc20: error=use-after-free line=@late flags="-- -DLATE"
// An exception ends with the last exception_ptr to it or handler of it, whichever is later. LATE: and is used after that.
#include <cassert>
#include <exception>
#include <future>
#include <stdexcept>

int alive;

struct Error {
  explicit Error(int n) : number(n) { ++alive; }
  Error(const Error& other) : number(other.number) { ++alive; }
  ~Error() { --alive; }
  int number;
};

int main() {
  std::exception_ptr pointer;
  const Error* old = nullptr;
  try {
    throw Error(1);
  } catch (const Error& error) {
    old = &error;
    pointer = std::current_exception();
  }
  assert(alive == 1 && old->number == 1);
  {
    const std::exception_ptr copy = pointer;
    pointer = nullptr;
    assert(alive == 1);
  }
  assert(alive == 0);
#ifdef LATE
  assert(old->number == 1);  // @late
#endif

  pointer = std::make_exception_ptr(Error(2));
  assert(alive == 1);
  try {
    std::rethrow_exception(pointer);
  } catch (const Error& error) {
    pointer = nullptr;
    assert(alive == 1 && error.number == 2);
  }
  assert(alive == 0);

  try {
    try {
      throw Error(3);
    } catch (...) {
      pointer = std::current_exception();
      throw;
    }
  } catch (const Error& error) {
    pointer = nullptr;
    assert(alive == 1 && error.number == 3);
  }
  assert(alive == 0);

  try {
    try {
      throw Error(4);
    } catch (...) {
      std::throw_with_nested(std::runtime_error("outer"));
    }
  } catch (const std::exception& error) {
    try {
      std::rethrow_if_nested(error);
    } catch (const Error& inner) {
      assert(inner.number == 4);
    }
    assert(alive == 1);
  }
  assert(alive == 0);

  {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    promise.set_exception(std::make_exception_ptr(Error(5)));
    try {
      future.get();
    } catch (const Error& error) {
      assert(error.number == 5);
    }
  }
  assert(alive == 0);
}
