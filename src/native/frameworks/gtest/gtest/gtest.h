// GoogleTest, as heddle has it (--gtest): the same macros, so that a file of tests is explored as it is.
//
// The program lists its tests when it is asked to (src/runtime/test_program.h), and runs the one that --gtest_filter names. A check
// that fails ends the execution with an error, EXPECT as well as ASSERT. What is not here: mock objects, death tests, which are
// refused when they are reached, and everything about output. Matchers are in ../gmock/gmock.h.
//
// The interface is GoogleTest's, as its documentation describes it.
#pragma once
#pragma GCC system_header

#include <heddle/checked_values.h>

#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace testing {

class Message {
 public:
  Message() = default;
  Message(const Message& other) { stream_ << other.GetString(); }
  template <typename T>
  Message& operator<<(const T& value) {
    stream_ << value;
    return *this;
  }
  Message& operator<<(bool value) { return *this << (value ? "true" : "false"); }
  Message& operator<<(std::ostream& (*manipulator)(std::ostream&)) {
    stream_ << manipulator;
    return *this;
  }
  std::string GetString() const { return stream_.str(); }

 private:
  std::ostringstream stream_;
};

inline std::ostream& operator<<(std::ostream& out, const Message& message) { return out << message.GetString(); }

class AssertionResult {
 public:
  explicit AssertionResult(bool success) : success_(success) {}
  operator bool() const { return success_; }
  AssertionResult operator!() const {
    AssertionResult result(!success_);
    result.message_ = message_;
    return result;
  }
  template <typename T>
  AssertionResult& operator<<(const T& value) {
    message_ += (Message() << value).GetString();
    return *this;
  }
  const char* message() const { return message_.c_str(); }
  const char* failure_message() const { return message(); }

 private:
  bool success_;
  std::string message_;
};
inline AssertionResult AssertionSuccess() { return AssertionResult(true); }
inline AssertionResult AssertionFailure() { return AssertionResult(false); }
inline AssertionResult AssertionFailure(const Message& message) { return AssertionFailure() << message.GetString(); }

template <typename T>
std::string PrintToString(const T& value) {
  return heddle_checks::textOf(value);
}

// ---- What is known of tests and results.

class TestPartResult {
 public:
  enum Type { kSuccess, kNonFatalFailure, kFatalFailure, kSkip };
  TestPartResult(Type type, const char* file, int line, std::string message)
      : type_(type), file_(file), line_(line), message_(std::move(message)) {}
  Type type() const { return type_; }
  const char* file_name() const { return file_; }
  int line_number() const { return line_; }
  const char* summary() const { return message_.c_str(); }
  const char* message() const { return message_.c_str(); }
  bool passed() const { return type_ == kSuccess; }
  bool skipped() const { return type_ == kSkip; }
  bool failed() const { return nonfatally_failed() || fatally_failed(); }
  bool nonfatally_failed() const { return type_ == kNonFatalFailure; }
  bool fatally_failed() const { return type_ == kFatalFailure; }

 private:
  Type type_;
  const char* file_;
  int line_;
  std::string message_;
};

// An execution in which something fails has ended there.
class TestResult {
 public:
  bool Passed() const { return !skipped_; }
  bool Failed() const { return false; }
  bool Skipped() const { return skipped_; }
  bool HasFatalFailure() const { return false; }
  bool HasNonfatalFailure() const { return false; }
  int total_part_count() const { return 0; }
  long elapsed_time() const { return 0; }

 private:
  friend class UnitTest;
  bool skipped_ = false;
};

class Test {
 public:
  virtual ~Test() = default;
  Test(const Test&) = delete;
  Test& operator=(const Test&) = delete;
  static void SetUpTestSuite() {}
  static void TearDownTestSuite() {}
  static void SetUpTestCase() {}
  static void TearDownTestCase() {}
  static bool HasFailure() { return false; }
  static bool HasFatalFailure() { return false; }
  static bool HasNonfatalFailure() { return false; }
  static bool IsSkipped();
  template <typename T>
  static void RecordProperty(const std::string&, const T&) {}

