// The execution graph of a program under a model that allows cycles in po | rf: one that may have holes.
//
// A write that revisits a read keeps what causes it (causal_order.h), and that need not be all that comes before it in program
// order. So a thread is a row of slots, one for each of its operations, and a slot may be empty while a later one is not: a
// hole, which is where the thread goes on.
//
//     thread 0   | r1 = x | y = 1 |          thread 0   |  hole  | y = 1 |
//
// Events are numbered by their place here, which changes when others are taken out; their order of insertion is their stamp.
// Graphs are small, and are copied to be changed. They answer what the evaluator of axioms asks (relations/evaluator.h).
#pragma once

#include <string>
#include <vector>

#include "model/event_class.h"
#include "program/program.h"
#include "relations/evaluator.h"

namespace heddle::causal {

using Number = std::uint32_t;                            // of an event
inline constexpr Number kNobody = ~Number{0};            // no event
inline constexpr Number kInitialWrite = ~Number{0} - 1;  // of the location in question

struct CausalEvent {
  Operation operation;
  Value value = 0;
  Number rf = kNobody;  // read: kNobody until it has one
  std::uint32_t stamp = 0;
  std::uint32_t slot = 0;
  std::uint32_t location = 0;  // access
  std::uint32_t choices = 0;   // choice: how many values
  std::uint32_t view = 0;      // what happens before it, if the program looks (CausalExplorer::views_)
  ThreadId thread = 0;
  EventKind kind = EventKind::read;
  EventClass cls = 0;
  bool rmw = false;         // half of a read-modify-write that takes place
  bool nonMaximal = false;  // a spurious failure, or a choice but the first

  bool isRead() const { return kind == EventKind::read; }
  bool isWrite() const { return kind == EventKind::write; }
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
};

struct CausalLocation {
  Address address = 0;
  unsigned size = 0;
  Value initial = 0;
  std::vector<Number> order;  // its writes, oldest first, without the initial one
};

class CausalGraph final : public relations::Events {
 public:
  explicit CausalGraph(unsigned threads) : slots_(threads) {}

  std::size_t count() const override { return events_.size(); }
  EventClass classOf(std::size_t event) const override { return events_[event].cls; }
  void fill(model::BaseRelation relation, relations::BitMatrix& result) const override;

  CausalEvent& operator[](Number event) { return events_[event]; }
  const CausalEvent& operator[](Number event) const { return events_[event]; }
  unsigned threads() const { return static_cast<unsigned>(slots_.size()); }
  std::vector<Slot>& slots(ThreadId thread) { return slots_[thread]; }
  const std::vector<Slot>& slots(ThreadId thread) const { return slots_[thread]; }
  Slot& slotOf(Number event) { return slots_[events_[event].thread][events_[event].slot]; }
  const Slot& slotOf(Number event) const { return slots_[events_[event].thread][events_[event].slot]; }
  std::vector<CausalLocation>& locations() { return locations_; }
  const std::vector<CausalLocation>& locations() const { return locations_; }

  // Its place among the events of its thread that are there, from 1.
  std::uint32_t indexOf(Number event) const;
  std::uint32_t eventsOf(ThreadId thread) const;
  bool hasHoleBefore(Number event) const;

  // The location of an access; the first one makes it, with the initial value that it has then. Throws MixedSizes if it overlaps
  // another in part.
  std::uint32_t locate(const Operation& access, const Program& program);

  // A new event of the thread's operation in this slot.
  Number append(ThreadId thread, std::uint32_t slot, const Operation& operation, EventKind kind, EventClass cls);
  // Takes out the newest event, which is in no coherence order.
  void removeNewest();

  void setSource(Number read, Number write);
  Value valueOf(Number write, std::uint32_t location) const {
    return write == kInitialWrite ? locations_[location].initial : events_[write].value;
  }
  // Behind so many writes of its location.
  void place(Number write, std::size_t position);
  void unplace(Number write);
  // How many writes come before what stands behind this one.
  std::size_t positionAfter(std::uint32_t location, Number write) const;

  // The graph of these events only. What has lost its source has none, and what is not of the graph is in no order.
  CausalGraph restrictedTo(const relations::EventSet& kept) const;

  // What leads from issue to issue in every program, and is no dependency of models: the halves of a read-modify-write of one
  // instruction, each to the other, and what a choice is about.
  void fillCauses(relations::BitMatrix& result) const;

  // Says what is there: who reads from whom, the order of writes, and values. `newest`: the event that is the last to be added.
  std::string signature(Number newest) const;

  // Is there nothing left to add to the slot, so that the thread can go on?
  bool isComplete(ThreadId thread, std::uint32_t slot) const;

 private:
  void fillProgramOrder(relations::BitMatrix& result) const;
  void fillDependencies(model::BaseRelation relation, relations::BitMatrix& result) const;
  void fillReadModifyWrites(relations::BitMatrix& result) const;

  std::vector<CausalEvent> events_;
  std::vector<std::vector<Slot>> slots_;  // by thread
  std::vector<CausalLocation> locations_;
};

}  // namespace heddle::causal
