// GoogleMock's matchers, those that tests use most, for heddle's GoogleTest (../gtest/gtest.h). There are no mock objects: a class with
// MOCK_METHOD is refused with advice.
//
// A matcher is an object that says of any value whether it matches, and how the matcher is called. A value stands for Eq(value).
//
// The interface is GoogleMock's, as its documentation describes it.
#pragma once
#pragma GCC system_header

#include <gtest/gtest.h>

namespace testing {
namespace internal {

struct MatcherBase {};

template <typename Holds>
struct Matching : MatcherBase {
  Matching(std::string name, Holds holds) : name_(std::move(name)), holds_(std::move(holds)) {}
  template <typename T>
  bool matches(const T& value) const {
    return holds_(value);
  }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  Holds holds_;
};

template <typename Holds>
Matching<Holds> matching(std::string name, Holds holds) {
  return Matching<Holds>(std::move(name), std::move(holds));
}

template <typename T>
auto asMatcher(T matcherOrValue) {
  if constexpr (std::is_base_of_v<MatcherBase, T>) {
    return matcherOrValue;
  } else {
    return matching(heddle_checks::textOf(matcherOrValue),
                    [matcherOrValue](const auto& value) { return heddle_checks::Equal::holds(value, matcherOrValue); });
  }
}

template <typename... Matchers>
std::string namesOf(const char* of, const Matchers&... matchers) {
  std::string names;
  ((names += (names.empty() ? "" : ", ") + matchers.name()), ...);
  return of + ("(" + names + ")");
}

// Of a range with the matchers in the same order.
template <typename Iterator>
bool matchAll(Iterator at, Iterator end) {
  return at == end;
}
template <typename Iterator, typename Matcher, typename... Matchers>
bool matchAll(Iterator at, Iterator end, const Matcher& first, const Matchers&... others) {
  if (at == end || !first.matches(*at)) return false;
  return matchAll(++at, end, others...);
}

template <typename T, typename Matcher>
Checked matches(const char* macro, const char* expression, const T& value, const Matcher& given) {
  const auto matcher = asMatcher(given);
  if (matcher.matches(value)) return {};
  return wrong(std::string(macro) + "(" + expression + ", " + matcher.name() +
               ") does not hold: " + heddle_checks::described(expression, value));
}

struct Anything : MatcherBase {
  template <typename T>
  bool matches(const T&) const {
    return true;
  }
  std::string name() const { return "_"; }
};

}  // namespace internal

const internal::Anything _ = {};

#define HEDDLE_GMOCK_COMPARE(name, comparison)                                                                          \
  template <typename T>                                                                                                 \
  auto name(T wanted) {                                                                                                 \
    return internal::matching(#name "(" + heddle_checks::textOf(wanted) + ")",                                          \
                              [wanted](const auto& value) { return heddle_checks::comparison::holds(value, wanted); }); \
  }
HEDDLE_GMOCK_COMPARE(Eq, Equal)
HEDDLE_GMOCK_COMPARE(Ne, Unequal)
HEDDLE_GMOCK_COMPARE(Lt, Less)
HEDDLE_GMOCK_COMPARE(Le, AtMost)
HEDDLE_GMOCK_COMPARE(Gt, Greater)
HEDDLE_GMOCK_COMPARE(Ge, AtLeast)
#undef HEDDLE_GMOCK_COMPARE

inline auto IsNull() {
  return internal::matching("IsNull()", [](const auto& value) { return value == nullptr; });
}
inline auto NotNull() {
  return internal::matching("NotNull()", [](const auto& value) { return value != nullptr; });
}
inline auto IsTrue() {
  return internal::matching("IsTrue()", [](const auto& value) { return static_cast<bool>(value); });
}
inline auto IsFalse() {
  return internal::matching("IsFalse()", [](const auto& value) { return !static_cast<bool>(value); });
}

// ---- Texts.

inline auto StrEq(std::string wanted) {
  return internal::matching("StrEq(" + wanted + ")", [wanted](const auto& value) { return std::string(value) == wanted; });
}
inline auto StrNe(std::string wanted) {
  return internal::matching("StrNe(" + wanted + ")", [wanted](const auto& value) { return std::string(value) != wanted; });
}
inline auto HasSubstr(std::string part) {
  return internal::matching("HasSubstr(" + part + ")",
                            [part](const auto& value) { return std::string(value).find(part) != std::string::npos; });
}
inline auto StartsWith(std::string part) {
  return internal::matching("StartsWith(" + part + ")",
                            [part](const auto& value) { return std::string(value).compare(0, part.size(), part) == 0; });
}
inline auto EndsWith(std::string part) {
  return internal::matching("EndsWith(" + part + ")", [part](const auto& value) {
    const std::string text(value);
    return text.size() >= part.size() && text.compare(text.size() - part.size(), part.size(), part) == 0;
  });
}

// ---- Made of others.

template <typename M>
auto Not(M inner) {
  const auto matcher = internal::asMatcher(inner);
  return internal::matching(internal::namesOf("Not", matcher),
                            [matcher](const auto& value) { return !matcher.matches(value); });
}
template <typename... M>
auto AllOf(M... inner) {
  return [](auto... matchers) {
    return internal::matching(internal::namesOf("AllOf", matchers...),
                              [matchers...](const auto& value) { return (matchers.matches(value) && ...); });
  }(internal::asMatcher(inner)...);
}
template <typename... M>
auto AnyOf(M... inner) {
  return [](auto... matchers) {
    return internal::matching(internal::namesOf("AnyOf", matchers...),
                              [matchers...](const auto& value) { return (matchers.matches(value) || ...); });
  }(internal::asMatcher(inner)...);
}
template <typename M>
auto Pointee(M inner) {
  const auto matcher = internal::asMatcher(inner);
  return internal::matching(internal::namesOf("Pointee", matcher),
                            [matcher](const auto& value) { return value != nullptr && matcher.matches(*value); });
}
template <typename A, typename B>
auto Pair(A first, B second) {
  const auto one = internal::asMatcher(first);
  const auto two = internal::asMatcher(second);
  return internal::matching(internal::namesOf("Pair", one, two),
                            [one, two](const auto& value) { return one.matches(value.first) && two.matches(value.second); });
}

// ---- Containers.

inline auto IsEmpty() {
  return internal::matching("IsEmpty()", [](const auto& value) { return value.empty(); });
}
template <typename M>
auto SizeIs(M inner) {
  const auto matcher = internal::asMatcher(inner);
  return internal::matching(internal::namesOf("SizeIs", matcher),
                            [matcher](const auto& value) { return matcher.matches(static_cast<long long>(value.size())); });
}
template <typename M>
auto Contains(M inner) {
  const auto matcher = internal::asMatcher(inner);
  return internal::matching(internal::namesOf("Contains", matcher), [matcher](const auto& range) {
    for (const auto& value : range) {
      if (matcher.matches(value)) return true;
    }
    return false;
  });
}
template <typename M>
auto Each(M inner) {
  const auto matcher = internal::asMatcher(inner);
  return internal::matching(internal::namesOf("Each", matcher), [matcher](const auto& range) {
    for (const auto& value : range) {
      if (!matcher.matches(value)) return false;
    }
    return true;
  });
}
template <typename... M>
auto ElementsAre(M... inner) {
  return [](auto... matchers) {
    return internal::matching(internal::namesOf("ElementsAre", matchers...), [matchers...](const auto& range) {
      return internal::matchAll(std::begin(range), std::end(range), matchers...);
    });
  }(internal::asMatcher(inner)...);
}

}  // namespace testing

#define EXPECT_THAT(value, matcher) HEDDLE_GTEST_CHECK(::testing::internal::matches("EXPECT_THAT", #value, value, matcher))
#define ASSERT_THAT(value, matcher) HEDDLE_GTEST_CHECK(::testing::internal::matches("ASSERT_THAT", #value, value, matcher))

// Mock objects.
#define HEDDLE_GMOCK_REFUSAL \
  "heddle --gtest has no mock objects: leave the tests with them out with #ifndef __HEDDLE__, or write a class"
#define MOCK_METHOD(...) static_assert(false, HEDDLE_GMOCK_REFUSAL)
#define EXPECT_CALL(...) static_assert(false, HEDDLE_GMOCK_REFUSAL)
#define ON_CALL(...) static_assert(false, HEDDLE_GMOCK_REFUSAL)
