// EXPECT and ASSERT, of heddle's gtest/gtest.h.
#pragma once
#pragma GCC system_header

namespace testing {
namespace internal {

// Which SCOPED_TRACEs are open, the newest first; of each thread.
class ScopedTrace {
 public:
  ScopedTrace(const char* file, int line, const Message& message)
      : text_((Message() << "; in " << file << ":" << line << ": " << message.GetString()).GetString()), outer_(newest()) {
    newest() = this;
  }
  ScopedTrace(const ScopedTrace&) = delete;
  ~ScopedTrace() { newest() = outer_; }
  static std::string all() {
    std::string text;
    for (const ScopedTrace* trace = newest(); trace != nullptr; trace = trace->outer_) text += trace->text_;
    return text;
  }

 private:
  static const ScopedTrace*& newest() {
    static thread_local const ScopedTrace* trace = nullptr;
    return trace;
  }
  std::string text_;
  const ScopedTrace* outer_;
};

// The outcome of a check: null if it holds, or else what is wrong.
struct Checked {
  const char* problem = nullptr;
  explicit operator bool() const { return problem == nullptr; }
};

inline Checked wrong(const std::string& text) { return {heddle_checks::lasting(text)}; }

template <typename Comparison, typename A, typename B>
Checked compared(const char* macro, const char* first, const char* second, const A& a, const B& b) {
  if (Comparison::holds(a, b)) return {};
  return wrong(std::string(macro) + "(" + first + ", " + second + ") does not hold: " + heddle_checks::described(first, a) +
               ", " + heddle_checks::described(second, b));
}

inline Checked isTrue(const char* macro, const char* expression, const AssertionResult& result, bool wanted) {
  if (static_cast<bool>(result) == wanted) return {};
  return wrong(std::string(macro) + "(" + expression + ") does not hold" + (*result.message() ? ": " : "") + result.message());
}
template <typename T>
Checked isTrue(const char* macro, const char* expression, const T& value, bool wanted) {
  if (static_cast<bool>(value) == wanted) return {};
  return wrong(std::string(macro) + "(" + expression + ") does not hold");
}

inline bool sameText(const char* a, const char* b) { return a == nullptr || b == nullptr ? a == b : std::strcmp(a, b) == 0; }
inline bool sameLetters(const char* a, const char* b) {
  if (a == nullptr || b == nullptr) return a == b;
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  while (*a != '\0' && lower(*a) == lower(*b)) ++a, ++b;
  return lower(*a) == lower(*b);
}
inline Checked texts(const char* macro, const char* first, const char* second, const char* a, const char* b, bool holds) {
  if (holds) return {};
  return wrong(std::string(macro) + "(" + first + ", " + second + ") does not hold: " + heddle_checks::described(first, a) +
               ", " + heddle_checks::described(second, b));
}

inline Checked near(const char* macro, double a, double b, double most) {
  const double distance = a < b ? b - a : a - b;
  if (distance <= most) return {};
  return wrong((Message() << macro << " does not hold: " << a << " and " << b << " differ by " << distance).GetString());
}

// Takes the message that is written behind a check, and fails.
struct Failure {
  const char* problem;
  const char* file;
  int line;
  __attribute__((__noinline__)) void operator=(const Message& message) const {
    std::string text = problem;
    const std::string more = message.GetString();
    if (!more.empty()) text += (text.empty() ? "" : "; ") + more;
    text += ScopedTrace::all();
    UnitTest::GetInstance()->report(TestPartResult(TestPartResult::kNonFatalFailure, file, line, text));
    heddle_checks::fail(heddle_checks::Kind::assertion, text);
  }
};

struct Success {
  const char* file;
  int line;
  void operator=(const Message& message) const {
    UnitTest::GetInstance()->report(TestPartResult(TestPartResult::kSuccess, file, line, message.GetString()));
  }
};

struct Skip {
  __attribute__((__noinline__)) void operator=(const Message& message) const {
    heddle_checks::skip(message.GetString());
    UnitTest::GetInstance()->skip();
  }
};

using heddle_checks::throws;

}  // namespace internal
}  // namespace testing

#define HEDDLE_GTEST_FAIL(text) ::testing::internal::Failure{text, __FILE__, __LINE__} = ::testing::Message()
#define HEDDLE_GTEST_CHECK(...)                                            \
  switch (0)                                                               \
  case 0:                                                                  \
  default:                                                                 \
    if (const ::testing::internal::Checked heddle_checked = __VA_ARGS__) { \
    } else /* NOLINT */                                                    \
      HEDDLE_GTEST_FAIL(heddle_checked.problem)
