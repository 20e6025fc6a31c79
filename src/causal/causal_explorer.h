// The explorer for models that allow cycles in po | rf: every consistent execution, each once.
//
// It is the algorithm of explore/explorer.h with a causal order (causal_order.h) in the place of porf, as in the thesis (2.4.1,
// chapters 5 and 6), and with three consequences:
//
//   holes       a revisit keeps the prefix of the write. What comes between in program order is taken out and done again
//               (causal_graph.h); where the thread then comes to an event that was kept, it is given the result that it had.
//   po-earlier  a write may revisit a read of its own thread's past, if nothing leads from the one to the other.
//   maximal     what a revisit takes out must have been added in the maximal way. In a graph with holes the co-latest write is
//               not always consistent: an event is maximal if it took the co-latest option that was consistent in the graph of
//               what had been there before it and of the prefix. A read-modify-write is judged with its write in place.
//
// A step adds what a thread does in its first hole. All its alternatives are found at once, revisits included, by trying them out in
// place; each is then made in place, and undone before the next (causal_undo.cpp).
//
//     read     for each write: is the graph consistent?
//     write    for each place in co: is it? And for each read of the location that is not in its prefix: is all that a revisit
//              takes out maximal, and the graph that is left consistent, for each place in it?
//
// The write of a read-modify-write is a step of its own, right after that of its read. One of two instructions is a read and a
// write, in `rmw`; where there are any, revisits are remembered and nothing has to be maximal (causal_revisit.cpp). Then the
// tree cannot be shared with other processes. The same holds of compare-exchanges where a model lets control end.
//
// Where a model lets control end, as that of the Linux kernel does, a thread may do something else after a hole than it did before,
// for a reason that the model does not know. Such executions are left out, and the run ends as incomplete (LeftOut).
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "causal/causal_consistency.h"
#include "causal/causal_graph.h"
#include "causal/causal_order.h"
#include "explore/any_explorer.h"
#include "graph/graph.h"
#include "model/compile.h"
#include "relations/predecessors.h"

namespace heddle::causal {

class CausalExplorer final : public explore::AnyExplorer {
 public:
  // Throws ProgramError if the program cannot say its dependencies, CatError if the model is not one for graphs with holes.
  CausalExplorer(Program& program, const model::CompiledModel& model, const explore::ExploreOptions& options,
                 explore::Observer& observer);

  explore::Statistics run(const explore::Subtree& part = {}) override;
  explore::Subtree rest() const override { return pathTo(height_, false); }
  explore::Subtree here() const override { return pathTo(height_, true); }
  std::optional<explore::Subtree> split() override;
  bool expand(const explore::Node& node, const explore::NodeVisitor& child) override;
  bool report(const explore::Node& node) override;

  // The graph as it was when a thread ran last, if the program looks at it; else as it is now.
  const ExecutionView& execution() const override {
    if (!isShown_) show();
    return shown_;
  }
  std::size_t raceView() const override { return Trail::viewOffset(shown_.threads(), 1); }
  Value lastValue(ByteRange bytes, Value otherwise) const override;

 private:
  // Where a thread is, with what it is paused at (explore::Threads).
  struct ThreadAt {
    Mark mark = 0;  // paused at the operation
    std::uint32_t slot = 0;
  };

  // An alternative of a step.
  struct Option {
    Number other = kNobody;    // read: from whom; write: after whom in coherence order
    Number read = kNobody;     // write: that is revisited, if it is a revisit
    bool spurious = false;     // a weak compare-exchange that fails although the value is right
    std::uint32_t choice = 0;  // its value
    std::uint32_t kept = 0;    // revisit: what stays (kept_)
  };

  // An alternative that cannot be gone into, with the reason. The exploration goes on without it, and ends as incomplete.
  struct LeftOut {
    std::string why;
  };

  enum class StepKind : std::uint8_t { event, choice, read, write };

  // What a step has changed besides its event, by how much there was of it before (causal_undo.cpp).
  struct Before {
    std::size_t threads = 0, marks = 0, removed = 0, reads = 0, views = 0, kept = 0;
    Number unwritten = kNobody;
  };