 protected:
  Test() = default;
  virtual void SetUp() {}
  virtual void TearDown() {}

 private:
  friend class UnitTest;
  virtual void TestBody() = 0;
};

class TestInfo {
 public:
  const char* test_suite_name() const { return suite_.c_str(); }
  const char* test_case_name() const { return suite_.c_str(); }
  const char* name() const { return name_.c_str(); }
  const char* type_param() const { return nullptr; }
  const char* value_param() const { return nullptr; }
  const char* file() const { return file_; }
  int line() const { return line_; }
  bool should_run() const { return runs_; }
  const TestResult* result() const { return &result_; }
  std::string fullName() const { return suite_ + "." + name_; }

 private:
  friend class UnitTest;
  std::string suite_, name_;
  const char* file_ = "";
  int line_ = 0;
  std::function<Test*()> make_;
  bool runs_ = true;
  TestResult result_;
};

class TestSuite {
 public:
  const char* name() const { return name_.c_str(); }
  int total_test_count() const { return static_cast<int>(tests_.size()); }
  int test_to_run_count() const;
  const TestInfo* GetTestInfo(int i) const { return tests_[static_cast<std::size_t>(i)].get(); }
  bool Passed() const { return true; }
  bool Failed() const { return false; }

 private:
  friend class UnitTest;
  std::string name_;
  void (*setUp_)() = nullptr;
  void (*tearDown_)() = nullptr;
  std::vector<std::unique_ptr<TestInfo>> tests_;
};
using TestCase = TestSuite;
inline int TestSuite::test_to_run_count() const {
  int count = 0;
  for (const auto& test : tests_) count += test->should_run() ? 1 : 0;
  return count;
}

class Environment {
 public:
  virtual ~Environment() = default;
  virtual void SetUp() {}
  virtual void TearDown() {}
};

class UnitTest;

class TestEventListener {
 public:
  virtual ~TestEventListener() = default;
  virtual void OnTestProgramStart(const UnitTest&) = 0;
  virtual void OnTestIterationStart(const UnitTest&, int) = 0;
  virtual void OnEnvironmentsSetUpStart(const UnitTest&) = 0;
  virtual void OnEnvironmentsSetUpEnd(const UnitTest&) = 0;
  virtual void OnTestSuiteStart(const TestSuite&) {}
  virtual void OnTestStart(const TestInfo&) = 0;
  virtual void OnTestDisabled(const TestInfo&) {}
  virtual void OnTestPartResult(const TestPartResult&) = 0;
  virtual void OnTestEnd(const TestInfo&) = 0;
  virtual void OnTestSuiteEnd(const TestSuite&) {}
  virtual void OnEnvironmentsTearDownStart(const UnitTest&) = 0;
  virtual void OnEnvironmentsTearDownEnd(const UnitTest&) = 0;
  virtual void OnTestIterationEnd(const UnitTest&, int) = 0;
  virtual void OnTestProgramEnd(const UnitTest&) = 0;
};

class EmptyTestEventListener : public TestEventListener {
 public:
  void OnTestProgramStart(const UnitTest&) override {}
  void OnTestIterationStart(const UnitTest&, int) override {}
  void OnEnvironmentsSetUpStart(const UnitTest&) override {}
  void OnEnvironmentsSetUpEnd(const UnitTest&) override {}
  void OnTestStart(const TestInfo&) override {}
  void OnTestPartResult(const TestPartResult&) override {}
  void OnTestEnd(const TestInfo&) override {}
  void OnEnvironmentsTearDownStart(const UnitTest&) override {}
  void OnEnvironmentsTearDownEnd(const UnitTest&) override {}
  void OnTestIterationEnd(const UnitTest&, int) override {}
  void OnTestProgramEnd(const UnitTest&) override {}
};

class TestEventListeners {
 public:
  void Append(TestEventListener* listener) { all_.push_back(listener); }
  TestEventListener* Release(TestEventListener* listener) {
    for (auto entry = all_.begin(); entry != all_.end(); ++entry) {
      if (*entry != listener) continue;
      all_.erase(entry);
      return listener;
    }
    return nullptr;
  }
  TestEventListener* default_result_printer() const { return nullptr; }
  TestEventListener* default_xml_generator() const { return nullptr; }

