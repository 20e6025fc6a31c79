// Runs that several processes share, and runs that are killed at random moments and go on with `heddle resume`.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

#include "bench/programs.h"
#include "cli_helpers.h"

namespace heddle::cli {
namespace {

using nlohmann::json;

// Times, and the command that the failing execution was found with: the execution itself is the same.
void dropWhatDiffers(json& found) {
  for (const char* field : {"seconds", "totalSeconds", "peakBytes", "timing"}) found.erase(field);
  if (!found.contains("replay")) return;
  found["replay"]["about"].erase("command");
  found["replay"].erase("checksum");
}

class CliParallel : public CliTest {
 protected:
  // Starts the program, and ends it with this signal after so many milliseconds unless it is done by then.
  Finished runAndKill(const std::vector<std::string>& arguments, int number, unsigned milliseconds) const {
    std::vector<std::string> command = {HEDDLE_EXECUTABLE};
    command.insert(command.end(), arguments.begin(), arguments.end());
    ChildProcess child(command);
    for (unsigned i = 0; i < milliseconds && !child.hasEnded(); ++i) usleep(1000);
    if (!child.hasEnded()) kill(child.id(), number);
    return child.wait();
  }

  // Runs a command, which takes so many milliseconds, with a checkpoint, disturbed so many times, and returns the output of
  // the undisturbed last run.
  Finished disturb(std::vector<std::string> command, unsigned kills, unsigned duration) {
    std::mt19937 engine(kills);
    const auto random = [&](unsigned below) { return static_cast<unsigned>(engine() % below); };
    const std::string file = dir_ + "/checkpoint";
    command.insert(command.end(), {"--checkpoint", file, "--checkpoint-interval", "0.01"});
    unsigned resumed = 0;
    const auto begun = [&] { return std::filesystem::exists(file); };
    for (unsigned i = 0; i < 4 * kills && (i < kills || resumed <= kills / 3 || !begun()); ++i) {
      resumed += begun();
      std::vector<std::string> arguments = command;
      if (begun()) arguments = {"resume", file, "--checkpoint-interval", "0.01"};
      arguments.insert(arguments.end(), {"-j", std::to_string(1 + random(3))});
      const int number = std::array{SIGKILL, SIGKILL, SIGTERM, SIGINT}[random(4)];
      const Finished run = runAndKill(arguments, number, 1 + random(duration));
      if (run.code == 0) std::filesystem::remove(file);  // it was done in time: begin anew
    }
    EXPECT_GT(resumed, kills / 3);
    return heddle({"resume", file, "-j", "2", "--json"});
  }
};

// The output of a run, and how many milliseconds it took.
template <class Run>
std::pair<json, unsigned> timed(const Run& run) {
  const auto start = std::chrono::steady_clock::now();
  json out = json::parse(run().out);
  const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
  return {std::move(out), static_cast<unsigned>(time.count())};
}

TEST_F(CliParallel, KilledRunsOfALitmusTestEndWithTheSameTotals) {
  const std::string test = write("test.litmus", bench::programText("casrot(12)"));
  const auto [whole, duration] = timed([&] { return heddle({"litmus", "--json", "-j", "1", test}); });
  const json expected = whole["tests"][0];
  const Finished last = disturb({"litmus", test}, 50, duration);
  EXPECT_EQ(last.code, 0) << last.err;
  const json found = json::parse(last.out)["tests"][0];
  for (const char* field : {"verdict", "observation", "states", "positive", "negative", "executions", "blocked"}) {
    EXPECT_EQ(found[field], expected[field]) << field;
  }
}

TEST_F(CliParallel, KilledRunsOfAProgramEndWithTheSameTotals) {
  const std::string source = std::string(HEDDLE_SOURCE_DIR) + "/bench/native/casrot.c";
  const std::string sized = write("sized.c", "#define N 13\n#include \"" + source + "\"\n");
  const auto [expected, duration] = timed([&] { return heddle({"check", "--json", "-j", "1", sized}); });
  const Finished last = disturb({"check", sized}, 12, duration);
  EXPECT_EQ(last.code, 0) << last.err;
  const json found = json::parse(last.out);
  for (const char* field : {"verdict", "executions", "blocked"}) EXPECT_EQ(found[field], expected[field]) << field;
}

// Few of the executions fail, and it takes a while to get to the first of them.
const char* const kRareError = R"(
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>
static atomic_int x;
static int order[9];
static int f(void *self) { *(int *)self = atomic_fetch_add(&x, 1); return 0; }
int main(void) {
  thrd_t threads[9];
  for (int i = 0; i < 9; i++) thrd_create(&threads[i], f, &order[i]);
  for (int i = 0; i < 9; i++) thrd_join(threads[i], 0);
  assert(!(order[0] == 5 && order[1] == 2 && order[2] == 7 && order[3] == 1));
}
)";

// A race of an atomic access with a plain one, which is an event: it is found when the event is added.
const char* const kRareRace = R"(
#include <stdatomic.h>
#include <threads.h>
static atomic_int x, y;
static int first(void *unused) { if (atomic_fetch_add(&x, 1) == 3) *(int *)&y = 1; return 0; }
static int second(void *unused) { if (atomic_fetch_add(&x, 1) == 7) atomic_load(&y); return 0; }
static int other(void *unused) { atomic_fetch_add(&x, 1); return 0; }
int main(void) {
  thrd_t threads[9];
  for (int i = 0; i < 9; i++) thrd_create(&threads[i], i == 0 ? first : i == 1 ? second : other, 0);
  for (int i = 0; i < 9; i++) thrd_join(threads[i], 0);
}
)";

