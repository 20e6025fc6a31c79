// Random programs with a bound on how often an overwritten write is read (explore/stale_reads.cpp), held against all their
// executions: none comes twice, none is new, and none is missing unless a read in it exceeds the bound.
//
// The definition, as a reader of executions has it. A read exceeds the bound N if its thread has read the same write N times
// before, and in some execution that has the same read, with the same porf-prefix, the write is overwritten by one that does
// not come after the read in porf. With --fair so does one if the thread has seen the write when it last accessed the location,
// and has yielded since.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "explore/explorer.h"
#include "litmus/test.h"
#include "model/library.h"
#include "oracle/explorer_keys.h"
#include "oracle/fuzz.h"
#include "oracle/random_program.h"
#include "oracle/split.h"
#include "oracle/watched_program.h"

namespace heddle::oracle {
namespace {

constexpr std::uint64_t kFirstSeed = 426000;
constexpr std::size_t kLimit = 3000;
constexpr int kMoreRegisters = 100;  // than a random program has

using Keys = std::multiset<std::string>;

// Of loads: N of --stale, or 0; and --fair.
struct Bound {
  unsigned stale = 0;
  bool fair = false;
};

// A program whose threads yield now and then, which litmus tests cannot say: before operations in every other line.
class YieldingProgram final : public Program {
 public:
  explicit YieldingProgram(Program& program) : program_(program) {}
  unsigned threadCount() const override { return program_.threadCount(); }
  unsigned initialThreads() const override { return program_.initialThreads(); }
  void reset() override { program_.reset(); }
  Operation advance(ThreadId thread) override {
    Operation operation = program_.advance(thread);
    operation.afterYield = operation.source % 2 == 0;
    return operation;
  }
  void resume(ThreadId thread, Result result) override { program_.resume(thread, result); }
  Mark mark(ThreadId thread) override { return program_.mark(thread); }
  void rewind(ThreadId thread, Mark mark) override { program_.rewind(thread, mark); }
  void release(Mark mark) override { program_.release(mark); }
  std::vector<Operation> operations() const override { return program_.operations(); }
  Value initialValue(Address address, unsigned size) const override { return program_.initialValue(address, size); }
  std::string locationName(Address address, unsigned size) const override { return program_.locationName(address, size); }
  std::string sourceText(std::uint32_t source) const override { return program_.sourceText(source); }

 private:
  Program& program_;
};

struct SeenExecution {
  std::string key;
  std::set<std::string> repeatedReads;  // that have seen enough of their write, by all that they depend on
};

struct Seen {
  std::vector<SeenExecution> executions;
  std::set<std::string> staleReads;  // repeated reads whose write is overwritten in one of the executions
  std::size_t leftOut = 0;
  bool complete = true;

  Keys keys() const {
    Keys keys;
    for (const SeenExecution& execution : executions) keys.insert(execution.key);
    return keys;
  }
  // Of the executions in which no read exceeds the bound.
  Keys keysWithin() const {
    Keys keys;
    for (const SeenExecution& execution : executions) {
      const bool exceeds = std::ranges::any_of(execution.repeatedReads, [&](auto& read) { return staleReads.contains(read); });
      if (!exceeds) keys.insert(execution.key);
    }
    return keys;
  }
};

// Writes down an execution, and the reads in it that the bound is about.
class ReadObserver final : public explore::Observer {
 public:
  ReadObserver(const Bound& bound, unsigned threads, Seen& seen) : bound_(bound), seen_(seen) {
    for (unsigned t = 0; t < threads; ++t) names_.threads.push_back(static_cast<ThreadId>(t));
  }

  void begin(const Graph& graph) { graph_ = &graph; }
  void error(const ExecutionView&, ThreadId, const Operation&) override { state_ = "failed:"; }
  bool execution(const ExecutionView& graph) override { return full(graph, ""); }
  bool blocked(const ExecutionView& graph) override { return full(graph, "stuck:"); }
  void staleRead(std::uint32_t) override { ++seen_.leftOut; }

