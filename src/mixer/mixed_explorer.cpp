#include "mixer/mixed_explorer.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

template class heddle::explore::Exploration<heddle::mixer::MixedExplorer, heddle::mixer::MixedGraph,
                                            heddle::mixer::MixedConsistency, heddle::mixer::MixedChoicePoint>;

namespace heddle::mixer {

using explore::ChoiceKind;

MixedExplorer::MixedExplorer(Program& program, const model::CompiledModel& model, const explore::ExploreOptions& options,
                             explore::Observer& observer)
    : ByteExploration(program, kMixedStates, options, observer, MixedConsistency(model, program, options.races), program) {}

void MixedExplorer::refuseBarrier(ThreadId thread) const {
  throw ProgramError("barriers together with mixed-size accesses are not supported: " +
                     program_.sourceText(pending_[thread].source));
}

MixedExplorer::Heights MixedExplorer::heights() const {
  const auto height = [](const auto& stack) { return static_cast<std::uint32_t>(stack.size()); };
  return {height(choices_), height(sources_), height(places_), height(candidates_), height(keeps_)};
}

MixedChoicePoint& MixedExplorer::pushChoicePoint(ChoiceKind kind, EventId event) {
  const Heights before = heights();
  return trail_.emplace_back(
      ChoicePoint{.kind = kind, .event = event, .heights = before, .next = before.options, .end = before.options});
}

void MixedExplorer::popChoicePoint() {
  const Heights& before = trail_.back().heights;
  choices_.resize(before.options);
  sources_.resize(before.sources);
  places_.resize(before.places);
  candidates_.resize(before.candidates);
  keeps_.resize(before.keeps);
  trail_.pop_back();
}

// Bounded waste (Mixer, Theorem 4.4): a chain of steps none of which leads to a full graph is no longer than the number
// of bytes of a location, here: of a line that are in use. Checked in debug builds. A step is an option that is
// explored; what a write that has no place does is part of the step that added its read.
#ifdef HEDDLE_INVARIANTS
void MixedExplorer::beginOption(ChoicePoint& frame) { frame.applied = true, frame.fruitful = false, frame.fruitless = 0; }

void MixedExplorer::endOption(ChoicePoint& frame, bool isStep) {
  frame.applied = false;
  if (trail_.size() < 2) return;
  ChoicePoint& below = trail_[trail_.size() - 2];
  if (isStep && frame.fruitful) return;
  const unsigned chain = frame.fruitless + (isStep ? 1 : 0);
  int bytes = 0;
  for (LineId l = 1; l < graph_.lines(); ++l) bytes = std::max(bytes, std::popcount(graph_.line(l).known));
  if (chain > static_cast<unsigned>(bytes)) throw std::logic_error("a fruitless chain is longer than the number of bytes");
  below.fruitless = std::max(below.fruitless, chain);
  frame.fruitless = 0;
}
#else
void MixedExplorer::beginOption(ChoicePoint& frame) { frame.applied = true; }
void MixedExplorer::endOption(ChoicePoint& frame, bool) { frame.applied = false; }
#endif

// No thread can go on. Returns false when the observer has seen enough.
bool MixedExplorer::fullGraph() {
#ifdef HEDDLE_INVARIANTS
  for (ChoicePoint& frame : trail_) frame.fruitful = true;
#endif
  return isPassedOver(isStuck()) || reportGraph();
}

bool MixedExplorer::reportGraph() {
  const bool stuck = isStuck();
  reportErrors();
  return reportEnd(stuck);
}

void MixedExplorer::checkRaces(EventId id) {
  const Event& event = graph_[id];
  if (!mayRace(id, graph_.line(event.location).plain)) return;
  const bool plain = event.isPlain();
  const Lane* view = graph_.view(id, consistency_.views().raceView());
  for (EventId other = graph_.newest(); other != kNone; other = graph_[other].orderPrev) {
    const Event& o = graph_[other];
    if (o.thread == event.thread || !graph_.overlap(other, id)) continue;
    if (!(event.isWrite() || o.isWrite()) || !(plain || o.isPlain())) continue;
    if (!graph_.inPrefix(view, other)) return noteRace(other, id);
  }
}

}  // namespace heddle::mixer
