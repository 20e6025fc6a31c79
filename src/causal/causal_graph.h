// The execution graph of a program under a model that allows cycles in po | rf: one that may have holes.
//
// A write that revisits a read keeps what causes it (causal_order.h), and that need not be all that comes before it in program
// order. So a thread is a row of slots, one for each of its operations, and a slot may be empty while a later one is not: a
// hole, which is where the thread goes on.
//
//     thread 0   | r1 = x | y = 1 |          thread 0   |  hole  | y = 1 |
//
// The graph is changed in place. An event has a number as long as it is there, and its order of insertion is its stamp. Numbers are
// used again, so that a set of events is one word in graphs of up to 64 (relations/bit_matrix.h). With each event go rows of bits:
//
//     before, after     program order, both ways, which crosses spawns, joins and barriers
//     readers           who reads from a write
//     addr, data, ctrl  what it depends on
//
// Coherence is a list for each location. What is taken out by a revisit is put back in the opposite order, as if it had never been
// gone. The graph answers what the evaluator of axioms asks (relations/evaluator.h) for any part of it (causal_relations.cpp): a
// part of a graph is the graph of these events only.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "model/event_class.h"
#include "program/program.h"
#include "relations/evaluator.h"
#include "relations/predecessors.h"

namespace heddle::causal {

using Number = std::uint32_t;                            // of an event
inline constexpr Number kNobody = ~Number{0};            // no event
inline constexpr Number kInitialWrite = ~Number{0} - 1;  // of the location in question

struct CausalEvent {
  Value value = 0;
  Number rf = kNobody;  // read: kNobody until it has one
  Number coPrev = kNobody,
         coNext = kNobody;  // write: neighbours, the initial write included. coPrev is kNobody: it has no place
  std::uint32_t stamp = 0;
  std::uint32_t slot = 0;
  std::uint32_t location = 0;  // access
  std::uint32_t choices = 0;   // choice: how many values
  std::uint32_t round = 0;     // arrival, departure
  std::uint32_t view = 0;      // what happens before it, if the program looks (CausalExplorer::views_)
  ThreadId thread = 0;
  EventKind kind = EventKind::read;
  EventClass cls = 0;
  bool rmw = false;         // half of a read-modify-write that takes place
  bool nonMaximal = false;  // a spurious failure, or a choice but the first

  bool isRead() const { return kind == EventKind::read; }
  bool isWrite() const { return kind == EventKind::write; }
};

// An edge of the causal order, from an earlier operation of the thread to this one, that another operation between them is the reason
// for (causal_order.h).
struct HeldEdge {
  enum class Kind : std::uint8_t { issue, commit, barrier };
  Kind kind;
  bool fromWrite, toWrite;  // of a read-modify-write
  std::uint32_t slot;       // where it comes from
};

// An operation of a thread.
struct Slot {
  Operation operation;
  Number event = kNobody;  // its only one, or the read of a read-modify-write
  Number write = kNobody;  // of a read-modify-write
  Mark mark = 0;           // the thread, paused at it; if the thread has come by since what is before it has changed
  Result result;           // what the thread is resumed with, if it is
  bool waits = false;      // for a lock that is taken: the thread is not resumed
  Dependencies dependencies;
  std::vector<HeldEdge> held;
  std::uint32_t location = 0;  // that it has accessed last
};

struct CausalLocation {
  Address address = 0;
  unsigned size = 0;
  Value initial = 0;
  Number first = kNobody, last = kNobody;  // in coherence order, without the initial write
  bool overlaps = false;                   // another location in part
  relations::EventSet accesses;
  relations::EventSet initialReaders;  // who reads from the initial write
};

// An event that a revisit has taken out, with its operation.
struct Removed {
  Number number = kNobody;
  CausalEvent event;
  Slot slot;
  Value initial = 0;  // of its location
};

class CausalGraph final : public relations::Events, public relations::BackwardEvents {
 public:
  enum Row : unsigned { kBefore, kAfter, kReaders, kAddress, kData, kControl, kRows };

  explicit CausalGraph(unsigned threads) : slots_(threads) { clear(); }
  void clear();

  // How many there are, and which.
  std::size_t size() const { return size_; }
  const relations::EventSet& all() const override { return all_; }
  // Room for this many more, for which sets of events become larger.
  void reserve(std::size_t more);
  std::size_t words() const { return words_; }

  CausalEvent& operator[](Number event) { return events_[event]; }
  const CausalEvent& operator[](Number event) const { return events_[event]; }
  std::uint64_t* row(Row row, std::size_t event) { return rows_.data() + (event * kRows + row) * words_; }
  const std::uint64_t* row(Row row, std::size_t event) const { return rows_.data() + (event * kRows + row) * words_; }
  unsigned threads() const { return static_cast<unsigned>(slots_.size()); }
  std::vector<Slot>& slots(ThreadId thread) { return slots_[thread]; }
  const std::vector<Slot>& slots(ThreadId thread) const { return slots_[thread]; }
  Slot& slotOf(Number event) { return slots_[events_[event].thread][events_[event].slot]; }
  const Slot& slotOf(Number event) const { return slots_[events_[event].thread][events_[event].slot]; }
  const Operation& operationOf(Number event) const { return slotOf(event).operation; }
  const std::vector<CausalLocation>& locations() const { return locations_; }
  bool isSpawned(ThreadId thread) const { return spawn_[thread] != kNobody; }
  Number spawnOf(ThreadId thread) const { return spawn_[thread]; }

