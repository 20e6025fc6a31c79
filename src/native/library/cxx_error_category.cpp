// Error categories: what std::error_code needs of libstdc++'s compiled library.

#include <string.h>

#include <future>
#include <ios>
#include <system_error>

namespace std {

namespace {

class GenericCategory : public error_category {
 public:
  const char* name() const noexcept override { return "generic"; }
  string message(int code) const override { return strerror(code); }
};

class SystemCategory final : public GenericCategory {
 public:
  const char* name() const noexcept override { return "system"; }
  error_condition default_error_condition(int code) const noexcept override {
    return error_condition(code, generic_category());
  }
};

class FutureCategory final : public error_category {
 public:
  const char* name() const noexcept override { return "future"; }
  string message(int code) const override {
    switch (static_cast<future_errc>(code)) {
      case future_errc::promise_already_satisfied: return "Promise already satisfied";
      case future_errc::future_already_retrieved: return "Future already retrieved";
      case future_errc::no_state: return "No associated state";
      case future_errc::broken_promise: return "Broken promise";
    }
    return "Unknown error";
  }
};

class StreamCategory final : public error_category {
 public:
  const char* name() const noexcept override { return "iostream"; }
  string message(int) const override { return "iostream error"; }
};

// Objects that are there from the start to the end, without constructor or destructor calls.
template <class Category>
union Eternal {
  Category category;
  constexpr Eternal() : category() {}
  constexpr ~Eternal() {}
};

constinit Eternal<GenericCategory> genericErrors;
constinit Eternal<SystemCategory> systemErrors;
constinit Eternal<FutureCategory> futureErrors;
constinit Eternal<StreamCategory> streamErrors;

}  // namespace

inline namespace _V2 {

error_category::~error_category() = default;

error_condition error_category::default_error_condition(int code) const noexcept { return error_condition(code, *this); }

bool error_category::equivalent(int code, const error_condition& condition) const noexcept {
  return default_error_condition(code) == condition;
}

bool error_category::equivalent(const error_code& code, int condition) const noexcept {
  return *this == code.category() && code.value() == condition;
}

__cow_string error_category::_M_message(int code) const {
  const string text = message(code);
  return {text.data(), text.size()};
}

const error_category& generic_category() noexcept { return genericErrors.category; }
const error_category& system_category() noexcept { return systemErrors.category; }

}  // namespace _V2

error_condition error_code::default_error_condition() const noexcept { return category().default_error_condition(value()); }

const error_category& future_category() noexcept { return futureErrors.category; }
const error_category& iostream_category() noexcept { return streamErrors.category; }

}  // namespace std
