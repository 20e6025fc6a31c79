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
// A step adds what a thread does in its first hole. All its alternatives are found at once, revisits included, and each is made
// from a copy of the graph as it was: these programs are small, and what is expensive is to evaluate the axioms
// (relations/evaluator.h).
//
//     read     for each write: is the graph consistent?
//     write    for each place in co: is it? And for each read of the location that is not in its prefix: is all that a revisit
//              takes out maximal, and the graph that is left consistent, for each place in it?
//
// The write of a read-modify-write is a step of its own, right after that of its read. One of two instructions is a read and a
// write, in `rmw`; where there are any, revisits are remembered and nothing has to be maximal (causal_revisit.cpp). Then the
// tree cannot be shared with other processes.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "causal/causal_graph.h"
#include "causal/causal_order.h"
#include "explore/any_explorer.h"
#include "graph/graph.h"
#include "model/compile.h"

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

  // The graph as it was when a thread ran last, if the program looks at it; else the last execution that was reported.
  const ExecutionView& execution() const override { return shown_; }
  std::size_t raceView() const override { return Trail::viewOffset(shown_.threads(), 1); }

 private:
  // Where a thread is.
  struct ThreadAt {
    Operation pending;
    explore::ThreadState state = explore::ThreadState::absent;
    Mark mark = 0;  // paused at the operation
    std::uint32_t slot = 0;
  };

  struct Situation {
    CausalGraph graph;
    std::vector<ThreadAt> threads;
    std::uint32_t nextStamp = 1;
    Number unwritten = kNobody;  // the read of a read-modify-write whose write is to come next
  };

  // An alternative of a step.
  struct Option {
    Number source = kNobody;  // read: from whom; otherwise if it is a revisit: the read
    bool isRevisit = false;
    bool spurious = false;     // a weak compare-exchange that fails although the value is right
    std::size_t position = 0;  // write: its place; choice: the value
    relations::EventSet kept;  // revisit
  };

  enum class StepKind : std::uint8_t { event, choice, read, write };

  // A step, with the situation before it.
  struct Frame {
    StepKind kind = StepKind::event;
    ThreadId thread = 0;
    Situation before;
    std::vector<Option> options;
    std::uint32_t next = 0;  // option
    Mark firstMark = 0;      // that was made since
    bool hasMarks = false;
    std::size_t views = 0;  // how many lanes there were
  };

  // The loop (causal_explorer.cpp).
  void start();
  bool forward();
  bool backward();
  bool nextOption();
  int nextThread() const;
  bool canJoin(const ThreadAt& thread) const;
  Frame& push(StepKind kind, ThreadId thread);
  Frame& top() { return frames_[height_ - 1]; }
  void follow(const std::vector<explore::PathStep>& path);
  explore::Subtree pathTo(std::size_t height, bool here) const;
  std::uint64_t digest() const;
  bool goesOn();
  void checkLength() const;

  // Threads.
  void pause(ThreadId thread);
  void startThread(ThreadId thread);
  void settle(ThreadId thread);
  void rewind(ThreadId thread, std::uint32_t slot);
  void restore(const Situation& situation);

  // Steps (causal_steps.cpp).
  void addStep(ThreadId thread);
  Number append(CausalGraph& graph, ThreadId thread, EventKind kind, EventClass cls) const;
  Number appendWriteOf(CausalGraph& graph, Number read) const;
  Number appendWrite(CausalGraph& graph, ThreadId thread) const;
  void addReadStep(ThreadId thread);
  void addWriteStep(ThreadId thread);
  void apply(const Frame& frame, const Option& option);
  void applyEvent(ThreadId thread, std::size_t choice);
  bool findUnjoined(ThreadId thread);
  void applyRead(ThreadId thread, const Option& option);
  void applyWrite(ThreadId thread, const Option& option);
  void finishRead(Number read);
  static void takeEffect(CausalGraph& graph, Number read, bool spurious);

  // Consistency of the graph that is tried out.
  bool holds(relations::Level changed);
  bool isConsistent(const CausalGraph& graph);
  bool isAtEnd(ThreadId thread) const;
  void checkHeld(ThreadId thread) const;

  // Revisits (causal_revisit.cpp).
  void findRevisits(const CausalGraph& graph, Number write, std::vector<Option>& options);
  void offerRevisit(const CausalGraph& graph, Number write, const Option& option, std::vector<Option>& options);
  bool isMaximal(const CausalGraph& graph, Number event, Number write, const relations::EventSet& prefix);
  bool isMaximalRead(CausalGraph previous, Number event);
  bool isMaximalWrite(CausalGraph previous, Number event);
  void applyRevisit(Number write, const Option& option);

  // Graphs as others see them (causal_report.cpp).
  bool fullGraph();
  bool isPassedOver() const;
  void show();
  void unshow();
  void showTo(ThreadId thread);
  void computeView(Number event);
  void findRace();

  explore::ExploreOptions options_;
  explore::Observer& observer_;
  explore::Statistics statistics_;
  Situation now_;
  std::vector<Frame> frames_;  // the first height_ of them are the steps; others are there for use again
  std::size_t height_ = 0;
  std::size_t base_ = 0;
  bool replaying_ = false;
  std::vector<Mark> startMarks_;

  CausalGraph trial_;  // what is tried out; the evaluator is about it
  relations::Evaluator evaluator_;
  CausalOrder order_;
  std::optional<relations::Evaluator::Term> happensBefore_;
  bool remembers_ = false;                   // there are store-exclusives (causal_revisit.cpp)
  std::set<std::string> remembered_, seen_;  // graphs that revisits have made, and full ones
  bool goesForward_ = true;                  // no relation of the model leads against the edges of a graph

  bool isWatched_;  // by the program
  Graph shown_;
  std::vector<EventId> shownAs_;  // by number
  std::vector<Lane> views_;       // of events: for each thread, how many of its events come before it; [0] is of none
};

}  // namespace heddle::causal