TEST_F(CliParallel, TheSameErrorIsReportedForEveryN) {
  for (const char* text : {kRareError, kRareRace}) {
    const std::string program = write("rare.c", text);
    json expected;
    for (const char* jobs : {"1", "2", "4"}) {
      const Finished run = heddle({"check", "--json", "-j", jobs, program});
      EXPECT_EQ(run.code, 1);
      json found = json::parse(run.out);
      dropWhatDiffers(found);
      if (expected.is_null()) expected = found;
      EXPECT_EQ(found, expected) << jobs;
      EXPECT_GT(found["executions"], 1000);
    }
    EXPECT_EQ(heddle({"check", "--first", "-j", "3", program}).code, 1);
  }
}

// Attempts that are taken back, and half of the executions, the later ones, in which somebody looks (zero_net_effect.cpp).
const char* const kNoticedLate = R"(
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>
static atomic_int y[SIZE], c;
static int write(void *value) {
  for (int i = 0; i < SIZE; i++) atomic_store_explicit(&y[i], (int)(long)value, memory_order_relaxed);
  return 0;
}
static int take(void *unused) {
  while (atomic_fetch_add_explicit(&c, 1, memory_order_acquire) != 0) atomic_fetch_sub_explicit(&c, 1, memory_order_relaxed);
  atomic_fetch_sub_explicit(&c, 1, memory_order_release);
  return 0;
}
int main(void) {
  thrd_t threads[4];
  for (long i = 0; i < 4; i++) thrd_create(&threads[i], i < 2 ? write : take, (void *)(i + 1));
  thrd_join(threads[0], 0);
  thrd_join(threads[1], 0);
  if (y[0] == 1) {
    const int seen = atomic_load_explicit(&c, memory_order_relaxed);
#ifdef BAD
    assert(seen < 2 || y[1] != 1);
#endif
    (void)seen;
  }
  thrd_join(threads[2], 0);
  thrd_join(threads[3], 0);
}
)";

TEST_F(CliParallel, WhoeverNoticesAnAttemptRestartsAll) {
  const std::string program = write("late.c", std::string("#define SIZE 11") + kNoticedLate);
  for (const char* flag : {"-DGOOD", "-DBAD"}) {
    json expected;
    for (const char* jobs : {"1", "2", "4"}) {
      const Finished run = heddle({"check", "--json", "--unroll", "1", "-j", jobs, program, "--", flag});
      json found = json::parse(run.out);
      EXPECT_EQ(found["verdict"], flag == std::string("-DBAD") ? "error" : "bounded");
      EXPECT_NE(run.out.find("can be noticed"), std::string::npos);
      dropWhatDiffers(found);
      if (expected.is_null()) expected = found;
      EXPECT_EQ(found, expected) << jobs;
    }
  }
}

// A checkpoint is of one of the two explorations, and says which.
TEST_F(CliParallel, KilledRunsThatRestartWithoutAttemptsEndWithTheSameTotals) {
  const std::string program = write("late.c", std::string("#define SIZE 13") + kNoticedLate);
  const auto [expected, duration] = timed([&] { return heddle({"check", "--unroll", "1", program, "--json", "-j", "1"}); });
  const Finished last = disturb({"check", "--unroll", "1", program}, 25, duration);
  const json found = json::parse(last.out);
  for (const char* field : {"verdict", "executions", "blocked", "bounds", "warnings"}) {
    EXPECT_EQ(found[field], expected[field]) << field;
  }
}