  // A step. Its event is there from its beginning to its end, and its alternatives are the last of all.
  struct Frame {
    StepKind kind = StepKind::event;
    ThreadId thread = 0;
    Number event = kNobody;
    std::uint32_t first = 0, count = 0, next = 0;  // alternatives
    bool isMade = false;                           // the one before the next
    bool hasMarks = false;
    Mark firstMark = 0;  // that was made since
    Before before;
  };

  // The loop (causal_explorer.cpp).
  void start();
  bool forward();
  bool nextOption();
  int nextThread() const;
  Frame& push(StepKind kind, ThreadId thread);
  void pop();
  Frame& top() { return frames_[height_ - 1]; }
  void offer(const Option& option) {
    alternatives_.push_back(option);
    ++top().count;
  }
  void follow(const std::vector<explore::PathStep>& path);
  explore::Subtree pathTo(std::size_t height, bool here) const;
  std::uint64_t digest() const;
  bool goesOn();
  void checkLength() const;

  // Threads.
  void pause(ThreadId thread);
  void startThread(ThreadId thread);
  void settle(ThreadId thread);
  bool doesAsBefore(ThreadId thread, const Slot& slot) const;
  void rewind(ThreadId thread, std::uint32_t slot);
  void leaveThread(ThreadId thread);

  // Going back (causal_undo.cpp).
  void keep(ThreadId thread);
  void setMark(ThreadId thread, std::uint32_t slot, Mark mark);
  void removeAllBut(const relations::EventSet& kept);
  void undo(const Frame& frame);

  // Steps (causal_steps.cpp).
  void addStep(ThreadId thread);
  Number append(ThreadId thread, const Operation& operation, CausalEvent event);
  void noteWay(ThreadId thread, const Slot& slot);
  Number appendWriteOf(Number read);
  Number appendWrite(ThreadId thread);
  void addEventStep(StepKind kind, ThreadId thread);
  void addReadStep(ThreadId thread);
  void addWriteStep(ThreadId thread);
  void noticeNoRoom(Number event);
  // Is what is done in a hole the same as before, and does something have to be maximal (causal_revisit.cpp)?
  bool holds() const { return !controlEnds_ && !remembers_; }
  void apply(const Frame& frame, const Option& option);
  void applyEvent(const Frame& frame, std::uint32_t choice);
  Operation joinOfUnjoined(ThreadId thread) const;
  bool hasMoreToJoin() const;
  ThreadSet unjoinedThreads() const;
  void applyRead(const Frame& frame, const Option& option);
  void applyWrite(const Frame& frame, const Option& option);
  void finishRead(Number read);
  void takeEffect(Number read, bool spurious);
  bool mayFailSpuriously(Number read) const;
  bool isAtEnd(ThreadId thread) const;
  void checkHeld(ThreadId thread) const;

  // Barriers (causal_barrier.cpp).
  template <class Counts>
  Value arrived(const Operation& barrier, const relations::EventSet& among, Counts counts) const;
  Value arrivedInRound(const Operation& barrier, const relations::EventSet& among, std::uint32_t round) const;
  Value expectedIn(const Operation& barrier, std::uint32_t round) const;
  relations::EventSet knownTo(ThreadId thread) const;
  std::uint32_t nextRound(ThreadId thread) const;
  std::uint32_t roundOf(ThreadId departing) const;
  bool isMet(ThreadId departing) const;
  Result resultOfArrival(Number arrival) const;
  void checkDepartures() const;

  // Revisits (causal_revisit.cpp).
  void findRevisits(Number write);
  void findRevisits(Number write, const relations::EventSet& prefix, const relations::EventSet& flipped);
  void noticeLeftOut(Number write, const relations::EventSet& prefix);
  void offerRevisit(Number write, Number read, const relations::EventSet& kept);
  relations::EventSet keptBy(Number write, Number read, const relations::EventSet& prefix) const;
  bool keepSources(Number read, const relations::EventSet& kept) const;
  bool areMaximal(Number write, Number read, const relations::EventSet& kept, const relations::EventSet& prefix);
  bool hasRevisited(Number write) const;
  bool isMaximal(Number event, Number write, const relations::EventSet& prefix);
  bool isMaximalRead(Number read, const relations::EventSet& previous);
  bool couldRead(Number read, Number source, const relations::EventSet& previous);
  bool withItsWrite(Number read, const std::function<bool(Number)>& judge);
  bool isMaximalWrite(Number write, const relations::EventSet& previous);
  void applyRevisit(Number write, const Option& option);

