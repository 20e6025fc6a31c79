#include "causal/causal_order.h"

#include <algorithm>

#include "relations/leave_out.h"

namespace heddle::causal {

using model::Expr;
using model::ExprKind;
using model::ExprPtr;
using model::ExprType;
using relations::EventSet;
using relations::WordSet;

namespace {

ExprPtr base(const char* name) { return std::make_shared<Expr>(Expr{ExprKind::base, ExprType::relation, name, 0, {}, {}}); }
ExprPtr make(ExprKind kind, std::vector<ExprPtr> args) {
  return std::make_shared<Expr>(Expr{kind, ExprType::relation, {}, 0, std::move(args), {}});
}

// From how many events to how many do the words of a relation lead? More than two count as two, and so do repetitions.
unsigned mostSteps(const Expr& expr) {
  unsigned steps = 0;
  switch (expr.kind) {
    case ExprKind::base: return expr.name == "id" || expr.name == "int" || expr.name == "ext" || expr.name == "loc" ? 0 : 1;
    case ExprKind::bracket:
    case ExprKind::empty: return 0;
    case ExprKind::subtract: return mostSteps(*expr.args[0]);
    case ExprKind::plus:
    case ExprKind::star: return mostSteps(*expr.args[0]) == 0 ? 0 : 2;
    case ExprKind::sequence:
      for (const ExprPtr& arg : expr.args) steps += mostSteps(*arg);
      return std::min(steps, 2U);
    default:
      for (const ExprPtr& arg : expr.args) steps = std::max(steps, mostSteps(*arg));
      return steps;
  }
}

template <class Test>
bool names(const Expr& expr, const Test& test) {
  if (expr.kind == ExprKind::base) return test(expr.name);
  if (expr.kind == ExprKind::bracket || expr.kind == ExprKind::product) return false;
  return std::ranges::any_of(expr.args, [&](const ExprPtr& arg) { return names(*arg, test); });
}

}  // namespace

CausalOrder::CausalOrder(const model::Causality& model, const CausalGraph& graph, ClassSet classes, Reasons reasons)
    : graph_(graph), reasons_(reasons), predecessors_(graph) {
  data_ = predecessors_.add(*base("data"));
  issue_.push_back(predecessors_.add(*base("addr")));
  if (reasons == Reasons::all) issue_.push_back(predecessors_.add(*base("ctrl")));
  const ExprPtr external = base("ext"), internal = base("int");
  const ExprPtr rfe = make(ExprKind::intersect, {base("rf"), external}),
                coe = make(ExprKind::intersect, {base("co"), external});
  issue_.push_back(predecessors_.add(*make(ExprKind::intersect, {base("rf"), internal})));
  issue_.push_back(predecessors_.add(*make(ExprKind::intersect, {make(ExprKind::sequence, {coe, rfe}), internal})));
  barrier_.push_back(predecessors_.add(*rfe));
  const auto add = [&](const ExprPtr& expr, std::vector<Term>& terms, HeldEdge::Kind kind) {
    if (!expr) return;
    const ExprPtr present = relations::leaveOut(expr, classes);
    terms.push_back(predecessors_.add(*present));
    addThrough(present, kind);
  };
  add(model.issue, issue_, HeldEdge::Kind::issue);
  add(model.commit, commit_, HeldEdge::Kind::commit);
  add(model.barrier, barrier_, HeldEdge::Kind::barrier);
}

// Who reads from whom may change; what program order, dependencies and kinds of events say does not.
void CausalOrder::addThrough(const ExprPtr& expr, HeldEdge::Kind kind) {
  if (expr->kind == ExprKind::unite) {
    for (const ExprPtr& arg : expr->args) addThrough(arg, kind);
    return;
  }
  const auto communicates = [](const std::string& name) { return name == "rf" || name == "co" || name == "rb"; };
  if (mostSteps(*expr) < 2 || names(*expr, communicates)) return;
  const bool needsAddress = names(*expr, [](const std::string& name) { return name == "addr"; });
  through_.push_back({predecessors_.add(*expr), kind, needsAddress});
}

void CausalOrder::hold(CausalGraph& graph, Number event) const {
  if (through_.empty()) return;
  Slot& slot = graph.slotOf(event);
  const bool toWrite = slot.event != event;
  std::erase_if(slot.held, [&](const HeldEdge& edge) { return edge.toWrite == toWrite; });
  const bool hasAddresses = !graph.isEmpty(model::BaseRelation::addr);
  for (const Through& through : through_) {
    if (through.needsAddress && !hasAddresses) continue;
    EventSet alone, found;
    alone.reset(graph.count());
    alone.set(event);
    found.reset(graph.count());
    predecessors_.find(through.term, alone, found);
    found.forEach([&](std::size_t i) {
      const auto from = static_cast<Number>(i);
      if (graph[from].thread != graph[event].thread) return;  // what starts a thread comes before all of it
      slot.held.push_back({through.kind, graph.slotOf(from).event != from, toWrite, graph[from].slot});
    });
  }
}

// Those whose beginning is there.
template <class Set>
void CausalOrder::addHeld(HeldEdge::Kind kind, const Set& to, Set& result) const {
  if (through_.empty()) return;
  to.forEach([&](std::size_t i) {
    const auto event = static_cast<Number>(i);
    const Slot& slot = graph_.slotOf(event);
    for (const HeldEdge& edge : slot.held) {
      if (edge.kind != kind || edge.toWrite != (slot.event != event)) continue;
      const Slot& from = graph_.slots(graph_[event].thread)[edge.slot];
      const Number number = edge.fromWrite ? from.write : from.event;
      if (number != kNobody) result.set(number);
    }
  });
}

void CausalOrder::findPrefix(Number write, EventSet& prefix) const {
  prefix.reset(graph_.count());
  if (graph_.words() > 1) {
    prefix.set(write);
    EventSet commits = prefix;
    return find(prefix, commits);
  }
  WordSet issues, commits;
  issues.set(write);
  commits.set(write);
  find(issues, commits);
  prefix.unite(issues.data());
}

void CausalOrder::findBefore(const EventSet& issued, const EventSet& seen, EventSet& before) const {
  before = issued;
  EventSet commits = seen;
  find(before, commits);
}

// Backwards: of each event that has come in, what leads to its issue, and if others may see it, to its commit.
template <class Set>
void CausalOrder::find(Set& prefix, Set& commits) const {
  Set newIssues = prefix, newCommits = commits, found;
  found.reset(graph_.count());
  const auto follow = [&](const std::vector<Term>& terms, const Set& to) {
    for (const Term term : terms) predecessors_.find(term, to, found);
  };
  while (!newIssues.isEmpty() || !newCommits.isEmpty()) {
    prefix.unite(newIssues.data());
    commits.unite(newCommits.data());
    // Commits before the new ones, or before new issues.
    found.reset(graph_.count());
    follow(commit_, newCommits);
    follow(barrier_, newIssues);
    addHeld(HeldEdge::Kind::commit, newCommits, found);
    addHeld(HeldEdge::Kind::barrier, newIssues, found);
    Set nextCommits = found;
    nextCommits.subtract(commits.data());
    // Issues before new issues; and what commits has issued.
    found.reset(graph_.count());
    follow(issue_, newIssues);
    addHeld(HeldEdge::Kind::issue, newIssues, found);
    addCauses(newIssues, found);
    newIssues.forEach([&](std::size_t event) { addChoices(event, found); });
    found.unite(nextCommits.data());
    found.subtract(prefix.data());
    newIssues = found;
    newCommits = nextCommits;
  }
}

template <class Set>
void CausalOrder::addCauses(const Set& events, Set& result) const {
  if (reasons_ == Reasons::all) {
    predecessors_.find(data_, events, result);
    return graph_.addCauses(events, result);
  }
  Set writes, tied;
  writes.reset(graph_.count());
  tied.reset(graph_.count());
  events.forEach([&](std::size_t i) {
    const auto event = static_cast<Number>(i);
    const Operation& operation = graph_.operationOf(event);
    const bool computes = operation.kind == OperationKind::rmw && operation.rmw != RmwOp::exchange;
    if (graph_[event].isWrite()) writes.set(i);
    if (graph_[event].kind == EventKind::choice || (graph_[event].isWrite() && computes)) tied.set(i);
  });
  predecessors_.find(data_, writes, result);
  graph_.addCauses(tied, result);
}

// The choices before an event in its thread, but not those whether a store-exclusive fails.
template <class Set>
void CausalOrder::addChoices(std::size_t event, Set& result) const {
  for (std::size_t w = 0; w < graph_.words(); ++w) {
    for (std::uint64_t rest = graph_.row(CausalGraph::kBefore, event)[w]; rest != 0; rest &= rest - 1) {
      const auto before = static_cast<Number>(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
      if (graph_[before].kind == EventKind::choice && !graph_.operationOf(before).mayFailSpuriously) result.set(before);
    }
  }
}

}  // namespace heddle::causal
