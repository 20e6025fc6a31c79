#include "causal/causal_consistency.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/base_relations.h"
#include "model/cat.h"
#include "model/compile.h"
#include "relations/leave_out.h"

namespace heddle::causal {

using model::Expr;
using model::ExprKind;
using relations::EventSet;

namespace {

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

// Is every pair of the relation a path of po, rf, co and rb? `somewhere`: of at least one edge.
struct Path {
  bool is, somewhere;
};
Path pathOf(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::base: {
      const auto* base = model::findBaseRelation(expr.name);
      const bool isId = base != nullptr && base->relation == model::BaseRelation::id;
      const bool isEdge = base != nullptr && !base->filter && !isId;
      return {isEdge || isId, isEdge};
    }
    case ExprKind::bracket: return {true, false};
    case ExprKind::empty: return {true, true};
    case ExprKind::unite:
    case ExprKind::sequence: {
      Path path{true, expr.kind == ExprKind::unite};
      for (const model::ExprPtr& arg : expr.args) {
        const Path of = pathOf(*arg);
        path.is = path.is && of.is;
        path.somewhere = expr.kind == ExprKind::unite ? path.somewhere && of.somewhere : path.somewhere || of.somewhere;
      }
      return path;
    }
    case ExprKind::intersect: {
      Path path{false, false};
      for (const model::ExprPtr& arg : expr.args) {
        const Path of = pathOf(*arg);
        path.is = path.is || of.is;
        path.somewhere = path.somewhere || (of.is && of.somewhere);
      }
      return path;
    }
    case ExprKind::subtract:
    case ExprKind::plus: return pathOf(*expr.args[0]);
    case ExprKind::star:
    case ExprKind::optional: return {pathOf(*expr.args[0]).is, false};
    default: return {false, false};
  }
}

bool unites(const Expr& expr, std::initializer_list<const char*> names) {
  return expr.kind == ExprKind::unite && std::ranges::all_of(names, [&](const char* name) {
           return std::ranges::any_of(expr.args, [&](const auto& arg) { return isBase(*arg, name); });
         });
}

// What an axiom says of cycles of po, rf, co and rb between accesses of one location: nothing that is known here, that there are none,
// or no more than that.
enum class Coherence : std::uint8_t { unknown, implied, same };

// acyclic (po & loc | rf | co | rb), or irreflexive (po+ ; (rf | co | rb)+), which is the same: (rf | co | rb)+ orders the accesses of a
// location but for reads of one write, so a cycle has a part with a single step of program order. More may be united with po.
Coherence coherenceOf(const model::Axiom& axiom) {
  const Expr& expr = *axiom.expr;
  const auto isPoLoc = [](const auto& arg) {
    const auto are = [&](const char* a, const char* b) { return isBase(*arg->args[0], a) && isBase(*arg->args[1], b); };
    return arg->kind == ExprKind::intersect && arg->args.size() == 2 && (are("po", "loc") || are("loc", "po"));
  };
  if (axiom.kind == model::AxiomKind::acyclic) {
    if (!unites(expr, {"rf", "co", "rb"}) || std::ranges::none_of(expr.args, isPoLoc)) return Coherence::unknown;
    return expr.args.size() == 4 ? Coherence::same : Coherence::implied;
  }
  const bool isSequence =
      axiom.kind == model::AxiomKind::irreflexive && expr.kind == ExprKind::sequence && expr.args.size() == 2;
  if (!isSequence || expr.args[0]->kind != ExprKind::plus || expr.args[1]->kind != ExprKind::plus) return Coherence::unknown;
  const Expr &before = *expr.args[0]->args[0], &after = *expr.args[1]->args[0];
  if (!unites(after, {"rf", "co", "rb"}) || !(isBase(before, "po") || unites(before, {"po"}))) return Coherence::unknown;
  return isBase(before, "po") && after.args.size() == 3 ? Coherence::same : Coherence::implied;
}

template <class Set>
void addRow(const std::uint64_t* row, const EventSet& among, Set& result) {
  for (std::size_t w = 0; w < result.words(); ++w) result.data()[w] |= row[w] & among.data()[w];
}

// Adds where an event leads along po, rf, co and rb, and where it is led to from. Of co and rb the next edges are enough.
template <class Set>
void addSuccessors(const CausalGraph& graph, Number number, const EventSet& among, Set& result) {
  const CausalEvent& event = graph[number];
  addRow(graph.row(CausalGraph::kAfter, number), among, result);
  Number next = kNobody;
  if (event.isWrite()) {
    addRow(graph.row(CausalGraph::kReaders, number), among, result);
    if (event.coPrev != kNobody) next = graph.nextWrite(event.location, number, among);
  } else if (event.isRead() && event.rf != kNobody) {
    next = graph.nextWrite(event.location, event.rf, among);
  }
  if (next != kNobody) result.set(next);
}

template <class Set>
void addPredecessors(const CausalGraph& graph, Number number, const EventSet& among, Set& result) {
  const CausalEvent& event = graph[number];
  addRow(graph.row(CausalGraph::kBefore, number), among, result);
  if (event.isRead()) {
    if (event.rf < kInitialWrite && among.test(event.rf)) result.set(event.rf);
  } else if (event.isWrite() && event.coPrev != kNobody) {
    const Number previous = graph.previousWrite(number, among);
    if (previous != kInitialWrite) result.set(previous);
    addRow(graph.readersOf(previous, event.location), among, result);
  }
}

}  // namespace

