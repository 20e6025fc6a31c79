// What heddle's versions of test frameworks have in common: values as text, and how a check fails.
//
// A check that fails ends the execution at once, with an error at the line of the check: the execution that leads there is what is of
// interest. Nothing is put into words before that, so a check that holds costs no more than its comparison.
#pragma once
#pragma GCC system_header

#if __cplusplus < 201703L
#error "heddle's versions of test frameworks need C++17 or later: add `-- -std=c++17` to the command line"
#endif

#include <heddle_kinds.h>

#include <cstddef>
#include <cstring>
#include <iterator>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

extern "C" [[noreturn]] void heddle_fail_hook(unsigned kind, const char* message) noexcept;
extern "C" void heddle_warn_hook(const char* message) noexcept;

namespace heddle_checks {

#define HEDDLE_ENUMERATOR(kind, name, title) kind,
enum class Kind : unsigned { HEDDLE_ERROR_KINDS(HEDDLE_ENUMERATOR) };
#undef HEDDLE_ENUMERATOR

// A text that outlives everything.
inline const char* lasting(const std::string& text) {
  char* const copy = new char[text.size() + 1];
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

[[noreturn]] inline void fail(Kind kind, const std::string& text) {
  heddle_fail_hook(static_cast<unsigned>(kind), lasting(text));
}

// A test that skips itself is not an error, but "verified" says nothing of what it leaves out.
inline void skip(const std::string& why) {
  heddle_warn_hook(lasting("the test has skipped the rest of itself" + (why.empty() ? why : ": " + why)));
}

// ---- Values as text.

template <typename T, typename = void>
struct IsStreamable : std::false_type {};
template <typename T>
struct IsStreamable<T, std::void_t<decltype(std::declval<std::ostream&>() << std::declval<const T&>())>> : std::true_type {};

template <typename T, typename = void>
struct IsRange : std::false_type {};
template <typename T>
struct IsRange<T, std::void_t<decltype(std::begin(std::declval<const T&>())), decltype(std::end(std::declval<const T&>()))>>
    : std::true_type {};

template <typename T>
void write(std::ostream& out, const T& value);

template <typename A, typename B>
void write(std::ostream& out, const std::pair<A, B>& value) {
  out << '(';
  heddle_checks::write(out, value.first);
  out << ", ";
  heddle_checks::write(out, value.second);
  out << ')';
}

template <typename T>
void write(std::ostream& out, const T& value) {
  using Plain = std::decay_t<const T>;
  if constexpr (std::is_same_v<Plain, bool>) {
    out << (value ? "true" : "false");
  } else if constexpr (std::is_same_v<Plain, std::nullptr_t>) {
    out << "nullptr";
  } else if constexpr (std::is_same_v<Plain, char>) {
    out << '\'' << value << '\'';
  } else if constexpr (std::is_same_v<Plain, signed char> || std::is_same_v<Plain, unsigned char>) {
    out << static_cast<int>(value);
  } else if constexpr (std::is_same_v<Plain, const char*> || std::is_same_v<Plain, char*>) {
    const char* const text = value;
    if (text == nullptr) {
      out << "nullptr";
    } else {
      out << '"' << text << '"';
    }
  } else if constexpr (std::is_same_v<Plain, std::string>) {
    out << '"' << value << '"';
  } else if constexpr (std::is_pointer_v<Plain>) {
    if (value == nullptr) {
      out << "nullptr";
    } else {
      out << "a pointer";  // the address is not of interest
    }
  } else if constexpr (IsStreamable<T>::value) {
    out << value;
  } else if constexpr (std::is_enum_v<Plain>) {
    out << static_cast<long long>(value);
  } else if constexpr (IsRange<T>::value) {
    const char* separator = "{";
    for (const auto& element : value) {
      out << separator << ' ';
      heddle_checks::write(out, element);
      separator = ",";
    }
    out << (*separator == '{' ? "{}" : " }");
  } else {
    out << sizeof(T) << " bytes";
  }
}

template <typename T>
std::string textOf(const T& value) {
  std::ostringstream out;
  heddle_checks::write(out, value);
  return out.str();
}

// "r1 (which is 3)"; only the expression, if the value says the same.
template <typename T>
std::string described(const char* expression, const T& value) {
  const std::string text = textOf(value);
  return text == expression ? text : std::string(expression) + " (which is " + text + ")";
}

// ---- Comparisons that mixed signs do not spoil, and that say nothing about null pointers.

struct Equal {
  template <typename A, typename B>
  static bool holds(const A& a, const B& b) {
    if constexpr (std::is_integral_v<A> && std::is_integral_v<B> && !std::is_same_v<A, bool> && !std::is_same_v<B, bool>) {
      if constexpr (std::is_signed_v<A> != std::is_signed_v<B>) {
        if constexpr (std::is_signed_v<A>) {
          return a >= 0 && static_cast<std::make_unsigned_t<A>>(a) == b;
        } else {
          return b >= 0 && a == static_cast<std::make_unsigned_t<B>>(b);
        }
      } else {
        return a == b;
      }
    } else if constexpr (std::is_pointer_v<std::decay_t<A>> && std::is_same_v<B, int>) {
      return a == nullptr && b == 0;  // EXPECT_EQ(pointer, 0), or NULL
    } else if constexpr (std::is_pointer_v<std::decay_t<B>> && std::is_same_v<A, int>) {
      return b == nullptr && a == 0;
    } else if constexpr (std::is_pointer_v<std::decay_t<A>> && std::is_same_v<B, long>) {
      return a == nullptr && b == 0;
    } else if constexpr (std::is_pointer_v<std::decay_t<B>> && std::is_same_v<A, long>) {
      return b == nullptr && a == 0;
    } else {
      return static_cast<bool>(a == b);
    }
  }
};
struct Unequal {
  template <typename A, typename B>
  static bool holds(const A& a, const B& b) {
    return !Equal::holds(a, b);
  }
};
#define HEDDLE_COMPARISON(name, operator)       \
  struct name {                                 \
    template <typename A, typename B>           \
    static bool holds(const A& a, const B& b) { \
      return static_cast<bool>(a operator b);   \
    }                                           \
  };
HEDDLE_COMPARISON(Less, <)
HEDDLE_COMPARISON(AtMost, <=)
HEDDLE_COMPARISON(Greater, >)
HEDDLE_COMPARISON(AtLeast, >=)
#undef HEDDLE_COMPARISON

// Floating point numbers that are nearly the same: at most four that can be represented lie between them.
template <typename Number>
bool isClose(Number a, Number b) {
  if (a != a || b != b) return false;
  if (a == b) return true;
  const Number larger = (a < 0 ? -a : a) > (b < 0 ? -b : b) ? (a < 0 ? -a : a) : (b < 0 ? -b : b);
  const Number distance = a < b ? b - a : a - b;
  constexpr Number kUnit = sizeof(Number) == sizeof(float) ? Number(1.1920929e-07) : Number(2.220446049250313e-16);
  return distance <= 4 * kUnit * larger;
}

// Does it throw anything?
template <typename Statement>
bool throws(Statement statement) {
  try {
    statement();
  } catch (...) {
    return true;
  }
  return false;
}

}  // namespace heddle_checks
