// Catch2, as heddle has it (--catch2): the same macros, so that a file of tests is explored as it is.
//
// The program lists its tests when it is asked to (src/runtime/test_program.h), and runs the one that is named. A check that fails
// ends the execution with an error, CHECK as well as REQUIRE. Catch2 runs a test case once for each of its sections that has none in
// it, and for each generated value. Here each run is an execution: at every section, and for every value, there is a choice
// (heddle_choose). What is not here: matchers, which are refused, benchmarks, and everything about output.
//
// The interface is Catch2's, as its documentation describes it.
#pragma once
#pragma GCC system_header

#include <heddle/checked_values.h>
#include <heddle/heddle.h>

#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace Catch {

struct TestCase {
  const char* name;
  const char* tags;
  void (*body)();
  TestCase* next = nullptr;

  TestCase(const char* itsName, const char* itsTags, void (*itsBody)()) : name(itsName), tags(itsTags), body(itsBody) {
    TestCase** end = &first;
    while (*end != nullptr) end = &(*end)->next;
    *end = this;
  }
  bool isHidden() const { return std::strstr(tags, "[.") != nullptr || std::strstr(tags, "[!benchmark]") != nullptr; }

  inline static TestCase* first = nullptr;  // in the order of the file
};

// A test case for each type: "name - int". `types` are their names, with commas between them.
template <typename Body, typename... T>
bool addTyped(const char* name, const char* tags, const char* types) {
  const auto add = [&](void (*body)()) {
    while (*types == ' ' || *types == ',') ++types;
    const std::size_t length = std::strcspn(types, ",");
    new TestCase(heddle_checks::lasting(std::string(name) + " - " + std::string(types, length)), tags, body);
    types += length;
  };
  (add(Body::template run<T>), ...);
  return true;
}

// ---- Sections.

// Of the sections that are not in each other.
struct SectionLevel {
  bool isSeen = false, isEntered = false;
};

class Section {
 public:
  Section() {
    SectionLevel& level = levels[depth];
    level.isSeen = true;
    isEntered_ = !level.isEntered && heddle_choose(2) == 0;
    if (!isEntered_) return;
    level.isEntered = true;
    levels[++depth] = {};
  }
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;
  ~Section() {
    if (!isEntered_) return;
    endLevel();
    --depth;
  }
  explicit operator bool() const { return isEntered_; }

  // One of the sections has to be entered.
  static void endLevel() { heddle_assume(!levels[depth].isSeen || levels[depth].isEntered); }
  static void begin() {
    depth = 0;
    levels[0] = {};
  }

 private:
  static constexpr int kMost = 32;
  inline static SectionLevel levels[kMost] = {};
  inline static int depth = 0;
  bool isEntered_;
};

// ---- Generators.

namespace Generators {

template <typename T>
struct Values {
  std::vector<T> all;
};
template <typename T>
Values<T> values(std::initializer_list<T> list) {
  return {std::vector<T>(list)};
}
template <typename T>
Values<T> range(T begin, T end, T step = 1) {
  Values<T> values;
  for (T value = begin; value < end; value += step) values.all.push_back(value);
  return values;
}
template <typename T>
struct as {};

template <typename T>
T chosen(const Values<T>& values) {
  return values.all[heddle_choose(values.all.size())];
}
template <typename T, typename... More>
auto chosen(const T& first, const More&... more) {
  const T all[] = {first, static_cast<T>(more)...};
  return all[heddle_choose(1 + sizeof...(more))];
}
template <typename T, typename... Given>
T chosen(as<T>, const Given&... given) {
  const T all[] = {static_cast<T>(given)...};
  return all[heddle_choose(sizeof...(given))];
}

}  // namespace Generators

// ---- Checks.

struct Checked {
  const char* problem = nullptr;  // null: it holds
};

template <typename L>
struct Left {
  const L& value;

