// Transactions: every consistent execution of a program with transactions, each exactly once.
//
// Marmanis, Kokologiannakis and Vafeiadis, "Model Checking C/C++ with Mixed-Size Accesses", POPL 2025, section 5. Models are not
// extensible by single accesses of a transaction: half of one may have no way to go on. They are by whole transactions. So what is
// added, taken out and revisited is a unit (units.h): a transaction, or an access outside.
//
//   reads      of a unit are choice points one after the other, on the way through its body. A read after a write of its own
//              reads that; any other one chooses a write for each of its bytes. A thread in a transaction goes on before all
//              others                                                                        (transaction_read.cpp)
//   writes     of a transaction stand in no order until its end, which is one choice point: all places that they can have.
//              On a byte they stand in a row. If there is none, the unit may still revisit       (transaction_write.cpp)
//   revisits   of a unit by a new one, together with a keep set of older ones. The revisited unit is taken out and its thread
//              goes through the body again, with all choices; what comes of it counts if it reads from all of them
//                                                                                            (transaction_revisit.cpp)
//
// As the paper says, a unit may be revisited although it reads nothing of what the new one writes: in another run of its body it
// might. Runs that do not in the end are dropped. What a body can read at all is asked of the program where it knows.
//
// The rest is as in mixed_explorer.h: the graph of bytes, left-to-right order, locks.
//
// A thread that is blocked or fails in a transaction is one that never ends it: nobody sees its writes.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "mixer/byte_exploration.h"
#include "mixer/transaction_consistency.h"

namespace heddle::mixer {

// Where the writes of a unit stand in some cells.
struct UnitPlace {
  LineId line;
  BytePlace place;
};

struct UnitChoicePoint {
  struct Heights {
    std::uint32_t options, sources, places, candidates, keeps;
  };

  explore::ChoiceKind kind;
  bool applied = false;             // an option is in the graph
  bool revisiting = false;          // write: its places have been tried
  bool transient = false;           // write, revisit: the unit has no place before it revisits, and its thread has not gone on
  EventId event = kNone;            // read: it; write, revisit: the last event of the unit that writes
  EventId stamp = kNone;            // revisit: of the revisited unit
  std::uint32_t candidate = 0;      // revisit: which one
  Heights heights{};                // before this choice point
  std::uint32_t next = 0, end = 0;  // of its options; write, revisiting: of its candidates
  std::uint32_t ordinal = 0;        // how often it has moved on (explore/subtree.h)
#ifdef HEDDLE_INVARIANTS
  bool fruitful = false;   // revisit: the option in the graph has led to a full graph
  unsigned fruitless = 0;  // the longest chain of fruitless revisits above it
#endif
};

class TransactionExplorer;

}  // namespace heddle::mixer

extern template class heddle::explore::Exploration<heddle::mixer::TransactionExplorer, heddle::mixer::MixedGraph,
                                                   heddle::mixer::TransactionConsistency, heddle::mixer::UnitChoicePoint>;

namespace heddle::mixer {

class TransactionExplorer final : public ByteExploration<TransactionExplorer, TransactionConsistency, UnitChoicePoint> {
 public:
  TransactionExplorer(Program& program, const model::CompiledModel& model, const explore::ExploreOptions& options,
                      explore::Observer& observer);

  bool happensBefore(EventId first, EventId second) override {
    return consistency_.happensBefore(graph_, units_, first, second);
  }

 private:
  using Base = explore::Exploration<TransactionExplorer, MixedGraph, TransactionConsistency, UnitChoicePoint>;
  friend Base;
  friend ByteExploration;
  using ChoicePoint = UnitChoicePoint;
  using Heights = ChoicePoint::Heights;

  // One alternative of a choice point: sources of a read, places of a unit, in the stacks of those.
  struct Option {
    std::uint32_t sources = 0, sourceCount = 0;
    std::uint32_t places = 0, placeCount = 0;
    bool spurious = false;  // the compare-exchange fails although the value matches
  };

  // A unit that another one can revisit, and what is kept for it: first events.
  struct Candidate {
    EventId unit;
    std::uint32_t keeps, keepCount;
  };

  // What a revisit took out, to be put back.
  struct TakenOut {
    std::uint32_t firstDeleted, firstThread;
  };