// What is left out is counted once, however the run is shared and disturbed.
TEST_F(CliParallel, KilledRunsWithABoundOnStaleReadsEndWithTheSameTotals) {
  const std::string program = write("wait.c", R"(
#include <stdatomic.h>
#include <threads.h>
static atomic_int first, second, tries;
static void waitFor(atomic_int *flag) {
  while (!atomic_load_explicit(flag, memory_order_relaxed)) atomic_fetch_add_explicit(&tries, 1, memory_order_relaxed);
}
static int one(void *unused) {
  atomic_fetch_add_explicit(&tries, 1, memory_order_relaxed);
  atomic_store_explicit(&first, 1, memory_order_relaxed);
  waitFor(&second);
  return 0;
}
static int two(void *unused) {
  waitFor(&first);
  atomic_store_explicit(&second, 1, memory_order_relaxed);
  return 0;
}
int main(void) {
  thrd_t threads[2];
  thrd_create(&threads[0], one, 0);
  thrd_create(&threads[1], two, 0);
  waitFor(&first);
  thrd_join(threads[0], 0);
  thrd_join(threads[1], 0);
}
)");
  const auto [expected, duration] = timed([&] { return heddle({"check", "--stale", "4", program, "--json", "-j", "1"}); });
  EXPECT_EQ(expected["verdict"], "bounded");
  const Finished last = disturb({"check", "--stale", "4", program}, 10, duration);
  const json found = json::parse(last.out);
  for (const char* field : {"verdict", "executions", "blocked", "bounds"}) EXPECT_EQ(found[field], expected[field]) << field;
}

// What the code of the program computes with dependencies is the same each time, so a checkpoint fits.
TEST_F(CliParallel, KilledRunsWithDependenciesEndWithTheSameTotals) {
  const std::string program = write("depends.c", R"(
#include <stdatomic.h>
#include <threads.h>
static atomic_int x, y;
static int run(void *unused) {
  int own[3] = {1, 2, 3}, other[2] = {4, 5};
  own[0] = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&y, other[own[0] & 1], memory_order_relaxed);
  other[0] = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, own[1], memory_order_relaxed);
  return own[2] + other[0];
}
int main(void) {
  thrd_t threads[3];
  for (int i = 0; i < 3; i++) thrd_create(&threads[i], run, 0);
  for (int i = 0; i < 3; i++) thrd_join(threads[i], 0);
}
)");
  const std::vector<std::string> command = {"check", "--model", "armv8", program};
  const auto [expected, duration] = timed([&] {
    std::vector<std::string> alone = command;
    alone.insert(alone.end(), {"--json", "-j", "1"});
    return heddle(alone);
  });
  EXPECT_EQ(expected["executions"], 1296);
  const Finished last = disturb(command, 8, duration);
  const json found = json::parse(last.out);
  for (const char* field : {"verdict", "executions", "blocked"}) EXPECT_EQ(found[field], expected[field]) << field;
}

// Three of four executions come before the first in which late() is called: the workers call it.
const char* const kLate = R"(
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static int order[8];
static void late(void);
static void *f(void *self) { *(int *)self = atomic_fetch_add(&x, 1); return 0; }
int main(void) {
  pthread_t t[8];
  for (int i = 0; i < 8; i++) pthread_create(&t[i], 0, f, &order[i]);
  for (int i = 0; i < 8; i++) pthread_join(t[i], 0);
  if (order[0] == 3 && order[1] == 7 && order[2] == 0) late();
}
static void *start(void *function) { ((void (*)(void))function)(); return 0; }
static void inThreads(int count, void (*function)(void)) {
  pthread_t t[256];
  for (int i = 0; i < count; i++) pthread_create(&t[i], 0, start, (void *)function);
  for (int i = 0; i < count; i++) pthread_join(t[i], 0);
}
)";

const char* const kLateSizes = R"(
static _Atomic unsigned word;
static void late(void) { atomic_store((_Atomic unsigned char *)&word, 1); atomic_load(&word); }
)";

