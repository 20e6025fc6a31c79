// `heddle test`: which tests are found, that differences are told, and how it ends.

#include <nlohmann/json.hpp>

#include "cli_helpers.h"
#include "suite/cases.h"

namespace heddle::cli {
namespace {

using nlohmann::json;

class CliTests : public CliTest {};

const char* const kTwoTests = "#include <heddle/test.h>\n"
                              "#include <atomic>\n"
                              "static std::atomic<int> x;\n"
                              "HEDDLE_TEST(holds) { heddle::threads([] { x = 1; }, [] { x = 2; }); }\n"
                              "HEDDLE_TEST(fails) { heddle::threads([] { x = 1; }, [] { heddle_assert(x == 0); }); }\n";

TEST_F(CliTests, EachTestOfAFile) {
  const std::string file = write("two.cpp", kTwoTests);
  const Finished run = heddle({"test", file});
  EXPECT_EQ(run.code, 1) << run.err;
  expectPart(run.out, "ok   " + file + " holds under rc20: verified, 2 executions, 0 blocked");
  expectPart(run.out, "FAIL " + file + " fails under rc20: assertion-failure");
  expectPart(run.out, "verdict: expected verified, found error: " + file + ":5: ");
  expectPart(run.out, "heddle check --model rc20 --arg=fails " + file);
  expectPart(run.out, "1 passed, 1 failed\n");
}

TEST_F(CliTests, ExpectationsOfSomeTests) {
  const std::string lines = "//! rc20,sc: verified executions=2 test=holds\n"
                            "//! rc20: error=assertion-failure line=8 test=fails\n"
                            "//! rc20: verified executions=3 test=holds\n";
  const std::string file = write("two.cpp", lines + kTwoTests);
  const Finished run = heddle({"test", dir_});
  EXPECT_EQ(run.code, 1) << run.err;
  expectPart(run.out, "FAIL " + file + ":3 holds under rc20");
  expectPart(run.out, "executions: expected 3, found 2");
  expectPart(run.out, "3 passed, 1 failed\n");
}

// --suggest compiles the program again, while other tests share what was compiled.
TEST_F(CliTests, SuggestedChanges) {
  const Finished run = heddle({"test", "--no-cache", "examples/check/ticket_lock.c"});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  expectPart(run.out, "3 passed, 0 failed\n");
}

TEST_F(CliTests, OneJobAndSeveralSayTheSame) {
  for (const char* name : {"a.cpp", "b.cpp", "c.cpp"}) write(name, kTwoTests);
  const auto names = [&](const char* jobs) {
    json found = json::parse(heddle({"test", "--json", "-j", jobs, dir_}).out);
    for (json& test : found.at("tests")) test.erase("seconds");
    return found.at("tests");
  };
  EXPECT_EQ(names("1"), names("3"));
}

TEST_F(CliTests, PartsMakeUpTheWhole) {
  for (const char* name : {"a.cpp", "b.cpp", "c.cpp"}) write(name, kTwoTests);
  const auto count = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"test", "--list", dir_};
    words.insert(words.end(), more.begin(), more.end());
    const std::string out = heddle(words).out;
    return std::count(out.begin(), out.end(), '\n');
  };
  EXPECT_EQ(count({}), 6);
  EXPECT_EQ(count({"--shard", "1/4"}) + count({"--shard", "2/4"}) + count({"--shard", "3/4"}) + count({"--shard", "4/4"}), 6);
  EXPECT_EQ(count({"--filter", "fails"}), 3);
}

TEST_F(CliTests, LitmusTestsAndResults) {
  write("good.litmus", "//! rc20: Sometimes, executions 4\n" + storeBuffering("exists (0:r0=0 /\\ 1:r0=0)"));
  write("bad.litmus", "//! rc20: Never\n" + storeBuffering("exists (0:r0=0 /\\ 1:r0=0)"));
  write("silent.litmus", storeBuffering("exists (0:r0=0 /\\ 1:r0=0)"));
  const std::string junit = dir_ + "/results.xml";
  const Finished run = heddle({"test", "--junit", junit, dir_});
  EXPECT_EQ(run.code, 1) << run.err;
  expectPart(run.out, "observation: expected Never, found Sometimes");
  expectPart(run.out, "1 passed, 1 failed\n");
  expectPart(contentOf(junit), R"(tests="2" failures="1" errors="0")");
}

// A run that is cut short has not failed, but it has not passed either.
TEST_F(CliTests, CutShort) {
  write("long.litmus", "//! rc20: Always\n" + endless());
  const Finished run = heddle({"test", "--time", "0.05", dir_});
  EXPECT_EQ(run.code, 3) << run.out << run.err;
  expectPart(run.out, "0 passed, 1 failed\n");
}

