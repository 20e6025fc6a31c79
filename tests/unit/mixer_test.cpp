// Mixed sizes through the engine's own interface: when the mode begins, what it counts, and what it refuses. Its
// executions are compared with the oracle's in tests/oracle/mixed_explorer_test.cpp, and those of the paper's examples
// are in tests/litmus/mixed.
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "bench/naive_mixed.h"
#include "bench/programs.h"
#include "explore/explorer.h"
#include "litmus/test.h"
#include "mixer/mixed_explorer.h"
#include "model/cat.h"
#include "model/library.h"
#include "run/subject.h"

namespace heddle::mixer {

using explore::Observer;
using explore::Statistics;

namespace {

model::CompiledModel compiled(const std::string& name) { return compile(model::loadModel(name)); }

struct Watching final : Observer {
  unsigned begun = 0, begunMixed = 0;
  std::uint64_t executions = 0, blockedOnes = 0, errors = 0, races = 0;
  std::string why;
  std::function<void(const ExecutionView&)> look = [](const ExecutionView&) {};

  void begin(explore::AnyExplorer& explorer) override {
    if (!explorer.execution().hasMixedSizes()) {
      ++begun;
      return;
    }
    ++begunMixed;
    executions = blockedOnes = 0;
  }
  bool execution(const ExecutionView& graph) override {
    graph.checkInvariants();
    if (graph.hasMixedSizes()) look(graph);
    return ++executions;
  }
  bool blocked(const ExecutionView& graph) override { return blockedOnes += graph.hasMixedSizes(), true; }
  void error(const ExecutionView& graph, ThreadId, const Operation&) override { errors += graph.hasMixedSizes(); }
  void race(const ExecutionView& graph, explore::Race) override { races += graph.hasMixedSizes(); }
};

Statistics exploreOnDemand(Program& program, const model::CompiledModel& model, const explore::ExploreOptions& options,
                           Watching& watching) {
  return run::inRightMode({}, [&](const run::Mode& mode) {
    watching.why = mode.overlap;
    return run::explorePart(program, model, options, watching, mode).statistics;
  });
}

Statistics explored(const std::string& body, const std::string& model, Watching& watching,
                    explore::ExploreOptions options = {}) {
  const litmus::Test test = litmus::parseLitmus("C test\n" + body, "test.litmus");
  options.races = test.hasPlainAccesses;
  return exploreOnDemand(*test.program, compiled(model), options, watching);
}

const char* const kTwoSizes = "{ int x=0; }\n"
                              "P0(atomic_int* x) { int a = atomic_load_explicit(x, memory_order_relaxed); }\n"
                              "P1(atomic_int* x) { atomic_store_explicit((atomic_char*)x + 1, 1, memory_order_relaxed); }\n";

TEST(OnDemand, ProgramsWithoutMixedSizesStayInTheOrdinaryMode) {
  Watching watching;
  const Statistics statistics =
      explored("{ int x=0; }\nP0(atomic_int* x) { int a = atomic_load_explicit(x, memory_order_relaxed); }\n"
               "P1(atomic_int* x) { atomic_store_explicit(x, 1, memory_order_relaxed); }\n",
               "rc20", watching);
  EXPECT_EQ(watching.begun, 1u);
  EXPECT_EQ(watching.begunMixed, 0u);
  EXPECT_EQ(statistics.executions, 2u);
}

TEST(OnDemand, OnlyTheSecondExplorationCounts) {
  Watching watching;
  const Statistics statistics = explored(kTwoSizes, "rc20", watching);
  EXPECT_EQ(watching.begun, 1u);
  EXPECT_EQ(watching.begunMixed, 1u);
  EXPECT_EQ(statistics.executions, 2u);
  EXPECT_EQ(watching.executions, 2u);
  EXPECT_TRUE(statistics.complete);
  EXPECT_NE(watching.why.find("x[1:1]"), std::string::npos) << watching.why;
}

TEST(OnDemand, ModelsThatDoNotDefineMixedSizesRefuseThem) {
  for (const char* name : {"pso", "mca-no-lb", "mca-rr"}) {
    Watching watching;
    try {
      explored(kTwoSizes, name, watching);
      ADD_FAILURE() << name;
    } catch (const ProgramError& error) {
      EXPECT_NE(std::string(error.what()).find(std::string("the model ") + name), std::string::npos) << error.what();
    }
  }
  for (const char* name : {"sc", "tso", "ra", "ra-msa", "rc20", "rc11"}) {
    Watching watching;
    EXPECT_EQ(explored(kTwoSizes, name, watching).executions, 2u) << name;
  }
}

TEST(OnDemand, AFileDeclaresMixedSizes) {
  const std::string axioms = "irreflexive (po ; (rf | co | rb)+)\nempty rmw & (rb ; co)\nacyclic (po | rf)\n";
  EXPECT_FALSE(compile(model::parseCat("\"mine\"\n" + axioms, "mine.cat")).mixedSizes);
  EXPECT_TRUE(compile(model::parseCat("\"mine\"\nmixed-sizes\n" + axioms, "mine.cat")).mixedSizes);
  EXPECT_THROW(compile(model::parseCat("\"mine\"\nmixed-sizes\n" + axioms + "acyclic (po | rf^-1 ; co)\n", "mine.cat")),
               model::CatError);
}

// Programs whose threads are lists of operations.
class Listed final : public Program {
 public:
  explicit Listed(std::vector<std::vector<Operation>> threads) : threads_(std::move(threads)), at_(threads_.size(), 0) {}