 private:
  bool full(const ExecutionView& view, const char* stuck) {
    SeenExecution execution{state_ + stuck + keyOf(view, names_, KeyCoherence::all), {}};
    state_.clear();
    std::map<std::pair<ThreadId, EventId>, unsigned> times;
    for (unsigned t = 0; t < view.threads(); ++t) {
      for (EventId id = view.first(static_cast<ThreadId>(t)); id != kNone; id = view[id].poNext) {
        const heddle::Event& event = view[id];
        if (!event.isRead() || event.rmw) continue;
        const bool tooOften = times[{event.thread, event.rf}]++ >= bound_.stale && bound_.stale != 0;
        if (!tooOften && !(bound_.fair && isAfterYield(id))) continue;
        const std::string text = prefixText(id);
        execution.repeatedReads.insert(text);
        if (isOverwritten(id)) seen_.staleReads.insert(text);
      }
    }
    seen_.executions.push_back(std::move(execution));
    seen_.complete = seen_.executions.size() <= kLimit;
    return seen_.complete;
  }

  // Is what the thread did last with the location about the same write, and has it yielded since?
  bool isAfterYield(EventId read) const {
    const Graph& graph = *graph_;
    bool yielded = graph.operation(read).afterYield;
    for (EventId id = graph[read].poPrev; id != kNone && graph[id].thread == graph[read].thread; id = graph[id].poPrev) {
      const bool access = graph[id].isRead() || graph[id].isWrite();
      if (access && graph[id].location == graph[read].location) {
        const EventId seen = graph[id].isRead() ? graph[id].rf : id;
        return yielded && seen == graph[read].rf;
      }
      yielded |= graph.operation(id).afterYield;
    }
    return false;
  }

  bool isOverwritten(EventId read) const {
    const Graph& graph = *graph_;
    for (EventId later = graph[graph[read].rf].coNext; later != kNone; later = graph[later].coNext) {
      if (!graph.inPrefix(graph.porf(later), read)) return true;
    }
    return false;
  }

  std::string name(EventId id) const {
    return isInitial(id) ? "i" : fmt::format("{}.{}", (*graph_)[id].thread, (*graph_)[id].index);
  }

  // The read and all that comes before it in porf: the events with their values, and what they read from.
  std::string prefixText(EventId read) const {
    const Graph& graph = *graph_;
    std::string text = name(read);
    for (unsigned t = 0; t < graph.threads(); ++t) {
      for (EventId id = graph.first(static_cast<ThreadId>(t)); id != kNone; id = graph[id].poNext) {
        if (id != read && !graph.inPrefix(graph.porf(read), id)) continue;
        const heddle::Event& event = graph[id];
        text += fmt::format(" {}:{}={}", name(id), static_cast<int>(event.kind), event.value);
        if (event.isRead() || event.isWrite()) text += fmt::format("@{}", graph.operation(id).address);
        if (event.isRead()) text += '<' + name(event.rf);
      }
    }
    return text;
  }