  // Its place among the events of its thread that are there, from 1.
  std::uint32_t indexOf(Number event) const;
  std::uint32_t eventsOf(ThreadId thread) const;
  bool hasHoleBefore(Number event) const;

  // The location of an access; the first one makes it, with the initial value that it has then. Throws MixedSizes if it overlaps
  // another in part. `guess`: where to look first.
  std::uint32_t locate(const Operation& access, std::uint32_t guess, const Program& program);

  // A new event of the thread's operation in this slot, which has what it depends on. There must be room.
  Number append(const CausalEvent& event);
  // Takes an event out that is in no coherence order and that nobody reads from.
  void remove(Number event);
  // Takes out an event, and puts it back there: in the opposite order, others than writes first.
  void takeOut(Number event, Removed& removed);
  void putBack(Removed& removed);

  void setSource(Number read, Number write);
  Value valueOf(Number write, std::uint32_t location) const {
    return write == kInitialWrite ? locations_[location].initial : events_[write].value;
  }
  // Right after this write of its location.
  void place(Number write, Number after);
  void unplace(Number write);
  Number lastWrite(std::uint32_t location) const {
    return locations_[location].last == kNobody ? kInitialWrite : locations_[location].last;
  }
  // The writes of a location next to one, among some events. What is after the last one is kNobody.
  Number nextWrite(std::uint32_t location, Number write, const relations::EventSet& among) const {
    do {
      write = write == kInitialWrite ? locations_[location].first : events_[write].coNext;
    } while (write != kNobody && !among.test(write));
    return write;
  }
  Number previousWrite(Number write, const relations::EventSet& among) const {
    do {
      write = events_[write].coPrev;
    } while (write < kInitialWrite && !among.test(write));
    return write;
  }
  Number lastWrite(std::uint32_t location, const relations::EventSet& among) const {
    const Number last = lastWrite(location);
    return last == kInitialWrite || among.test(last) ? last : previousWrite(last, among);
  }
  const std::uint64_t* readersOf(Number write, std::uint32_t location) const {
    return write == kInitialWrite ? locations_[location].initialReaders.data() : row(kReaders, write);
  }

  // Says what is there: who reads from whom, the order of writes, and values. `newest`: the event that is the last to be added.
  std::string signature(const relations::EventSet& among, Number newest) const;

  // Is there nothing left to add to the slot, so that the thread can go on?
  bool isComplete(ThreadId thread, std::uint32_t slot) const {
    if (slot >= slots_[thread].size()) return false;
    const Slot& at = slots_[thread][slot];
    if (at.event == kNobody || at.waits) return false;
    return !events_[at.event].rmw || !events_[at.event].isRead() || at.write != kNobody;
  }

  // What relations are made of (causal_relations.cpp).
  std::size_t count() const override { return 64 * words_; }
  EventClass classOf(std::size_t event) const override { return events_[event].cls; }
  bool isEmpty(model::BaseRelation relation) const override;
  void fill(model::BaseRelation relation, const relations::EventSet& among, relations::BitMatrix& result) const override;
  void addPredecessors(model::BaseRelation relation, const relations::EventSet& to,
                       relations::EventSet& result) const override {
    addPredecessorsIn(relation, to, result);
  }
  void addPredecessors(model::BaseRelation relation, const relations::WordSet& to, relations::WordSet& result) const override {
    addPredecessorsIn(relation, to, result);
  }
  // What leads from issue to issue in every program, and is no dependency of models: the halves of a read-modify-write of one
  // instruction, each to the other, and what a choice is about.
  template <class Set>
  void addCauses(const Set& to, Set& result) const;

 private:
  template <class Set>
  void addPredecessorsIn(model::BaseRelation relation, const Set& to, Set& result) const;
  void setBit(Row which, std::size_t event, std::size_t bit) { row(which, event)[bit / 64] |= std::uint64_t{1} << (bit % 64); }
  void clearBit(Row which, std::size_t event, std::size_t bit) {
    row(which, event)[bit / 64] &= ~(std::uint64_t{1} << (bit % 64));
  }
  void enter(Number event);
  void leave(Number event);
  void connect(Number event);
  // The edges of spawns and joins, by thread; nullptr if the event is none.
  Number* threadEdge(Number event);
  void addMeetings(Number event, relations::EventSet& before, relations::EventSet& after) const;
  void connectThreads(Number event);
  void disconnect(Number event);
  void rebuildProgramOrder();
  void fillDependencies(Number event);
  void addDependency(Number from, Number to);
  std::uint64_t* readersRow(Number write, std::uint32_t location) {
    return write == kInitialWrite ? locations_[location].initialReaders.data() : row(kReaders, write);
  }
  void linkReader(Number read);
  void unlinkReader(Number read);
  Number exclusiveLoadOf(Number store) const;

  std::size_t words_ = 1, size_ = 0;
  std::array<bool, kRows> occurs_{};  // dependencies: some operation has had one
  std::vector<CausalEvent> events_;
  std::vector<std::uint64_t> rows_;
  relations::EventSet all_;
  std::vector<relations::EventSet> ofThread_;
  std::vector<Number> spawn_, join_;      // by thread: of it
  std::size_t threadEvents_ = 0;          // and arrivals and departures
  std::vector<std::vector<Slot>> slots_;  // by thread
  std::vector<CausalLocation> locations_;
};

extern template void CausalGraph::addCauses(const relations::EventSet& to, relations::EventSet& result) const;
extern template void CausalGraph::addCauses(const relations::WordSet& to, relations::WordSet& result) const;

}  // namespace heddle::causal