  std::map<Value, Wide> wide;  // numbers of 16 bytes

  unsigned threadCount() const override { return static_cast<unsigned>(threads_.size()); }
  unsigned initialThreads() const override { return threadCount(); }
  void reset() override { at_.assign(threads_.size(), 0), marks_.clear(); }
  Operation advance(ThreadId thread) override {
    const auto& list = threads_[thread];
    return at_[thread] < list.size() ? list[at_[thread]] : Operation{};
  }
  void resume(ThreadId thread, Result) override { ++at_[thread]; }
  Mark mark(ThreadId thread) override { return marks_.push_back(at_[thread]), static_cast<Mark>(marks_.size() - 1); }
  void rewind(ThreadId thread, Mark mark) override { at_[thread] = marks_[mark]; }
  void release(Mark mark) override { marks_.resize(mark); }
  Value initialValue(Address, unsigned) const override { return 0; }
  std::string locationName(Address address, unsigned) const override { return std::to_string(address); }
  std::string sourceText(std::uint32_t) const override { return "here"; }
  Wide bytesOfNumber(Value number) const override { return wide.at(number); }
  Value numberOfBytes(Wide bytes) override {
    for (const auto& [number, known] : wide) {
      if (known == bytes) return number;
    }
    const Value number = 1000 + wide.size();
    wide[number] = bytes;
    return number;
  }

