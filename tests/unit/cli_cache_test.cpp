// Results of tests from a cache: what makes a test run again, and what is never kept. And `heddle cache`.

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli_helpers.h"

namespace heddle::cli {
namespace {

using nlohmann::json;

class CliCache : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    setenv("XDG_CACHE_HOME", (dir_ + "/cache").c_str(), 1);
  }
  void TearDown() override {
    unsetenv("XDG_CACHE_HOME");
    CliTest::TearDown();
  }

  // Runs the tests of a program in C, and says how many passed and how many of these came from the cache.
  std::string run(const std::vector<std::string>& words) const {
    std::vector<std::string> all = {"test", "--json"};
    all.insert(all.end(), words.begin(), words.end());
    const Finished finished = heddle(all);
    const json found = json::parse(finished.out, nullptr, false);
    if (!found.is_object()) return "no object: " + finished.out + finished.err;
    int cached = 0;
    for (const json& test : found.at("tests")) cached += test.at("cached").get<bool>() ? 1 : 0;
    return std::to_string(found.at("passed").get<int>()) + " passed, " + std::to_string(cached) + " cached";
  }
};

const char* const kProgram = "//! rc20: verified executions=1\n"
                             "#include <assert.h>\n"
                             "#include \"value.h\"\n"
                             "int main(void) { assert(VALUE == 1); return 0; }\n";

TEST_F(CliCache, UnchangedTestsAreNotRun) {
  const std::string file = write("one.c", kProgram);
  write("value.h", "#define VALUE 1\n");
  EXPECT_EQ(run({file}), "1 passed, 0 cached");
  EXPECT_EQ(run({file}), "1 passed, 1 cached");
  const Finished shown = heddle({"test", file});
  expectPart(shown.out, "ok   " + file + ":1 under rc20: verified, 1 execution, 0 blocked, cached\n");
  expectPart(shown.out, "1 passed, 0 failed, 1 of them from the cache\n");
  EXPECT_EQ(run({"--no-cache", file}), "1 passed, 0 cached");
  EXPECT_EQ(run({file, "--", "-DOTHER"}), "1 passed, 0 cached");
  EXPECT_EQ(run({file}), "1 passed, 1 cached");
}

TEST_F(CliCache, AnythingThatWasReadCounts) {
  const std::string file = write("one.c", kProgram);
  write("value.h", "#define VALUE 1\n");
  EXPECT_EQ(run({file}), "1 passed, 0 cached");
  write("value.h", "#define VALUE 2\n");  // the same length
  EXPECT_EQ(run({file}), "0 passed, 0 cached");
  write("value.h", "#define VALUE 1\n");  // as it was
  EXPECT_EQ(run({file}), "1 passed, 1 cached");
  write("one.c", std::string(kProgram) + "// more\n");
  EXPECT_EQ(run({file}), "1 passed, 0 cached");
}

// A file that is not there is as good as one that is read.
TEST_F(CliCache, WhatWasNotThereCounts) {
  const std::string file = write("test/one.c", kProgram);
  const std::string optional = write("test/two.c", "//! rc20: verified executions=1\n"
                                                   "#include <assert.h>\n"
                                                   "#if __has_include(\"extra.h\")\n"
                                                   "#include \"extra.h\"\n"
                                                   "#endif\n"
                                                   "int main(void) { assert(1); return 0; }\n");
  write("first/other.h", "");
  write("second/value.h", "#define VALUE 1\n");
  const std::vector<std::string> words = {file, optional, "--", "-I" + dir_ + "/first", "-I" + dir_ + "/second"};
  EXPECT_EQ(run(words), "2 passed, 0 cached");
  EXPECT_EQ(run(words), "2 passed, 2 cached");
  write("first/value.h", "#define VALUE 2\n");
  EXPECT_EQ(run(words).substr(0, 8), "1 passed");
  std::filesystem::remove(dir_ + "/first/value.h");
  EXPECT_EQ(run(words).substr(0, 8), "2 passed");
  write("test/extra.h", "#error extra\n");
  EXPECT_EQ(run(words).substr(0, 8), "1 passed");
}

TEST_F(CliCache, WhatIsNeverKept) {
  write("value.h", "#define VALUE 2\n");
  const std::string fails = write("fails.c", kProgram);
  const std::string timed = write("timed.c", "//! rc20: verified\nint main(void) { return __TIME__[0] == 0; }\n");
  const std::string cut = write("cut.c", "//! rc20: incomplete flags=\"--max-executions 1\"\n"
                                         "#include <heddle/heddle.h>\n"
                                         "int main(void) { return (int)heddle_choose(3); }\n");
  const std::string rejected = write("rejected.c", "//! rc20: rejected\nint main(void) { return x; }\n");
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(run({fails}), "0 passed, 0 cached");
    EXPECT_EQ(run({timed}), "1 passed, 0 cached");
    EXPECT_EQ(run({cut}), "1 passed, 0 cached");
    EXPECT_EQ(run({rejected}), "1 passed, 0 cached");
    EXPECT_EQ(run({write("native.c", "//! rc20: verified\nint main(void) { return 0; }\n"), "--", "-march=native"}),
              "1 passed, 0 cached");
  }
}

TEST_F(CliCache, SomeTestsOfAFile) {
  const std::string file = write("two.cpp", "#include <heddle/test.h>\n"
                                            "HEDDLE_TEST(first) {}\n"
                                            "HEDDLE_TEST(second) { heddle_assert(heddle_choose(2) < 2); }\n");
  EXPECT_EQ(run({file, "--filter", "first"}), "1 passed, 0 cached");
  EXPECT_EQ(run({file, "--filter", "first"}), "1 passed, 1 cached");
  EXPECT_EQ(run({file}), "2 passed, 0 cached");
  EXPECT_EQ(run({file}), "2 passed, 2 cached");
  EXPECT_EQ(run({file, "--filter", "second"}), "1 passed, 1 cached");
}

