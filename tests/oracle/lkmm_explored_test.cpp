// What programs are explored under when they are checked under lkmm (models/explored/lkmm.cat) against lkmm itself, execution by
// execution. C code is explored under the one and judged by the other, which is right only if
//
//   weaker      every execution that lkmm allows is one of the weaker model,
//   ordered     accesses that its happens-before orders do not race by the kernel's definition,
//   sequential  an execution that is sequentially consistent and has no grace period is allowed (run/kernel_judge.h).
//
// No explorer takes part: executions of random programs are enumerated, and both models evaluated on each.
#include <gtest/gtest.h>

#include "enumerate/enumerate.h"
#include "enumerate/evaluator.h"
#include "litmus/test.h"
#include "lkmm_program.h"
#include "model/cat.h"
#include "model/library.h"

namespace heddle::oracle {
namespace {

using enumerate::Execution;
using enumerate::Level;
using model::BaseRelation;

constexpr bool hasTag(const enumerate::Event& event, EventTag tag) { return (event.tags & tagBit(tag)) != 0; }

Order orderOfTags(const enumerate::Event& event) {
  if (hasTag(event, EventTag::acquire) || hasTag(event, EventTag::lockRead)) return Order::acquire;
  if (hasTag(event, EventTag::lockWrite)) return Order::acquire;
  if (hasTag(event, EventTag::release) || hasTag(event, EventTag::unlock)) return Order::release;
  return event.tags == 0 ? Order::plain : Order::relaxed;
}

EventClass classOfFence(const enumerate::Event& event) {
  if (hasTag(event, EventTag::rmb)) return eventClass(MachineFence::readRead);
  if (hasTag(event, EventTag::wmb)) return eventClass(MachineFence::writeWrite);
  const bool full = hasTag(event, EventTag::mb) || hasTag(event, EventTag::syncRcu) || hasTag(event, EventTag::syncSrcu);
  return eventClass(EventKind::fence, full ? Order::seq_cst : Order::relaxed, false);
}

// The classes of C11 that the same events have in C code. A read-modify-write that is fully ordered is seq_cst there; it keeps
// its fences here, too.
void classify(Execution& execution) {
  std::vector<enumerate::Event>& events = execution.events;
  const auto isFull = [&](std::size_t i) { return !events[i].hasLocation && hasTag(events[i], EventTag::mb); };
  for (std::size_t i = 0; i < events.size(); ++i) {
    enumerate::Event& event = events[i];
    if (event.thread < 0) continue;
    const bool isSection = hasTag(event, EventTag::srcuLock) || hasTag(event, EventTag::srcuUnlock);
    if (isSection || (!event.isRead && !event.isWrite)) {
      event.cls = classOfFence(event);
      continue;
    }
    const bool takesLock = hasTag(event, EventTag::lockRead) || hasTag(event, EventTag::lockWrite);
    event.cls = eventClass(event.isRead ? EventKind::read : EventKind::write, orderOfTags(event), takesLock);
  }
  const relations::BitMatrix& rmw = execution[BaseRelation::rmw];
  for (std::size_t i = 1; i + 1 < events.size(); ++i) {
    if (!rmw.test(i, i + 1)) continue;
    const bool full = i + 2 < events.size() && isFull(i - 1) && isFull(i + 2);
    events[i].cls = eventClass(EventKind::read, full ? Order::seq_cst : orderOfTags(events[i]), true);
    events[i + 1].cls = eventClass(EventKind::write, full ? Order::seq_cst : orderOfTags(events[i + 1]), true);
  }
}

// Axioms of `model` over executions of another one.
class Judge {
 public:
  explicit Judge(const model::Model& model) : evaluator(model, execution) {}

  void show(const Execution& shown) {
    execution = shown;
    evaluator.change(Level::events);
  }

  Execution execution;
  enumerate::Evaluator evaluator;
};

class Comparison final : public enumerate::Observer {
 public:
  Comparison(const model::Model& kernel, const model::Model& explored) : kernel_(kernel), explored_(explored) {
    while (kernel.flags.at(race_).name != "data-race") ++race_;
    happensBefore_ = explored_.evaluator.addRelation(explored.definition("hb"));
  }

  bool isWanted(const enumerate::End&) override { return true; }
  void flag(const std::string&, const enumerate::End&) override {}
  bool shouldStop() override { return false; }