  // Compare-exchanges (causal_conditional.cpp).
  bool isConditional(Number read) const { return controlEnds_ && graph_.operationOf(read).kind == OperationKind::cas; }
  relations::EventSet laterThan(Number read, const relations::EventSet& among) const;
  bool isBeforeAny(Number read, const relations::EventSet& later, const relations::EventSet& among);
  bool staysBehind(Number read, const relations::EventSet& among);
  void forEachFlip(Number write, const relations::EventSet& prefix,
                   const std::function<void(const relations::EventSet&, const relations::EventSet&)>& visit);
  relations::EventSet prefixWithout(Number write, const std::vector<Number>& failing, const CausalOrder& order);
  template <class Look>
  auto asFailures(const std::vector<Number>& reads, const Look& look);
  std::vector<Number> successesIn(const relations::EventSet& prefix, Number write) const;

  // Graphs as others see them (causal_report.cpp).
  bool fullGraph();
  bool isPassedOver() const;
  std::vector<Number> eventsByAge() const;
  void show() const;
  LocationId shownLocation(Address address, unsigned size) const;
  void showEvents() const;
  void showClocks() const;
  void unshow() const;
  void showTo(ThreadId thread);
  void showDependencies() const;
  void computeView(Number event);
  void findRace();

  explore::ExploreOptions options_;
  explore::Observer& observer_;
  explore::Statistics statistics_;
  CausalGraph graph_;
  std::vector<ThreadAt> at_;
  std::uint32_t nextStamp_ = 1;
  Number unwritten_ = kNobody;        // the read of a read-modify-write whose write is to come next
  std::vector<Frame> frames_;         // the first height_ of them are the steps; others are there for use again
  std::vector<Option> alternatives_;  // of the steps, the newest last
  std::vector<relations::EventSet> kept_;
  std::size_t height_ = 0;
  std::size_t base_ = 0;
  bool replaying_ = false;
  std::vector<Mark> startMarks_;

  // What was before (causal_undo.cpp).
  struct KeptThread {
    ThreadId thread;
    explore::ThreadState state;
    ThreadAt at;
    Operation pending;
  };
  struct KeptMark {
    ThreadId thread;
    std::uint32_t slot;
    Mark mark;
  };
  struct KeptRead {
    Number read;
    CausalEvent event;
    Result result;
    bool waits;
  };
  std::vector<KeptThread> keptThreads_;
  std::vector<std::uint64_t> keptIn_;  // by thread: the number of the change for which it was kept last
  std::uint64_t changes_ = 0;
  std::vector<KeptMark> keptMarks_;
  std::vector<KeptRead> keptReads_;
  std::vector<Removed> removed_;  // the first so many; others are there for use again
  std::size_t removedCount_ = 0;

  CausalConsistency consistency_;
  CausalOrder order_;
  std::optional<CausalOrder> orderOfModel_;                             // if control ends
  std::string leftOut_;                                                 // why some executions are, if any
  std::vector<std::unordered_map<std::uint64_t, std::uint64_t>> ways_;  // if control ends: by thread, what follows from what
  relations::Predecessors predecessors_;
  std::optional<relations::Term> happensBefore_;
  std::vector<Number> candidates_;           // for revisits
  bool meets_ = false;                       // there has been an arrival at a barrier
  const bool controlEnds_;                   // of the model: what a thread does may depend on more than it says
  const bool remembers_;                     // what has been made, as nothing has to be maximal (causal_revisit.cpp)
  std::set<std::string> remembered_, seen_;  // graphs that revisits have made, and full ones

  bool isWatched_;    // by the program
  bool takesGraphs_;  // the observer
  mutable Graph shown_;
  mutable bool isShown_ = false;
  mutable ThreadId ended_ = 0;  // a thread that the graph is shown to, and its last event
  mutable EventId lastOfEnded_ = kNone;
  mutable std::vector<EventId> shownAs_;     // by number
  mutable std::vector<Number> shownEvents_;  // in the order in which they are shown
  std::vector<Lane> views_;  // of events: for each thread, how many of its events come before it; [0] is of none
};

}  // namespace heddle::causal
