#include "causal/causal_order.h"

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
  const auto add = [&](const ExprPtr& expr, std::vector<Term>& terms) {
    if (expr) terms.push_back(predecessors_.add(*relations::leaveOut(expr, classes)));
  };
  add(model.issue, issue_);
  add(model.commit, commit_);
  add(model.barrier, barrier_);
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
    Set nextCommits = found;
    nextCommits.subtract(commits.data());
    // Issues before new issues; and what commits has issued.
    found.reset(graph_.count());
    follow(issue_, newIssues);
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
