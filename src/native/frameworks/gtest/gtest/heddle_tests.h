// TEST, TEST_F, TEST_P and typed tests, of heddle's gtest/gtest.h.
#pragma once
#pragma GCC system_header

#include <deque>

namespace testing {

template <typename T>
class WithParamInterface {
 public:
  using ParamType = T;
  virtual ~WithParamInterface() = default;
  static const T& GetParam() { return *current_; }
  inline static const T* current_ = nullptr;
};
template <typename T>
class TestWithParam : public Test, public WithParamInterface<T> {};

template <typename T>
struct TestParamInfo {
  TestParamInfo(const T& its, std::size_t number) : param(its), index(number) {}
  T param;
  std::size_t index;
};
struct PrintToStringParamName {
  template <typename T>
  std::string operator()(const TestParamInfo<T>& info) const {
    return PrintToString(info.param);
  }
};

// ---- Generators: each becomes a list of the type that the suite wants; not a vector, as bools have to be bools.

namespace internal {

template <typename... T>
struct ValueList {
  std::tuple<T...> values;
  template <typename Parameter>
  operator std::deque<Parameter>() const {
    std::deque<Parameter> all;
    std::apply([&](const auto&... value) { (all.push_back(static_cast<Parameter>(value)), ...); }, values);
    return all;
  }
};

template <typename T>
struct Listed {
  std::deque<T> values;
  template <typename Parameter>
  operator std::deque<Parameter>() const {
    return std::deque<Parameter>(values.begin(), values.end());
  }
};

template <typename... Generator>
struct Product {
  std::tuple<Generator...> generators;
  template <typename... Parameter>
  operator std::deque<std::tuple<Parameter...>>() const {
    std::tuple<std::deque<Parameter>...> lists(std::get<Generator>(generators)...);
    return expand<std::tuple<Parameter...>>(lists, std::index_sequence_for<Parameter...>());
  }

 private:
  template <typename Tuple, typename Lists, std::size_t... I>
  static std::deque<Tuple> expand(const Lists& lists, std::index_sequence<I...>) {
    std::deque<Tuple> all;
    const std::size_t sizes[] = {std::get<I>(lists).size()...};
    std::size_t count = 1;
    for (const std::size_t size : sizes) count *= size;
    for (std::size_t number = 0; number < count; ++number) {
      std::size_t at[sizeof...(I)];
      std::size_t rest = number;
      for (std::size_t k = sizeof...(I); k-- > 0;) {
        at[k] = rest % sizes[k];
        rest /= sizes[k];
      }
      all.push_back(Tuple(static_cast<std::tuple_element_t<I, Tuple>>(std::get<I>(lists)[at[I]])...));
    }
    return all;
  }
};

}  // namespace internal

template <typename... T>
internal::ValueList<T...> Values(T... values) {
  return {std::tuple<T...>(values...)};
}
inline internal::ValueList<bool, bool> Bool() { return Values(false, true); }
template <typename Container>
auto ValuesIn(const Container& container) {
  return internal::Listed<std::decay_t<decltype(*std::begin(container))>>{{std::begin(container), std::end(container)}};
}
template <typename T, std::size_t N>
internal::Listed<T> ValuesIn(const T (&values)[N]) {
  return {{std::begin(values), std::end(values)}};
}
template <typename Iterator>
auto ValuesIn(Iterator begin, Iterator end) {
  return internal::Listed<std::decay_t<decltype(*begin)>>{{begin, end}};
}
template <typename T, typename Step>
internal::Listed<T> Range(T begin, T end, Step step) {
  internal::Listed<T> all;
  for (T value = begin; value < end; value = static_cast<T>(value + step)) all.values.push_back(value);
  return all;
}
template <typename T>
internal::Listed<T> Range(T begin, T end) {
  return Range(begin, end, 1);
}
template <typename... Generator>
internal::Product<Generator...> Combine(Generator... generators) {
  return {std::tuple<Generator...>(generators...)};
}

namespace internal {

// A fixture may keep these to itself and its tests.
template <typename Fixture>
struct OpenFixture : Fixture {
  static void setUp() {
    Fixture::SetUpTestSuite();
    if (&Fixture::SetUpTestCase != &Test::SetUpTestCase) Fixture::SetUpTestCase();
  }
  static void tearDown() {
    Fixture::TearDownTestSuite();
    if (&Fixture::TearDownTestCase != &Test::TearDownTestCase) Fixture::TearDownTestCase();
  }
};
template <typename Fixture>
void setUpSuite() {
  OpenFixture<Fixture>::setUp();
}
template <typename Fixture>
void tearDownSuite() {
  OpenFixture<Fixture>::tearDown();
}

template <typename Fixture, typename Class>
bool addTest(const std::string& suite, const std::string& name, const char* file, int line) {
  UnitTest::GetInstance()->addTest(suite, name, file, line, setUpSuite<Fixture>, tearDownSuite<Fixture>,
                                   [] { return new Class; });
  return true;
}

// The tests of a suite with parameters, and the values that it is instantiated with. A test for each pair, in the end.
template <typename Fixture>
class ParameterSuite {
 public:
  using Parameter = typename Fixture::ParamType;