#define HEDDLE_GTEST_COMPARE(macro, comparison, a, b) \
  HEDDLE_GTEST_CHECK(::testing::internal::compared< ::heddle_checks::comparison>(macro, #a, #b, a, b))

#define EXPECT_TRUE(...) HEDDLE_GTEST_CHECK(::testing::internal::isTrue("EXPECT_TRUE", #__VA_ARGS__, (__VA_ARGS__), true))
#define EXPECT_FALSE(...) HEDDLE_GTEST_CHECK(::testing::internal::isTrue("EXPECT_FALSE", #__VA_ARGS__, (__VA_ARGS__), false))
#define ASSERT_TRUE(...) HEDDLE_GTEST_CHECK(::testing::internal::isTrue("ASSERT_TRUE", #__VA_ARGS__, (__VA_ARGS__), true))
#define ASSERT_FALSE(...) HEDDLE_GTEST_CHECK(::testing::internal::isTrue("ASSERT_FALSE", #__VA_ARGS__, (__VA_ARGS__), false))

#define EXPECT_EQ(a, b) HEDDLE_GTEST_COMPARE("EXPECT_EQ", Equal, a, b)
#define EXPECT_NE(a, b) HEDDLE_GTEST_COMPARE("EXPECT_NE", Unequal, a, b)
#define EXPECT_LT(a, b) HEDDLE_GTEST_COMPARE("EXPECT_LT", Less, a, b)
#define EXPECT_LE(a, b) HEDDLE_GTEST_COMPARE("EXPECT_LE", AtMost, a, b)
#define EXPECT_GT(a, b) HEDDLE_GTEST_COMPARE("EXPECT_GT", Greater, a, b)
#define EXPECT_GE(a, b) HEDDLE_GTEST_COMPARE("EXPECT_GE", AtLeast, a, b)
#define ASSERT_EQ(a, b) HEDDLE_GTEST_COMPARE("ASSERT_EQ", Equal, a, b)
#define ASSERT_NE(a, b) HEDDLE_GTEST_COMPARE("ASSERT_NE", Unequal, a, b)
#define ASSERT_LT(a, b) HEDDLE_GTEST_COMPARE("ASSERT_LT", Less, a, b)
#define ASSERT_LE(a, b) HEDDLE_GTEST_COMPARE("ASSERT_LE", AtMost, a, b)
#define ASSERT_GT(a, b) HEDDLE_GTEST_COMPARE("ASSERT_GT", Greater, a, b)
#define ASSERT_GE(a, b) HEDDLE_GTEST_COMPARE("ASSERT_GE", AtLeast, a, b)

#define HEDDLE_GTEST_TEXTS(macro, same, wanted, a, b) \
  HEDDLE_GTEST_CHECK(::testing::internal::texts(macro, #a, #b, a, b, ::testing::internal::same(a, b) == wanted))
#define EXPECT_STREQ(a, b) HEDDLE_GTEST_TEXTS("EXPECT_STREQ", sameText, true, a, b)
#define EXPECT_STRNE(a, b) HEDDLE_GTEST_TEXTS("EXPECT_STRNE", sameText, false, a, b)
#define EXPECT_STRCASEEQ(a, b) HEDDLE_GTEST_TEXTS("EXPECT_STRCASEEQ", sameLetters, true, a, b)
#define EXPECT_STRCASENE(a, b) HEDDLE_GTEST_TEXTS("EXPECT_STRCASENE", sameLetters, false, a, b)
#define ASSERT_STREQ(a, b) HEDDLE_GTEST_TEXTS("ASSERT_STREQ", sameText, true, a, b)
#define ASSERT_STRNE(a, b) HEDDLE_GTEST_TEXTS("ASSERT_STRNE", sameText, false, a, b)
#define ASSERT_STRCASEEQ(a, b) HEDDLE_GTEST_TEXTS("ASSERT_STRCASEEQ", sameLetters, true, a, b)
#define ASSERT_STRCASENE(a, b) HEDDLE_GTEST_TEXTS("ASSERT_STRCASENE", sameLetters, false, a, b)

#define HEDDLE_GTEST_CLOSE(macro, number, a, b) \
  HEDDLE_GTEST_CHECK(::testing::internal::isTrue(macro, #a ", " #b, ::heddle_checks::isClose<number>(a, b), true))
#define EXPECT_FLOAT_EQ(a, b) HEDDLE_GTEST_CLOSE("EXPECT_FLOAT_EQ", float, a, b)
#define EXPECT_DOUBLE_EQ(a, b) HEDDLE_GTEST_CLOSE("EXPECT_DOUBLE_EQ", double, a, b)
#define EXPECT_NEAR(a, b, most) \
  HEDDLE_GTEST_CHECK(::testing::internal::near("EXPECT_NEAR(" #a ", " #b ", " #most ")", a, b, most))
#define ASSERT_FLOAT_EQ(a, b) EXPECT_FLOAT_EQ(a, b)
#define ASSERT_DOUBLE_EQ(a, b) EXPECT_DOUBLE_EQ(a, b)
#define ASSERT_NEAR(a, b, most) EXPECT_NEAR(a, b, most)

#define EXPECT_PRED1(p, a) HEDDLE_GTEST_CHECK(::testing::internal::isTrue("EXPECT_PRED1", #p "(" #a ")", p(a), true))
#define EXPECT_PRED2(p, a, b) \
  HEDDLE_GTEST_CHECK(::testing::internal::isTrue("EXPECT_PRED2", #p "(" #a ", " #b ")", p(a, b), true))
#define EXPECT_PRED3(p, a, b, c) \
  HEDDLE_GTEST_CHECK(::testing::internal::isTrue("EXPECT_PRED3", #p "(" #a ", " #b ", " #c ")", p(a, b, c), true))
#define EXPECT_PRED_FORMAT1(p, a) HEDDLE_GTEST_CHECK(::testing::internal::isTrue("EXPECT_PRED_FORMAT1", #a, p(#a, a), true))
#define EXPECT_PRED_FORMAT2(p, a, b) \
  HEDDLE_GTEST_CHECK(::testing::internal::isTrue("EXPECT_PRED_FORMAT2", #a ", " #b, p(#a, #b, a, b), true))
#define ASSERT_PRED1(p, a) EXPECT_PRED1(p, a)
#define ASSERT_PRED2(p, a, b) EXPECT_PRED2(p, a, b)
#define ASSERT_PRED3(p, a, b, c) EXPECT_PRED3(p, a, b, c)
#define ASSERT_PRED_FORMAT1(p, a) EXPECT_PRED_FORMAT1(p, a)
#define ASSERT_PRED_FORMAT2(p, a, b) EXPECT_PRED_FORMAT2(p, a, b)

#define HEDDLE_GTEST_THROWS(macro, statement, wanted) \
  HEDDLE_GTEST_CHECK(::testing::internal::isTrue(macro, #statement, ::testing::internal::throws([&] { statement; }), wanted))
#define EXPECT_ANY_THROW(statement) HEDDLE_GTEST_THROWS("EXPECT_ANY_THROW", statement, true)
#define EXPECT_NO_THROW(statement) HEDDLE_GTEST_THROWS("EXPECT_NO_THROW", statement, false)
#define EXPECT_THROW(statement, type)             \
  HEDDLE_GTEST_CHECK(::testing::internal::isTrue( \
      "EXPECT_THROW", #statement ", " #type,      \
      [&]() -> bool {                             \
        try {                                     \
          statement;                              \
        } catch (type const&) {                   \
          return true;                            \
        } catch (...) {}                          \
        return false;                             \
      }(),                                        \
      true))
#define ASSERT_ANY_THROW(statement) EXPECT_ANY_THROW(statement)
#define ASSERT_NO_THROW(statement) EXPECT_NO_THROW(statement)
#define ASSERT_THROW(statement, type) EXPECT_THROW(statement, type)

#define EXPECT_NO_FATAL_FAILURE(statement) \
  do {                                     \
    statement;                             \
  } while (0)
#define ASSERT_NO_FATAL_FAILURE(statement) EXPECT_NO_FATAL_FAILURE(statement)

#define FAIL() return HEDDLE_GTEST_FAIL("FAIL()")
#define GTEST_FAIL() FAIL()
#define ADD_FAILURE() HEDDLE_GTEST_FAIL("ADD_FAILURE()")
#define ADD_FAILURE_AT(file, line) ::testing::internal::Failure{"ADD_FAILURE()", file, line} = ::testing::Message()
#define SUCCEED() ::testing::internal::Success{__FILE__, __LINE__} = ::testing::Message()
#define GTEST_SUCCEED() SUCCEED()
#define GTEST_SKIP() return ::testing::internal::Skip{} = ::testing::Message()

#define HEDDLE_GTEST_JOIN_(a, b) a##b
#define HEDDLE_GTEST_JOIN(a, b) HEDDLE_GTEST_JOIN_(a, b)
#define SCOPED_TRACE(message)                                                                           \
  const ::testing::internal::ScopedTrace HEDDLE_GTEST_JOIN(heddle_trace_, __LINE__)(__FILE__, __LINE__, \
                                                                                    ::testing::Message() << (message))

// A death test forks, which a program that is explored cannot do. What dies is an error in a test of its own.
#define HEDDLE_GTEST_DEATH(macro)                           \
  ::heddle_checks::fail(::heddle_checks::Kind::unsupported, \
                        macro ": heddle has no death tests. Leave this one out with #ifndef __HEDDLE__")
#define EXPECT_DEATH(statement, matcher) HEDDLE_GTEST_DEATH("EXPECT_DEATH")
#define ASSERT_DEATH(statement, matcher) HEDDLE_GTEST_DEATH("ASSERT_DEATH")
#define EXPECT_EXIT(statement, predicate, matcher) HEDDLE_GTEST_DEATH("EXPECT_EXIT")
#define ASSERT_EXIT(statement, predicate, matcher) HEDDLE_GTEST_DEATH("ASSERT_EXIT")
#define EXPECT_DEBUG_DEATH(statement, matcher) HEDDLE_GTEST_DEATH("EXPECT_DEBUG_DEATH")
#define ASSERT_DEBUG_DEATH(statement, matcher) HEDDLE_GTEST_DEATH("ASSERT_DEBUG_DEATH")
#define EXPECT_DEATH_IF_SUPPORTED(statement, matcher) static_cast<void>(0)
#define ASSERT_DEATH_IF_SUPPORTED(statement, matcher) static_cast<void>(0)
