// Runs that are shared by several processes, disturbed, and resumed: they must end as if one process had explored alone.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <typeinfo>

#include "bench/programs.h"
#include "unit/sum_task.h"

namespace heddle::parallel {
namespace {

TEST(Parallel, FindsTheSameForEveryN) {
  for (const char* program : {"lockinc(7)", "casrot(9)", "ainc(8)", "fib_bench(3)", "casw(4)", "big0"}) {
    std::string expected;
    for (const unsigned workers : {1u, 2u, 5u}) {
      SumTask task(bench::programText(program));
      RunEnd end;
      run(task, controlOf(workers), end);
      EXPECT_TRUE(end.complete) << program << ' ' << end.reason;
      if (workers == 1) expected = result(end);
      EXPECT_EQ(result(end), expected) << program << " with " << workers;
    }
  }
}

TEST(Parallel, FindsTheSameWithMixedSizes) {
  std::string expected;
  for (const unsigned workers : {1u, 3u}) {
    SumTask task(bench::programText("lockref(4)"));
    task.mixed = true;
    RunEnd end;
    run(task, controlOf(workers), end);
    EXPECT_TRUE(end.complete);
    if (workers == 1) expected = result(end);
    EXPECT_EQ(result(end), expected);
  }
}

// The error that is reported, and what was explored before it, are those of one process.
TEST(Parallel, ReportsTheSameError) {
  for (const std::uint64_t residue : {3, 1000, 7777, 20011}) {
    std::string expected;
    std::uint64_t error = 0;
    for (const unsigned workers : {1u, 2u, 4u}) {
      SumTask task(bench::programText("ainc(8)"));
      task.isError = [&](std::uint64_t hash) { return hash % 30011 == residue; };
      RunEnd end;
      run(task, controlOf(workers), end);
      if (workers == 1) {
        expected = result(end) + (end.failed ? " failed" : "");
        error = task.error;
        continue;
      }
      EXPECT_EQ(result(end) + (end.failed ? " failed" : ""), expected) << residue << " with " << workers;
      EXPECT_EQ(task.error, error) << residue << " with " << workers;
    }
  }
}

TEST(Parallel, FirstFoundEndsTheRun) {
  SumTask task(bench::programText("ainc(9)"));
  task.isError = [&](std::uint64_t hash) { return hash % 5003 == 1; };
  Control control = controlOf(3);
  control.first = true;
  RunEnd end;
  run(task, control, end);
  EXPECT_TRUE(end.failed);
  EXPECT_EQ(task.error % 5003, 1u);
}

// A number that forked processes share.
class SharedNumber {
 public:
  SharedNumber()
      : number_(new(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) std::atomic<unsigned>(0)) {}
  ~SharedNumber() { munmap(number_, 4096); }
  std::atomic<unsigned>& operator*() { return *number_; }

