//! rc20: verified executions=1
//! rc20: error=uncaught-exception line=@error flags="-- -DUNCAUGHT"
// The exceptions that the library throws, caught by their types and their bases, with their messages.
#include <any>
#include <cassert>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

template <class Exception, class F>
std::string thrown(F f) {
  try {
    f();
  } catch (const Exception& exception) {
    return exception.what();
  }
  assert(false);
}

int main() {
  std::vector<int> v;
  assert(!thrown<std::out_of_range>([&] { v.at(3); }).empty());
  assert(!thrown<std::length_error>([&] { v.reserve(v.max_size() + 1); }).empty());
  assert(thrown<std::exception>([] { throw std::runtime_error("one two three four five six"); }) ==
         "one two three four five six");
  assert(thrown<std::logic_error>([] { throw std::invalid_argument(std::string("bad")); }) == "bad");
  assert(thrown<std::runtime_error>([] { throw std::overflow_error("much"); }) == "much");
  assert(!thrown<std::bad_function_call>([] { std::function<void()>()(); }).empty());
  assert(!thrown<std::bad_optional_access>([] { (void)std::optional<int>().value(); }).empty());
  assert(!thrown<std::bad_variant_access>([] { (void)std::get<1>(std::variant<int, char>()); }).empty());
  assert(!thrown<std::bad_any_cast>([] { (void)std::any_cast<int>(std::any('c')); }).empty());
  assert(!thrown<std::bad_weak_ptr>([] { std::shared_ptr<int>(std::weak_ptr<int>()); }).empty());
  assert(!thrown<std::invalid_argument>([] { (void)std::stoi("x"); }).empty());
  assert(thrown<std::system_error>([] { throw std::system_error(EINVAL, std::generic_category(), "call"); }) ==
         "call: Invalid argument");
  std::runtime_error first("first"), second("second");
  first = second;
  const std::runtime_error third(std::move(second));
  assert(std::strcmp(first.what(), "second") == 0 && std::strcmp(third.what(), "second") == 0);
  assert(std::error_code(EBUSY, std::system_category()) == std::errc::device_or_resource_busy);
#ifdef UNCAUGHT
  v.at(1);  // @error
#endif
}
