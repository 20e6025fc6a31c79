//! rc20: verified executions=15 blocked=0
//! rc20: error=uncaught-exception line=@error flags="-- -DUNCAUGHT"
// An exception travels from one thread to another, through a future and on its own. UNCAUGHT: nobody catches it there.
#include <cassert>
#include <cstring>
#include <exception>
#include <future>
#include <stdexcept>
#include <thread>

std::exception_ptr pointer;

int main() {
  std::promise<int> promise;
  auto future = promise.get_future();
  std::thread producer([&promise] {
    try {
      throw std::runtime_error("a message that is too long for a short string");
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  });
#ifdef UNCAUGHT
  future.get();  // @error
#endif
  try {
    future.get();
    assert(false);
  } catch (const std::runtime_error& error) {
    assert(std::strcmp(error.what(), "a message that is too long for a short string") == 0);
  }
  producer.join();

  std::thread other([] { pointer = std::make_exception_ptr(std::out_of_range("far")); });
  other.join();
  try {
    std::rethrow_exception(pointer);
  } catch (const std::logic_error& error) {
    assert(std::strcmp(error.what(), "far") == 0);
  }
  assert(pointer && pointer == std::exception_ptr(pointer) && pointer != std::exception_ptr());

  std::future<int> broken = std::promise<int>().get_future();
  try {
    broken.get();
    assert(false);
  } catch (const std::future_error& error) {
    assert(error.code() == std::future_errc::broken_promise);
  }
  auto asynchronous = std::async(std::launch::async, []() -> int { throw 5; });
  try {
    asynchronous.get();
    assert(false);
  } catch (int n) {
    assert(n == 5);
  }
}
