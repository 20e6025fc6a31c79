// Expressions as text, and the lookup of definitions.
//
// Printing follows the precedences of the language (see docs/models.md): a child is put in parentheses only
// if it binds less tightly than its place requires. `|`, `&` and `;` are associative, so a chain of one of
// them prints flat however it was built. Names bound by `let` are gone by now; what prints is their
// definition. A recursion prints as `(let rec x = ... and y = ... in x)`.
#include "model/ast.h"

#include <string_view>
#include <unordered_set>

#include "model/base_relations.h"
#include "program/event_tag.h"

namespace heddle::model {

namespace {

enum Precedence { kUnion = 1, kSequence, kDifference, kIntersection, kProduct, kPrefix, kPostfix, kAtom };

Precedence precedenceOf(ExprKind kind) {
  switch (kind) {
    case ExprKind::unite: return kUnion;
    case ExprKind::sequence: return kSequence;
    case ExprKind::subtract: return kDifference;
    case ExprKind::intersect: return kIntersection;
    case ExprKind::product: return kProduct;
    case ExprKind::complement: return kPrefix;
    case ExprKind::inverse:
    case ExprKind::plus:
    case ExprKind::star:
    case ExprKind::optional: return kPostfix;
    case ExprKind::base:
    case ExprKind::empty:
    case ExprKind::bracket:
    case ExprKind::domain:
    case ExprKind::range:
    case ExprKind::recursion:
    case ExprKind::variable: return kAtom;
  }
  return kAtom;
}

// A recursion's identifier is "x,y#3": the names bound by the group, and a number.
std::string boundName(std::string_view group, unsigned index) {
  std::string_view names = group.substr(0, group.find('#'));
  for (; index > 0 && names.find(',') != std::string_view::npos; --index) names.remove_prefix(names.find(',') + 1);
  return std::string(names.substr(0, names.find(',')));
}

void print(const Expr& expr, Precedence least, std::string& out);

void printChain(const Expr& expr, std::string_view separator, Precedence least, std::string& out) {
  for (std::size_t i = 0; i < expr.args.size(); ++i) {
    if (i > 0) out += separator;
    print(*expr.args[i], least, out);
  }
}

void printPostfix(const Expr& expr, std::string_view symbol, std::string& out) {
  print(*expr.args[0], kPostfix, out);
  out += symbol;
}

void printRecursion(const Expr& expr, std::string& out) {
  out += "(let rec ";
  for (unsigned i = 0; i < expr.args.size(); ++i) {
    if (i > 0) out += " and ";
    out += boundName(expr.name, i) + " = ";
    print(*expr.args[i], kUnion, out);
  }
  out += " in " + boundName(expr.name, expr.index) + ")";
}

void printBare(const Expr& expr, std::string& out) {
  switch (expr.kind) {
    case ExprKind::base: out += expr.name; break;
    case ExprKind::empty: out += '0'; break;
    case ExprKind::bracket:
      out += '[';
      print(*expr.args[0], kUnion, out);
      out += ']';
      break;
    case ExprKind::unite: printChain(expr, " | ", kUnion, out); break;
    case ExprKind::sequence: printChain(expr, " ; ", kSequence, out); break;
    case ExprKind::intersect: printChain(expr, " & ", kIntersection, out); break;
    case ExprKind::subtract:
      print(*expr.args[0], kDifference, out);
      out += " \\ ";
      print(*expr.args[1], kIntersection, out);
      break;
    case ExprKind::product: printChain(expr, " * ", kPrefix, out); break;
    case ExprKind::complement:
      out += '~';
      print(*expr.args[0], kPrefix, out);
      break;
    case ExprKind::inverse: printPostfix(expr, "^-1", out); break;
    case ExprKind::plus: printPostfix(expr, "+", out); break;
    case ExprKind::star: printPostfix(expr, "*", out); break;
    case ExprKind::optional: printPostfix(expr, "?", out); break;
    case ExprKind::domain:
    case ExprKind::range:
      out += expr.kind == ExprKind::domain ? "domain(" : "range(";
      print(*expr.args[0], kUnion, out);
      out += ')';
      break;
    case ExprKind::recursion: printRecursion(expr, out); break;
    case ExprKind::variable: out += boundName(expr.name, expr.index); break;
  }
}

void print(const Expr& expr, Precedence least, std::string& out) {
  bool parentheses = precedenceOf(expr.kind) < least;
  if (parentheses) out += '(';
  printBare(expr, out);
  if (parentheses) out += ')';
}

}  // namespace

ExprPtr Model::definition(const std::string& wanted) const {
  for (auto it = definitions.rbegin(); it != definitions.rend(); ++it) {
    if (it->first == wanted) return it->second;
  }
  return nullptr;
}

namespace {

// Is there such a one among the parts of the axioms?
template <class Wanted>
bool anyPart(const Model& model, const Wanted& wanted) {
  std::unordered_set<const Expr*> seen;
  std::vector<const Expr*> open;
  for (const Axiom& axiom : model.axioms) open.push_back(axiom.expr.get());
  while (!open.empty()) {
    const Expr* const expr = open.back();
    open.pop_back();
    if (!seen.insert(expr).second) continue;
    if (wanted(*expr)) return true;
    for (const ExprPtr& arg : expr->args) open.push_back(arg.get());
  }
  return false;
}

}  // namespace

bool hasDependencies(const Model& model) {
  return anyPart(model, [](const Expr& expr) {
    const BaseRelationInfo* base = expr.kind == ExprKind::base ? findBaseRelation(expr.name) : nullptr;
    return base != nullptr && base->isDependency;
  });
}

bool namesTags(const Model& model) {
  return anyPart(model, [](const Expr& expr) { return expr.kind == ExprKind::base && findEventTag(expr.name).has_value(); });
}

bool namesReadModifyWrites(const Model& model) {
  return anyPart(model, [](const Expr& expr) { return isBase(expr, "rmw"); });
}

bool hasRecursion(const Model& model) {
  return anyPart(model, [](const Expr& expr) { return expr.kind == ExprKind::recursion; });
}

std::string toString(const Expr& expr) {
  std::string out;
  print(expr, kUnion, out);
  return out;
}

}  // namespace heddle::model
