// Where a model allows cycles in po | rf: does this program have any?
//
// Under models with dependencies a write may be seen before reads that precede it in program order, if it is not after them in
// the model's causal order (causal/causal_order.h). The explorer of this folder builds no graph with a cycle in po | rf. Where
// nothing is like that, there is none to be built, and the exploration is complete:
//
//     If some consistent execution has a cycle in po | rf, then some consistent execution without one has, in a thread, a read
//     and a later write that is not causally after it.
//
// For let E be an execution with such a cycle, and list its events along the causal order, which has no cycles and contains rf.
// Each part of the cycle leads from a read to a later write of the same thread, and not all of them can be in the causal order. So
// somewhere in the list a write stands before a read that precedes it. Let w be the first such write, and P all before it in the
// list. Every write in P has all earlier reads of its thread in P, so P has no cycle in po | rf. What is missing in the threads of
// P can be added in program order, reads from what is there, as src/causal adds events in holes; it depends on P alone what is to be
// added. Nothing in P comes after a read that was missing, but other reads, so this closes no cycle either. Likewise for the
// thread of w, up to w itself, which has the missing read r before it and does not depend on it: what leads to w in the causal
// order within its thread are dependencies, classes and locations of events, and own writes that are read, all the same as in E.
//
// So the exploration goes on as long as every write comes causally after all reads before it in its thread, judged by what its
// thread alone shows. At the first one that does not it is given up (LoadBuffering), and begins again with src/causal. Threads
// begin and are joined by fences (model::compile asks that), so program order across threads is causal. Nor may anybody see a reader
// leave a read-write lock before what it has done inside: to give such a lock back is a release on every machine, though it
// synchronises with no other reader (graph/lock_order.h).
//
// Which reads come before an event is kept as states of the automaton of the causal order's paths: for each read a set of those that
// paths from it to the event end in. Most reads soon come before whatever follows: what is branched on comes before all that is behind
// the branch, an acquire read before all that is behind it. Such a read is settled. There are sets for the others only, which are
// few, and where there are none there is nothing to do.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "graph/graph.h"
#include "graph/program_classes.h"
#include "model/automaton.h"

namespace heddle::explore {

// A write may be seen before a read that precedes it in its thread: to be explored by src/causal.
struct LoadBuffering {};

class ThreadCausality {
 public:
  // `controlEnds`: of the model, so that a compare-exchange does not order what comes after it by being one.
  ThreadCausality(const model::Automaton& paths, const ProgramClasses& classes, bool controlEnds);

  // An event that has been added, or a read that has another source. Throws LoadBuffering.
  void compute(const Graph& graph, EventId id);

 private:
  using States = std::uint64_t;                       // a set of states of the automaton
  using Steps = std::array<std::vector<States>, 64>;  // by the class of the event that is left, and by state: where it leads

  // Reads of an event's thread, counted from the first.
  struct Reads {
    std::uint32_t all;      // itself included
    std::uint32_t settled;  // so many, the first ones, come before it and all that follows; the others are open
    bool areSettled() const { return settled == all; }
  };

  const States* openAt(EventId id) const { return open_.data() + std::size_t{id - kFirstEvent} * width_; }
  EventClass classOf(const Graph& graph, EventId id) const;
  void findSettling(const ProgramClasses& classes);
  static States follow(States from, const std::vector<States>& steps);
  void pass(const Graph& graph, EventId from, std::uint32_t settled, const Steps& steps);
  void passWithinLocation(const Graph& graph, EventId id);
  void findStates(const Graph& graph, EventId id);
  void keepOpen(EventId id);

  unsigned states_;
  bool controlEnds_;
  std::array<States, 64> at_{};  // by class of writes: the states that accept there
  States settling_ = 0;          // states that program order stays in, and that accept every write
  ClassMask settledAtOnce_ = 0;  // reads that come before whatever follows, by their class alone
  Steps po_, addr_, data_, ctrl_, rfi_, rmw_, poLoc_;
  bool hasPoLoc_ = false;
  std::vector<Reads> reads_;     // by event
  std::size_t width_ = 4;        // how many open reads there is room for at an event
  std::vector<States> open_;     // by event: of its open reads
  std::vector<States> reached_;  // of the event that is looked at: of the reads that were open before it, and of itself
};

}  // namespace heddle::explore
