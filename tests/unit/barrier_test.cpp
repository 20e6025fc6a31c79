// Barriers as primitives, against the same programs with barriers made of counters.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "explore/explorer.h"
#include "litmus/test.h"
#include "model/library.h"

namespace heddle::explore {
namespace {

// What the threads read from x and y in each full execution.
class Outcomes final : public Observer {
 public:
  explicit Outcomes(const Program& program) : program_(program) {}
  bool execution(const ExecutionView& graph) override {
    std::string key;
    for (unsigned t = 0; t < graph.threads(); ++t) {
      key += '|';
      for (EventId id = graph.first(static_cast<ThreadId>(t)); id != kNone; id = graph[id].poNext) {
        if (!graph[id].isRead()) continue;
        const Operation& operation = graph.operation(id);
        const std::string name = program_.locationName(operation.address, operation.size);
        if (name == "x" || name == "y") key += fmt::format(" {}={}", name, graph[id].value);
      }
    }
    seen.insert(key);
    return true;
  }
  void error(const ExecutionView&, ThreadId, const Operation&) override { ++errors; }

  std::set<std::string> seen;
  unsigned errors = 0;

 private:
  const Program& program_;
};

struct Explored {
  std::set<std::string> seen;
  Statistics statistics;
  unsigned errors;
};

Explored explore(const std::string& text, const std::string& model) {
  const litmus::Test test = litmus::parseLitmus(text, "barrier.litmus");
  Outcomes outcomes(*test.program);
  static std::map<std::string, model::CompiledModel> models;
  auto found = models.find(model);
  if (found == models.end()) found = models.emplace(model, compile(model::loadModel(model))).first;
  Explorer explorer(*test.program, found->second, {}, outcomes);
  const Statistics statistics = explorer.run();
  return {outcomes.seen, statistics, outcomes.errors};
}

std::string meeting(unsigned threads, unsigned round, bool primitive) {
  if (primitive) return fmt::format("  barrier_wait(b, {});\n", threads);
  return fmt::format("  atomic_fetch_add_explicit(c{0}, 1, memory_order_acq_rel);\n"
                     "  assume(atomic_load_explicit(c{0}, memory_order_acquire) >= {1});\n",
                     round, threads);
}

std::string randomAccess(std::mt19937& random, unsigned& local) {
  static const std::vector<std::string> places = {"x", "y"};
  const std::string& place = places[random() % 2];
  switch (random() % 4) {
    case 0: return fmt::format("  atomic_store_explicit({}, {}, memory_order_relaxed);\n", place, random() % 3 + 1);
    case 1: return fmt::format("  atomic_store_explicit({}, {}, memory_order_seq_cst);\n", place, random() % 3 + 1);
    case 2: return fmt::format("  int r{} = atomic_load_explicit({}, memory_order_relaxed);\n", local++, place);
    default: return fmt::format("  int r{} = atomic_load_explicit({}, memory_order_acquire);\n", local++, place);
  }
}

std::string randomProgram(unsigned seed, bool primitive) {
  std::mt19937 random(seed);
  const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
  const unsigned threads = 2 + below(2), rounds = threads == 2 ? 1 + below(2) : 1;
  std::string text = "C barriers\n{ x=0; y=0; }\n";
  for (unsigned t = 0; t < threads; ++t) {
    const char* const meetingPlace = primitive ? "mutex* b" : "atomic_int* c0, atomic_int* c1";
    text += fmt::format("P{}(atomic_int* x, atomic_int* y, {}) {{\n", t, meetingPlace);
    unsigned local = 0;
    for (unsigned round = 0; round <= rounds; ++round) {
      for (unsigned n = below(3); n > 0; --n) text += randomAccess(random, local);
      if (round < rounds) text += meeting(threads, round, primitive);
    }
    text += "}\n";
  }
  return text + "exists (x=0)\n";
}

TEST(Barrier, MeetingIsWhatCountersWouldDo) {
  for (const char* model : {"sc", "tso", "pso", "ra", "rc20", "rc11", "c11-orig", "mca-no-lb", "mca-rr"}) {
    for (unsigned seed = 1; seed <= 150; ++seed) {
      const std::string text = randomProgram(seed, true);
      const Explored met = explore(text, model);
      EXPECT_EQ(met.seen, explore(randomProgram(seed, false), model).seen) << model << ", seed " << seed << "\n" << text;
      EXPECT_EQ(met.statistics.blocked, 0u);
      if (HasFailure()) return;
    }
  }
}

std::string waiting(unsigned threads, unsigned count, unsigned times) {
  std::string text = "C barrier\n{}\n";
  for (unsigned t = 0; t < threads; ++t) {
    text += fmt::format("P{}(mutex* b) {{\n", t);
    for (unsigned i = 0; i < times; ++i) text += fmt::format("  barrier_wait(b, {});\n", count);
    text += "}\n";
  }
  return text + "exists (true)\n";
}

TEST(Barrier, ThreadsThatMeetAreOneExecution) {
  for (const unsigned threads : {1u, 2u, 4u, 6u}) {
    const Explored result = explore(waiting(threads, threads, 3), "rc20");
    EXPECT_EQ(result.statistics.executions, 1u);
    EXPECT_EQ(result.statistics.blocked, 0u);
    EXPECT_EQ(result.errors, 0u);
  }
}

TEST(Barrier, TooFewWaitForEver) {
  const Explored result = explore(waiting(2, 3, 1), "rc20");
  EXPECT_EQ(result.statistics.executions, 0u);
  EXPECT_EQ(result.statistics.blocked, 1u);
}

TEST(Barrier, TooManyAreAnError) { EXPECT_NE(explore(waiting(3, 2, 1), "rc20").errors, 0u); }

}  // namespace
}  // namespace heddle::explore
