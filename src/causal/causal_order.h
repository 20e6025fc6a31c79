// What a write comes after for a reason: its prefix, which a revisit keeps.
//
// Under models that allow cycles in po | rf the prefix is taken along a causal order, with (rf | dependencies)+ <= causal order <=
// (po | rf)+ and no cycle in any consistent graph (thesis 2.4.1 and 5.1 to 5.4). With one node for an event there is no such
// order: a read may be given the value of a release store of its own thread before that store may be seen by others, so
// `po ; [release]` and rfi together close cycles in executions that are allowed. So an event has two nodes:
//
//     issue     its location and its value are known
//     commit    others may see it
//
// and the order consists of issue before commit, and of the following, to which a model adds its own:
//
//     issue to issue      addr, data, ctrl, rfi, (coe ; rfe) & int; the halves of a read-modify-write to each other, if it is one
//                         instruction; a choice of the program to all that comes later in its thread, as models say nothing of
//                         choices; `issue-by`
//     commit to commit    `commit-by`
//     commit to issue     rfe; `barrier-by`
//
// A read that has seen a write of another thread keeps earlier writes of its own that this one follows in coherence order. Without
// them a read before those, done again in a hole, might take the later write, and leave no place for them.
//
// Some edges have another event of the thread for a reason: that an address between a read and a write depends on the read
// (addr ; po ; [W]), that there is a fence between them. A revisit may take that event out, and keep the write. What is then done in the
// hole is the same as before, so the read still comes before the write. Otherwise it might be taken out later, and see something in the
// hole that leaves nothing to be done there afterwards. Such edges are found when an event is added, as nothing is missing before it
// then, and are held.
//
// A read-modify-write of two instructions is a read and a write like others, and a choice before the write whether it succeeds.
// What depends on its success depends on the choice. A machine may know that before the read has its value, or the write its
// own, and let what comes after them go ahead; models allow that. So nothing ties the two.
//
// The prefix of a write are the events with a node before its commit.
#pragma once

#include "causal/causal_graph.h"
#include "relations/predecessors.h"

namespace heddle::causal {

class CausalOrder {
 public:
  // `all` is what is said above. `ofModel` is less, where a model says by itself which dependencies order what, as that of the Linux
  // kernel does: control orders no reads, what an exchange writes does not come after what it reads, and what it reads
  // does not come after what its value comes from. Without these a thread could not be run, so `all` has them. Executions
  // in which only they close a cycle are left out, and `ofModel` is for noticing that (causal_revisit.cpp).
  enum class Reasons : std::uint8_t { all, ofModel };

  // For programs with events of these classes.
  CausalOrder(const model::Causality& model, const CausalGraph& graph, ClassSet classes, Reasons reasons = Reasons::all);

  // To be called when an event has been added, in the graph that is asked about.
  void hold(CausalGraph& graph, Number event) const;

  // The write itself is in it.
  void findPrefix(Number write, relations::EventSet& prefix) const;
  // What the issue of some events comes after, and the commit of those among them that others see. They are in it themselves.
  void findBefore(const relations::EventSet& issued, const relations::EventSet& seen, relations::EventSet& before) const;

 private:
  using Term = relations::Term;

  struct Through {  // an alternative of what a model says, which leads through another event
    Term term;
    HeldEdge::Kind kind;
    bool needsAddress;
  };

  // Both sets: what is asked about, and then also what was found.
  template <class Set>
  void find(Set& prefix, Set& commits) const;
  template <class Set>
  void addChoices(std::size_t event, Set& result) const;

  template <class Set>
  void addCauses(const Set& events, Set& result) const;
  template <class Set>
  void addHeld(HeldEdge::Kind kind, const Set& to, Set& result) const;
  void addThrough(const model::ExprPtr& expr, HeldEdge::Kind kind);

  const CausalGraph& graph_;
  const Reasons reasons_;
  relations::Predecessors predecessors_;
  std::vector<Term> issue_, commit_, barrier_;
  std::vector<Through> through_;
  Term data_ = 0;
};

}  // namespace heddle::causal
