#include "relations/leave_out.h"

#include <algorithm>

#include "model/regex.h"

namespace heddle::relations {

using model::Expr;
using model::ExprKind;
using model::ExprPtr;

namespace {

ExprPtr make(const Expr& like, ExprKind kind, std::vector<ExprPtr> args, const char* name = "") {
  return std::make_shared<Expr>(Expr{kind, model::ExprType::relation, name, 0, std::move(args), like.position});
}

bool isEmpty(const ExprPtr& expr) { return expr->kind == ExprKind::empty; }

}  // namespace

ExprPtr leaveOut(const ExprPtr& expr, ClassSet present) {
  const auto none = [&] { return make(*expr, ExprKind::empty, {}); };
  const auto hasNone = [&](const ExprPtr& set) { return (model::classSet(*set) & present).empty(); };
  switch (expr->kind) {
    case ExprKind::base: return isBase(*expr, "rmw") && (present & classes::kRmw).empty() ? none() : expr;
    case ExprKind::bracket: return hasNone(expr->args[0]) ? none() : expr;
    case ExprKind::product: return hasNone(expr->args[0]) || hasNone(expr->args[1]) ? none() : expr;
    case ExprKind::empty:
    case ExprKind::domain:
    case ExprKind::range:
    case ExprKind::recursion:
    case ExprKind::variable: return expr;
    default: break;
  }
  std::vector<ExprPtr> args;
  for (const ExprPtr& arg : expr->args) args.push_back(leaveOut(arg, present));
  const bool some = std::ranges::any_of(args, isEmpty);
  switch (expr->kind) {
    case ExprKind::unite:
      std::erase_if(args, isEmpty);
      if (args.size() < 2) return args.empty() ? none() : args[0];
      break;
    case ExprKind::sequence:
    case ExprKind::intersect:
    case ExprKind::inverse:
    case ExprKind::plus:
      if (some) return none();
      break;
    case ExprKind::subtract:
      if (some) return isEmpty(args[0]) ? none() : args[0];
      break;
    case ExprKind::star:
    case ExprKind::optional:
      if (some) return make(*expr, ExprKind::base, {}, "id");
      break;
    default: break;
  }
  return make(*expr, expr->kind, std::move(args));
}

}  // namespace heddle::relations