  bool execution(const enumerate::End& end) override {
    ++compared;
    kernel_.show(*end.execution);
    if (kernel_.evaluator.isRaised(race_)) races = true;
    explored_.show(*end.execution);
    classify(explored_.execution);
    if (!explored_.evaluator.axiomsHold()) ++forbidden;
    const relations::BitMatrix& pairs = kernel_.evaluator.pairsOf(race_);
    const relations::BitMatrix& before = explored_.evaluator.pairs(happensBefore_);
    for (std::size_t i = 0; races && i < pairs.size(); ++i) {
      for (std::size_t j = 0; j < pairs.size(); ++j) {
        if (pairs.test(i, j) && (before.test(i, j) || before.test(j, i))) ++orderedRaces;
      }
    }
    return true;
  }

  bool races = false;
  std::uint64_t compared = 0, forbidden = 0, orderedRaces = 0;

 private:
  Judge kernel_, explored_;
  std::size_t race_ = 0, happensBefore_ = 0;
};

// Executions that are coherent and atomic: which are sequentially consistent, and forbidden?
class Interleavings final : public enumerate::Observer {
 public:
  explicit Interleavings(const model::Model& kernel) : kernel_(kernel) {}

  bool isWanted(const enumerate::End&) override { return true; }
  void flag(const std::string&, const enumerate::End&) override {}
  bool shouldStop() override { return false; }

  bool execution(const enumerate::End& end) override {
    const Execution& shown = *end.execution;
    relations::BitMatrix order = shown[BaseRelation::po];
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if (hasTag(shown.events[i], EventTag::syncRcu) || hasTag(shown.events[i], EventTag::syncSrcu)) return true;
      for (const BaseRelation relation : {BaseRelation::rf, BaseRelation::co, BaseRelation::rb}) {
        for (std::size_t w = 0; w < order.words(); ++w) order.row(i)[w] |= shown[relation].row(i)[w];
      }
    }
    order.close();
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if (order.test(i, i)) return true;
    }
    ++sequential;
    kernel_.show(shown);
    if (!kernel_.evaluator.axiomsHold()) ++forbidden;
    return true;
  }

  std::uint64_t sequential = 0, forbidden = 0;

 private:
  Judge kernel_;
};

constexpr unsigned kShards = 4, kPrograms = 600;

class KernelExplorations : public ::testing::TestWithParam<unsigned> {};

void compare(const std::string& text, std::uint64_t& compared, std::uint64_t& sequential) {
  const model::Model kernel = model::loadModel("lkmm"), explored = *model::explorationOf("lkmm");
  const model::Model coherent = model::parseCat("acyclic (po & loc) | rf | co | rb\nempty rmw & (rb ; co)\n", "coherent.cat");
  const litmus::Test test = litmus::parseLitmus(text, "random.litmus", {.dialect = litmus::Dialect::preferKernel});
  Comparison comparison(kernel, explored);
  enumerate::enumerate(*test.kernel, kernel, comparison, false);
  compared += comparison.compared;
  // Of a program with a race not every execution is explored.
  EXPECT_TRUE(comparison.races || comparison.forbidden == 0) << text;
  EXPECT_EQ(comparison.orderedRaces, 0U) << text;
  Interleavings interleavings(kernel);
  enumerate::enumerate(*test.kernel, coherent, interleavings, false);
  sequential += interleavings.sequential;
  EXPECT_EQ(interleavings.forbidden, 0U) << text;
}

TEST_P(KernelExplorations, IsWeakerThanTheKernelsModel) {
  std::uint64_t compared = 0, sequential = 0;
  unsigned programs = 0;
  for (std::uint64_t seed = 1000000 * (GetParam() + 11); programs < kPrograms && !HasFailure(); ++seed) {
    const std::string text = litmusText(randomKernelProgram(seed));
    if (text.size() > 700) continue;
    ++programs;
    SCOPED_TRACE(seed);
    compare(text, compared, sequential);
  }
  EXPECT_GT(compared, 10 * kPrograms);
  EXPECT_GT(sequential, kPrograms);
}

// What C11's release sequences order and the kernel's model does not.
TEST(KernelExploration, OwnExchange) {
  std::uint64_t compared = 0, sequential = 0;
  compare("C own\n{}\n"
          "P0(int *x, int *y) { WRITE_ONCE(*y, 2); smp_mb(); WRITE_ONCE(*y, 1); WRITE_ONCE(*x, 2); }\n"
          "P1(int *x, int *y) { int r0 = xchg_relaxed(x, 2); int r1 = smp_load_acquire(x); WRITE_ONCE(*y, 2); }\n"
          "exists (y=1)\n",
          compared, sequential);
  EXPECT_EQ(compared, 8U);
}

INSTANTIATE_TEST_SUITE_P(Shards, KernelExplorations, ::testing::Range(0U, kShards));

}  // namespace
}  // namespace heddle::oracle
