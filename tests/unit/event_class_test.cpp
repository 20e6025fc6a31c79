// Event classes: that there is room for 128, on both sides, though an exploration keeps a set of them in one word.

#include <gtest/gtest.h>

#include <set>

#include "explore/consistency.h"
#include "graph/program_classes.h"

namespace heddle {
namespace {

// Classes that nothing has yet. In one word the second would be taken for the first.
constexpr EventClass kNew = 60, kFar = 124;
static_assert(kNew >= kEventClasses && kFar == kNew + 64);

TEST(EventClass, ASetHasRoomFor128) {
  static_assert(kMostClasses == 128);
  std::set<ClassSet> different;
  ClassSet all;
  for (unsigned cls = 0; cls < kMostClasses; ++cls) {
    const ClassSet one = ClassSet::of(cls);
    EXPECT_TRUE(different.insert(one).second);
    EXPECT_TRUE((all & one).empty());
    all |= one;
    for (unsigned other = 0; other < kMostClasses; ++other) {
      EXPECT_EQ(contains(one, static_cast<EventClass>(other)), other == cls);
      EXPECT_EQ(contains(~one, static_cast<EventClass>(other)), other != cls);
    }
    EXPECT_EQ(ClassSet::ofHalves(one.high(), one.low()), one);
  }
  EXPECT_EQ(all, ClassSet::range(0, kMostClasses));
  EXPECT_EQ(~all, ClassSet());
}

TEST(EventClass, EveryEventHasAClassOfItsOwn) {
  std::set<EventClass> used = {kInitialWriteClass};
  for (const EventKind kind : {EventKind::read, EventKind::write, EventKind::fence, EventKind::thread, EventKind::choice}) {
    for (const bool rmw : {false, true}) {
      for (unsigned order = 0; order < kOrders; ++order) {
        const EventClass cls = eventClass(kind, static_cast<Order>(order), rmw);
        used.insert(cls);
        EXPECT_TRUE(contains(classes::ofKind(kind), cls));
        const bool access = kind == EventKind::read || kind == EventKind::write;
        EXPECT_EQ(contains(classes::kRmw, cls), access && rmw);
        if (!access && kind != EventKind::fence) continue;
        EXPECT_EQ(orderOf(cls), static_cast<Order>(order));
        EXPECT_TRUE(contains(classes::ofOrder(orderOf(cls)), cls));
      }
    }
  }
  for (unsigned fence = 0; fence < kMachineFences; ++fence) {
    const Operation operation = Operation::fence(static_cast<MachineFence>(fence));
    const EventClass cls = classOfFence(operation);
    EXPECT_TRUE(used.insert(cls).second);
    EXPECT_TRUE(contains(classes::kFence, cls));
    EXPECT_EQ(orderOf(cls), Order::plain);
    EXPECT_FALSE(contains(classes::kPlain, cls));
  }
  EXPECT_EQ(used.size(), kEventClasses);
}

TEST(EventClass, AProgramMayHaveClassesFromAnywhere) {
  const ProgramClasses classes(kAllClasses | ClassSet::of(kNew) | ClassSet::of(kFar) | ClassSet::of(127));
  std::set<EventClass> numbers;
  for (unsigned cls = 0; cls < kEventClasses; ++cls) EXPECT_EQ(classes.number(static_cast<EventClass>(cls)), cls);
  for (const EventClass cls : {kNew, kFar, EventClass{127}}) {
    const EventClass number = classes.number(cls);
    EXPECT_GE(number, kEventClasses);
    EXPECT_LT(number, 64);
    EXPECT_TRUE(numbers.insert(number).second);
    EXPECT_EQ(classes.mask(ClassSet::of(cls)), ClassMask{1} << number);
  }
  EXPECT_EQ(classes.mask(ClassSet::of(kFar + 1)), 0u);  // which the program has not
  EXPECT_EQ(classes.mask(classes::kPlain), fixedMask(classes::kPlain));

  EXPECT_NO_THROW(ProgramClasses(ClassSet::range(0, kEventClasses) | ClassSet::range(64 + kEventClasses, 128)));
  EXPECT_THROW(ProgramClasses(ClassSet::range(0, 65)), LimitError);
}

// acyclic [S] ; (po | rf | co)+, for the events of one class. (Without co there would be nothing to search for: see holdsOfEveryGraph.)
model::CycleAxiom cyclesThrough(EventClass cls) {
  const ClassSet any = ClassSet::range(0, kMostClasses);
  model::Automaton automaton;
  automaton.form = model::Form::cycles;
  automaton.transitions = {{{any, model::Letter::po, 0, false, 0},
                            {any, model::Letter::rf, 0, false, 0},
                            {any, model::Letter::co, 0, false, 0},
                            {ClassSet::of(cls), model::Letter::po, 0, true, 0}}};
  automaton.accept = {ClassSet()};
  return {"through", "", automaton, ClassSet()};
}

// Two threads that read what the other writes afterwards, with an event of this class between the two accesses.
bool findsCycle(const model::CycleAxiom& axiom, const ProgramClasses& classes, EventClass between) {
  Graph graph(2, 1, false);
  EventId read[2], write[2];
  for (const ThreadId thread : {ThreadId{0}, ThreadId{1}}) {
    read[thread] = graph.append(thread, EventKind::read, eventClass(EventKind::read, Order::relaxed, false));
    graph.append(thread, EventKind::fence, classes.number(between));
    write[thread] = graph.append(thread, EventKind::write, eventClass(EventKind::write, Order::relaxed, false));
  }
  graph.setRf(read[0], write[1]);
  graph.setRf(read[1], write[0]);
  return explore::interpretAxiom(axiom, classes)->findsCycle(graph, std::span(write, 2));
}

TEST(EventClass, ASearchTellsClassesApartThatAWordWouldNot) {
  const ClassSet both = ClassSet::of(kNew) | ClassSet::of(kFar);
  const ProgramClasses classes(kAllClasses | both);
  for (const EventClass cls : {kNew, kFar}) {
    const EventClass other = cls == kNew ? kFar : kNew;
    EXPECT_TRUE(findsCycle(cyclesThrough(cls), classes, cls));
    EXPECT_FALSE(findsCycle(cyclesThrough(cls), classes, other));
    // Nothing is left to search for in a program without the class.
    EXPECT_EQ(restrictTo(cyclesThrough(cls).automaton, kAllClasses | ClassSet::of(other)).states(), 0u);
    EXPECT_EQ(restrictTo(cyclesThrough(cls).automaton, kAllClasses | both).states(), 1u);
  }
}

}  // namespace
}  // namespace heddle