  Bound bound_;
  Seen& seen_;
  const Graph* graph_ = nullptr;
  KeyNames names_;
  std::string state_;
};

// `bound`: the one that reads are judged by. `split`: in random parts, by this seed; 0: as a whole.
Seen explore(Program& program, const model::CompiledModel& model, const Bound& bound, explore::ExploreOptions options,
             std::uint64_t split) {
  Seen seen;
  ReadObserver observer(bound, program.threadCount(), seen);
  options.races = true;
  YieldingProgram yielding(program);
  const auto explorePart = [&](const explore::Subtree& part) {
    WatchedProgram watched(yielding);
    explore::Explorer explorer(watched, model, options, observer);
    watched.watch(explorer.graph());
    observer.begin(explorer.graph());
    return explorer.run(part).race;
  };
  std::vector<std::string> keys;
  if (split == 0) {
    explorePart({});
  } else {
    exploreInParts(split, options, keys, explorePart);
  }
  return seen;
}

// Each load a second time, right after the first, into a register of its own: random programs seldom look twice.
Block withLoadsRepeated(const Block& block) {
  Block longer;
  for (Statement statement : block) {
    statement.body = withLoadsRepeated(statement.body);
    statement.otherwise = withLoadsRepeated(statement.otherwise);
    longer.push_back(statement);
    if (statement.kind != StatementKind::load) continue;
    statement.reg += kMoreRegisters;
    longer.push_back(statement);
  }
  return longer;
}

RandomProgram repetitiveProgram(std::uint64_t seed, const std::string& profile) {
  RandomProgram program = randomProgram(seed, profile);
  for (Block& thread : program.threads) thread = withLoadsRepeated(thread);
  return program;
}

bool isPartOf(const Keys& some, const Keys& all) { return std::ranges::includes(all, some); }

struct Tally {
  std::size_t compared = 0, withLoss = 0, withUnfairLoss = 0, keptBeyond = 0;
};

void checkSeed(std::uint64_t seed, const std::string& profile, const std::string& modelName, const Bound& bound, Tally& tally) {
  const std::string text = toLitmus(repetitiveProgram(seed, profile), "stale");
  SCOPED_TRACE(fmt::format("seed {}, {}, {}, stale {}, fair {}\n{}", seed, profile, modelName, bound.stale, bound.fair, text));
  const model::CompiledModel model = compile(model::loadModel(modelName));
  const auto program = [&] { return litmus::parseLitmus(text, "stale.litmus").program; };
  explore::ExploreOptions options{.skipFutile = false};
  const Seen all = explore(*program(), model, bound, options, 0);
  if (!all.complete) return;
  options.stale = bound.stale;
  options.fair = bound.fair;
  const Seen bounded = explore(*program(), model, bound, options, 0);
  const Keys explored = bounded.keys();
  ASSERT_TRUE(isPartOf(explored, all.keys())) << "something is new or comes twice";
  ASSERT_TRUE(isPartOf(all.keysWithin(), explored)) << "something within the bound is lost";
  ASSERT_EQ(bounded.leftOut == 0, explored == all.keys());
  const Seen parts = explore(*program(), model, bound, options, seed);
  ASSERT_EQ(parts.keys(), explored);
  ASSERT_EQ(parts.leftOut, bounded.leftOut);
  ++tally.compared;
  tally.withLoss += bounded.leftOut != 0;
  tally.withUnfairLoss += bounded.leftOut != 0 && bound.stale == 0;
  tally.keptBeyond += std::ranges::any_of(bounded.executions, [](const auto& e) { return !e.repeatedReads.empty(); });
}

class StaleReads : public ::testing::TestWithParam<std::string> {};

TEST_P(StaleReads, OnlyWhatExceedsTheBoundIsLost) {
  Tally tally;
  const auto& models = allModelNames();
  const std::vector<Bound> bounds = {{1, false}, {2, false}, {3, false}, {0, true}, {2, true}};
  for (std::uint64_t i = 0; i < 120; ++i) {
    const std::string& model = models[i % models.size()];
    const Bound bound = bounds[i / models.size() % bounds.size()];
    ASSERT_NO_FATAL_FAILURE(checkSeed(kFirstSeed + i, GetParam(), model, bound, tally));
  }
  EXPECT_GT(tally.compared, 80u);
  EXPECT_GT(tally.withLoss, 10u);
  EXPECT_GT(tally.withUnfairLoss, 2u);
  EXPECT_GT(tally.keptBeyond, 10u);
}

std::string testName(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, ' ', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Profiles, StaleReads,
                         ::testing::Values("relaxed", "mixed orders", "control", "spawn and join", "trylocks", "everything",
                                           "writes to one location"),
                         testName);

}  // namespace
}  // namespace heddle::oracle
