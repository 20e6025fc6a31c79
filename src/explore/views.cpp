#include "explore/views.h"

#include "program/lock.h"

namespace heddle::explore {

using model::Letter;
using model::ViewPlan;

ViewComputer::ViewComputer(const ViewPlan& plan, unsigned firstView, unsigned threads)
    : isPorf_(plan.isPorf),
      complete_(plan.isPorf ? 0 : Graph::viewOffset(threads, firstView)),
      partial_(Graph::viewOffset(threads, firstView + 1)),
      end_(Graph::viewOffset(threads, firstView + plan.views())),
      lanes_(Graph::lanesFor(threads)),
      inLocation_(plan.reachedInLocation()) {
  for (const model::ViewRule& rule : plan.rules) {
    Rule compiled{rule.guard, rule.completes, complete_, 0, rule.letter};
    if (rule.from != ViewPlan::kComplete) compiled.from = partial_ + lanes_ * static_cast<unsigned>(rule.from);
    if (rule.to != ViewPlan::kNowhere) compiled.to = partial_ + lanes_ * static_cast<unsigned>(rule.to);
    switch (rule.letter) {
      case Letter::po:
      case Letter::poi: poRules_.push_back(compiled); break;
      case Letter::rmw: rmwRules_.push_back(compiled); break;
      case Letter::filtered: locationRules_.push_back(compiled); break;
      default: rfRules_.push_back(compiled); break;
    }
  }
}

ClassSet classesOf(const Program& program) {
  const std::vector<Operation> operations = program.operations();
  if (operations.empty()) return kAllClasses;
  ClassSet set = classes::kInitial | classes::kThread | classes::kChoice;
  const auto add = [&](EventKind kind, Order order, bool rmw) { set |= ClassSet{1} << eventClass(kind, order, rmw); };
  for (const Operation& operation : operations) {
    switch (operation.kind) {
      case OperationKind::load: add(EventKind::read, operation.order, false); break;
      case OperationKind::store: add(EventKind::write, operation.order, false); break;
      case OperationKind::cas: add(EventKind::read, operation.failureOrder, false); [[fallthrough]];
      case OperationKind::rmw:
        add(EventKind::read, operation.order, true);
        add(EventKind::write, operation.order, true);
        break;
      case OperationKind::fence: add(EventKind::fence, operation.order, false); break;
      case OperationKind::lock:
        add(EventKind::read, orderOf(operation.lock), false);
        add(EventKind::read, orderOf(operation.lock), true);
        add(EventKind::write, orderOf(operation.lock), true);
        break;
      case OperationKind::unlock: add(EventKind::write, Order::release, false); break;
      default: break;
    }
  }
  return set;
}

namespace {

ViewPlan coherencePlan(const model::CompiledModel& model, ClassSet classes) {
  // Without a coherence axiom of its own a model gets the weakest view, program order; what it does forbid is
  // left to the searches.
  return planView(model.coherence ? *model.coherence : *model::viewRelation(model::programOrder()), classes);
}

}  // namespace

ModelViews::ModelViews(const model::CompiledModel& model, ClassSet classes, unsigned threads, bool races)
    : coherence_(add(coherencePlan(model, classes), threads)) {
  if (!races) return;
  const ViewPlan plan = planView(model.happensBefore, classes);
  if (plan != coherencePlan(model, classes)) race_ = add(plan, threads);
  raceView_ = race_ ? race_->complete() : coherence_.complete();
}

// The views of a plan, after those there are.
ViewComputer ModelViews::add(const ViewPlan& plan, unsigned threads) {
  const unsigned first = 1 + count_;
  count_ += plan.views();
  return ViewComputer(plan, first, threads);
}

template void ViewComputer::compute(Graph&, EventId) const;

}  // namespace heddle::explore
