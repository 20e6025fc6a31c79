// Files of GoogleTest and Catch2 as they are: `heddle test --gtest` and `--catch2`.

#include <map>
#include <nlohmann/json.hpp>

#include "cli_helpers.h"

namespace heddle::cli {
namespace {

using nlohmann::json;

class CliFrameworks : public CliTest {
 protected:
  // The status of each test, by its name in the framework.
  std::map<std::string, json> tests(const std::vector<std::string>& words) const {
    std::vector<std::string> all = {"test", "--json"};
    all.insert(all.end(), words.begin(), words.end());
    const Finished run = heddle(all);
    const json found = json::parse(run.out, nullptr, false);
    EXPECT_TRUE(found.is_object()) << run.out << run.err;
    std::map<std::string, json> result;
    for (const json& test : found.is_object() ? found.at("tests") : json::array()) {
      std::string name = test.at("name");
      name = name.substr(name.find(' ') + 1);
      result[name.substr(0, name.rfind(" under "))] = test;
    }
    return result;
  }
};

// How many tests each of GoogleTest's own samples has, and that all hold but the one that is meant to fail.
TEST_F(CliFrameworks, SamplesOfGoogleTest) {
  const std::string samples = "/usr/src/googletest/googletest/samples/";
  const std::string root = "-I/usr/src/googletest/googletest";
  struct Sample {
    const char* file;
    const char* with;
    std::size_t tests;
  };
  const Sample all[] = {{"sample1_unittest.cc", "sample1.cc", 6}, {"sample2_unittest.cc", "sample2.cc", 4},
                        {"sample3_unittest.cc", "", 3},           {"sample4_unittest.cc", "sample4.cc", 1},
                        {"sample5_unittest.cc", "sample1.cc", 4}, {"sample6_unittest.cc", "", 12},
                        {"sample7_unittest.cc", "", 6},           {"sample8_unittest.cc", "", 12},
                        {"sample9_unittest.cc", "", 3},           {"sample10_unittest.cc", "", 2}};
  ASSERT_TRUE(std::filesystem::exists(samples)) << "Debian's package googletest";
  for (const Sample& sample : all) {
    std::vector<std::string> words = {"--gtest", samples + sample.file};
    if (*sample.with != '\0') words.insert(words.end(), {"--with", samples + sample.with});
    words.insert(words.end(), {"--", root});
    const auto found = tests(words);
    EXPECT_EQ(found.size(), sample.tests) << sample.file;
    for (const auto& [name, test] : found) {
      EXPECT_EQ(test.at("status"), name == "CustomOutputTest.Fails" ? "failed" : "passed") << name << test;
      EXPECT_EQ(test.at("executions"), name == "CustomOutputTest.Fails" ? 0 : 1) << name;
    }
  }
}

const char* const kMatchers = R"(#include <gtest/gtest.h>
#include <gmock/gmock.h>
#include <map>
#include <memory>
#include <string>
#include <vector>
using namespace ::testing;
TEST(Matchers, Hold) {
  EXPECT_THAT(3, Eq(3));
  EXPECT_THAT(3, 3) << "message";
  EXPECT_THAT(3, AllOf(Gt(2), Lt(4), Not(5), Ne(7)));
  EXPECT_THAT(std::string("abc"), AnyOf(StrEq("x"), HasSubstr("bc")));
  EXPECT_THAT("abc", StartsWith("ab"));
  EXPECT_THAT(std::string("abc"), "abc");
  std::vector<int> v{1, 2, 3};
  EXPECT_THAT(v, ElementsAre(1, _, Ge(3)));
  EXPECT_THAT(v, Not(ElementsAre(1, 2)));
  EXPECT_THAT(v, Contains(2));
  EXPECT_THAT(v, Each(Gt(0)));
  EXPECT_THAT(v, SizeIs(3));
  EXPECT_THAT(v, Not(IsEmpty()));
  std::map<int, std::string> m{{1, "one"}};
  EXPECT_THAT(m, ElementsAre(Pair(1, "one")));
  auto p = std::make_unique<int>(4);
  ASSERT_THAT(p, AllOf(NotNull(), Pointee(4)));
}
TEST(Matchers, Fails) { std::vector<int> v{1}; EXPECT_THAT(v, ElementsAre(1, Gt(2))); }
)";

// GoogleMock's matchers, and what a test with mock objects is told.
TEST_F(CliFrameworks, Matchers) {
  const auto found = tests({"--gtest", write("matchers_test.cpp", kMatchers)});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found.at("Matchers.Hold").at("status"), "passed") << found.at("Matchers.Hold");
  EXPECT_EQ(found.at("Matchers.Fails").at("status"), "failed");
  expectPart(found.at("Matchers.Fails").dump(), "EXPECT_THAT(v, ElementsAre(1, Gt(2))) does not hold: v (which is { 1 })");
  const Finished mocks = heddle({"test", "--gtest",
                                 write("mocks_test.cpp", "#include <gmock/gmock.h>\n"
                                                         "struct Mock { MOCK_METHOD(int, f, (int)); };\n"
                                                         "TEST(Mocks, One) { Mock mock; }\n")});
  EXPECT_NE(mocks.code, 0);
  expectPart(mocks.out, "heddle --gtest has no mock objects");
}

