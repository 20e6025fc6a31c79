#include "model/simplify.h"

#include <algorithm>

namespace heddle::model {

namespace {

ExprPtr make(ExprKind kind, ExprType type, std::vector<ExprPtr> args, const Position& position) {
  if (args.size() == 1 && (kind == ExprKind::unite || kind == ExprKind::intersect)) return args[0];
  return std::make_shared<const Expr>(Expr{kind, type, "", 0, std::move(args), position});
}

bool isProducts(const Expr& expr) {
  if (expr.kind == ExprKind::product) return true;
  return expr.kind == ExprKind::unite && std::ranges::all_of(expr.args, [](const ExprPtr& arg) { return isProducts(*arg); });
}

void collectProducts(const Expr& products, std::vector<const Expr*>& result) {
  if (products.kind == ExprKind::product) return result.push_back(&products);
  for (const ExprPtr& arg : products.args) collectProducts(*arg, result);
}

ExprPtr filter(const ExprPtr& set, bool complemented) {
  const ExprPtr members = complemented ? make(ExprKind::complement, ExprType::set, {set}, set->position) : set;
  return make(ExprKind::bracket, ExprType::relation, {members}, set->position);
}

ExprPtr kept(const ExprPtr& relation, const std::vector<const Expr*>& products) {
  std::vector<ExprPtr> parts;
  for (const Expr* product : products) {
    const std::vector<ExprPtr> steps = {filter(product->args[0], false), relation, filter(product->args[1], false)};
    parts.push_back(make(ExprKind::sequence, ExprType::relation, steps, product->position));
  }
  return make(ExprKind::unite, ExprType::relation, std::move(parts), relation->position);
}

ExprPtr without(ExprPtr relation, const std::vector<const Expr*>& products) {
  for (const Expr* product : products) {
    const std::vector<ExprPtr> parts = {
        make(ExprKind::sequence, ExprType::relation, {filter(product->args[0], true), relation}, product->position),
        make(ExprKind::sequence, ExprType::relation, {relation, filter(product->args[1], true)}, product->position)};
    relation = make(ExprKind::unite, ExprType::relation, parts, product->position);
  }
  return relation;
}

void flatten(const Expr& intersection, std::vector<ExprPtr>& result) {
  for (const ExprPtr& arg : intersection.args) {
    if (arg->kind == ExprKind::intersect) {
      flatten(*arg, result);
    } else {
      result.push_back(arg);
    }
  }
}

bool isIrreflexive(const Expr& relation) {
  const auto isInverseOfRf = [](const Expr& e) { return e.kind == ExprKind::inverse && isBase(*e.args[0], "rf"); };
  if (relation.kind == ExprKind::sequence) {
    return relation.args.size() == 2 && isInverseOfRf(*relation.args[0]) && isBase(*relation.args[1], "co");
  }
  return isBase(relation, "po") || isBase(relation, "rf") || isBase(relation, "co") || isBase(relation, "rb");
}

}  // namespace

ExprPtr simplified(const Expr& expr) {
  std::vector<const Expr*> products;
  if (expr.kind == ExprKind::subtract) {
    if (isBase(*expr.args[1], "id") && isIrreflexive(*expr.args[0])) return expr.args[0];
    if (!isProducts(*expr.args[1])) return nullptr;
    collectProducts(*expr.args[1], products);
    return without(expr.args[0], products);
  }
  std::vector<ExprPtr> args, others;
  flatten(expr, args);
  std::ranges::copy_if(args, std::back_inserter(others), [](const ExprPtr& arg) { return !isProducts(*arg); });
  if (others.empty() || others.size() == args.size()) return nullptr;
  ExprPtr relation = make(ExprKind::intersect, ExprType::relation, std::move(others), expr.position);
  for (const ExprPtr& arg : args) {
    if (!isProducts(*arg)) continue;
    products.clear();
    collectProducts(*arg, products);
    relation = kept(relation, products);
  }
  return relation;
}

}  // namespace heddle::model