CausalConsistency::CausalConsistency(const model::Model& model, const CausalGraph& graph, ClassSet classes, bool exclusives)
    : graph_(graph), evaluator_(graph) {
  for (const model::Axiom& axiom : model.axioms) {
    requireMonotone(*axiom.expr);
    model::Axiom left = axiom;
    left.expr = relations::leaveOut(axiom.expr, classes);
    const Path path = pathOf(*axiom.expr);
    const bool isOfCycles = axiom.kind != model::AxiomKind::empty && path.is && path.somewhere;
    onlyCycles_ = onlyCycles_ && (isOfCycles || isAtomicity(axiom));
    const Coherence coherence = coherenceOf(left);
    isCoherent_ = isCoherent_ || coherence != Coherence::unknown;
    if (left.expr->kind == ExprKind::empty || coherence == Coherence::same) continue;
    if (!exclusives && isAtomicity(axiom)) {
      isAtomic_ = true;
    } else {
      (isOfCycles ? ofCycles_ : ofEverything_).push_back(evaluator_.addAxiom(left));
    }
  }
}

bool CausalConsistency::holds(Number added, const EventSet& among) {
  if (isAtomic_ && !isAtomic(added, among)) return false;
  if (isCoherent_ && isIncoherent(added, among)) return false;
  const auto hold = [&](const std::vector<std::size_t>& axioms, const EventSet& events) {
    if (axioms.empty()) return true;
    evaluator_.begin(events);
    return std::ranges::all_of(axioms, [&](std::size_t axiom) { return evaluator_.holds(axiom); });
  };
  return hold(ofEverything_, among) && (!isOnCycle(added, among) || hold(ofCycles_, component_));
}

bool CausalConsistency::isIncoherent(Number added, const EventSet& among) {
  const CausalEvent& event = graph_[added];
  if (!event.isRead() && !event.isWrite()) return false;
  ofLocation_ = graph_.locations()[event.location].accesses;
  ofLocation_.intersect(among.data());
  return graph_.words() == 1 ? reachesItself<relations::WordSet>(added, ofLocation_)
                             : reachesItself<EventSet>(added, ofLocation_);
}

bool CausalConsistency::isOnCycle(Number event, const EventSet& among) {
  return graph_.words() == 1 ? findComponent<relations::WordSet>(event, among) : findComponent<EventSet>(event, among);
}

template <class Set>
bool CausalConsistency::reachesItself(Number event, const EventSet& among) const {
  Set open, reached;
  open.reset(graph_.count());
  reached.reset(graph_.count());
  addSuccessors(graph_, event, among, open);
  while (!open.isEmpty()) {
    if (open.test(event)) return true;
    const auto next = static_cast<Number>(open.takeFirst());
    reached.set(next);
    addSuccessors(graph_, next, among, open);
    open.subtract(reached.data());
  }
  return false;
}

template <class Set>
bool CausalConsistency::findComponent(Number event, const EventSet& among) {
  const auto close = [&](const auto& step, Set& reached) {
    Set open = reached;
    step(event, open);
    while (!open.isEmpty()) {
      const auto next = static_cast<Number>(open.takeFirst());
      reached.set(next);
      step(next, open);
      open.subtract(reached.data());
    }
  };
  Set forward, backward;
  forward.reset(graph_.count());
  backward.reset(graph_.count());
  close([&](Number from, Set& result) { addSuccessors(graph_, from, among, result); }, forward);
  if (!forward.test(event)) return false;
  close([&](Number to, Set& result) { addPredecessors(graph_, to, among, result); }, backward);
  component_.reset(graph_.count());
  component_.unite(forward.data());
  component_.intersect(backward.data());
  return true;
}

// Nothing is between what a read-modify-write reads and what it writes: neither for the write, nor for the one after it.
bool CausalConsistency::isAtomic(Number write, const EventSet& among) const {
  if (!graph_[write].isWrite() || graph_[write].coPrev == kNobody) return true;
  const auto readOf = [&](Number half) {
    const Slot& slot = graph_.slotOf(half);
    return slot.event != half && among.test(slot.event) ? slot.event : kNobody;
  };
  const Number previous = graph_.previousWrite(write, among);
  const Number read = readOf(write);
  if (read != kNobody && graph_[read].rf != kNobody && graph_[read].rf != previous) return false;
  const Number next = graph_.nextWrite(graph_[write].location, write, among);
  const Number nextRead = next == kNobody ? kNobody : readOf(next);
  return nextRead == kNobody || graph_[nextRead].rf == kNobody || graph_[nextRead].rf == write;
}

}  // namespace heddle::causal
