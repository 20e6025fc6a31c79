// Consistency of graphs with mixed-size accesses (docs/models.md, Mixed sizes).
//
// A model's axioms speak of whole accesses, related by rf, co and rb if they are on some byte. The graph was consistent
// before the last addition, so a violation passes through what is new.
//
//   coherence   irreflexive (hb? ; eco). hb is kept as a view. A new eco path goes through the new event e: from some y
//               to e and on to some x. It is a violation iff x is y or hb-before y, so iff the view of some y that
//               reaches e contains some x that e reaches. Both sets are found by a search, which is short: nothing is
//               reached from an event that was added maximally.
//   sc          acyclic (po | rf | co | rb): can the new event be reached from itself?
//   atomicity   is a matter of where writes are placed (mixed_explorer.h).
//   the rest    is evaluated as it is written, as matrices (lifted_axioms.h), when all else holds.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "explore/marks.h"
#include "explore/views.h"
#include "mixer/lifted_axioms.h"
#include "mixer/mixed_graph.h"

namespace heddle::mixer {

class MixedConsistency {
 public:
  MixedConsistency(const model::CompiledModel& model, const Program& program, bool races)
      : MixedConsistency(model, ProgramClasses(explore::classesOf(program)), program.threadCount(), races) {}

  const explore::ModelViews& views() const { return views_; }

  // The views of an event that has its sources.
  void computeViews(MixedGraph& graph, EventId id) const { views_.compute(graph, id); }

  // Is the graph coherent, and free of cycles where the model says so, if it was without this event?
  bool isCoherent(const MixedGraph& graph, EventId added);
  // Do the remaining axioms hold, if they did without these events? Every cycle that an axiom forbids is one of po, rf,
  // co and rb, so most often it is enough to see that there is none.
  bool holdsOtherwise(const MixedGraph& graph, std::span<const EventId> added);

 private:
  MixedConsistency(const model::CompiledModel& model, const ProgramClasses& classes, unsigned threads, bool races);

  bool comesBack(const MixedGraph& graph, EventId start);

  explore::ModelViews views_;
  bool total_ = false;                    // acyclic (po | rf | co | rb) is an axiom
  std::unique_ptr<LiftedAxioms> axioms_;  // stays where it is: its evaluator knows it by its address

  explore::Marks forward_, backward_;
  std::vector<EventId> work_;
  alignas(16) std::array<Lane, Graph::kMaxThreads> reached_{};
};

}  // namespace heddle::mixer