TEST_F(CliCache, TheCommand) {
  const std::string file = write("one.c", "//! rc20: verified\nint main(void) { return 0; }\n");
  EXPECT_EQ(run({file}), "1 passed, 0 cached");
  const Finished shown = heddle({"cache"});
  EXPECT_EQ(shown.code, 0);
  expectPart(shown.out, dir_ + "/cache/heddle\n");
  expectPart(shown.out, "results of tests: 1 file, ");
  expectPart(shown.out, "precompiled headers: 0 files, 0 MB; at most 500 MB\n");
  expectPart(heddle({"cache", "--clear=results"}).out, "deleted results of tests: 1 file");
  EXPECT_EQ(run({file}), "1 passed, 0 cached");
}

// Thirty files of a library, as fast as the machine is: what is kept takes no time to speak of.
TEST_F(CliCache, ThirtyFiles) {
  const std::string folder = HEDDLE_SOURCE_DIR "/examples/library";
  const json first = json::parse(heddle({"test", "--json", folder}).out);
  EXPECT_EQ(first.at("failed"), 0) << first.dump(2);
  const json second = json::parse(heddle({"test", "--json", folder}).out);
  EXPECT_EQ(second.at("passed"), first.at("passed"));
  for (const json& test : second.at("tests")) EXPECT_TRUE(test.at("cached")) << test;
  EXPECT_LT(second.at("seconds").get<double>(), first.at("seconds").get<double>() / 4);
}

// ---- What has changed since a commit.

class CliChanged : public CliCache {
 protected:
  void git(std::vector<std::string> words) const {
    words.insert(words.begin(),
                 {"/usr/bin/git", "-C", dir_, "-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.hooksPath=/dev/null"});
    const Finished finished = ChildProcess(words).wait();
    ASSERT_EQ(finished.code, 0) << finished.err;
  }
  std::string changed() const {
    std::vector<std::string> words = {HEDDLE_EXECUTABLE, "test", "--list", "--changed", "HEAD", "tests"};
    const Finished finished = ChildProcess(words, dir_).wait();
    return finished.out + finished.err;
  }
};

TEST_F(CliChanged, OnlyWhatDepends) {
  const char* const test = "//! rc20: verified\n#include \"../a.h\"\nint main(void) { return 0; }\n";
  write("tests/one.c", test);
  write("tests/two.c", "//! rc20: verified\n#include <stdio.h>\nint main(void) { return 0; }\n");
  write("a.h", "#include \"b.h\"\n");
  write("b.h", "#include \"a.h\"\n#pragma once\n");
  write("c.h", "");
  git({"init", "-q"});
  git({"add", "tests", "a.h", "b.h", "c.h"});
  git({"commit", "-q", "-m", "first"});
  EXPECT_EQ(changed(), "no test depends on what has changed since HEAD\n");
  write("c.h", "int c;\n");
  EXPECT_EQ(changed(), "no test depends on what has changed since HEAD\n");
  write("b.h", "#pragma once\n");
  EXPECT_EQ(changed(), "tests/one.c:1 under rc20\n");
  write("tests/two.c", "//! sc: verified\nint main(void) { return 0; }\n");
  EXPECT_EQ(changed(), "tests/one.c:1 under rc20\ntests/two.c:1 under sc\n");
  git({"add", "b.h", "tests"});
  git({"commit", "-q", "-m", "second"});
  write("tests/three.c", test);  // not known to git
  EXPECT_EQ(changed(), "tests/three.c:1 under rc20\n");
}

TEST_F(CliChanged, NoSuchCommit) {
  write("tests/one.c", "//! rc20: verified\nint main(void) { return 0; }\n");
  git({"init", "-q"});
  expectPart(changed(), "heddle: --changed: `HEAD` is no commit of this repository: give a commit, a branch or a tag");
}

// ---- Targets of a compilation database.

TEST_F(CliCache, TargetsOfADatabase) {
  const std::string main = write("main.c", "int twice(int);\nint main(void) { return twice(0); }\n");
  const std::string twice = write("twice.c", "int twice(int n) { return FACTOR * n; }\n");
  const auto entry = [&](const std::string& file, const std::string& target) {
    return json{{"directory", dir_},
                {"file", file},
                {"arguments", {"cc", "-DFACTOR=2", "-c", file, "-o", "CMakeFiles/" + target + ".dir/x.o"}}};
  };
  const std::string database = write(
      "compile_commands.json", json::array({entry(main, "app_test"), entry(twice, "app_test"), entry(main, "half")}).dump());
  const json whole = json::parse(heddle({"check", "--json", "--compile-commands", dir_, "app_test"}).out);
  EXPECT_EQ(whole.at("verdict"), "verified");
  EXPECT_EQ(whole.at("files"), json::array({main, twice}));
  const Finished half = heddle({"check", "--compile-commands", database, "half"});
  EXPECT_EQ(half.code, 2);
  expectPart(half.err, "twice is declared but not defined: add " + twice + ", which defines it");
  const Finished none = heddle({"check", "--compile-commands", database, "other"});
  EXPECT_EQ(none.code, 2);
  expectPart(none.err, "other: neither a file nor a target of " + database + ", whose targets are app_test, half");
}

}  // namespace
}  // namespace heddle::cli