 private:
  friend class UnitTest;
  std::vector<TestEventListener*> all_;
};

class UnitTest {
 public:
  // Made before there are threads; no guard, which would be accesses that others see.
  static UnitTest* GetInstance() {
    if (instance_ == nullptr) instance_ = new UnitTest;
    return instance_;
  }

  TestEventListeners& listeners() { return listeners_; }
  Environment* add(Environment* environment) {
    environments_.emplace_back(environment);
    return environment;
  }
  bool Passed() const { return true; }
  bool Failed() const { return false; }
  int total_test_suite_count() const { return static_cast<int>(suites_.size()); }
  int total_test_count() const {
    int count = 0;
    for (const auto& suite : suites_) count += suite->total_test_count();
    return count;
  }
  const TestSuite* GetTestSuite(int i) const { return suites_[static_cast<std::size_t>(i)].get(); }
  const TestInfo* current_test_info() const { return current_; }
  const char* original_working_dir() const { return "."; }
  int random_seed() const { return 0; }

  // ---- What the macros and main use.

  // Tests that are only known when all of the file is, as those of parameters.
  bool later(std::function<void()> makeTests) {
    later_.push_back(std::move(makeTests));
    return true;
  }

  void addTest(const std::string& suite, const std::string& name, const char* file, int line, void (*setUp)(),
               void (*tearDown)(), std::function<Test*()> make) {
    auto test = std::make_unique<TestInfo>();
    test->suite_ = suite;
    test->name_ = name;
    test->file_ = file;
    test->line_ = line;
    test->make_ = std::move(make);
    TestSuite& its = suiteOf(suite);
    its.setUp_ = setUp;
    its.tearDown_ = tearDown;
    its.tests_.push_back(std::move(test));
  }

  void init(int* argc, char** argv) {
    int kept = 0;
    for (int i = 0; i < *argc; ++i) {
      if (std::strncmp(argv[i], "--gtest_filter=", 15) == 0) {
        filter_ = argv[i] + 15;
      } else if (std::strcmp(argv[i], "--heddle-list-tests") == 0) {
        lists_ = true;
      } else if (i == 0 || std::strncmp(argv[i], "--gtest_", 8) != 0) {
        argv[kept++] = argv[i];
      }
    }
    *argc = kept;
    argv[kept] = nullptr;
  }

  int run() {
    for (const auto& makeTests : later_) makeTests();
    later_.clear();
    if (lists_) return list();
    tell([&](TestEventListener& listener) { listener.OnTestProgramStart(*this); });
    tell([&](TestEventListener& listener) { listener.OnTestIterationStart(*this, 0); });
    for (const auto& environment : environments_) environment->SetUp();
    for (const auto& suite : suites_) run(*suite);
    for (auto entry = environments_.rbegin(); entry != environments_.rend(); ++entry) (*entry)->TearDown();
    tellBackwards([&](TestEventListener& listener) { listener.OnTestIterationEnd(*this, 0); });
    tellBackwards([&](TestEventListener& listener) { listener.OnTestProgramEnd(*this); });
    return 0;
  }

  void skip() {
    if (current_ != nullptr) current_->result_.skipped_ = true;
  }
  bool isSkipped() const { return current_ != nullptr && current_->result_.skipped_; }
  void report(const TestPartResult& result) {
    tell([&](TestEventListener& listener) { listener.OnTestPartResult(result); });
  }

 private:
  TestSuite& suiteOf(const std::string& name) {
    for (const auto& suite : suites_) {
      if (suite->name_ == name) return *suite;
    }
    suites_.push_back(std::make_unique<TestSuite>());
    suites_.back()->name_ = name;
    return *suites_.back();
  }