  static ParameterSuite& of(const char* name) {
    if (suite_ == nullptr) suite_ = new ParameterSuite(name);
    return *suite_;
  }

  bool addTest(const char* name, const char* file, int line, Test* (*make)()) {
    tests_.push_back({name, file, line, make});
    return true;
  }

  bool instantiate(const char* prefix, std::deque<Parameter> (*generate)(),
                   std::function<std::string(const TestParamInfo<Parameter>&)> name) {
    return UnitTest::GetInstance()->later([this, prefix, generate, name] {
      const auto* const values = new std::deque<Parameter>(generate());
      for (const Pattern& test : tests_) {
        for (std::size_t i = 0; i < values->size(); ++i) add(prefix, test, (*values)[i], i, name);
      }
    });
  }

 private:
  struct Pattern {
    const char* name;
    const char* file;
    int line;
    Test* (*make)();
  };

  explicit ParameterSuite(const char* name) : name_(name) {}

  template <typename Name>
  void add(const std::string& prefix, const Pattern& test, const Parameter& value, std::size_t number, const Name& name) {
    const std::string suite = prefix.empty() ? name_ : prefix + "/" + name_;
    UnitTest::GetInstance()->addTest(suite, std::string(test.name) + "/" + name(TestParamInfo<Parameter>(value, number)),
                                     test.file, test.line, setUpSuite<Fixture>, tearDownSuite<Fixture>,
                                     [&value, make = test.make] {
                                       Fixture::current_ = &value;
                                       return make();
                                     });
  }

  inline static ParameterSuite* suite_ = nullptr;
  std::string name_;
  std::vector<Pattern> tests_;
};

struct NumberName {
  template <typename T>
  std::string operator()(const TestParamInfo<T>& info) const {
    return std::to_string(info.index);
  }
};

// The last argument of INSTANTIATE_TEST_SUITE_P, or the standard one.
inline NumberName namerOf() { return {}; }
template <typename Namer>
Namer namerOf(Namer namer) {
  return namer;
}

template <template <typename> class... T>
struct Templates {};

// "A, B" is A at 0 and B at 1.
inline std::string nameAt(const char* names, std::size_t index) {
  const std::string all = names;
  std::size_t at = 0;
  for (; index > 0; --index) at = all.find(',', at) + 1;
  while (all[at] == ' ') ++at;
  const std::size_t end = all.find_first_of(", ", at);
  return all.substr(at, end == std::string::npos ? end : end - at);
}

}  // namespace internal

template <typename... T>
struct Types {};

namespace internal {

// One type is a list, too.
template <typename T>
struct TypeList {
  using type = Types<T>;
};
template <typename... T>
struct TypeList<Types<T...>> {
  using type = Types<T...>;
};

template <template <typename> class Fixture, template <typename> class Class, typename... T>
bool addTyped(const std::string& suite, const char* name, const char* file, int line, Types<T...>) {
  std::size_t number = 0;
  (addTest<Fixture<T>, Class<T>>(suite + "/" + std::to_string(number++), name, file, line), ...);
  return true;
}

template <template <typename> class Fixture, typename List, template <typename> class... Class>
bool addTypedSuite(const std::string& suite, const char* names, const char* file, int line, Templates<Class...>) {
  std::size_t number = 0;
  (addTyped<Fixture, Class>(suite, nameAt(names, number++).c_str(), file, line, List()), ...);
  return true;
}

}  // namespace internal
}  // namespace testing

