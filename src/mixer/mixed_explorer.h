// Mixer: every consistent execution of a program with mixed-size accesses, each exactly once.
//
// Marmanis, Kokologiannakis and Vafeiadis, "Model Checking C/C++ with Mixed-Size Accesses", POPL 2025, Algorithm 1. The
// exploration is the loop over choice points of explore/explorer.h, on a graph whose rf and co are kept for bytes
// (mixed_graph.h). What differs:
//
//   read      the choices are all consistent combinations of a write for each cell            (mixed_read.cpp)
//   write     all consistent combinations of a place in each cell, then the revisits          (mixed_write.cpp)
//   revisit   of a read by a write together with a keep set of older ones; every byte of the read is chosen again, so
//             that each of these writes is read, and the revisiting write is placed           (mixed_revisit.cpp)
//
// The alternatives of a choice point are found when it is made: the graph is the same when it comes back to it. Threads
// run strictly left to right (thread_parts.h), which keep sets depend on.
//
// A read-modify-write is a read and a write added one right after the other. The write may have no place, because
// another one has read from the same write on some byte; it may then still revisit, and is otherwise dropped (Mixer
// section 4.5). A lock is a compare-exchange of 0 by 1 that stops its thread where it fails. If the mutex is free in
// the end that is no execution, because the thread would have gone on; such graphs are passed over.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "mixer/byte_exploration.h"
#include "mixer/mixed_consistency.h"

namespace heddle::mixer {

struct MixedChoicePoint {
  // Heights of the stacks that hold the alternatives of a choice point.
  struct Heights {
    std::uint32_t options, sources, places, candidates, keeps;
  };

  explore::ChoiceKind kind;
  bool applied = false;             // an option is in the graph
  bool revisiting = false;          // write: its places have been tried
  bool transient = false;           // write of a read-modify-write: it has no place, and its thread has not gone on
  EventId event = kNone;            // revisit: the revisiting write
  EventId read = kNone;             // revisit
  Heights heights{};                // before this choice point
  std::uint32_t next = 0, end = 0;  // of its options; write, revisiting: of its candidates
  std::uint32_t ordinal = 0;        // how often it has moved on (explore/subtree.h)
#ifdef HEDDLE_INVARIANTS
  bool fruitful = false;   // the option in the graph has led to a full graph
  unsigned fruitless = 0;  // the longest chain of fruitless steps above it
#endif
};

class MixedExplorer;

}  // namespace heddle::mixer

extern template class heddle::explore::Exploration<heddle::mixer::MixedExplorer, heddle::mixer::MixedGraph,
                                                   heddle::mixer::MixedConsistency, heddle::mixer::MixedChoicePoint>;

namespace heddle::mixer {

class MixedExplorer final : public ByteExploration<MixedExplorer, MixedConsistency, MixedChoicePoint> {
 public:
  MixedExplorer(Program& program, const model::CompiledModel& model, const explore::ExploreOptions& options,
                explore::Observer& observer);

 private:
  using Base = explore::Exploration<MixedExplorer, MixedGraph, MixedConsistency, MixedChoicePoint>;
  friend Base;
  friend ByteExploration;
  using ChoicePoint = MixedChoicePoint;
  using Heights = ChoicePoint::Heights;

  // One alternative of a choice point: sources of a read, places of a write, in the stacks of those.
  struct Option {
    std::uint32_t sources, sourceCount;
    std::uint32_t places, placeCount;
    bool spurious = false;  // the compare-exchange fails although the value matches
  };

  // A read that a write can revisit, and what is kept for it.
  struct Candidate {
    EventId read;
    std::uint32_t keeps, keepCount;
  };

  // What a revisit changed, to be undone.
  struct SavedRevisit : explore::SetAside {
    std::uint32_t firstSource;
  };

  // A cell that an access covers, and the position that is being considered for it there.
  struct CellChoice {
    const ByteCell* cell;
    std::uint32_t low, high;  // bounds of the position
    std::uint32_t position;
  };

