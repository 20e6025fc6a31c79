// Programs whose number of executions is known, from the literature or by a formula.
//
// The programs are bench/programs.cpp's. A count that is off by one here means an execution lost or explored twice.
// Where a count is the same under every model, all of rc20, rc11, ra and sc are checked.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "bench/programs.h"
#include "explore/explorer.h"
#include "litmus/test.h"
#include "model/library.h"

namespace heddle::explore {

namespace {

using Models = std::vector<std::string>;

const Models kAll = {"rc20", "rc11", "ra", "sc"};
const Models kWeak = {"rc20", "rc11", "ra"};
const Models kSc = {"sc"};

// Builds that check every step are a hundred times slower and leave the large programs out.
#if defined(NDEBUG) && !defined(HEDDLE_INVARIANTS) && !defined(__SANITIZE_ADDRESS__)
constexpr std::uint64_t kMostExecutions = ~std::uint64_t{0};
#else
constexpr std::uint64_t kMostExecutions = 20'000;
#endif

const model::CompiledModel& compiledModel(const std::string& name) {
  static std::map<std::string, model::CompiledModel> compiled;
  auto found = compiled.find(name);
  if (found == compiled.end()) found = compiled.emplace(name, compile(model::loadModel(name))).first;
  return found->second;
}

// A program that does not say which operations it has.
class Reticent final : public Program {
 public:
  explicit Reticent(Program& program) : program_(program) {}
  unsigned threadCount() const override { return program_.threadCount(); }
  unsigned initialThreads() const override { return program_.initialThreads(); }
  void reset() override { program_.reset(); }
  Operation advance(ThreadId thread) override { return program_.advance(thread); }
  void resume(ThreadId thread, Result result) override { program_.resume(thread, result); }
  Mark mark(ThreadId thread) override { return program_.mark(thread); }
  void rewind(ThreadId thread, Mark mark) override { program_.rewind(thread, mark); }
  void release(Mark mark) override { program_.release(mark); }
  Value initialValue(Address address, unsigned size) const override { return program_.initialValue(address, size); }
  std::string locationName(Address address, unsigned size) const override { return program_.locationName(address, size); }
  std::string sourceText(std::uint32_t source) const override { return program_.sourceText(source); }