#define HEDDLE_GTEST_CLASS(suite, name) suite##_##name##_Test
#define HEDDLE_GTEST_TEST(suite, name, fixture)                                                                  \
  class HEDDLE_GTEST_CLASS(suite, name) : public fixture {                                                       \
    void TestBody() override;                                                                                    \
  };                                                                                                             \
  [[maybe_unused]] static const bool heddle_added_##suite##_##name =                                             \
      ::testing::internal::addTest<fixture, HEDDLE_GTEST_CLASS(suite, name)>(#suite, #name, __FILE__, __LINE__); \
  void HEDDLE_GTEST_CLASS(suite, name)::TestBody()

#define TEST(suite, name) HEDDLE_GTEST_TEST(suite, name, ::testing::Test)
#define TEST_F(fixture, name) HEDDLE_GTEST_TEST(fixture, name, fixture)
#define GTEST_TEST(suite, name) TEST(suite, name)

#define TEST_P(suite, name)                                                                                     \
  class HEDDLE_GTEST_CLASS(suite, name) : public suite {                                                        \
    void TestBody() override;                                                                                   \
  };                                                                                                            \
  [[maybe_unused]] static const bool heddle_added_##suite##_##name =                                            \
      ::testing::internal::ParameterSuite<suite>::of(#suite).addTest(                                           \
          #name, __FILE__, __LINE__, []() -> ::testing::Test* { return new HEDDLE_GTEST_CLASS(suite, name); }); \
  void HEDDLE_GTEST_CLASS(suite, name)::TestBody()

#define HEDDLE_GTEST_FIRST(first, ...) first
#define HEDDLE_GTEST_REST(first, ...) __VA_ARGS__
#define INSTANTIATE_TEST_SUITE_P(prefix, suite, ...)                                                             \
  [[maybe_unused]] static const bool heddle_instantiated_##prefix##_##suite =                                    \
      ::testing::internal::ParameterSuite<suite>::of(#suite).instantiate(                                        \
          #prefix, []() -> std::deque<typename suite::ParamType> { return HEDDLE_GTEST_FIRST(__VA_ARGS__, 0); }, \
          ::testing::internal::namerOf(HEDDLE_GTEST_REST(__VA_ARGS__)))
#define INSTANTIATE_TEST_CASE_P INSTANTIATE_TEST_SUITE_P
#define GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(suite) static_assert(true, "")

#define TYPED_TEST_SUITE(suite, ...) typedef ::testing::internal::TypeList<__VA_ARGS__>::type heddle_types_of_##suite
#define TYPED_TEST_CASE TYPED_TEST_SUITE
#define TYPED_TEST(suite, name)                                                                                \
  template <typename heddle_type>                                                                              \
  class HEDDLE_GTEST_CLASS(suite, name) : public suite<heddle_type> {                                          \
    typedef suite<heddle_type> TestFixture;                                                                    \
    typedef heddle_type TypeParam;                                                                             \
    void TestBody() override;                                                                                  \
  };                                                                                                           \
  [[maybe_unused]] static const bool heddle_added_##suite##_##name =                                           \
      ::testing::internal::addTyped<suite, HEDDLE_GTEST_CLASS(suite, name)>(#suite, #name, __FILE__, __LINE__, \
                                                                            heddle_types_of_##suite());        \
  template <typename heddle_type>                                                                              \
  void HEDDLE_GTEST_CLASS(suite, name)<heddle_type>::TestBody()

#define TYPED_TEST_SUITE_P(suite) static_assert(true, "")
#define TYPED_TEST_CASE_P TYPED_TEST_SUITE_P
#define TYPED_TEST_P(suite, name)             \
  namespace heddle_suite_##suite {            \
    template <typename heddle_type>           \
    class name : public suite<heddle_type> {  \
      typedef suite<heddle_type> TestFixture; \
      typedef heddle_type TypeParam;          \
      void TestBody() override;               \
    };                                        \
  }                                           \
  template <typename heddle_type>             \
  void heddle_suite_##suite::name<heddle_type>::TestBody()
#define REGISTER_TYPED_TEST_SUITE_P(suite, ...)              \
  namespace heddle_suite_##suite {                           \
    typedef ::testing::internal::Templates<__VA_ARGS__> All; \
    constexpr const char* kNames = #__VA_ARGS__;             \
  }
#define REGISTER_TYPED_TEST_CASE_P REGISTER_TYPED_TEST_SUITE_P
#define INSTANTIATE_TYPED_TEST_SUITE_P(prefix, suite, ...)                                         \
  [[maybe_unused]] static const bool heddle_instantiated_##prefix##_##suite =                      \
      ::testing::internal::addTypedSuite<suite, ::testing::internal::TypeList<__VA_ARGS__>::type>( \
          #prefix "/" #suite, heddle_suite_##suite::kNames, __FILE__, __LINE__, heddle_suite_##suite::All())
#define INSTANTIATE_TYPED_TEST_CASE_P INSTANTIATE_TYPED_TEST_SUITE_P
