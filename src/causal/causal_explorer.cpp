#include "causal/causal_explorer.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "explore/views.h"
#include "model/cat.h"
#include "model/library.h"
#include "relations/happens_before.h"
#include "relations/leave_out.h"
#include "util/hash.h"

namespace heddle::causal {

using explore::PathStep;
using explore::Subtree;
using explore::ThreadState;
using model::Expr;
using model::ExprKind;

namespace {

constexpr explore::StateTable kStates = [] {
  explore::StateTable table;
  table.fill(ThreadState::ready);
  const auto at = [&](OperationKind kind) -> ThreadState& { return table[static_cast<unsigned>(kind)]; };
  at(OperationKind::join) = ThreadState::joining;
  at(OperationKind::depart) = ThreadState::meeting;
  at(OperationKind::block) = ThreadState::blocked;
  at(OperationKind::error) = ThreadState::failed;
  at(OperationKind::end) = ThreadState::ended;
  return table;
}();

bool hasExclusives(const Program& program) {
  return std::ranges::any_of(program.operations(), [](const Operation& operation) { return operation.isExclusive; });
}

bool hasConditionals(const Program& program) {
  return std::ranges::any_of(program.operations(),
                             [](const Operation& operation) { return operation.kind == OperationKind::cas; });
}

// Does a thread come to the same operation once more? Which thread is joined by one that joins all was found out when it could go on.
bool isAgain(Operation before, const Operation& now) {
  if (before.joinsRest) before.thread = now.thread;
  return before == now;
}

// The classes that its events may have.
ClassSet classesOf(const Program& program) {
  const auto isSpecial = [](const Operation& operation) { return operation.isExclusive || operation.hidesRead; };
  if (std::ranges::any_of(program.operations(), isSpecial)) return kAllClasses;
  const ClassSet classes = explore::classesOf(program);
  const auto isOfThreads = [](const Operation& operation) {
    return operation.kind == OperationKind::arrive || operation.kind == OperationKind::depart;
  };
  const bool meets = std::ranges::any_of(program.operations(), isOfThreads);
  return program.threadCount() == program.initialThreads() && !meets ? classes & ~classes::kThread : classes;
}

model::Model modelFor(const Program& program, const model::CompiledModel& model) {
  return hasExclusives(program) ? forExclusives(model.source()) : model.source();
}
model::Causality causalityOf(const model::CompiledModel& model) { return model.source().causality; }

}  // namespace

CausalExplorer::CausalExplorer(Program& program, const model::CompiledModel& model, const explore::ExploreOptions& options,
                               explore::Observer& observer)
    : AnyExplorer(program, kStates),
      options_(options),
      observer_(observer),
      graph_(program.threadCount()),
      consistency_(modelFor(program, model), graph_, classesOf(program), hasExclusives(program)),
      order_(causalityOf(model), graph_, classesOf(program)),
      predecessors_(graph_),
      controlEnds_(model.controlEnds),
      remembers_(hasExclusives(program) || (model.controlEnds && hasConditionals(program))),
      isWatched_(program.looksAtGraph()),
      takesGraphs_(observer.takesGraphs()),
      shown_(program.threadCount(), 1, program.initialValuesVary()) {
  if (options.equivalence == explore::Equivalence::rf) {
    throw LimitError(fmt::format("the program may have load buffering under the model {}, with which --equivalence rf is not "
                                 "supported; leave it out, or choose a model without load buffering, such as rc11",
                                 model.name));
  }
  if (options.boundsLoads()) {
    throw LimitError(fmt::format(
        "the program may have load buffering under the model {}, which --stale and --fair are not for; leave them out",
        model.name));
  }
  if (!program.trackDependencies()) {
    throw ProgramError(fmt::format("model {} has dependencies, which this program does not tell", model.name));
  }
  if (controlEnds_) {
    shown_.keepDependencies(true);
    orderOfModel_.emplace(causalityOf(model), graph_, classesOf(program), CausalOrder::Reasons::ofModel);
  }
  if (options.races) {
    const model::ExprPtr order = relations::happensBeforeOf(model.source());
    happensBefore_ = predecessors_.add(*relations::leaveOut(order, classesOf(program)));
  }
}

// ---- Threads.

// The thread has run to its next operation.
void CausalExplorer::pause(ThreadId thread) {
  keep(thread);
  if (isWatched_) showTo(thread);
  setPending(thread, program_.advance(thread));
  at_[thread].mark = program_.mark(thread);
  if (height_ == 0 || top().hasMarks) return;
  top().firstMark = at_[thread].mark;
  top().hasMarks = true;
}

void CausalExplorer::startThread(ThreadId thread) {
  keep(thread);
  program_.rewind(thread, startMarks_[thread]);
  at_[thread].slot = 0;
  pause(thread);
}

// Its spawn goes, and with it what the thread has done since.
void CausalExplorer::leaveThread(ThreadId thread) {
  keep(thread);
  program_.rewind(thread, startMarks_[thread]);
  setState(thread, ThreadState::absent);
  at_[thread] = {};
}

// Does the thread do what it did before, and for the same reasons? That follows from the results that it has been given, unless the
// model says that control ends: then something else may be in a hole, or the thread may come by another way.
bool CausalExplorer::doesAsBefore(ThreadId thread, const Slot& slot) const {
  if (!isAgain(slot.operation, pending_[thread])) return false;
  if (!controlEnds_) return true;
  Dependencies dependencies;
  program_.dependencies(thread, dependencies);
  const Dependencies& before = slot.dependencies;
  return dependencies.address == before.address && dependencies.data == before.data && dependencies.control == before.control;
}

// Lets the thread run past what it has done: to its first hole, or the end of what is known of it.
void CausalExplorer::settle(ThreadId thread) {
  if (state_[thread] == ThreadState::absent) return;
  ThreadAt& at = at_[thread];
  std::vector<Slot>& slots = graph_.slots(thread);
  while (graph_.isComplete(thread, at.slot)) {
    const Slot& slot = slots[at.slot];
    // It has raced with what has been done meanwhile: what it has done before stays, but it goes no further.
    if (state_[thread] == ThreadState::failed) return;
    if (slot.mark != at.mark && !doesAsBefore(thread, slot)) {
      if (controlEnds_) {
        throw LeftOut{"what the thread does at " + program_.sourceText(slot.operation.source) +
                      " depends on a read that the model does not order before it"};
      }
      throw std::logic_error("a thread does something else than before, although nothing that it depends on has changed");
    }
    keep(thread);
    setMark(thread, at.slot, at.mark);
    program_.resume(thread, slot.result);
    ++at.slot;
    pause(thread);
  }
  if (at.slot >= slots.size()) return;
  setMark(thread, at.slot, at.mark);
  if (slots[at.slot].event != kNobody && slots[at.slot].waits && state_[thread] != ThreadState::locking) {
    keep(thread);
    setState(thread, ThreadState::locking);
  }
}

// Back to an operation that the thread has come by.
void CausalExplorer::rewind(ThreadId thread, std::uint32_t number) {
  keep(thread);
  const Slot& slot = graph_.slots(thread)[number];
  setPending(thread, slot.operation);
  at_[thread] = {slot.mark, number};
  program_.rewind(thread, slot.mark);
}

int CausalExplorer::nextThread() const {
  const ThreadSet& ready = threadsIn(ThreadState::ready);
  const int first = ready.empty() ? -1 : ready.first();
  for (const ThreadId thread : threadsIn(ThreadState::joining)) {
    if (first >= 0 && thread > first) break;
    if (canJoin(thread)) return thread;
  }
  for (const ThreadId thread : threadsIn(ThreadState::meeting)) {
    if (first >= 0 && thread > first) break;
    if (isMet(thread)) return thread;
  }
  return first;
}

// ---- The loop.

void CausalExplorer::start() {
  height_ = 0;
  base_ = 0;
  alternatives_.clear();
  kept_.clear();
  keptThreads_.clear();
  keptMarks_.clear();
  keptReads_.clear();
  removedCount_ = 0;
  remembered_.clear();
  seen_.clear();
  leftOut_.clear();
  ways_.clear();
  forgetStates();
  program_.reset();
  isShown_ = false;
  views_.assign(isWatched_ ? shown_.threads() : 0, 0);
  graph_.clear();
  nextStamp_ = 1;
  unwritten_ = kNobody;
  at_.assign(program_.threadCount(), {});
  keptIn_.assign(program_.threadCount(), 0);
  startMarks_.clear();
  for (unsigned t = 0; t < program_.threadCount(); ++t) startMarks_.push_back(program_.mark(static_cast<ThreadId>(t)));
  for (unsigned t = 0; t < program_.initialThreads(); ++t) startThread(static_cast<ThreadId>(t));
}

CausalExplorer::Frame& CausalExplorer::push(StepKind kind, ThreadId thread) {
  if (height_ == frames_.size()) frames_.emplace_back();
  Frame& frame = frames_[height_++];
  frame = {};
  frame.kind = kind;
  frame.thread = thread;
  frame.first = static_cast<std::uint32_t>(alternatives_.size());
  frame.before = {keptThreads_.size(), keptMarks_.size(), removedCount_, keptReads_.size(),
                  views_.size(),       kept_.size(),      unwritten_};
  return frame;
}

void CausalExplorer::pop() {
  const Frame& frame = top();
  graph_.remove(frame.event);
  --nextStamp_;
  alternatives_.resize(frame.first);
  kept_.resize(frame.before.kept);
  --height_;
}

// An execution may go on for ever, or nearly so.
void CausalExplorer::checkLength() const {
  constexpr std::size_t kMostEvents = 2000;
  if (graph_.size() > kMostEvents) {
    throw LimitError("the execution graph is too large (over 2,000 events, in a program that may have load buffering)");
  }
  const bool asked = options_.interrupt && options_.interrupt->load(std::memory_order_relaxed);
  if (asked && options_.attendant && options_.attendant->isUrgent()) throw explore::StopHere{};
}

// Adds a step; false if the graph is full.
bool CausalExplorer::forward() {
  checkLength();
  graph_.reserve(2);  // the event of the step, and one to try out
  if (unwritten_ != kNobody) {
    addWriteStep(graph_[unwritten_].thread);
    return true;
  }
  const int thread = nextThread();
  if (thread < 0) return false;
  addStep(static_cast<ThreadId>(thread));
  return true;
}

// Takes the next alternative of the newest step. False: there is none, and the step is undone.
bool CausalExplorer::nextOption() {
  Frame& frame = top();
  while (true) {
    isShown_ = false;
    if (frame.isMade) {
      undo(frame);
      if (frame.hasMarks) program_.release(frame.firstMark);
      frame.hasMarks = frame.isMade = false;
    }
    if (frame.next == frame.count) {
      pop();
      return false;
    }
    const Option& option = alternatives_[frame.first + frame.next++];
    ++statistics_.added;
    statistics_.revisits += option.read != kNobody;
    frame.isMade = true;
    ++changes_;
    try {
      apply(frame, option);
      return true;
    } catch (const LeftOut& left) {
      leftOut_ = left.why;
    }
  }
}

bool CausalExplorer::goesOn() {
  if (!options_.interrupt || !options_.interrupt->load(std::memory_order_relaxed)) return true;
  if (height_ == base_) return true;
  return options_.attendant && options_.attendant->attend(*this);
}

explore::Statistics CausalExplorer::run(const Subtree& part) {
  try {
    start();
    replaying_ = !part.here;
    follow(part.path);
    if (part.digest != 0 && part.digest != digest()) throw explore::WrongSubtree("the program does not do again what it did");
    replaying_ = false;
    base_ = part.base;
    bool goes = part.isRoot() || part.here;
    while (true) {
      if (goes) {
        if (forward()) {
          goes = nextOption();
          continue;
        }
        if (!fullGraph() || !goesOn()) return statistics_;
      }
      if (height_ == base_) break;
      goes = nextOption();
    }
    if (!leftOut_.empty()) throw LimitError("not all executions with load buffering are explored: " + leftOut_);
    statistics_.complete = true;
    return statistics_;
  } catch (const explore::StopHere&) {
    Subtree rest = pathTo(height_, true);
    rest.digest = 0;
    throw explore::Stopped{rest};
  }
}

// ---- Parts of the tree. A step's ordinal is the number of its alternative.

void CausalExplorer::follow(const std::vector<PathStep>& path) {
  for (const PathStep& step : path) {
    if (!forward() || step.ordinal >= top().count || step.thread != top().thread) {
      throw explore::WrongSubtree("the program does not do again what it has done before, so the exploration cannot be shared");
    }
    top().next = step.ordinal;
    nextOption();
  }
}

Subtree CausalExplorer::pathTo(std::size_t height, bool here) const {
  Subtree subtree;
  subtree.base = static_cast<std::uint32_t>(base_);
  subtree.here = here;
  for (std::size_t i = 0; i < height; ++i) {
    const Frame& frame = frames_[i];
    subtree.path.push_back({"ecrw"[static_cast<unsigned>(frame.kind)], frame.thread, frame.next == 0 ? 0 : frame.next - 1});
  }
  if (height == height_) subtree.digest = digest();
  return subtree;
}

std::optional<Subtree> CausalExplorer::split() {
  if (remembers_ || controlEnds_) return std::nullopt;  // nobody else has the memory
  for (std::size_t level = base_; level < height_; ++level) {
    if (frames_[level].next == frames_[level].count) continue;
    Subtree given = pathTo(level + 1, false);
    base_ = level + 1;
    return given;
  }
  return std::nullopt;
}

bool CausalExplorer::expand(const explore::Node& node, const explore::NodeVisitor& child) {
  start();
  replaying_ = true;
  follow(node.path);
  if (!forward()) return true;
  const std::uint32_t options = top().count;
  for (std::uint32_t i = 0; i < options; ++i) {
    nextOption();
    explore::Node below{.path = pathTo(height_, true).path, .heights = node.heights};
    below.heights.push_back(static_cast<std::uint32_t>(below.path.size()));
    std::uint64_t hash = 1;
    for (const ThreadAt& thread : at_) hash = util::mix(hash, thread.slot);
    below.kind = std::uint64_t{graph_.size()} << 32 | hash >> 32;
    child(below);
  }
  return false;
}

bool CausalExplorer::report(const explore::Node& node) {
  start();
  replaying_ = false;
  follow(node.path);
  return !fullGraph();
}

std::uint64_t CausalExplorer::digest() const {
  std::uint64_t hash = 1;
  const auto name = [&](Number event) {
    return event >= kInitialWrite ? 0 : (std::uint64_t{graph_[event].thread} << 32) | (graph_[event].slot + 1);
  };
  for (unsigned t = 0; t < graph_.threads(); ++t) {
    for (const Slot& slot : graph_.slots(static_cast<ThreadId>(t))) {
      for (const Number event : {slot.event, slot.write}) {
        if (event == kNobody) continue;
        hash = util::mix(hash, name(event));
        hash = util::mix(hash, graph_[event].value);
        hash = util::mix(hash, name(graph_[event].rf));
      }
    }
  }
  for (const CausalLocation& location : graph_.locations()) {  // in any order
    if (location.first == kNobody) continue;
    std::uint64_t order = util::mix(1, location.address);
    for (Number write = location.first; write != kNobody; write = graph_[write].coNext) order = util::mix(order, name(write));
    hash += order;
  }
  return hash == 0 ? 1 : hash;
}

}  // namespace heddle::causal