// However the mode turns out to be wrong (run/mode.h), and whatever the limit or the mistake is that workers run into: several
// processes say what one says.
TEST_F(CliParallel, WhatWorkersThrowIsWhatOneProcessThrows) {
  struct Case {
    const char* name;
    std::string late;
    std::vector<std::string> options;
    int code;
    const char* verdict;
    std::string part;  // of what is printed
  };
  // clang-format off
  const std::vector<Case> cases = {
      {"mixed sizes", kLateSizes, {}, 0, "verified", "word is accessed with 1 byte"},
      {"threads", "static void nothing(void) {} static void late(void) { inThreads(20, nothing); }", {}, 0, "verified", ""},
      {"barrier", R"(
static pthread_barrier_t barrier;
static void meet(void) { pthread_barrier_wait(&barrier); }
static void late(void) { pthread_barrier_init(&barrier, 0, 2); inThreads(4, meet); }
)", {}, 0, "verified", ""},
      {"races", R"(
static int plain[4];
static void write(void) { for (int i = 0; i < 3; i++) plain[i] = i; }
static void late(void) { inThreads(2, write); }
)", {"--races", "off"}, 0, "verified", ""},
      {"limit of events", R"(
static atomic_int y;
static void late(void) { for (int i = 0; i < 40000; i++) atomic_store_explicit(&y, i, memory_order_relaxed); }
)", {}, 3, "incomplete", "cut it with --unroll-loop"},
      {"limit of threads", "static void nothing(void) {} static void late(void) { inThreads(254, nothing); }", {}, 3,
       "incomplete", "the program starts more than 255 threads"},
      {"refused", kLateSizes, {"--model", "pso"}, 2, "incomplete", "the model pso does not say what that means"},
  };
  // clang-format on
  for (const Case& each : cases) {
    const std::string program = write("late.c", kLate + each.late);
    json expected;
    std::string complaint;
    for (const char* jobs : {"1", "2"}) {
      std::vector<std::string> arguments = {"check", "--json", "-j", jobs, program};
      arguments.insert(arguments.end(), each.options.begin(), each.options.end());
      const Finished run = heddle(arguments);
      EXPECT_EQ(run.code, each.code) << each.name << ", -j " << jobs << ": " << run.err;
      json found = json::parse(run.out);
      EXPECT_EQ(found["verdict"], each.verdict) << each.name;
      expectPart(run.out + run.err, each.part);
      dropWhatDiffers(found);
      if (expected.is_null()) expected = found, complaint = run.err;
      EXPECT_EQ(found, expected) << each.name << ", -j " << jobs;
      EXPECT_EQ(run.err, complaint) << each.name << ", -j " << jobs;
    }
  }
}

TEST_F(CliParallel, SamplesAndEstimates) {
  const std::string test = write("endless.litmus", endless());
  const Finished sampled = heddle({"litmus", "--sample", "100", "--json", test});
  EXPECT_EQ(sampled.code, 0);
  const json found = json::parse(sampled.out)["tests"][0];
  EXPECT_EQ(found["verdict"], "sampled");
  EXPECT_EQ(found["executions"], 100);
  EXPECT_EQ(json::parse(heddle({"litmus", "--sample", "100", "--seed", "1", "--json", test}).out)["tests"][0]["states"],
            found["states"]);
  const std::string program = write("rare.c", kRareError);
  const Finished check = heddle({"check", "--sample", "50", "--estimate", "--json", program});
  const json checked = json::parse(check.out);
  EXPECT_EQ(checked["verdict"], check.code == 0 ? "sampled" : "error") << check.err;
  EXPECT_GT(checked["estimate"]["executions"].get<double>(), 10000);
  EXPECT_LE(checked["estimate"]["low"], checked["estimate"]["high"]);
}

// One execution without an event, which takes so long that others are asked to help.
TEST_F(CliParallel, WithoutChoicesThereIsNothingToShare) {
  const std::string program =
      write("long.c", "int main(void) { volatile int sum = 0; for (int i = 0; i < 20000000; i++) sum += i; }");
  const std::vector<std::vector<std::string>> choices = {{"-j", "2"}, {"--sample", "3"}, {"--estimate"}};
  for (const std::vector<std::string>& options : choices) {
    std::vector<std::string> arguments = {"check", "--json", program};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Finished run = heddle(arguments);
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(json::parse(run.out)["executions"], 1) << options[0];
    if (options[0] == "--estimate") {
      EXPECT_EQ(json::parse(run.out)["estimate"]["executions"], 1);
    }
  }
}