  template <typename Comparison, typename R>
  Checked compared(const char* sign, const R& other) const {
    if (Comparison::holds(value, other)) return {};
    return {heddle_checks::lasting(heddle_checks::textOf(value) + sign + heddle_checks::textOf(other))};
  }
  template <typename R>
  Checked operator==(const R& other) const {
    return compared<heddle_checks::Equal>(" == ", other);
  }
  template <typename R>
  Checked operator!=(const R& other) const {
    return compared<heddle_checks::Unequal>(" != ", other);
  }
  template <typename R>
  Checked operator<(const R& other) const {
    return compared<heddle_checks::Less>(" < ", other);
  }
  template <typename R>
  Checked operator<=(const R& other) const {
    return compared<heddle_checks::AtMost>(" <= ", other);
  }
  template <typename R>
  Checked operator>(const R& other) const {
    return compared<heddle_checks::Greater>(" > ", other);
  }
  template <typename R>
  Checked operator>=(const R& other) const {
    return compared<heddle_checks::AtLeast>(" >= ", other);
  }
  operator Checked() const {
    if (static_cast<bool>(value)) return {};
    return {heddle_checks::lasting(heddle_checks::textOf(value))};
  }
};

struct Decomposer {
  template <typename T>
  Left<T> operator<=(const T& value) const {
    return {value};
  }
};

// INFO and CAPTURE, of each thread, the newest first.
class Info {
 public:
  explicit Info(std::string text) : text_(std::move(text)), outer_(newest) { newest = this; }
  Info(const Info&) = delete;
  ~Info() { newest = outer_; }
  static std::string all() {
    std::string text;
    for (const Info* info = newest; info != nullptr; info = info->outer_) text += "; " + info->text_;
    return text;
  }

 private:
  inline static thread_local const Info* newest = nullptr;
  std::string text_;
  const Info* outer_;
};

[[noreturn]] __attribute__((__noinline__)) inline void fail(const std::string& text) {
  heddle_checks::fail(heddle_checks::Kind::assertion, text + Info::all());
}

inline void check(const char* macro, const char* expression, Checked checked) {
  if (checked.problem == nullptr) return;
  fail(std::string(macro) + "(" + expression + ") does not hold: " + checked.problem);
}
inline void checkThat(const char* macro, const char* expression, bool holds) {
  if (!holds) fail(std::string(macro) + "(" + expression + ") does not hold");
}

using heddle_checks::throws;

template <typename Type, typename Statement>
bool throwsA(Statement statement) {
  try {
    statement();
  } catch (const Type&) {
    return true;
  } catch (...) {
  }
  return false;
}

// ---- Main.

inline int runTests(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--heddle-list-tests") == 0) {
    for (const TestCase* test = TestCase::first; test != nullptr; test = test->next) {
      if (!test->isHidden()) std::printf("%s\t%s\n", test->name, test->name);
    }
    return 0;
  }
  bool any = false;
  for (const TestCase* test = TestCase::first; test != nullptr; test = test->next) {
    if (argc > 1 ? std::strcmp(argv[1], test->name) != 0 : test->isHidden()) continue;
    any = true;
    Section::begin();
    test->body();
    Section::endLevel();
  }
  if (!any) std::fprintf(stderr, "there is no test of this name\n");
  return any ? 0 : 2;
}

class Session {
 public:
  int applyCommandLine(int argc, char** argv) {
    argc_ = argc;
    argv_ = argv;
    return 0;
  }
  int run() { return runTests(argc_, argv_); }
  int run(int argc, char** argv) { return runTests(argc, argv); }

 private:
  int argc_ = 0;
  char** argv_ = nullptr;
};

}  // namespace Catch

extern "C" __attribute__((__used__)) inline int heddle_test_main(int argc, char** argv) { return Catch::runTests(argc, argv); }

#define HEDDLE_CATCH_JOIN_(a, b) a##b
#define HEDDLE_CATCH_JOIN(a, b) HEDDLE_CATCH_JOIN_(a, b)
#define HEDDLE_CATCH_NAME(what) HEDDLE_CATCH_JOIN(heddle_##what##_, __LINE__)

