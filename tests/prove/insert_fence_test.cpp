// Inserted fences: what comes with Heddle is monotone, models that are not are found out, and random models are compared
// with random graphs.
#include "prove/insert_fence.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/cat.h"
#include "model/library.h"
#include "prove/mapping.h"
#include "prove/random_graph.h"
#include "prove/requirements.h"
#include "prove/shown.h"

namespace heddle::prove::testing {
namespace {

constexpr Order kFences[] = {Order::acquire, Order::release, Order::acq_rel, Order::seq_cst};

model::Model modelOf(const std::string& axioms) {
  return parseQuery("model m\n" + axioms + "\nend\n", "test.prove").models.at("m");
}

Answer answer(const std::string& axioms, Order order = Order::seq_cst) { return mayInsertFence(modelOf(axioms), order); }

bool consistent(const model::Model& model, const Graph& graph, bool inserted) {
  View view = View::plain({}, {});
  view.inserted = inserted;
  return std::all_of(model.axioms.begin(), model.axioms.end(), [&](const model::Axiom& a) { return holds(a, graph, view); });
}

TEST(InsertFence, AddsNothingToTheModelsThatComeWithHeddle) {
  for (const char* name : {"sc", "tso", "pso", "ra", "ra-msa", "rc11", "rc20", "c11-orig", "mca-no-lb", "mca-rr", "armv8.cat",
                           "prove/power.cat", "imm.cat", "prove/x86-tso.cat", "prove/rc11-alt.cat"}) {
    const model::Model model = model::loadModelToProve(name, "");
    for (const Order order : kFences) EXPECT_EQ(mayInsertFence(model, order).verdict, Verdict::proved) << name;
  }
}

TEST(InsertFence, ThatSeparatesAccessesAddsBehaviour) {
  const std::string axioms = "acyclic ([M] ; (po \\ (po ; [F & SC] ; po)) ; [M] | rf | co | rb) as order";
  const Answer given = answer(axioms);
  ASSERT_EQ(given.verdict, Verdict::refuted);
  const Graph& graph = given.counterexample->graph;
  EXPECT_TRUE(consistent(modelOf(axioms), graph, true)) << shown(graph);
  EXPECT_FALSE(consistent(modelOf(axioms), graph, false)) << shown(graph);
  EXPECT_NE(given.counterexample->what.find("order"), std::string::npos);
  // Other fences are not mentioned.
  for (const Order order : {Order::acquire, Order::release, Order::acq_rel}) {
    EXPECT_EQ(answer(axioms, order).verdict, Verdict::proved);
  }
}

TEST(InsertFence, BetweenAdjacentEventsAddsBehaviour) {
  EXPECT_EQ(answer("irreflexive (po \\ (po ; po)) ; rb").verdict, Verdict::refuted);
  EXPECT_EQ(answer("empty [R] ; (po & ~(po ; po)) ; [W]").verdict, Verdict::refuted);
  // No fence comes between the two events of a read-modify-write.
  EXPECT_EQ(answer("empty (rmw \\ (po ; po)) ; rb").verdict, Verdict::undecided);
}

// What is subtracted does not grow by the fence: program order leads past it, and it is no access.
TEST(InsertFence, IsPassedByProgramOrder) {
  EXPECT_EQ(answer("acyclic (co \\ (po | rf)+) | po").verdict, Verdict::proved);
  EXPECT_EQ(answer("empty (rf \\ (po ; [W] ; po)) ; rb ; rf").verdict, Verdict::proved);
  EXPECT_EQ(answer("acyclic po | (rb \\ (po-loc ; rf?))").verdict, Verdict::proved);
  EXPECT_EQ(answer("acyclic po & ~([~F] ; po ; po ; rf)").verdict, Verdict::undecided);
  EXPECT_EQ(answer("acyclic po & ~([~F] ; (po ; [M])* ; po ; rf)").verdict, Verdict::proved);
}

// The fence itself is ordered with both accesses, so a cycle remains one. That is beyond the rules, and no execution
// contradicts it.
TEST(InsertFence, IsNotDecidedWhereTheFenceClosesTheGapItMakes) {
  const Answer given = answer("acyclic (po \\ (po ; [F] ; po)) | rf | co | rb as order");
  EXPECT_EQ(given.verdict, Verdict::undecided);
  ASSERT_EQ(given.reasons.size(), 1U);
  EXPECT_NE(given.reasons[0].find("order"), std::string::npos);
}

TEST(InsertFence, IsARequirementForEachKindOfFence) {
  const auto list = requirements(modelOf("empty [M] ; (po \\ (po ; [F & (ACQ | SC)] ; po)) ; [M]"));
  const auto verdictOf = [&](const std::string& fence) {
    const std::string what = "monotone under inserted " + fence + " fences";
    const auto found = std::find_if(list.begin(), list.end(), [&](const RequirementAnswer& a) { return a.what == what; });
    EXPECT_NE(found, list.end()) << what;
    EXPECT_EQ(found->counterexample.has_value(), found->verdict == Verdict::refuted);
    return found->verdict;
  };
  EXPECT_EQ(verdictOf("acquire"), Verdict::refuted);
  EXPECT_EQ(verdictOf("release"), Verdict::proved);
  EXPECT_EQ(verdictOf("acq_rel"), Verdict::proved);
  EXPECT_EQ(verdictOf("seq_cst"), Verdict::refuted);
}

std::string oneOf(Random& random, const std::vector<std::string>& texts) { return texts[random() % texts.size()]; }

// Mostly program order with something between, which a fence may or may not be.
std::string randomPath(Random& random) {
  std::string path = oneOf(random, {"po", "po", "po-loc", "rf"});
  for (auto steps = random() % 3; steps > 0; --steps) {
    const std::string between = oneOf(random, {"", "", "[F] ; ", "[F & SC] ; ", "[F & ~SC] ; ", "[M] ; ", "[~F] ; ", "[A] ; "});
    const std::string next = oneOf(random, {"po", "po", "po", "po \\ loc", "po*", "rf", "rb", "co?"});
    path = "(" + path + ") ; " + between + "(" + next + ")";
    path = "(" + path + ")" + oneOf(random, {"", "", "", "?", "+", " & int", " \\ loc", " | rf"});
  }
  return "(" + path + ")";
}

// An axiom with a difference or a complement, mostly of program order between accesses: what a fence can interrupt.
std::string randomAxiom(Random& random) {
  const auto relation = [&](unsigned depth) { return "(" + randomRelation(random, depth) + ")"; };
  const std::string part = oneOf(random, {"po", "po", "po", relation(1)});
  const std::string path = randomPath(random);
  const std::string negative =
      "[M] ; (" +
      oneOf(random, {part + " \\ " + path, part + " & ~" + path, part + " \\ (po \\ (po \\ " + path + "))",
                     "~(" + path + " | " + relation(1) + ") \\ ext \\ id"}) +
      ") ; [M]";
  return oneOf(random, {"acyclic " + negative + " | rf | co | rb", "irreflexive " + negative + " ; (rf | co | rb)+",
                        "irreflexive " + negative + " ; " + relation(1), "empty " + negative + " ; " + relation(0)});
}

TEST(InsertFence, RandomModelsAgreeWithRandomGraphs) {
  constexpr unsigned kModels = 600, kGraphs = 200;
  const ProverLimits limits{.pairs = 1500, .words = 2, .graphs = 60, .pairsToRepeat = 0, .seconds = 0.2, .samples = 20};
  Random random(1);
  std::vector<Graph> graphs;
  for (unsigned i = 0; i < kGraphs; ++i) graphs.push_back(randomGraph(random));
  Count count;
  for (unsigned i = 0; i < kModels; ++i) {
    const std::string axiom = randomAxiom(random);
    const model::Model model = modelOf(axiom);
    const Order order = kFences[i % 4];
    const Answer given = mayInsertFence(model, order, limits);
    if (given.verdict == Verdict::undecided) ++count.undecided;
    if (given.verdict == Verdict::refuted) {
      ++count.refuted;
      const Graph& graph = given.counterexample->graph;
      ASSERT_TRUE(consistent(model, graph, true) && !consistent(model, graph, false)) << axiom << '\n' << shown(graph);
    }
    if (given.verdict != Verdict::proved) continue;
    ++count.proved;
    for (const Graph& graph : graphs) {
      if (consistent(model, graph, true)) continue;
      for (unsigned e = 0; graph.events[e].thread >= 0; ++e) {  // initial writes come last
        const Graph fenced = insertBefore(graph, e, cellOf(eventClass(EventKind::fence, order, false), false, 0));
        ASSERT_FALSE(consistent(model, fenced, true)) << axiom << '\n' << shown(fenced);
      }
    }
  }
  EXPECT_GT(count.proved, kModels / 4);
  EXPECT_GT(count.refuted, kModels / 50);
  RecordProperty("refuted", static_cast<int>(count.refuted));
  RecordProperty("undecided", static_cast<int>(count.undecided));
}

}  // namespace
}  // namespace heddle::prove::testing
