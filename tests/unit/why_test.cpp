// What is said about an execution, against the exploration that has found it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "explore/explorer.h"
#include "litmus/test.h"
#include "model/library.h"
#include "run/explain.h"
#include "run/litmus_names.h"
#include "util/read_file.h"
#include "why/models.h"
#include "why/remedies.h"

namespace heddle::run {
namespace {

namespace fs = std::filesystem;

// Looks at the first executions of a test.
class Judging final : public explore::Observer {
 public:
  Judging(const litmus::Test& test, const model::Model& model) : names_(test), model_(model) {}

  bool execution(const ExecutionView& graph) override {
    const TraceOptions trace{.ends = {}, .involved = {}, .numbers = &numbers_};
    numbers_.clear();
    const trace::Execution shown = traceOf(graph, names_, trace);
    const ExplainOptions options{
        .model = &model_, .modelName = model_.name, .isRace = false, .race = {}, .trace = &trace, .changed = {}};
    const why::Graph relations = graphOf(graph, names_, options);
    why::Relabelled execution(relations, true);
    // What the exploration has found, the model's text allows; and what it allows under sc is an interleaving.
    EXPECT_EQ(why::Judge(execution, model_, nullptr).forbiddenBy(), std::nullopt);
    const bool isInterleaving = !why::Judge(execution, sc_, nullptr).forbiddenBy();
    const trace::Why why = explain(graph, names_, options);
    EXPECT_EQ(why.isInterleaving, isInterleaving);
    EXPECT_EQ(why.cycle.empty(), isInterleaving);
    EXPECT_EQ(std::ranges::none_of(shown.events, [](const trace::Event& e) { return e.oddity != trace::Oddity::none; }),
              isInterleaving);
    // A read stands below what it reads from.
    for (const trace::Event& event : shown.events) EXPECT_LE(event.from, event.number);
    weak_ += !isInterleaving;
    remedies_ += why.remedies.size();
    return ++executions_ < 30;
  }

  unsigned executions_ = 0, weak_ = 0;
  std::size_t remedies_ = 0;

 private:
  const model::Model sc_ = model::loadModel("sc");
  const LitmusNames names_;
  const model::Model& model_;
  std::unordered_map<EventId, unsigned> numbers_;
};

TEST(Why, AgreesWithTheExploration) {
  unsigned executions = 0, weak = 0;
  std::size_t remedies = 0;
  for (const char* const folder : {"mp", "sb", "rmw", "coherence", "iriw", "threads", "locks"}) {
    const fs::path path = fs::path(HEDDLE_SOURCE_DIR) / "tests/litmus" / folder;
    if (!fs::exists(path)) continue;
    for (const auto& entry : fs::directory_iterator(path)) {
      if (entry.path().extension() != ".litmus") continue;
      for (const char* const name : {"sc", "tso", "ra", "rc20"}) {
        SCOPED_TRACE(entry.path().filename().string() + " under " + name);
        const std::string file = entry.path().string();
        const litmus::Test test = litmus::parseLitmus(util::readFile(file).value(), file);
        if (!test.program) continue;
        const model::Model model = model::loadModel(name);
        Judging observer(test, model);
        try {
          explore::Explorer(*test.program, model::compiledModel(name), {}, observer).run();
        } catch (const std::exception&) {
          continue;  // of mixed sizes, for instance
        }
        executions += observer.executions_;
        weak += observer.weak_;
        remedies += observer.remedies_;
      }
    }
  }
  EXPECT_GT(executions, 500U);
  EXPECT_GT(weak, 50U);
  EXPECT_GT(remedies, 50U);
}

// Message passing by hand: the store and the load of the flag are to change, and each needs the other.
TEST(Why, FindsTheSmallestRemedy) {
  const auto event = [](ThreadId thread, EventKind kind, std::vector<std::size_t> before, std::size_t site) {
    return why::Event{.thread = thread,
                      .kind = kind,
                      .cls = eventClass(kind, Order::relaxed, false),
                      .order = Order::relaxed,
                      .before = std::move(before),
                      .reads = {},
                      .writes = {},
                      .site = site};
  };
  why::Graph graph;
  graph.events = {event(0, EventKind::write, {}, 0), event(0, EventKind::write, {0}, 1), event(1, EventKind::read, {}, 2),
                  event(1, EventKind::read, {2}, 3)};
  graph.events[0].writes = {{0, 1}};
  graph.events[1].writes = {{1, 1}};
  graph.events[2].reads = {{1, 1}};
  graph.events[3].reads = {{0, 0}};
  for (unsigned i = 0; i < 4; ++i) {
    const EventKind kind = graph.events[i].kind;
    graph.sites.push_back({.file = "mp.c", .line = i + 1, .column = 1, .what = "", .kind = kind, .order = Order::relaxed});
  }
  const model::Model rc20 = model::loadModel("rc20");
  why::RemedySearch search(rc20, nullptr);
  search.add(graph);
  const why::Remedies found = search.find(100'000'000);
  ASSERT_EQ(found.found.size(), 1U);
  ASSERT_EQ(found.found[0].changes.size(), 2U);
  EXPECT_EQ(found.found[0].axiom, "coherence");
  EXPECT_EQ(found.found[0].changes[0].order, Order::release);
  EXPECT_EQ(found.found[0].changes[0].site, 1U);
  EXPECT_EQ(found.found[0].changes[1].order, Order::acquire);
  EXPECT_EQ(found.found[0].changes[1].site, 2U);
  const auto verdicts = why::judgeByModels(graph, false);
  ASSERT_EQ(verdicts.size(), 5U);
  EXPECT_EQ(verdicts[0].verdict, trace::Why::Verdict::forbidden);  // sc
  EXPECT_EQ(verdicts[1].verdict, trace::Why::Verdict::forbidden);  // tso
  EXPECT_EQ(verdicts[2].verdict, trace::Why::Verdict::allowed);    // armv8: the writes are reordered, whatever depends on what
}

}  // namespace
}  // namespace heddle::run
