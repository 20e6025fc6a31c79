#include "relations/terms.h"

#include <fmt/format.h>

#include "model/cat.h"
#include "model/regex.h"

namespace heddle::relations {

using model::ExprKind;

TermNode termNode(const model::Expr& expr, const std::function<Term(const model::Expr&)>& add) {
  TermNode node;
  node.kind = expr.kind;
  switch (expr.kind) {
    case ExprKind::base: {
      const auto* base = model::findBaseRelation(expr.name);
      if (base == nullptr) throw model::CatError(expr.position, fmt::format("`{}` has no meaning here", expr.name));
      node.base = base->relation;
      break;
    }
    case ExprKind::bracket: node.set = model::classSet(*expr.args[0]); break;
    case ExprKind::product:
      node.set = model::classSet(*expr.args[0]);
      node.otherSet = model::classSet(*expr.args[1]);
      break;
    case ExprKind::recursion:
    case ExprKind::variable:
      throw model::CatError(expr.position,
                            "dependencies and mixed sizes do not allow a recursive relation yet; write it with `+`");
    default:
      for (const model::ExprPtr& arg : expr.args) node.args.push_back(add(*arg));
  }
  return node;
}

}  // namespace heddle::relations
