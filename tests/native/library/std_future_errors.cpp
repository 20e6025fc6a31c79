//! rc20: verified executions=1
// What futures throw, within a thread.
#include <cassert>
#include <future>
#include <stdexcept>
#include <string>

template <class F>
std::error_code codeOf(F f) {
  try {
    f();
  } catch (const std::future_error& error) {
    assert(std::string(error.what()).size() > 0);
    return error.code();
  }
  return {};
}

int main() {
  std::promise<int> promise;
  auto future = promise.get_future();
  assert(codeOf([&] { promise.get_future(); }) == std::future_errc::future_already_retrieved);
  promise.set_value(1);
  assert(codeOf([&] { promise.set_value(2); }) == std::future_errc::promise_already_satisfied);
  assert(future.get() == 1);
  assert(codeOf([&] { std::promise<int>(std::move(promise)).get_future(), promise.set_value(3); }) !=
         std::error_code());
  std::future<int> empty;
  assert(codeOf([&] { empty.get(); }) == std::future_errc::no_state);
  assert(std::make_error_code(std::future_errc::broken_promise).message() == "Broken promise");
}