  // The cells that a unit writes to, and the writes of each in program order.
  struct WrittenCell {
    LineId line;
    std::size_t cell;
    std::vector<EventId> writes;
  };

  // The next step, and the one back (transaction_explorer.cpp).
  int nextThread();
  bool extend(ThreadId thread);
  bool addTransaction(ThreadId thread);
  bool abort(EventId last);
  void noteDependencies(EventId id);
  void noteDependenciesOfWrite(EventId read, EventId write);
  void dropEvent(EventId id);
  void pushEvent(explore::ChoiceKind kind, EventId id) { pushChoicePoint(kind, id).applied = true; }
  void popChoicePoint();
  ChoicePoint& pushChoicePoint(explore::ChoiceKind kind, EventId event);
  [[noreturn]] bool addArrival(ThreadId thread) const { refuseBarrier(thread); }
  [[noreturn]] bool addDeparture(ThreadId thread) const { refuseBarrier(thread); }
  [[noreturn]] void refuseBarrier(ThreadId thread) const;
  [[noreturn]] void refuseInside(ThreadId thread) const;
  bool isInside(ThreadId thread) const;
  EventId openUnit() const;
  bool fullGraph();
  void failedGraph();
  bool lookForRace();
  bool reportGraph();

  // Parts of the tree (transaction_explorer.cpp).
  bool goToFullGraph() { return false; }
  bool mayHaveMore(const ChoicePoint& frame) const;
  void skipRead(ChoicePoint& frame);
  void skipWrite(ChoicePoint& frame);
  void skipRevisit(ChoicePoint& frame);

  std::span<const ByteSource> sources(const Option& option) const {
    return std::span(sources_).subspan(option.sources, option.sourceCount);
  }
  std::span<const UnitPlace> places(const Option& option) const {
    return std::span(places_).subspan(option.places, option.placeCount);
  }

  // Reads (transaction_read.cpp).
  bool addRead(ThreadId thread);
  bool nextRead();
  bool goOn(EventId read);
  void connect(EventId read, std::span<const ByteSource> sources, bool spurious);
  void findSources(EventId read);
  void offerSources(EventId read, const Option& option);

  // Writes (transaction_write.cpp).
  bool addWrite(ThreadId thread);
  bool addRmwWrite(EventId read);
  bool endUnit(EventId last);
  bool nextWrite();
  void resumeAfter(EventId last);
  void findPlaces(EventId unit);
  void findCells(EventId unit);
  void findPlacesFrom(EventId unit, std::size_t cell, std::vector<std::uint32_t>& positions);
  void insert(const WrittenCell& written, std::uint32_t position);
  void remove(const WrittenCell& written);
  void place(EventId unit, const Option& option);
  void unplace(EventId unit);

  // Revisits (transaction_revisit.cpp).
  void findRevisits(EventId unit);
  void findKeepSets(EventId unit, EventId read, std::size_t from, std::vector<EventId>& kept);
  void tryKeepSet(EventId unit, EventId read, std::span<const EventId> kept);
  bool isMaximallyAdded(EventId unit, const Lane* prefix) const;
  const Lane* prefixOf(EventId unit, std::span<const EventId> kept);
  bool mayRead(EventId reader, EventId writer) const;
  bool mayDiffer(EventId reader, EventId writer) const;
  bool readsOutside(EventId unit) const;
  bool readsFrom(EventId reader, EventId writer) const;
  bool isRelevant(EventId unit) const;
  void beginRevisit(const ChoicePoint& frame, std::uint32_t candidate);
  void endRevisit();
  bool nextRevisit();
  void noteFruit();

  Units units_{graph_};

  std::vector<Option> choices_;
  std::vector<ByteSource> sources_;
  std::vector<UnitPlace> places_;
  std::vector<Candidate> candidates_;
  std::vector<EventId> keeps_;

  std::vector<TakenOut> takenOut_;
  std::vector<WrittenCell> cells_;     // of the unit whose places are being looked for
  std::vector<EventId> unitsInOrder_;  // of the graph, oldest first, while revisits are being looked for
  std::vector<EventId> mayBeKept_;     // likewise
  alignas(16) std::array<Lane, Trail::kMaxThreads> keptPrefix_{};
};

}  // namespace heddle::mixer