 private:
  Program& program_;
};

Statistics explore(const std::string& program, const std::string& model, Equivalence equivalence, bool knownClasses = true) {
  const litmus::Test test = litmus::parseLitmus(bench::programText(program), program + ".litmus");
  ExploreOptions options;
  options.equivalence = equivalence;
  Observer observer;
  Reticent reticent(*test.program);
  Program& explored = knownClasses ? static_cast<Program&>(*test.program) : reticent;
  return Explorer(explored, compiledModel(model), options, observer).run();
}

void expectCount(const std::string& program, std::uint64_t executions, const Models& models,
                 Equivalence equivalence = Equivalence::co) {
  if (executions > kMostExecutions) return;
  for (const std::string& model : models) {
    SCOPED_TRACE(program + " under " + model + (equivalence == Equivalence::rf ? ", rf" : ", co"));
    const Statistics statistics = explore(program, model, equivalence);
    EXPECT_EQ(statistics.executions, executions);
    EXPECT_TRUE(statistics.complete);
    EXPECT_EQ(statistics.errors, 0u);
  }
}

void expectRfCount(const std::string& program, std::uint64_t executions, const Models& models = kAll) {
  expectCount(program, executions, models, Equivalence::rf);
}

std::string sized(const char* family, unsigned size) { return std::string(family) + "(" + std::to_string(size) + ")"; }

std::uint64_t factorial(unsigned n) { return n < 2 ? 1 : n * factorial(n - 1); }

std::uint64_t power(std::uint64_t base, unsigned exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

}  // namespace

// Formulas ----------------------------------------------------------------------------------------------------

TEST(KnownCounts, RWW) {
  expectCount("R+W+W", 6, kAll);
  expectRfCount("R+W+W", 3);
}

TEST(KnownCounts, WWRR) {
  expectCount("W+W+RR", 4, kAll);
  expectRfCount("W+W+RR", 4);
}

TEST(KnownCounts, Readers) {
  for (const unsigned n : {0u, 1u, 2u, 5u, 10u, 14u}) {
    expectCount(sized("readers", n), power(2, n), kAll);
    if (n <= 10) expectRfCount(sized("readers", n), power(2, n));
  }
}

TEST(KnownCounts, WritesToOneLocation) {
  for (unsigned n = 1; n <= 8; ++n) {
    expectCount(sized("nwrites-loc", n), factorial(n), kAll);
    expectRfCount(sized("nwrites-loc", n), 1);
  }
  expectRfCount("nwrites-loc(15)", 1);
}

TEST(KnownCounts, Increments) {
  for (unsigned n = 1; n <= 8; ++n) expectCount(sized("ainc", n), factorial(n), kAll);
  for (unsigned n = 1; n <= 5; ++n) expectCount(sized("binc", n), power(factorial(n), 2), kAll);
  for (unsigned n = 1; n <= 4; ++n) expectCount(sized("cinc", n), power(factorial(n), 3), kAll);
}

// The order of increments is what they read.
TEST(KnownCounts, IncrementsByReadsFrom) {
  for (unsigned n = 1; n <= 6; ++n) expectRfCount(sized("ainc", n), factorial(n));
  for (unsigned n = 1; n <= 4; ++n) expectRfCount(sized("binc", n), power(factorial(n), 2));
  for (unsigned n = 1; n <= 3; ++n) expectRfCount(sized("cinc", n), power(factorial(n), 3));
}

TEST(KnownCounts, IncrementsUnderALock) {
  for (unsigned n = 1; n <= 7; ++n) expectCount(sized("lockinc", n), factorial(n), kAll);
  for (unsigned n = 1; n <= 4; ++n) expectRfCount(sized("lockinc", n), factorial(n));
}

TEST(KnownCounts, Lastzero) {
  for (const unsigned n : {2u, 3u, 5u, 10u, 15u}) {
    expectCount(sized("lastzero", n), (n + 3) * power(2, n - 2), kAll);
    if (n <= 10) expectRfCount(sized("lastzero", n), (n + 3) * power(2, n - 2));
  }
  expectCount("lastzero(20)", 6'029'312, {"rc20"});
}

TEST(KnownCounts, Indexer) {
  expectCount("indexer(11)", 1, kAll);
  expectCount("indexer(12)", 8, kAll);
  expectCount("indexer(13)", 64, kAll);
  expectCount("indexer(14)", 512, kAll);
  expectCount("indexer(15)", 4096, kAll);
  expectRfCount("indexer(13)", 64);
}

// Without the coherence order of the array, which nobody reads, thread i of N reads one of N-i+1 values.
TEST(KnownCounts, Sigma) {
  std::uint64_t odd = 1;
  for (unsigned n = 1; n <= 7; ++n) {
    odd *= 2 * n - 1;
    expectCount(sized("sigma", n), odd, kAll);
    expectRfCount(sized("sigma", n), factorial(n));
  }
  EXPECT_EQ(odd, 135'135u);
}

TEST(KnownCounts, ExponentialMemory) {
  for (const unsigned n : {1u, 2u, 5u, 7u, 8u}) expectCount(sized("exp-mem", n), 2 * factorial(n), kAll);
  expectCount("exp-mem(9)", 725'760, {"rc20"});
}

TEST(KnownCounts, ExponentialMemoryWithoutRmws) {
  for (const unsigned n : {1u, 2u, 3u}) expectCount(sized("exp-mem2", n), power(factorial(n) * (n + 2), 2), kAll);
  expectCount("exp-mem2(4)", 20'736, kAll);
  expectCount("exp-mem2(5)", 705'600, kAll);
  expectCount("exp-mem2(6)", 33'177'600, {"rc20"});
}

// Counts that several tools agree on ---------------------------------------------------------------------------

TEST(KnownCounts, FibBench) {
  expectCount("fib_bench(5)", 525'630, kWeak);
  expectCount("fib_bench(5)", 218'243, kSc);
}

TEST(KnownCounts, Big0) {
  expectCount("big0", 82'472, kWeak);
  expectCount("big0", 69'112, kSc);
  expectRfCount("big0", 82'472, kWeak);  // a location has one writer, so reads-from decides the coherence order
  expectRfCount("big0", 69'112, kSc);
}

TEST(KnownCounts, CompareExchanges) {
  expectCount("casrot(10)", 38'486, kAll);
  expectCount("casw(5)", 32'880, kAll);
}

// Properties of the search itself ------------------------------------------------------------------------------

// The private events before the racy core add no executions, and are not explored again.
TEST(KnownCounts, PrivateEventsAreAddedOnce) {
  for (const std::string& model : kAll) {
    const Statistics small = explore("long(100)", model, Equivalence::co);
    const Statistics large = explore("long(500)", model, Equivalence::co);
    EXPECT_EQ(small.executions, large.executions) << model;
    EXPECT_LE(large.added, small.added + 2 * 400) << model;
  }
}

// What the explorer is told about the program's events makes it faster, never different.
TEST(KnownCounts, ClassesDoNotMatter) {
  for (const char* program : {"fib_bench(3)", "lastzero(7)", "lockinc(4)", "sigma(5)", "casw(4)", "exp-mem2(3)"}) {
    for (const std::string& model : kAll) {
      const Statistics known = explore(program, model, Equivalence::co);
      const Statistics unknown = explore(program, model, Equivalence::co, false);
      EXPECT_EQ(known.executions, unknown.executions) << program << " under " << model;
      EXPECT_EQ(known.blocked, unknown.blocked) << program << " under " << model;
    }
  }
}

}  // namespace heddle::explore
