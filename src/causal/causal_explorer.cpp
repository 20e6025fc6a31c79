#include "causal/causal_explorer.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "model/cat.h"
#include "model/library.h"
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
  at(OperationKind::block) = ThreadState::blocked;
  at(OperationKind::error) = ThreadState::failed;
  at(OperationKind::end) = ThreadState::ended;
  return table;
}();

ThreadState stateAt(const Operation& operation) { return kStates[static_cast<unsigned>(operation.kind)]; }

// Does the relation depend on nothing but the two events, each by itself?
bool isOfPairs(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::base: {
      const auto* base = model::findBaseRelation(expr.name);
      return base != nullptr && (base->filter || base->relation == model::BaseRelation::id);
    }
    case ExprKind::product:
    case ExprKind::bracket:
    case ExprKind::empty: return true;
    case ExprKind::unite:
    case ExprKind::intersect:
    case ExprKind::subtract:
    case ExprKind::complement:
    case ExprKind::inverse: return std::ranges::all_of(expr.args, [](const auto& arg) { return isOfPairs(*arg); });
    default: return false;
  }
}

// A graph with holes is judged as it is, so what is consistent must stay so without some of its events: a difference would have
// more pairs with fewer events.
void requireMonotone(const Expr& expr) {
  if (expr.type == model::ExprType::set || isOfPairs(expr)) return;
  const bool subtracts = expr.kind == ExprKind::subtract && !isOfPairs(*expr.args[1]);
  if (subtracts || expr.kind == ExprKind::complement) {
    throw model::CatError(expr.position,
                          fmt::format("a model with dependencies cannot have `{}`: graphs are judged before all events are "
                                      "there, so only `loc`, `int`, `ext`, `id` and products of sets can be taken away",
                                      model::toString(expr)));
  }
  for (const model::ExprPtr& arg : expr.args) requireMonotone(*arg);
}

bool hasInverse(const Expr& expr) {
  return expr.kind == ExprKind::inverse || std::ranges::any_of(expr.args, [](const auto& arg) { return hasInverse(*arg); });
}

model::Causality causalityOf(const model::CompiledModel& model) { return model.source().causality; }

}  // namespace

CausalExplorer::CausalExplorer(Program& program, const model::CompiledModel& model, const explore::ExploreOptions& options,
                               explore::Observer& observer)
    : AnyExplorer(program, kStates),
      options_(options),
      observer_(observer),
      now_{CausalGraph(program.threadCount()), {}},
      trial_(program.threadCount()),
      evaluator_(trial_),
      order_(causalityOf(model), evaluator_, trial_),
      isWatched_(program.looksAtGraph()),
      shown_(program.threadCount(), 1, program.initialValuesVary()) {
  if (options.equivalence == explore::Equivalence::rf) {
    throw LimitError(fmt::format("the program may have load buffering under the model {}, with which --equivalence rf is not "
                                 "supported; leave it out, or choose a model without load buffering, such as rc11",
                                 model.name));
  }
  if (options.boundsLoads()) {
    throw LimitError(fmt::format("the program may have load buffering under the model {}, which --stale and --fair are not for",
                                 model.name));
  }
  if (!program.trackDependencies()) {
    throw ProgramError(fmt::format("model {} has dependencies, which this program does not tell", model.name));
  }
  const model::Model source = model.source();
  for (const model::Axiom& axiom : source.axioms) {
    requireMonotone(*axiom.expr);
    goesForward_ = goesForward_ && !hasInverse(*axiom.expr);
    evaluator_.addAxiom(axiom);
  }
  remembers_ = std::ranges::any_of(program.operations(), [](const Operation& operation) { return operation.isExclusive; });
  if (options.races) {
    happensBefore_ = evaluator_.add(source.happensBefore ? *source.happensBefore : *model::loadModel("rc20").happensBefore);
  }
}

// ---- Threads.

// The thread has run to its next operation.
void CausalExplorer::pause(ThreadId thread) {
  ThreadAt& at = now_.threads[thread];
  if (isWatched_) showTo(thread);
  at.pending = program_.advance(thread);
  at.mark = program_.mark(thread);
  at.state = stateAt(at.pending);
  if (height_ == 0 || top().hasMarks) return;
  top().firstMark = at.mark;
  top().hasMarks = true;
}

void CausalExplorer::startThread(ThreadId thread) {
  program_.rewind(thread, startMarks_[thread]);
  now_.threads[thread].slot = 0;
  pause(thread);
}

// Lets the thread run past what it has done: to its first hole, or the end of what is known of it.
void CausalExplorer::settle(ThreadId thread) {
  ThreadAt& at = now_.threads[thread];
  if (at.state == ThreadState::absent) return;
  std::vector<Slot>& slots = now_.graph.slots(thread);
  while (now_.graph.isComplete(thread, at.slot)) {
    Slot& slot = slots[at.slot];
    Operation expected = slot.operation;
    if (expected.joinsRest) expected.thread = at.pending.thread;  // which one was found out when it could go on
    if (expected != at.pending && at.state != ThreadState::failed) {
      throw std::logic_error("a thread does something else than before, although nothing that it depends on has changed");
    }
    // It has raced with what has been done meanwhile: what it has done before stays, but it goes no further.
    if (at.state == ThreadState::failed) return;
    slot.mark = at.mark;
    program_.resume(thread, slot.result);
    ++at.slot;
    pause(thread);
  }
  if (at.slot >= slots.size()) return;
  slots[at.slot].mark = at.mark;
  if (slots[at.slot].event != kNobody && slots[at.slot].waits) at.state = ThreadState::locking;
}