  // The next step, and the one back (mixed_explorer.cpp).
  int nextThread() { return leftmostThread(); }
  void pushEvent(explore::ChoiceKind kind, EventId id) { beginOption(pushChoicePoint(kind, id)); }
  [[noreturn]] bool addArrival(ThreadId thread) const { refuseBarrier(thread); }
  [[noreturn]] bool addDeparture(ThreadId thread) const { refuseBarrier(thread); }
  [[noreturn]] void refuseBarrier(ThreadId thread) const;
  bool fullGraph();
  void failedGraph() { reportGraph(); }
  bool reportGraph();
  void checkRaces(EventId id);

  // Parts of the tree (mixed_split.cpp).
  bool goToFullGraph() { return false; }
  bool mayHaveMore(const ChoicePoint& frame) const;
  void skipRead(ChoicePoint& frame);
  void skipWrite(ChoicePoint& frame);
  void skipRevisit(ChoicePoint& frame);

  // Choice points and their alternatives.
  Heights heights() const;
  ChoicePoint& pushChoicePoint(explore::ChoiceKind kind, EventId event);
  void popChoicePoint();
  std::span<const ByteSource> sources(const Option& option) const {
    return std::span(sources_).subspan(option.sources, option.sourceCount);
  }
  std::span<const BytePlace> places(const Option& option) const {
    return std::span(places_).subspan(option.places, option.placeCount);
  }
  void beginOption(ChoicePoint& frame);
  void endOption(ChoicePoint& frame, bool isStep);
  template <class Compatible, class Emit>
  void forEachCombination(Compatible&& compatible, Emit&& emit);

  // Reads (mixed_read.cpp).
  bool addRead(ThreadId thread);
  bool nextRead();
  bool goOn(EventId read);
  void connect(EventId read, std::span<const ByteSource> sources, bool spurious);
  void findSources(EventId read, std::span<const EventId> relevant, const Option& places, bool placedLast);
  void offerSources(EventId read, EventId revisitor, const Option& option, bool maximal);

  // Writes (mixed_write.cpp).
  bool addWrite(ThreadId thread);
  bool addRmwWrite(EventId read);
  bool nextWrite();
  void findPlaces(EventId write, bool complete);
  bool findCells(EventId write);
  bool isLast(const Option& option, EventId write) const;
  bool splitsRmw(const ByteCell& cell, std::uint32_t position, LineId line) const;

  // Revisits (mixed_revisit.cpp).
  void findRevisits(ChoicePoint& frame);
  void findKeepSets(EventId write, EventId read);
  bool isMaximallyAdded(EventId id, const Lane* prefix) const;
  EventId oldestConflict(EventId write) const;
  bool mayKeep(EventId write, EventId kept, EventId read) const;
  void tryKeepSet(EventId write, EventId read, std::span<const EventId> kept);
  void beginRevisit(EventId write, const Candidate& candidate, bool transient);
  const Lane* prefixOf(EventId write, std::span<const EventId> kept);
  void endRevisit(const ChoicePoint& frame);
  bool nextRevisit();

  std::vector<Option> choices_;
  std::vector<ByteSource> sources_;
  std::vector<BytePlace> places_;
  std::vector<Candidate> candidates_;
  std::vector<EventId> keeps_;

  std::vector<ByteSource> savedSources_;
  std::vector<SavedRevisit> savedRevisits_;

  std::vector<CellChoice> cells_;  // of the access whose alternatives are being looked for
  alignas(16) std::array<Lane, Trail::kMaxThreads> keptPrefix_{};
};

// Calls emit for every choice of a position for each of cells_, the last positions first, in which each two cells are
// compatible.
template <class Compatible, class Emit>
void MixedExplorer::forEachCombination(Compatible&& compatible, Emit&& emit) {
  const std::size_t count = cells_.size();
  std::size_t depth = 0;
  cells_[0].position = cells_[0].high + 1;
  while (true) {
    if (cells_[depth].position == cells_[depth].low) {
      if (depth == 0) return;
      --depth;
      continue;
    }
    --cells_[depth].position;
    bool fits = true;
    for (std::size_t i = 0; i < depth && fits; ++i) fits = compatible(cells_[i], cells_[depth]);
    if (!fits) continue;
    if (depth + 1 == count) {
      emit();
    } else {
      ++depth;
      cells_[depth].position = cells_[depth].high + 1;
    }
  }
}

}  // namespace heddle::mixer
