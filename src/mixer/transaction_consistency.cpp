#include "mixer/transaction_consistency.h"

#include <algorithm>

#include "explore/consistency.h"
#include "model/library.h"

namespace heddle::mixer {

TransactionConsistency::TransactionConsistency(const model::CompiledModel& model, const Program& program, bool races)
    : views_(model, ProgramClasses(explore::classesOf(program)), program.threadCount(), races),
      total_(false),
      axioms_(std::make_unique<LiftedAxioms>()) {
  for (const model::CycleAxiom& axiom : model.cycleAxioms)
    total_ = total_ || explore::isTotalOrder(axiom.automaton, kAllClasses);
  const model::Model source = model.source();
  for (const model::Axiom& axiom : source.axioms) axioms_->add(axiom);
  if (races) axioms_->setHappensBefore(source.happensBefore ? source.happensBefore : model::loadModel("rc20").happensBefore);
}

bool TransactionConsistency::isConsistent(const MixedGraph& graph, const Units& units, EventId unit) {
  if (!comesBack(graph, units, unit)) return true;
  return !total_ && axioms_->hold(graph, units);
}

// Is there a cycle of po | rf | co | rb through the unit, where to come to a unit is to come to all of its events?
bool TransactionConsistency::comesBack(const MixedGraph& graph, const Units& units, EventId unit) {
  reached_.begin(graph.top() - kFirstEvent);
  work_.clear();
  bool found = false;
  EventId from = unit;
  const auto reach = [&](EventId id) {
    const EventId to = units.first(id);
    if (to == from || !reached_.insert(to - kFirstEvent)) return;
    found = found || to == unit;
    work_.push_back(to);
  };
  const auto leave = [&] {
    units.forEachEvent(from, [&](EventId id) {
      const Event& event = graph[id];
      if (event.isWrite()) graph.forEachReader(id, graph.access(id).bytes, reach);
      if (event.isWrite() || (event.isRead() && graph.access(id).sourceCount != 0)) {
        graph.forEachCell(id, [&](const ByteCell& cell) {
          const EventId write = event.isWrite() ? id : graph.sourceOf(id, cell.bytes);
          const std::uint32_t position = MixedGraph::positionAfter(cell, write);
          if (position == 0 && !isInitial(write)) return;  // a write that has no place yet
          // Of a transaction several writes may stand in a row.
          for (std::size_t i = position; i < cell.order.size(); ++i) {
            reach(cell.order[i]);
            if (units.first(cell.order[i]) != from) return;
          }
        });
      }
      graph.followThread(id, reach);
      graph.followSpawn(id, reach);
    });
  };
  leave();
  while (!work_.empty() && !found) {
    from = work_.back();
    work_.pop_back();
    leave();
  }
  return found;
}

}  // namespace heddle::mixer
