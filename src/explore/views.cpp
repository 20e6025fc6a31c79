#include "explore/views.h"

#include <stdexcept>

#include "program/lock.h"

namespace heddle::explore {

using model::Letter;
using model::ViewPlan;

ViewComputer::ViewComputer(const ViewPlan& plan, const ProgramClasses& classes, unsigned firstView, unsigned threads)
    : isPorf_(plan.isPorf),
      isPo_(plan.rules.empty()),
      complete_(plan.isPorf ? 0 : Graph::viewOffset(threads, firstView)),
      partial_(Graph::viewOffset(threads, firstView + 1)),
      end_(Graph::viewOffset(threads, firstView + plan.views())),
      lanes_(Graph::lanesFor(threads)),
      inLocation_(classes.mask(plan.reachedInLocation())) {
  for (const model::ViewRule& rule : plan.rules) {
    Rule compiled{classes.mask(rule.guard), classes.mask(rule.completes), complete_, 0, rule.letter};
    if (rule.from != ViewPlan::kComplete) compiled.from = partial_ + lanes_ * static_cast<unsigned>(rule.from);
    if (rule.to != ViewPlan::kNowhere) compiled.to = partial_ + lanes_ * static_cast<unsigned>(rule.to);
    switch (rule.letter) {
      case Letter::po:
      case Letter::poi: poRules_.push_back(compiled); break;
      case Letter::rmw: rmwRules_.push_back(compiled); break;
      case Letter::filtered: locationRules_.push_back(compiled); break;
      case Letter::rf:
      case Letter::rfe:
      case Letter::rfi: rfRules_.push_back(compiled); break;
      case Letter::co:
      case Letter::rb:
      case Letter::addr:
      case Letter::data:
      case Letter::ctrl: throw std::logic_error("a view of edges that views are not passed on along");
    }
  }
}

ClassSet classesOf(const Program& program) {
  const std::vector<Operation> operations = program.operations();
  if (operations.empty()) return kAllClasses;
  ClassSet set = classes::kInitial | classes::kThread | classes::kChoice;
  const auto add = [&](EventKind kind, Order order, bool rmw) { set |= ClassSet::of(eventClass(kind, order, rmw)); };
  for (const Operation& operation : operations) {
    switch (operation.kind) {
      case OperationKind::load: add(EventKind::read, operation.order, false); break;
      case OperationKind::store: add(EventKind::write, operation.order, false); break;
      case OperationKind::cas: add(EventKind::read, operation.failureOrder, false); [[fallthrough]];
      case OperationKind::rmw:
        add(EventKind::read, operation.order, true);
        add(EventKind::write, operation.order, true);
        break;
      case OperationKind::fence: set |= ClassSet::of(classOfFence(operation)); break;
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

ModelViews::ModelViews(const model::CompiledModel& model, const ProgramClasses& classes, unsigned threads, bool races)
    : coherence_(add(coherencePlan(model, classes.set()), classes, threads)) {
  if (!races) return;
  const ViewPlan plan = planView(model.happensBefore, classes.set());
  if (plan != coherencePlan(model, classes.set())) race_ = add(plan, classes, threads);
  raceView_ = race_ ? race_->complete() : coherence_.complete();
}

// The views of a plan, after those there are.
ViewComputer ModelViews::add(const ViewPlan& plan, const ProgramClasses& classes, unsigned threads) {
  const unsigned first = 1 + count_;
  count_ += plan.views();
  return ViewComputer(plan, classes, first, threads);
}

template void ViewComputer::computeByRules(Graph&, EventId) const;

}  // namespace heddle::explore
