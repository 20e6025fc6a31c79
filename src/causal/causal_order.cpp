#include "causal/causal_order.h"

namespace heddle::causal {

using model::Expr;
using model::ExprKind;
using model::ExprPtr;
using model::ExprType;
using relations::BitMatrix;
using relations::EventSet;

namespace {

ExprPtr base(const char* name) { return std::make_shared<Expr>(Expr{ExprKind::base, ExprType::relation, name, 0, {}, {}}); }
ExprPtr make(ExprKind kind, std::vector<ExprPtr> args) {
  return std::make_shared<Expr>(Expr{kind, ExprType::relation, {}, 0, std::move(args), {}});
}

}  // namespace

CausalOrder::CausalOrder(const model::Causality& model, relations::Evaluator& evaluator, const CausalGraph& graph)
    : evaluator_(evaluator), graph_(graph) {
  for (const char* name : {"addr", "data", "ctrl"}) issue_.push_back(evaluator.add(*base(name)));
  issue_.push_back(evaluator.add(*make(ExprKind::intersect, {base("rf"), base("int")})));
  barrier_.push_back(evaluator.add(*make(ExprKind::intersect, {base("rf"), base("ext")})));
  programOrder_ = evaluator.add(*base("po"));
  if (model.issue) issue_.push_back(evaluator.add(*model.issue));
  if (model.commit) commit_.push_back(evaluator.add(*model.commit));
  if (model.barrier) barrier_.push_back(evaluator.add(*model.barrier));
}

void CausalOrder::findPrefix(Number write, EventSet& prefix) {
  const auto valuesOf = [&](const std::vector<Term>& terms) {
    std::vector<const BitMatrix*> values;
    for (const Term term : terms) values.push_back(&evaluator_.value(term));
    return values;
  };
  const std::size_t count = graph_.count();
  auto issue = valuesOf(issue_);
  const auto commit = valuesOf(commit_), barrier = valuesOf(barrier_);
  causes_.reset(count);
  graph_.fillCauses(causes_);
  issue.push_back(&causes_);
  const BitMatrix& programOrder = evaluator_.value(programOrder_);
  // Those whose issue, or whose commit, comes before the commit of the write.
  EventSet commits;
  prefix.reset(count);
  commits.reset(count);
  prefix.set(write);
  commits.set(write);
  const auto leads = [](const std::vector<const BitMatrix*>& edges, std::size_t from, const EventSet& to) {
    for (const BitMatrix* edge : edges) {
      if (edge->leadsInto(from, to)) return true;
    }
    return false;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t event = 0; event < count; ++event) {
      if (!commits.test(event) && (leads(commit, event, commits) || leads(barrier, event, prefix))) {
        commits.set(event);
        prefix.set(event);
        changed = true;
      }
      const CausalEvent& of = graph_[static_cast<Number>(event)];
      const bool isChoice = of.kind == EventKind::choice && !of.operation.mayFailSpuriously;
      if (!prefix.test(event) && (leads(issue, event, prefix) || (isChoice && programOrder.leadsInto(event, prefix)))) {
        prefix.set(event);
        changed = true;
      }
    }
  }
}

}  // namespace heddle::causal