// What does not end without a bound is searched with one, as by `heddle check`.
TEST_F(CliTests, ErrorBehindALoopThatGoesOn) {
  const std::string file =
      write("goes_on.cpp", "#include <heddle/test.h>\n"
                           "#include <atomic>\n"
                           "static std::atomic<int> x;\n"
                           "static void goOn() { while (x.fetch_add(1) < 1000000) {} }\n"
                           "HEDDLE_TEST(fails) { heddle::threads(goOn, [] { heddle_assert(x != 2); }); }\n"
                           "HEDDLE_TEST(holds) { heddle::threads(goOn, [] { heddle_assert(x >= 0); }); }\n");
  const Finished run = heddle({"test", file});
  expectPart(run.out, "found error: " + file + ":5: ");
  expectPart(run.out, "expected verified, found incomplete: the execution graph is too large");
  expectPart(run.out, "0 passed, 2 failed\n");
  const Finished checked = heddle({"check", "--arg=fails", file});
  expectPart(checked.out, "The error was found with --unroll ");
}

TEST_F(CliTests, Mistakes) {
  const auto expectBad = [&](const std::vector<std::string>& words, const std::string& part) {
    const Finished run = heddle(words);
    EXPECT_EQ(run.code, 2) << run.out;
    expectPart(run.err, part);
  };
  expectBad({"test"}, "test needs a file or a folder");
  expectBad({"test", dir_ + "/none"}, "none: error: ");
  expectBad({"test", dir_}, "there is no test here");
  expectBad({"test", dir_ + "/nowhere"}, "/nowhere: error: there is no such file or folder");
  const std::string file = write("two.cpp", kTwoTests);
  expectBad({"test", file, "--filter", "xyz"}, "no test has `xyz` in its name");
  expectBad({"test", file, "--shard", "3/2"}, "--shard needs K/N");
  write("two.cpp", std::string("//! rc20: verified test=other\n") + kTwoTests);
  expectBad({"test", file}, "two.cpp:1: error: there is no test `other` in this file");
  write("two.cpp", std::string("//! rc20: verifid\n") + kTwoTests);
  expectBad({"test", file}, "two.cpp: error: line 1: not a verdict: verifid");
}

// The header is for ordinary compilers as well.
TEST_F(CliTests, IsAStressTestWithoutHeddle) {
  const std::string file = write("stress.cpp", "#define HEDDLE_TEST_ROUNDS 10\n" + std::string(kTwoTests));
  const std::string program = dir_ + "/stress";
  const std::vector<std::string> compiler = {
      "/usr/bin/g++", "-std=c++11", "-Wall", "-Wextra", "-Werror", "-pthread", "-I" HEDDLE_SOURCE_DIR "/include",
      file,           "-o",         program};
  const Finished compiled = ChildProcess(compiler).wait();
  ASSERT_EQ(compiled.code, 0) << compiled.err;
  const Finished run = ChildProcess({program, "holds"}).wait();
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out, "holds: 10 rounds\n");
  EXPECT_EQ(ChildProcess({program, "other"}).wait().code, 2);
}

// A test that fails ends by itself, and those after it run all the same.
TEST_F(CliTests, AStressTestGoesOnAfterAFailure) {
  const std::string file = write("stress.cpp", "#define HEDDLE_TEST_ROUNDS 3\n"
                                               "#include <heddle/test.h>\n"
                                               "HEDDLE_TEST(fails) { heddle_assert(sizeof(int) == 1); }\n"
                                               "HEDDLE_TEST(forbidden) { int r = 2; HEDDLE_OUTCOMES(r).allowed({1}); }\n"
                                               "HEDDLE_TEST(holds) {}\n");
  const std::string program = dir_ + "/stress";
  const Finished compiled = ChildProcess({"/usr/bin/g++", "-std=c++11", "-Wall", "-Wextra", "-Werror", "-pthread",
                                          "-I" HEDDLE_SOURCE_DIR "/include", file, "-o", program})
                                .wait();
  ASSERT_EQ(compiled.code, 0) << compiled.err;
  const Finished run = ChildProcess({program}).wait();
  EXPECT_EQ(run.code, 1);
  expectPart(run.out, "fails: failed, ended by signal 6\n");
  expectPart(run.out, "forbidden: 3 rounds\n");
  expectPart(run.out, "not listed");
  expectPart(run.out, "holds: 3 rounds\n");
  expectPart(run.err, "heddle_assert(sizeof(int) == 1) failed");
}