  static bool isDisabled(const TestInfo& test) {
    const auto says = [](const std::string& name) {
      const std::size_t slash = name.find('/');
      return name.compare(0, 9, "DISABLED_") == 0 ||
             (slash != std::string::npos && name.compare(slash + 1, 9, "DISABLED_") == 0);
    };
    return says(test.suite_) || says(test.name_);
  }

  // `*` any text, `?` any character.
  static bool matches(const char* pattern, const char* end, const char* text) {
    if (pattern == end) return *text == '\0';
    if (*pattern == '*') return matches(pattern + 1, end, text) || (*text != '\0' && matches(pattern, end, text + 1));
    return *text != '\0' && (*pattern == '?' || *pattern == *text) && matches(pattern + 1, end, text + 1);
  }
  static bool matchesAny(const std::string& patterns, const std::string& text) {
    for (std::size_t at = 0; at <= patterns.size();) {
      const std::size_t end = patterns.find(':', at) == std::string::npos ? patterns.size() : patterns.find(':', at);
      if (matches(patterns.data() + at, patterns.data() + end, text.c_str())) return true;
      at = end + 1;
    }
    return false;
  }
  bool isChosen(const TestInfo& test) const {
    if (isDisabled(test)) return false;
    const std::size_t dash = filter_.find('-');
    const std::string wanted = filter_.substr(0, dash);
    if (!wanted.empty() && !matchesAny(wanted, test.fullName())) return false;
    return dash == std::string::npos || !matchesAny(filter_.substr(dash + 1), test.fullName());
  }

  int list() const {
    for (const auto& suite : suites_) {
      for (const auto& test : suite->tests_) {
        if (isDisabled(*test)) continue;
        const std::string name = test->fullName();
        std::printf("--gtest_filter=%s\t%s\n", name.c_str(), name.c_str());
      }
    }
    return 0;
  }

  void run(TestSuite& suite) {
    bool any = false;
    for (const auto& test : suite.tests_) any |= test->runs_ = isChosen(*test);
    if (!any) return;
    tell([&](TestEventListener& listener) { listener.OnTestSuiteStart(suite); });
    suite.setUp_();
    for (const auto& test : suite.tests_) {
      if (test->runs_) run(*test);
    }
    suite.tearDown_();
    tellBackwards([&](TestEventListener& listener) { listener.OnTestSuiteEnd(suite); });
  }

  void run(TestInfo& info) {
    current_ = &info;
    tell([&](TestEventListener& listener) { listener.OnTestStart(info); });
    Test* const test = info.make_();
    test->SetUp();
    if (!info.result_.skipped_) test->TestBody();
    test->TearDown();
    delete test;
    tellBackwards([&](TestEventListener& listener) { listener.OnTestEnd(info); });
    current_ = nullptr;
  }

  template <typename Event>
  void tell(Event event) {
    for (TestEventListener* listener : listeners_.all_) event(*listener);
  }
  template <typename Event>
  void tellBackwards(Event event) {
    for (auto entry = listeners_.all_.rbegin(); entry != listeners_.all_.rend(); ++entry) event(**entry);
  }

  inline static UnitTest* instance_ = nullptr;
  std::vector<std::unique_ptr<TestSuite>> suites_;
  std::vector<std::unique_ptr<Environment>> environments_;
  std::vector<std::function<void()>> later_;
  TestEventListeners listeners_;
  TestInfo* current_ = nullptr;
  std::string filter_;
  bool lists_ = false;
};

inline bool Test::IsSkipped() { return UnitTest::GetInstance()->isSkipped(); }
inline Environment* AddGlobalTestEnvironment(Environment* environment) { return UnitTest::GetInstance()->add(environment); }
inline void InitGoogleTest(int* argc, char** argv) { UnitTest::GetInstance()->init(argc, argv); }
inline void InitGoogleTest() {}

}  // namespace testing

inline int RUN_ALL_TESTS() { return ::testing::UnitTest::GetInstance()->run(); }

extern "C" __attribute__((__used__)) inline int heddle_test_main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

#include "gtest/gtest_prod.h"
#include "gtest/heddle_checks.h"
#include "gtest/heddle_tests.h"
