// `heddle replay`: what `check --save` kept is the execution that was reported, event by event, however it was found.

#include <nlohmann/json.hpp>

#include "cli_helpers.h"

namespace heddle::cli {
namespace {

using nlohmann::json;

struct Failing {
  const char* name;
  std::vector<std::string> words;  // of heddle check
};

// Examples with their mistake, whose errors differ in kind: races, wrong values, memory, deadlocks, endless loops, crashes.
const std::vector<Failing>& failing() {
  static const std::vector<Failing> kFailing = {
      {"race", {"examples/check/spsc_ring.cpp", "--", "-DBUG"}},
      {"use_after_free", {"examples/check/treiber_stack.cpp", "--", "-DBUG"}},
      {"two_processes", {"-j", "2", "examples/check/treiber_stack.cpp", "--", "-DBUG"}},
      {"reads_from", {"--equivalence", "rf", "examples/check/treiber_stack.cpp", "--", "-DBUG"}},
      {"names_of_objects", {"examples/check/growing_deque.c", "--", "-DBUG"}},
      {"blocked", {"examples/check/bounded_buffer.cpp", "--", "-DBUG"}},
      {"sampled", {"--sample", "2000", "--seed", "3", "examples/check/seqlock.cpp", "--", "-DBUG"}},
      {"dependencies", {"--model", "armv8", "examples/check/seqlock.cpp", "--", "-DBUG"}},
      {"bounded_search", {"tests/native/loops/noticed_flicker.c"}},
      {"crash", {"--persistency", "px86", "examples/check/persistent_list.cpp", "--", "-DBUG"}},
  };
  return kFailing;
}

class CliReplay : public CliTest, public testing::WithParamInterface<Failing> {};

TEST_P(CliReplay, IsTheExecutionThatWasReported) {
  const std::string file = dir_ + "/failure.json";
  std::vector<std::string> words = {"check", "--json", "--save", file};
  words.insert(words.end(), GetParam().words.begin(), GetParam().words.end());
  const Finished check = heddle(words);
  ASSERT_EQ(check.code, 1) << check.err << check.out;
  const Finished replay = heddle({"replay", "--json", file});
  ASSERT_EQ(replay.code, 1) << replay.err << replay.out;
  const json found = json::parse(check.out), again = json::parse(replay.out);
  for (const char* field : {"verdict", "error", "threads", "trace", "model"}) EXPECT_EQ(again[field], found[field]) << field;
  EXPECT_LE(again["executions"].get<int>() + again["blocked"].get<int>(), 1);
}

INSTANTIATE_TEST_SUITE_P(Failing, CliReplay, testing::ValuesIn(failing()), [](const auto& test) { return test.param.name; });

class CliReplayFiles : public CliTest {};

TEST_F(CliReplayFiles, WhatHasChangedIsRefused) {
  const std::string program = "#include <assert.h>\nint main(void) { assert(0); }\n";
  const std::string source = write("wrong.c", program), file = dir_ + "/failure";
  EXPECT_EQ(heddle({"check", "--save", file, source}).code, 1);
  EXPECT_EQ(heddle({"replay", file}).code, 1);
  write("wrong.c", program + "int more;\n");
  Finished run = heddle({"replay", file});
  EXPECT_EQ(run.code, 2);
  expectPart(run.err, "the failure was made for another program");
  run = heddle({"resume", file});
  EXPECT_EQ(run.code, 2);
  expectPart(run.err, "this is no checkpoint of heddle: it is a failure, for `heddle replay`");
  write("failure", "{\"heddle-failure\": 1}");
  EXPECT_EQ(heddle({"replay", file}).code, 2);
  EXPECT_EQ(heddle({"replay", dir_ + "/nothing"}).code, 2);
  EXPECT_EQ(heddle({"replay"}).code, 2);
}

TEST_F(CliReplayFiles, IsRunInTheFolderOfTheCheck) {
  write("wrong.c", "#include <assert.h>\nint main(void) { assert(0); }\n");
  const std::string file = dir_ + "/failure";
  EXPECT_EQ(ChildProcess({HEDDLE_EXECUTABLE, "check", "--save", "failure", "wrong.c"}, dir_).wait().code, 1);
  std::filesystem::create_directory(dir_ + "/other");
  const Finished elsewhere = ChildProcess({HEDDLE_EXECUTABLE, "replay", "--html", "page.html", file}, dir_ + "/other").wait();
  EXPECT_EQ(elsewhere.code, 1) << elsewhere.err;
  EXPECT_TRUE(std::filesystem::exists(dir_ + "/other/page.html"));
  std::filesystem::create_directory(dir_ + "/gone");
  EXPECT_EQ(ChildProcess({HEDDLE_EXECUTABLE, "check", "--save", file, "../wrong.c"}, dir_ + "/gone").wait().code, 1);
  std::filesystem::remove(dir_ + "/gone");
  const Finished gone = heddle({"replay", file});
  EXPECT_EQ(gone.code, 2);
  expectPart(gone.err, "/gone, which is not there any more");
}

// The first execution with the error is long, and threads take part that the error does not need. A shorter one is found, the same one
// for every number of processes; and it is what is kept.
TEST_F(CliReplayFiles, AShorterExecutionIsLookedFor) {
  const std::string source = write("long.cpp", R"(
    #include <atomic>
    #include <cassert>
    #include <thread>
    std::atomic<int> x, other;
    int main() {
      std::thread a([] { for (int i = 0; i < 5; ++i) { other.store(i); if (x.load() == 2) assert(false); } });
      std::thread b([] { x.store(1); for (int i = 0; i < 5; ++i) other.load(); x.store(2); });
      std::thread c([] { if (x.load() == 1) { for (int i = 0; i < 5; ++i) other.fetch_add(1); } });
      a.join(); b.join(); c.join();
    })");
  const std::string file = dir_ + "/failure";
  json first;
  for (const char* const jobs : {"1", "2"}) {
    const Finished run = heddle({"check", "--json", "-j", jobs, "--save", file, source});
    ASSERT_EQ(run.code, 1) << run.err;
    const json found = json::parse(run.out);
    unsigned relevant = 0;
    for (const json& event : found["trace"]) relevant += event["relevant"] ? 1 : 0;
    EXPECT_LE(relevant, 18U);  // 26 in the first one; 11 in the shortest, without the third thread
    if (first.is_null()) first = found;
    EXPECT_EQ(found["trace"], first["trace"]) << jobs;
    EXPECT_EQ(found["error"], first["error"]) << jobs;
    EXPECT_EQ(json::parse(heddle({"replay", "--json", file}).out)["trace"], found["trace"]);
  }
}

TEST_F(CliReplayFiles, WithoutAnErrorThereIsNothingToKeep) {
  const std::string source = write("right.c", "int main(void) { return 0; }\n"), file = dir_ + "/failure";
  EXPECT_EQ(heddle({"check", "--save", file, source}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(file));
}

}  // namespace
}  // namespace heddle::cli