const char* const kGtest = R"(#include <gtest/gtest.h>
#include <atomic>
#include <string>
#include <thread>
#include <vector>
class Counter : public ::testing::TestWithParam<int> {
 protected:
  static void SetUpTestSuite() { suites.push_back(7); }
  void SetUp() override { EXPECT_EQ(suites.size(), 1u); }
  static std::vector<int> suites;
  std::atomic<int> x{0};
};
std::vector<int> Counter::suites;
TEST_P(Counter, Counts) {
  std::vector<std::thread> threads;
  for (int i = 0; i < GetParam(); ++i) threads.emplace_back([&] { x.fetch_add(1); });
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(x.load(), GetParam());
}
INSTANTIATE_TEST_SUITE_P(Few, Counter, ::testing::Values(1, 2, 3),
                         [](const ::testing::TestParamInfo<int>& info) { return "n" + std::to_string(info.param); });
TEST(Other, Fails) {
  std::atomic<int> x{0};
  SCOPED_TRACE("outer");
  std::thread thread([&] { x = 1; });
  const int r = x;
  thread.join();
  EXPECT_EQ(r, 0) << "seen " << r;  // line 28
}
class Secret {
  int value_ = 3;
  FRIEND_TEST(Secrets, AreSeenByFriends);
};
TEST(Secrets, AreSeenByFriends) { EXPECT_EQ(Secret().value_, 3); }
class Names : public ::testing::Test, public ::testing::WithParamInterface<const char*> {};
TEST_P(Names, AreNotEmpty) { EXPECT_STRNE(GetParam(), ""); }
INSTANTIATE_TEST_SUITE_P(Names, Names, ::testing::ValuesIn({"a"}));
TEST(Other, Dies) { EXPECT_DEATH(abort(), ""); }
TEST(Other, DISABLED_Never) { FAIL(); }
TEST(Other, Skips) {
  GTEST_SKIP() << "not on this machine";
  FAIL();
}
TEST(Other, Throws) {
  EXPECT_THROW(throw 1, int);
  EXPECT_NO_THROW(std::string("x"));
  EXPECT_STREQ("a", "a");
  EXPECT_NEAR(1.0, 1.1, 0.2);
  EXPECT_DOUBLE_EQ(0.1 + 0.2, 0.3);
  EXPECT_TRUE(::testing::AssertionSuccess());
}
)";

