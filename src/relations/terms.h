// The relations of a model as numbered terms, as those who evaluate them keep them.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <vector>

#include "model/ast.h"
#include "model/base_relations.h"
#include "model/event_class.h"

namespace heddle::relations {

using Term = std::uint32_t;

struct TermNode {
  model::ExprKind kind = model::ExprKind::empty;
  model::BaseRelation base = model::BaseRelation::id;
  ClassSet set, otherSet;  // bracket, product
  std::vector<Term> args;

  auto operator<=>(const TermNode&) const = default;
};

// `add` makes terms of the relations that the expression consists of.
TermNode termNode(const model::Expr& expr, const std::function<Term(const model::Expr&)>& add);

}  // namespace heddle::relations