TEST_F(CliParallel, StatesAndRacesAreTheSameForEveryN) {
  std::string text = "C many\n{ x=0; y=0; }\n";
  for (int t = 0; t < 8; ++t) {
    text += "P" + std::to_string(t) +
            "(atomic_int* x, int* y) {\n  int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed);\n";
    text += t < 2 ? "  if (r0 == 6) { *y = 1; }\n}\n" : "  assert(r0 != " + std::to_string(t) + ");\n}\n";
  }
  const std::string test = write("many.litmus", text + "exists (x=8)\n");
  json expected;
  for (const char* jobs : {"1", "2", "4"}) {
    json found = json::parse(heddle({"litmus", "--json", "-j", jobs, test}).out)["tests"][0];
    found.erase("seconds");
    if (expected.is_null()) expected = found;
    EXPECT_EQ(found, expected) << jobs;
    EXPECT_EQ(found["executions"], 40320);
  }
}

// What is left after N executions is all the rest: no execution twice, none lost.
TEST_F(CliParallel, SoManyExecutionsAtATime) {
  const std::string test = write("test.litmus", storeBuffering("exists (0:r0=0 /\\ 1:r0=0)"));
  const std::string file = dir_ + "/checkpoint";
  const Finished begun = heddle({"litmus", test, "--checkpoint", file, "--max-executions", "1", "--json"});
  EXPECT_EQ(begun.code, 3);
  EXPECT_EQ(json::parse(begun.out)["tests"][0]["executions"], 1);
  const Finished more = heddle({"resume", file, "--max-executions", "2", "--json"});
  EXPECT_EQ(more.code, 3);
  EXPECT_EQ(json::parse(more.out)["tests"][0]["executions"], 3);
  const Finished rest = heddle({"resume", file, "--json"});
  EXPECT_EQ(rest.code, 0);
  EXPECT_EQ(json::parse(rest.out)["tests"][0]["executions"], 4);
  EXPECT_EQ(json::parse(rest.out)["tests"][0]["observation"], "Sometimes");

  const std::string program = write("sb.c", "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y;\n"
                                            "void* f(void* a) { atomic_store_explicit(&x, 1, memory_order_relaxed);\n"
                                            "  return (void*)(long)atomic_load_explicit(&y, memory_order_relaxed); }\n"
                                            "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);\n"
                                            "  atomic_store_explicit(&y, 1, memory_order_relaxed);\n"
                                            "  atomic_load_explicit(&x, memory_order_relaxed); pthread_join(t, 0); }\n");
  const Finished first = heddle({"check", program, "--checkpoint", file, "--max-executions", "3", "--json"});
  EXPECT_EQ(first.code, 3);
  EXPECT_EQ(json::parse(first.out)["executions"], 3);
  const Finished last = heddle({"resume", file, "--max-executions", "1", "--json"});
  EXPECT_EQ(last.code, 0) << "there are no more than that";
  EXPECT_EQ(json::parse(last.out)["executions"], 4);
  EXPECT_EQ(json::parse(last.out)["verdict"], "verified");
}

TEST_F(CliParallel, OtherProgramsAreRefused) {
  const std::string test = write("test.litmus", endless());
  const std::string file = dir_ + "/checkpoint";
  EXPECT_EQ(heddle({"litmus", test, "--checkpoint", file, "--time", "0.2"}).code, 3);
  write("test.litmus", endless() + " \n");
  const Finished run = heddle({"resume", file});
  EXPECT_EQ(run.code, 2);
  expectPart(run.err, "the checkpoint was made for another program");
  json checkpoint = json::parse(contentOf(file));
  for (const char* damaged : {"", "{}", "words", R"({"mode": "{}", "threadNumbers": ""})"}) {
    checkpoint["agreements"] = damaged;
    write("test.litmus", endless());
    const Finished resumed = heddle({"resume", write("damaged", checkpoint.dump())});
    EXPECT_EQ(resumed.code, 2) << damaged;
    expectPart(resumed.err, "the checkpoint is damaged");
  }
  EXPECT_EQ(heddle({"resume", dir_ + "/none"}).code, 2);
  const Finished two = heddle({"litmus", test, test, "--checkpoint", file});
  EXPECT_EQ(two.code, 2);
  expectPart(two.err, "--checkpoint is for one test under one model");
}

}  // namespace
}  // namespace heddle::cli