TEST_F(CliFrameworks, GoogleTest) {
  const std::string file = write("counter_test.cpp", kGtest);
  const auto found = tests({"--gtest", file});
  ASSERT_EQ(found.size(), 9);
  for (const std::string test : {"Secrets.AreSeenByFriends", "Names/Names.AreNotEmpty/0", "Other.Skips"}) {
    EXPECT_EQ(found.at(test).at("status"), "passed");
  }
  expectPart(found.at("Other.Skips").at("warnings").dump(), "the test has skipped the rest of itself: not on this machine");
  EXPECT_TRUE(found.at("Other.Throws").at("warnings").empty());
  EXPECT_EQ(found.at("Few/Counter.Counts/n1").at("executions"), 1);
  EXPECT_EQ(found.at("Few/Counter.Counts/n2").at("executions"), 2);
  EXPECT_EQ(found.at("Few/Counter.Counts/n3").at("executions"), 6);
  EXPECT_EQ(found.at("Other.Throws").at("status"), "passed");
  EXPECT_EQ(found.at("Other.Fails").at("verdict"), "assertion-failure");
  expectPart(found.at("Other.Fails").at("differences").dump(),
             "counter_test.cpp:28: EXPECT_EQ(r, 0) does not hold: r (which is 1), 0; "
             "seen 1; in");
  EXPECT_EQ(found.at("Other.Dies").at("verdict"), "unsupported");
  expectPart(found.at("Other.Dies").at("differences").dump(), "heddle has no death tests");
}

const char* const kCatch2 = R"(#include <catch2/catch_test_macros.hpp>
#include <atomic>
#include <thread>
#include <vector>
TEST_CASE("vectors can be resized", "[vector]") {
  std::vector<int> v(5);
  REQUIRE(v.size() == 5);
  SECTION("larger") {
    v.resize(10);
    REQUIRE(v.size() == 10);
    SECTION("much") {
      v.resize(20);
      REQUIRE(v.size() == 20);
    }
    SECTION("a little") {
      v.resize(11);
      CHECK(v.size() == 11);
    }
  }
  SECTION("smaller") {
    v.resize(0);
    REQUIRE(v.empty());
  }
}
TEST_CASE("values") {
  const int n = GENERATE(1, 2);
  std::atomic<int> x{0};
  std::thread a([&] { x += n; }), b([&] { x += n; });
  a.join();
  b.join();
  REQUIRE(x == 2 * n);
}
TEST_CASE("fails") {
  SECTION("holds") { CHECK_FALSE(false); }
  SECTION("does not") {
    const int two = 2;
    INFO("in here");
    REQUIRE(two == 3);  // line 38
  }
}
TEST_CASE("hidden", "[.]") { FAIL("not run"); }
TEMPLATE_TEST_CASE("types", "[types]", int, long) { REQUIRE(TestType(1) == 1); }
TEST_CASE("skips") {
  STATIC_REQUIRE(sizeof(char) == 1);
  SKIP("not on this machine");
  FAIL();
}
TEST_CASE("says why") {
  const std::string why = "because";
  FAIL(why);
}
)";

// A section that has none in it is an execution; that none is entered is a blocked one.
TEST_F(CliFrameworks, Catch2) {
  const std::string file = write("vector_test.cpp", kCatch2);
  const auto found = tests({"--catch2", file});
  ASSERT_EQ(found.size(), 7);
  expectPart(found.at("says why").at("command"), " '--arg=says why' ");  // to be pasted into a shell
  EXPECT_EQ(found.at("types - int").at("status"), "passed");
  EXPECT_EQ(found.at("types - long").at("status"), "passed");
  expectPart(found.at("skips").at("warnings").dump(), "the test has skipped the rest of itself: not on this machine");
  expectPart(found.at("says why").at("differences").dump(), "because");
  EXPECT_EQ(found.at("vectors can be resized").at("executions"), 3);
  EXPECT_EQ(found.at("vectors can be resized").at("blocked"), 2);
  EXPECT_EQ(found.at("values").at("executions"), 4);
  EXPECT_EQ(found.at("fails").at("verdict"), "assertion-failure");
  expectPart(found.at("fails").at("differences").dump(),
             "vector_test.cpp:38: REQUIRE(two == 3) does not hold: 2 == 3; in here");
}

// In a folder, only with the option are these files tests.
TEST_F(CliFrameworks, InAFolder) {
  write("counter_test.cpp", kGtest);
  EXPECT_EQ(heddle({"test", "--list", dir_}).code, 2);
  EXPECT_EQ(heddle({"test", "--list", "--gtest", dir_}).code, 0);
}

}  // namespace
}  // namespace heddle::cli