 private:
  std::vector<std::vector<Operation>> threads_;
  std::vector<std::size_t> at_, marks_;
};

Operation load(Address address, unsigned size) { return Operation::load(address, size, Order::relaxed); }
Operation store(Address address, unsigned size, Value value) { return Operation::store(address, size, Order::relaxed, value); }

TEST(Mixer, AnAccessAcrossA16ByteBoundaryIsAnError) {
  Watching watching;
  Listed inside({{store(16 + 13, 2, 1), load(16 + 12, 4)}});
  EXPECT_EQ(exploreOnDemand(inside, compiled("rc20"), {}, watching).executions, 1u);
  Listed across({{store(16 + 14, 4, 1), load(16 + 14, 2)}});
  EXPECT_THROW(exploreOnDemand(across, compiled("rc20"), {}, watching), ProgramError);
}

// 16 bytes are the program's numbers: a read of two halves finds the number that stands for them.
TEST(Mixer, ValuesOf16BytesArePutTogether) {
  Listed program({{load(16, 16)}, {store(16, 8, 7)}, {store(24, 8, 9)}});
  program.wide[0] = 0;
  std::multiset<std::pair<std::uint64_t, std::uint64_t>> seen;
  Watching watching;
  watching.look = [&](const ExecutionView& graph) {
    const Wide bytes = program.bytesOfNumber(graph[graph.first(0)].value);
    seen.insert({static_cast<std::uint64_t>(bytes), static_cast<std::uint64_t>(bytes >> 64)});
  };
  EXPECT_EQ(exploreOnDemand(program, compiled("sc"), {}, watching).executions, 4u);
  EXPECT_EQ(seen, (std::multiset<std::pair<std::uint64_t, std::uint64_t>>{{0, 0}, {7, 0}, {0, 9}, {7, 9}}));
}

TEST(Mixer, WritesOf16BytesAreReadInParts) {
  Listed program({{store(16, 16, 1)}, {load(24, 8)}});
  program.wide[1] = Wide{5} << 64 | 3;
  std::multiset<Value> seen;
  Watching watching;
  watching.look = [&](const ExecutionView& graph) { seen.insert(graph[graph.first(1)].value); };
  EXPECT_EQ(exploreOnDemand(program, compiled("ra"), {}, watching).executions, 2u);
  EXPECT_EQ(seen, (std::multiset<Value>{0, 5}));
}

// The coherence order of a word is partial: two writes of different halves are not ordered, whatever else there is.
TEST(Mixer, NoLinearisationComesTwice) {
  for (unsigned writers = 1; writers <= 4; ++writers) {
    std::vector<std::vector<Operation>> threads = {{store(16, 8, 1)}};
    for (unsigned i = 0; i < writers; ++i) threads.push_back({store(16 + 2 * i, 2, 2)});
    Listed program(std::move(threads));
    Watching watching;
    EXPECT_EQ(exploreOnDemand(program, compiled("rc20"), {}, watching).executions, 1u << writers);
  }
}

TEST(Mixer, MutexesWaitAndDeadlocksAreBlocked) {
  const std::string mixed = "{ int x=0; mutex m; mutex n; }\n";
  const std::string use = "atomic_store_explicit((atomic_char*)x, 1, memory_order_relaxed); "
                          "int r = atomic_load_explicit(x, memory_order_relaxed);";
  Watching watching;
  const Statistics free = explored(mixed + "P0(atomic_int* x, mutex* m) { " + use + " lock(m); unlock(m); }\n" +
                                       "P1(mutex* m) { lock(m); unlock(m); }\nP2(mutex* m) { lock(m); unlock(m); }\n",
                                   "rc20", watching);
  EXPECT_EQ(free.executions, 6u);
  EXPECT_EQ(free.blocked, 0u);
  const Statistics crossed =
      explored(mixed + "P0(atomic_int* x, mutex* m, mutex* n) { " + use + " lock(m); lock(n); unlock(n); unlock(m); }\n" +
                   "P1(mutex* m, mutex* n) { lock(n); lock(m); unlock(m); unlock(n); }\n",
               "rc20", watching);
  EXPECT_EQ(crossed.executions, 2u);
  EXPECT_EQ(crossed.blocked, 1u);
}

TEST(Mixer, RacesAreBetweenAccessesThatOverlap) {
  Watching watching;
  explored("{ int x=0; }\nP0(atomic_int* x) { atomic_store_explicit(x, 1, memory_order_relaxed); }\n"
           "P1(atomic_int* x) { int r = atomic_load_explicit((atomic_char*)x, memory_order_relaxed); *((char*)x + 2) = 1; "
           "}\n",
           "rc20", watching);
  EXPECT_EQ(watching.races, 1u);
}

TEST(Mixer, StopsAtTheFirstErrorIfTold) {
  Watching watching;
  const Statistics statistics =
      explored("{ int x=0; }\nP0(atomic_int* x) { int a = atomic_load_explicit(x, memory_order_relaxed); assert(a == 0); }\n"
               "P1(atomic_int* x) { atomic_store_explicit((atomic_char*)x + 1, 1, memory_order_relaxed); }\n",
               "rc20", watching, {.stopAtError = true});
  EXPECT_EQ(watching.errors, 1u);
  EXPECT_FALSE(statistics.complete);
}

// The explorer for mixed sizes is right about programs without them, too.
TEST(Mixer, CountsOrdinaryProgramsAsTheExplorerDoes) {
  for (const char* name : {"ainc(4)", "casw(3)", "lastzero(5)", "fib_bench(2)", "lockinc(4)", "sigma(3)", "casrot(5)",
                           "exp-mem(3)", "indexer(12)", "W+W+RR"}) {
    const litmus::Test test = litmus::parseLitmus(bench::programText(name), name);
    for (const char* model : {"sc", "tso", "ra", "rc20", "rc11"}) {
      Observer ordinary;
      Observer mixed;
      const Statistics expected = explore::Explorer(*test.program, compiled(model), {}, ordinary).run();
      const Statistics found = MixedExplorer(*test.program, compiled(model), {}, mixed).run();
      EXPECT_EQ(found.executions, expected.executions) << name << ' ' << model;
      EXPECT_EQ(found.blocked, expected.blocked) << name << ' ' << model;
    }
  }
}

TEST(Mixer, CountsLockref) {
  const std::uint64_t known[] = {5, 84, 4776};
  for (unsigned threads = 2; threads <= 4; ++threads) {
    const litmus::Test test = litmus::parseLitmus(bench::lockref(threads), "lockref");
    for (const char* model : {"sc", "tso", "ra", "ra-msa", "rc20", "rc11"}) {
      Watching watching;
      EXPECT_EQ(exploreOnDemand(*test.program, compiled(model), {}, watching).executions, known[threads - 2]);
    }
  }
}

// Byte by byte with a filter at the end comes to the same executions.
TEST(NaiveMixedSizes, FindsTheSame) {
  const std::vector<std::vector<Operation>> programs[] = {
      {{load(16, 2)}, {store(16, 1, 1)}, {store(17, 1, 1)}},
      {{store(16, 1, 2), load(17, 1)}, {store(16, 2, 0x101)}},
      {{store(16, 1, 2)}, {load(16, 4)}, {store(16, 2, 0x101)}, {store(18, 2, 0x101)}},
      {{Operation::update(16, 2, Order::relaxed, RmwOp::add, 1)},
       {Operation::update(16, 1, Order::relaxed, RmwOp::add, 1)},
       {load(16, 2)}},
      {{Operation::cas(16, 2, Order::relaxed, Order::relaxed, 0, 0x102)}, {store(17, 1, 1)}, {load(16, 1)}},
  };
  for (const auto& threads : programs) {
    for (const char* model : {"sc", "tso", "ra", "ra-msa"}) {
      Listed program(threads);
      Watching watching;
      const std::uint64_t expected = exploreOnDemand(program, compiled(model), {}, watching).executions;
      const bench::NaiveResult found = bench::exploreNaively(program, compiled(model));
      EXPECT_EQ(found.consistent, expected) << model;
      EXPECT_GE(found.explored, found.consistent);
    }
  }
}

}  // namespace
}  // namespace heddle::mixer