 private:
  std::atomic<unsigned>* number_;
};

// Two deaths in each run: a part that is lost three times is given up.
TEST(Parallel, WorkersThatAreKilledLoseNothing) {
  SumTask alone(bench::programText("ainc(9)"));
  RunEnd expected;
  run(alone, controlOf(1), expected);
  for (unsigned round = 0; round < 5; ++round) {
    SharedNumber deaths;
    SumTask task(bench::programText("ainc(9)"));
    task.inWorker = [&](std::uint64_t hash) {
      if (mix(hash, static_cast<std::uint64_t>(getpid())) % 40009 == 0 && (*deaths)++ < 2) raise(SIGKILL);
    };
    RunEnd end;
    run(task, controlOf(3), end);
    EXPECT_TRUE(end.complete) << end.reason;
    EXPECT_EQ(result(end), result(expected));
    EXPECT_GT(*deaths, 0u);
  }
}

TEST(Parallel, WhatIsLostAgainAndAgainIsLeftOut) {
  SumTask task(bench::programText("ainc(8)"));
  task.inWorker = [](std::uint64_t hash) {
    if (hash % 20011 == 5) raise(SIGSEGV);
  };
  RunEnd end;
  run(task, controlOf(2), end);
  EXPECT_FALSE(end.complete);
  EXPECT_FALSE(end.failed);
  EXPECT_NE(end.reason.find("a part of the exploration was lost 3 times (the process was killed by signal 11"),
            std::string::npos)
      << end.reason;
  EXPECT_LT(end.findings->executions(), 40320u);
  EXPECT_GT(end.findings->executions(), 0u);
}

TEST(Parallel, MemoryThatRunsOutIsAnEndLikeAnother) {
  SharedNumber deaths;
  SumTask task(bench::programText("ainc(8)"));
  task.inWorker = [&](std::uint64_t hash) {
    if (hash % 10007 == 5 && (*deaths)++ == 0) throw std::bad_alloc();
  };
  RunEnd end;
  run(task, controlOf(2), end);
  EXPECT_TRUE(end.complete) << end.reason;
  EXPECT_EQ(end.findings->executions(), 40320u);
}

TEST(Parallel, WhatAPartThrowsComesOut) {
  SumTask task(bench::programText("ainc(8)"));
  task.isError = [&](std::uint64_t hash) {
    if (hash % 30011 == 1000) throw ProgramError("this is refused");
    return false;
  };
  RunEnd end;
  EXPECT_THROW(run(task, controlOf(3), end), ProgramError);
}

// The exception of a worker, although this process would not throw it.
template <class Expected>
Expected fromWorkers(const std::function<void()>& thrower) {
  SumTask task(bench::programText("ainc(8)"));
  task.inWorker = [&](std::uint64_t hash) {
    if (hash % 30011 == 1000) thrower();
  };
  RunEnd end;
  try {
    run(task, controlOf(2), end);
  } catch (const Expected& error) {
    EXPECT_EQ(typeid(error), typeid(Expected));
    return error;
  }
  throw std::logic_error("nothing was thrown");
}

TEST(Parallel, ExceptionsOfWorkersKeepTheirTypes) {
  const auto limit = fromWorkers<LimitError>([] { throw LimitError("too many", {"have fewer", "or none"}); });
  EXPECT_STREQ(limit.what(), "too many");
  EXPECT_EQ(limit.advice(), (std::vector<std::string>{"have fewer", "or none"}));
  EXPECT_STREQ(fromWorkers<ProgramError>([] { throw ProgramError("refused"); }).what(), "refused");
  EXPECT_EQ(fromWorkers<WrongMode>([] { throw WrongMode("the right one"); }).mode(), "the right one");
  EXPECT_STREQ(fromWorkers<std::runtime_error>([] { throw std::logic_error("our fault"); }).what(), "our fault");
}

// What was found before is what one process finds before.
TEST(Parallel, WhatWasFoundBeforeAnExceptionCounts) {
  std::string expected;
  for (const unsigned workers : {1u, 2u, 4u}) {
    SumTask task(bench::programText("ainc(8)"));
    task.isError = [&](std::uint64_t hash) {
      if (hash % 30011 == 1000) throw LimitError("too many");
      return false;
    };
    RunEnd end;
    EXPECT_THROW(run(task, controlOf(workers), end), LimitError);
    if (workers == 1) expected = result(end);
    EXPECT_EQ(result(end), expected) << workers;
  }
}

class ParallelCheckpoint : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "heddle-checkpoint-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    dir_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(dir_); }
  std::string dir_;
};

// Stopped by a budget of time again and again, with other numbers of processes.
TEST_F(ParallelCheckpoint, RunsGoOn) {
  SumTask alone(bench::programText("ainc(8)"));
  RunEnd expected;
  run(alone, controlOf(1), expected);
  std::mt19937 engine(7);
  const auto random = [&](unsigned below) { return static_cast<unsigned>(engine() % below); };
  Control control = controlOf(1);
  control.checkpointFile = dir_ + "/checkpoint";
  control.about.program = "p";
  RunEnd end;
  unsigned stops = 0;
  for (; !end.complete && stops < 1000; ++stops) {
    SumTask task(bench::programText("ainc(8)"));
    control.workers = 1 + random(3);
    control.seconds = stops < 60 ? 0.0005 * (1 + random(4)) : 0;
    run(task, control, end);
    if (end.complete) break;
    EXPECT_EQ(end.reason.substr(0, 11), "out of time");
    control.resume = readCheckpoint(control.checkpointFile);
  }
  EXPECT_EQ(result(end), result(expected));
  EXPECT_GT(stops, 5u);
}

// When a part has failed, what comes before it is explored to its end. A checkpoint of that time must not forget the failure.
//
// For that time to come, most of what comes before the failure is explored slowly.
TEST_F(ParallelCheckpoint, FailuresAreNotForgotten) {
  SumTask alone(bench::programText("ainc(8)"));
  RunEnd complete;
  run(alone, controlOf(1), complete);
  for (const std::size_t failing : {12'000u, 20'000u, 28'000u}) {
    const std::uint64_t wrong = alone.seen[failing];
    const std::set<std::uint64_t> slow(alone.seen.begin(), alone.seen.begin() + 10'000);
    const auto isError = [&](std::uint64_t hash) { return hash == wrong; };
    SumTask task(bench::programText("ainc(8)"));
    task.isError = isError;
    task.inWorker = [&](std::uint64_t hash) {
      if (slow.contains(hash)) usleep(100);
    };
    Control control = controlOf(3);
    control.checkpointFile = dir_ + "/checkpoint";
    control.checkpointSeconds = 0.001;
    control.about.program = "p";
    RunEnd whole;
    run(task, control, whole);
    ASSERT_TRUE(whole.failed);
    ASSERT_TRUE(std::filesystem::exists(control.checkpointFile)) << failing;
    control.resume = readCheckpoint(control.checkpointFile);  // as if it had been killed before its end
    SumTask again(bench::programText("ainc(8)"));
    again.isError = isError;
    RunEnd rest;
    run(again, control, rest);
    EXPECT_TRUE(rest.failed) << failing;
    EXPECT_EQ(result(rest), result(whole)) << failing;
    EXPECT_EQ(again.error, task.error) << failing;
  }
}

TEST_F(ParallelCheckpoint, OthersAreRefused) {
  Control control = controlOf(1);
  control.checkpointFile = dir_ + "/checkpoint";
  control.about = {.version = "heddle 1", .executable = "e", .command = {"litmus"}, .program = "p"};
  control.seconds = 0.001;
  SumTask task(bench::programText("ainc(10)"));
  RunEnd end;
  run(task, control, end);
  ASSERT_FALSE(end.complete);
  control.resume = readCheckpoint(control.checkpointFile);
  EXPECT_EQ(control.resume->about.command, std::vector<std::string>{"litmus"});
  const auto refused = [&](const About& about, const std::string& why) {
    Control other = control;
    other.about = about;
    try {
      run(task, other, end);
      ADD_FAILURE() << why;
    } catch (const CheckpointError& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  refused({.version = "heddle 2", .executable = "e", .command = {}, .program = "p"}, "made by heddle 1; this is heddle 2");
  refused({.version = "heddle 1", .executable = "f", .command = {}, .program = "p"}, "another build");
  refused({.version = "heddle 1", .executable = "e", .command = {}, .program = "q"}, "another program");
  const std::string damaged = dir_ + "/damaged";
  for (const char* text : {"", "{}", "[]", "{\"heddle-checkpoint\": 1}", "{\"heddle-checkpoint\": 2}", "garbage"}) {
    std::ofstream(damaged) << text;
    EXPECT_THROW(readCheckpoint(damaged), CheckpointError) << text;
  }
  EXPECT_THROW(readCheckpoint(dir_ + "/none"), CheckpointError);
}

std::string contentOf(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A file as a disk, a crash or somebody may leave it.
std::string corrupted(std::string text, std::mt19937& engine) {
  const auto random = [&](std::size_t below) { return static_cast<std::size_t>(engine() % below); };
  const std::size_t at = random(text.size());
  switch (random(7)) {
    case 0: text[at] = static_cast<char>(text[at] ^ (1 << random(8))); break;                        // a bit
    case 1: text.resize(at); break;                                                                  // torn
    case 2: std::fill_n(text.begin() + at, std::min<std::size_t>(512, text.size() - at), 0); break;  // a block of zeros
    case 3: text.erase(at, 1 + random(40)); break;
    case 4: text.insert(at, text.substr(random(text.size()), 1 + random(40))); break;
    case 5: {  // another number, so that the text is still JSON
      std::vector<std::size_t> digits;
      for (std::size_t i = 0; i < text.size(); ++i)
        if (std::isdigit(static_cast<unsigned char>(text[i]))) digits.push_back(i);
      char& digit = text[digits[random(digits.size())]];
      digit = static_cast<char>('0' + (digit - '0' + 1 + random(9)) % 10);
      break;
    }
    default: std::swap(text[at], text[random(text.size())]); break;
  }
  return text;
}

// What is damaged is noticed, and the checkpoint before it used. With that the run has the count of one that was not disturbed.
TEST_F(ParallelCheckpoint, DamagedOnesAreNoticed) {
  SumTask alone(bench::programText("ainc(7)"));
  RunEnd expected;
  run(alone, controlOf(1), expected);
  Control control = controlOf(1);
  control.checkpointFile = dir_ + "/checkpoint";
  control.about.program = "p";
  const std::string previous = control.checkpointFile + ".previous";
  for (unsigned stops = 0; stops < 1000 && !std::filesystem::exists(previous); ++stops) {
    SumTask task(bench::programText("ainc(7)"));
    control.seconds = 0.0004;
    RunEnd end;
    run(task, control, end);
    ASSERT_FALSE(end.complete);
    control.resume = readCheckpoint(control.checkpointFile);
  }
  const std::string good = contentOf(control.checkpointFile), older = contentOf(previous);
  ASSERT_NE(good, older);
  control.seconds = 0;
  std::mt19937 engine(5);
  unsigned noticed = 0;
  for (unsigned i = 0; i < 600; ++i) {
    const std::string text = corrupted(good, engine);
    std::ofstream(control.checkpointFile, std::ios::binary) << text;
    std::ofstream(previous, std::ios::binary) << older;
    control.resume = readCheckpoint(control.checkpointFile);
    if (control.resume->problem.empty()) continue;  // blanks between words
    ++noticed;
    EXPECT_NE(control.resume->problem.find("previous"), std::string::npos);
    std::filesystem::remove(previous);
    EXPECT_THROW(readCheckpoint(control.checkpointFile), CheckpointError);
    if (i % 20 != 0) continue;
    SumTask rest(bench::programText("ainc(7)"));
    RunEnd end;
    run(rest, control, end);
    EXPECT_TRUE(end.complete);
    EXPECT_EQ(result(end), result(expected)) << i;
  }
  EXPECT_GT(noticed, 500u);
}

TEST_F(ParallelCheckpoint, DeepOnesAreDamaged) {
  const std::string file = dir_ + "/checkpoint", depth(1'000'000, '[');
  std::ofstream(file) << "{\"heddle-checkpoint\": 2, \"checksum\": \"\", \"parts\": " << depth << std::string(depth.size(), ']')
                      << "}";
  EXPECT_THROW(readCheckpoint(file), CheckpointError);
}

// The older one is no checkpoint of another run, and a damaged file does not take its place.
TEST_F(ParallelCheckpoint, GenerationsAreOfOneRun) {
  Control control = controlOf(1);
  control.checkpointFile = dir_ + "/checkpoint";
  control.about.program = "p";
  control.seconds = 0.0004;
  const std::string previous = control.checkpointFile + ".previous";
  const auto stop = [&] {
    SumTask task(bench::programText("ainc(8)"));
    RunEnd end;
    run(task, control, end);
    ASSERT_FALSE(end.complete);
  };
  std::ofstream(previous) << "of another run";
  stop();
  EXPECT_NE(contentOf(previous), "of another run");  // there is none, or it is an earlier one of this run
  control.resume = readCheckpoint(control.checkpointFile);
  stop();
  std::ofstream(control.checkpointFile) << "torn";
  control.resume = readCheckpoint(control.checkpointFile);
  EXPECT_FALSE(control.resume->problem.empty());
  stop();
  EXPECT_TRUE(readCheckpoint(previous).problem.empty());
  EXPECT_TRUE(readCheckpoint(control.checkpointFile).problem.empty());
}

TEST(Sample, TakesRealExecutions) {
  for (const char* program : {"ainc(6)", "lockinc(5)", "casrot(7)", "fib_bench(2)"}) {
    SumTask whole(bench::programText(program));
    RunEnd end;
    run(whole, controlOf(1), end);
    const std::set<std::uint64_t> all(whole.seen.begin(), whole.seen.end());
    std::map<std::uint64_t, std::vector<std::uint64_t>> samples;
    for (const std::uint64_t seed : {1, 2, 1}) {
      SumTask task(bench::programText(program));
      Control control = controlOf(1);
      control.samples = 200;
      control.seed = seed;
      RunEnd sampled;
      run(task, control, sampled);
      EXPECT_TRUE(sampled.complete);  // all were drawn
      EXPECT_FALSE(sampled.failed);
      EXPECT_EQ(sampled.findings->executions() + sampled.findings->blocked(), 200u) << program;
      for (const std::uint64_t hash : task.seen) ASSERT_TRUE(all.contains(hash)) << program;
      const auto [known, isNew] = samples.try_emplace(seed, task.seen);
      EXPECT_EQ(known->second, task.seen) << program << ": the same seed";
    }
    EXPECT_NE(samples[1], samples[2]);
    const std::set<std::uint64_t> distinct(samples[1].begin(), samples[1].end());
    EXPECT_GT(distinct.size(), std::min<std::size_t>(all.size() / 4, 40)) << program;
  }
}

// Each execution is about as likely as any other: of ten times as many samples as there are executions few see one never,
// or three times as often as they should.
TEST(Sample, IsNearlyUniform) {
  for (const char* program : {"ainc(6)", "lockinc(5)", "casw(3)"}) {
    SumTask whole(bench::programText(program));
    RunEnd end;
    run(whole, controlOf(1), end);
    std::map<std::uint64_t, unsigned> times;
    for (const std::uint64_t hash : whole.seen) times[hash] = 0;
    SumTask task(bench::programText(program));
    Control control = controlOf(1);
    control.samples = 10 * times.size();
    run(task, control, end);
    for (const std::uint64_t hash : task.seen) ++times[hash];
    const auto rare = std::ranges::count_if(times, [](const auto& each) { return each.second == 0 || each.second > 30; });
    EXPECT_LE(static_cast<std::size_t>(rare), times.size() / 50) << program;
  }
}

TEST(Sample, EndsAtAnError) {
  SumTask task(bench::programText("ainc(7)"));
  task.isError = [](std::uint64_t hash) { return hash % 101 == 3; };
  Control control = controlOf(1);
  control.samples = 5000;
  RunEnd end;
  run(task, control, end);
  EXPECT_TRUE(end.failed);
  EXPECT_EQ(task.error % 101, 3u);
}

// Unbiased: the average over many seeds is the number. Honest: most intervals hold it.
TEST(Sample, EstimatesAreRightOnAverage) {
  for (const char* program : {"ainc(7)", "lockinc(6)", "casrot(9)", "fib_bench(3)", "casw(5)", "lastzero(10)", "sigma(6)"}) {
    SumTask whole(bench::programText(program));
    RunEnd end;
    run(whole, controlOf(1), end);
    const double number = static_cast<double>(end.findings->executions() + end.findings->blocked());
    double sum = 0;
    int held = 0;
    constexpr int kSeeds = 12;
    for (int seed = 1; seed <= kSeeds; ++seed) {
      SumTask task(bench::programText(program));
      const Estimate estimated = estimate(task, static_cast<std::uint64_t>(seed), 60, [] { return false; }, 8);
      ASSERT_TRUE(estimated.isKnown());
      sum += estimated.executions;
      held += estimated.low <= number + 0.5 && number - 0.5 <= estimated.high;
    }
    EXPECT_NEAR(sum / kSeeds, number, 0.1 * number) << program;
    EXPECT_GE(held, kSeeds * 2 / 3) << program;
  }
}

TEST(Parallel, BudgetOfMemory) {
  SumTask task(bench::programText("ainc(11)"));
  for (const unsigned workers : {1u, 2u}) {
    Control control = controlOf(workers);
    control.bytes = 1;
    control.seconds = 60;
    RunEnd end;
    run(task, control, end);
    EXPECT_FALSE(end.complete);
    EXPECT_NE(end.reason.find("of memory in use"), std::string::npos) << end.reason;
  }
}

}  // namespace
}  // namespace heddle::parallel