const char* const kOutcomes =
    "//! sc,rc20: verified\n"
    "#include <heddle/test.h>\n"
    "#include <atomic>\n"
    "HEDDLE_TEST(store_buffering) {\n"
    "  std::atomic<int> x{0}, y{0};\n"
    "  int r1 = 0, r2 = 0;\n"
    "  heddle::threads([&] { x.store(1, std::memory_order_relaxed); r1 = y.load(std::memory_order_relaxed); },\n"
    "                  [&] { y.store(1, std::memory_order_relaxed); r2 = x.load(std::memory_order_relaxed); });\n"
    "  HEDDLE_OUTCOMES(r1, r2).allowed({0, 1}).allowed({1, 0}).allowed({1, 1})\n"
    "#ifdef STRICT\n"
    "      .forbidden({0, 0}, \"neither\");\n"
    "#else\n"
    "      .interesting({0, 0}, \"neither\");\n"
    "#endif\n"
    "}\n";

// The values are in the message, and so is whether somebody has thought of them.
TEST_F(CliTests, OutcomesThatFail) {
  const std::string file = write("strict.cpp", kOutcomes);
  const Finished strict = heddle({"check", file, "--arg", "store_buffering", "--", "-DSTRICT"});
  EXPECT_EQ(strict.code, 1);
  expectPart(strict.out, "'the outcome r1, r2 = 0, 0 is not forbidden' failed");
  const std::string other = write("other.cpp", "#include <heddle/test.h>\n"
                                               "HEDDLE_TEST(one) { int r = -3; HEDDLE_OUTCOMES(r).allowed({1}); }\n");
  const Finished unlisted = heddle({"test", other});
  EXPECT_EQ(unlisted.code, 1);
  expectPart(unlisted.out, "the outcome r = -3 is listed");
  expectPart(unlisted.out, "not listed");
}

// Every outcome of every model, also one that is listed and does not come: each of the four states of the test is one execution.
TEST_F(CliTests, Outcomes) {
  const std::string file = write("sb.cpp", kOutcomes);
  const Finished run = heddle({"test", file});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  expectPart(run.out, "Outcome        Grade        Note     sc  rc20\n");
  expectPart(run.out, "r1, r2   0, 0  interesting  neither   0     1\n");
  expectPart(run.out, "r1, r2   1, 1  allowed                1     1\n");
  const json found = json::parse(heddle({"check", "--json", file, "--arg", "store_buffering"}).out);
  EXPECT_EQ(found.at("executions"), 4);
  EXPECT_EQ(found.at("outcomes").size(), 4);
  for (const json& outcome : found.at("outcomes")) EXPECT_EQ(outcome.at("executions"), 1) << outcome;
}

TEST_F(CliTests, ForbiddenOutcomes) {
  const std::string file = write("sb.cpp", kOutcomes);
  const Finished run = heddle({"test", file, "--", "-DSTRICT"});
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  expectPart(run.out, "store_buffering under sc: verified, 3 executions");
  expectPart(run.out, "store_buffering under rc20: assertion-failure");
  expectPart(run.out, "1 passed, 1 failed\n");
}

// Workers and one process see the same outcomes equally often.
TEST_F(CliTests, OutcomesOfSeveralProcesses) {
  const std::string file =
      write("many.cpp", "#include <heddle/test.h>\n"
                        "#include <atomic>\n"
                        "HEDDLE_TEST(counts) {\n"
                        "  std::atomic<int> x{0};\n"
                        "  int a[4] = {};\n"
                        "  const auto run = [&](int i) { for (int k = 0; k < 2; ++k) a[i] = x.fetch_add(1); };\n"
                        "  heddle::threads([&] { run(0); }, [&] { run(1); }, [&] { run(2); }, [&] { run(3); });\n"
                        "  HEDDLE_OUTCOMES(a[0], a[1]);\n"
                        "}\n");
  const auto outcomes = [&](const char* jobs) {
    const json found = json::parse(heddle({"check", "--json", "-j", jobs, file, "--arg", "counts"}).out);
    std::uint64_t sum = 0;
    for (const json& outcome : found.at("outcomes")) sum += outcome.at("executions").get<std::uint64_t>();
    EXPECT_EQ(sum, 2520);  // 8! / 2!^4
    EXPECT_EQ(found.at("executions"), 2520);
    return found.at("outcomes");
  };
  EXPECT_EQ(outcomes("1"), outcomes("3"));
}

TEST(SuiteCases, ListedTests) {
  const std::vector<suite::ListedTest> tests = suite::parseListedTests("hello\n--gtest_filter=A.b\tA.b\nc\tc\n");
  ASSERT_EQ(tests.size(), 2);
  EXPECT_EQ(tests[0].argument, "--gtest_filter=A.b");
  EXPECT_EQ(tests[0].name, "A.b");
  EXPECT_EQ(tests[1].name, "c");
}

}  // namespace
}  // namespace heddle::cli