#define HEDDLE_CATCH_FIRST(first, ...) first
#define HEDDLE_CATCH_SECOND(first, second, ...) second
#define HEDDLE_CATCH_TEST(function, ...)                                                                     \
  static void function();                                                                                    \
  static ::Catch::TestCase HEDDLE_CATCH_NAME(case)(HEDDLE_CATCH_FIRST(__VA_ARGS__, ""),                      \
                                                   HEDDLE_CATCH_SECOND(__VA_ARGS__, "", ""), function);      \
  static void function()
#define TEST_CASE(...) HEDDLE_CATCH_TEST(HEDDLE_CATCH_NAME(test), __VA_ARGS__)
#define HEDDLE_CATCH_TYPED(function, body, name, tags, ...)            \
  template <typename TestType>                                         \
  static void function();                                              \
  namespace {                                                          \
  struct body {                                                        \
    template <typename TestType>                                       \
    static void run() {                                                \
      function<TestType>();                                            \
    }                                                                  \
  };                                                                   \
  }                                                                    \
  [[maybe_unused]] static const bool HEDDLE_CATCH_NAME(added) =        \
      ::Catch::addTyped<body, __VA_ARGS__>(name, tags, #__VA_ARGS__);  \
  template <typename TestType>                                         \
  static void function()
#define TEMPLATE_TEST_CASE(name, tags, ...) \
  HEDDLE_CATCH_TYPED(HEDDLE_CATCH_NAME(test), HEDDLE_CATCH_NAME(body), name, tags, __VA_ARGS__)
#define SCENARIO(...) HEDDLE_CATCH_TEST(HEDDLE_CATCH_NAME(test), "Scenario: " __VA_ARGS__)
#define HEDDLE_CATCH_METHOD(fixture, type, ...)                                                              \
  namespace {                                                                                                \
  struct type : fixture {                                                                                    \
    void heddle_body();                                                                                      \
  };                                                                                                         \
  }                                                                                                          \
  static ::Catch::TestCase HEDDLE_CATCH_NAME(case)(HEDDLE_CATCH_FIRST(__VA_ARGS__, ""),                      \
                                                   HEDDLE_CATCH_SECOND(__VA_ARGS__, "", ""),                 \
                                                   [] { type().heddle_body(); });                            \
  void type::heddle_body()
#define TEST_CASE_METHOD(fixture, ...) HEDDLE_CATCH_METHOD(fixture, HEDDLE_CATCH_NAME(fixture), __VA_ARGS__)

#define SECTION(...) if (const ::Catch::Section HEDDLE_CATCH_NAME(section){})
#define DYNAMIC_SECTION(...) SECTION()
#define GIVEN(...) SECTION()
#define AND_GIVEN(...) SECTION()
#define WHEN(...) SECTION()
#define AND_WHEN(...) SECTION()
#define THEN(...) SECTION()
#define AND_THEN(...) SECTION()

#define GENERATE(...)                     \
  ([&] {                                  \
    using namespace ::Catch::Generators;  \
    return chosen(__VA_ARGS__);           \
  }())

#define REQUIRE(...) ::Catch::check("REQUIRE", #__VA_ARGS__, ::Catch::Decomposer() <= __VA_ARGS__)
#define CHECK(...) ::Catch::check("CHECK", #__VA_ARGS__, ::Catch::Decomposer() <= __VA_ARGS__)
#define CHECK_NOFAIL(...) static_cast<void>(static_cast<bool>(__VA_ARGS__))
#define REQUIRE_FALSE(...) ::Catch::checkThat("REQUIRE_FALSE", #__VA_ARGS__, !static_cast<bool>(__VA_ARGS__))
#define CHECK_FALSE(...) ::Catch::checkThat("CHECK_FALSE", #__VA_ARGS__, !static_cast<bool>(__VA_ARGS__))
#define CHECKED_IF(...) if (__VA_ARGS__)
#define CHECKED_ELSE(...) if (!(__VA_ARGS__))
#define HEDDLE_CATCH_STATEMENT(...) [&] { static_cast<void>(__VA_ARGS__); }
#define REQUIRE_THROWS(...) ::Catch::checkThat("REQUIRE_THROWS", #__VA_ARGS__, ::Catch::throws(HEDDLE_CATCH_STATEMENT(__VA_ARGS__)))
#define CHECK_THROWS(...) ::Catch::checkThat("CHECK_THROWS", #__VA_ARGS__, ::Catch::throws(HEDDLE_CATCH_STATEMENT(__VA_ARGS__)))
#define REQUIRE_NOTHROW(...) \
  ::Catch::checkThat("REQUIRE_NOTHROW", #__VA_ARGS__, !::Catch::throws(HEDDLE_CATCH_STATEMENT(__VA_ARGS__)))
#define CHECK_NOTHROW(...) \
  ::Catch::checkThat("CHECK_NOTHROW", #__VA_ARGS__, !::Catch::throws(HEDDLE_CATCH_STATEMENT(__VA_ARGS__)))
#define REQUIRE_THROWS_AS(statement, type) \
  ::Catch::checkThat("REQUIRE_THROWS_AS", #statement ", " #type, ::Catch::throwsA<type>(HEDDLE_CATCH_STATEMENT(statement)))
#define CHECK_THROWS_AS(statement, type) \
  ::Catch::checkThat("CHECK_THROWS_AS", #statement ", " #type, ::Catch::throwsA<type>(HEDDLE_CATCH_STATEMENT(statement)))

#define HEDDLE_CATCH_TEXT(...) ((std::ostringstream() << __VA_ARGS__).str())
#define INFO(...) const ::Catch::Info HEDDLE_CATCH_NAME(info)(HEDDLE_CATCH_TEXT(__VA_ARGS__))
#define CAPTURE(value) const ::Catch::Info HEDDLE_CATCH_NAME(info)(std::string(#value " := ") + ::heddle_checks::textOf(value))
#define WARN(...) static_cast<void>(HEDDLE_CATCH_TEXT(__VA_ARGS__))
#define FAIL(...) ::Catch::fail(HEDDLE_CATCH_TEXT("" __VA_OPT__(<<) __VA_ARGS__))
#define FAIL_CHECK(...) FAIL(__VA_ARGS__)
#define SUCCEED(...) static_cast<void>(0)
#define SKIP(...) return ::heddle_checks::skip(HEDDLE_CATCH_TEXT("" __VA_OPT__(<<) __VA_ARGS__))

#define STATIC_REQUIRE(...) static_assert(__VA_ARGS__, #__VA_ARGS__)
#define STATIC_CHECK(...) STATIC_REQUIRE(__VA_ARGS__)
#define STATIC_REQUIRE_FALSE(...) STATIC_REQUIRE(!(__VA_ARGS__))
#define STATIC_CHECK_FALSE(...) STATIC_REQUIRE_FALSE(__VA_ARGS__)

#define HEDDLE_CATCH_MATCHERS                                                                            \
  static_assert(false, "heddle --catch2 has no matchers: compare with REQUIRE, or leave the test out with " \
                       "#ifndef __HEDDLE__")
#define REQUIRE_THAT(...) HEDDLE_CATCH_MATCHERS
#define CHECK_THAT(...) HEDDLE_CATCH_MATCHERS
#define REQUIRE_THROWS_WITH(...) HEDDLE_CATCH_MATCHERS
#define CHECK_THROWS_WITH(...) HEDDLE_CATCH_MATCHERS
#define REQUIRE_THROWS_MATCHES(...) HEDDLE_CATCH_MATCHERS
#define CHECK_THROWS_MATCHES(...) HEDDLE_CATCH_MATCHERS