// Back to an operation that the thread has come by.
void CausalExplorer::rewind(ThreadId thread, std::uint32_t number) {
  const Slot& slot = now_.graph.slots(thread)[number];
  ThreadAt& at = now_.threads[thread];
  at = {slot.operation, stateAt(slot.operation), slot.mark, number};
  program_.rewind(thread, slot.mark);
}

void CausalExplorer::restore(const Situation& situation) {
  for (unsigned t = 0; t < now_.threads.size(); ++t) {
    const ThreadAt &from = now_.threads[t], &to = situation.threads[t];
    const bool wasThere = from.state != ThreadState::absent, isThere = to.state != ThreadState::absent;
    if (isThere && (!wasThere || from.mark != to.mark)) program_.rewind(static_cast<ThreadId>(t), to.mark);
    if (!isThere && wasThere) program_.rewind(static_cast<ThreadId>(t), startMarks_[t]);
  }
  now_ = situation;
}

bool CausalExplorer::canJoin(const ThreadAt& thread) const {
  if (thread.pending.joinsRest) {
    return std::ranges::all_of(now_.threads, [&](const ThreadAt& other) {
      return &other == &thread || other.state == ThreadState::absent ||
             (other.state == ThreadState::ended && !other.pending.endsProgram);
    });
  }
  const ThreadAt& child = now_.threads[thread.pending.thread];
  return child.state == ThreadState::ended && !child.pending.endsProgram;
}

int CausalExplorer::nextThread() const {
  for (unsigned t = 0; t < now_.threads.size(); ++t) {
    const ThreadAt& at = now_.threads[t];
    if (at.state == ThreadState::ready || (at.state == ThreadState::joining && canJoin(at))) return static_cast<int>(t);
  }
  return -1;
}

// ---- The loop.

void CausalExplorer::start() {
  height_ = 0;
  base_ = 0;
  remembered_.clear();
  seen_.clear();
  state_.fill(ThreadState::absent);
  threads_.fill({});
  program_.reset();
  unshow();
  views_.assign(isWatched_ ? shown_.threads() : 0, 0);
  now_ = {CausalGraph(program_.threadCount()), std::vector<ThreadAt>(program_.threadCount())};
  startMarks_.clear();
  for (unsigned t = 0; t < program_.threadCount(); ++t) startMarks_.push_back(program_.mark(static_cast<ThreadId>(t)));
  for (unsigned t = 0; t < program_.initialThreads(); ++t) startThread(static_cast<ThreadId>(t));
}

CausalExplorer::Frame& CausalExplorer::push(StepKind kind, ThreadId thread) {
  if (height_ == frames_.size()) frames_.push_back(Frame{.before = now_, .options = {}});
  Frame& frame = frames_[height_++];
  frame.kind = kind;
  frame.thread = thread;
  frame.before = now_;  // where there was a frame before, nothing is allocated
  frame.options.clear();
  frame.next = 0;
  frame.hasMarks = false;
  frame.views = views_.size();
  return frame;
}

// An execution may go on for ever, or nearly so.
void CausalExplorer::checkLength() const {
  constexpr std::size_t kMostEvents = 800;
  if (now_.graph.count() > kMostEvents) {
    throw LimitError(
        fmt::format("the execution graph is too large (over {} events, under a model with dependencies)", kMostEvents));
  }
  const bool asked = options_.interrupt && options_.interrupt->load(std::memory_order_relaxed);
  if (asked && options_.attendant && options_.attendant->isUrgent()) throw explore::StopHere{};
}

// Adds a step; false if the graph is full.
bool CausalExplorer::forward() {
  checkLength();
  if (now_.unwritten != kNobody) {
    addWriteStep(now_.graph[now_.unwritten].thread);
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
  if (frame.next != 0) {
    restore(frame.before);
    if (frame.hasMarks) program_.release(frame.firstMark);
    frame.hasMarks = false;
    views_.resize(frame.views);
  }
  if (frame.next == frame.options.size()) {
    --height_;
    return false;
  }
  const Option option = frame.options[frame.next++];
  ++statistics_.added;
  statistics_.revisits += option.isRevisit;
  apply(frame, option);
  return true;
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
    if (!forward() || step.ordinal >= top().options.size() || step.thread != top().thread) {
      throw explore::WrongSubtree("the program does not do again what it has done before, so the exploration cannot be shared");
    }
    top().next = step.ordinal;
    if (step.ordinal != 0) top().hasMarks = false;
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
  if (remembers_) return std::nullopt;  // nobody else has the memory
  for (std::size_t level = base_; level < height_; ++level) {
    if (frames_[level].next == frames_[level].options.size()) continue;
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
  const std::size_t options = top().options.size();
  for (std::uint32_t i = 0; i < options; ++i) {
    nextOption();
    explore::Node below{.path = pathTo(height_, true).path, .heights = node.heights};
    below.heights.push_back(static_cast<std::uint32_t>(below.path.size()));
    std::uint64_t hash = 1;
    for (const ThreadAt& thread : now_.threads) hash = util::mix(hash, thread.slot);
    below.kind = std::uint64_t{now_.graph.count()} << 32 | hash >> 32;
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
  const CausalGraph& graph = now_.graph;
  const auto name = [&](Number event) {
    return event >= kInitialWrite ? 0 : (std::uint64_t{graph[event].thread} << 32) | (graph[event].slot + 1);
  };
  for (Number i = 0; i < graph.count(); ++i) {
    hash = util::mix(hash, name(i));
    hash = util::mix(hash, graph[i].value);
    hash = util::mix(hash, name(graph[i].rf));
  }
  for (const CausalLocation& location : graph.locations()) {
    for (const Number write : location.order) hash = util::mix(hash, name(write));
  }
  return hash == 0 ? 1 : hash;
}

}  // namespace heddle::causal
