// The syntax of a memory model, after parsing and name resolution.
//
// A model is a list of axioms over relations between the events of an execution. Every let-bound name has
// been replaced by its definition (shared, so the tree is a DAG), so an expression mentions only the base
// sets and base relations listed in docs/models.md, and the variables of an enclosing `let rec`.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::model {

struct Position {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
};

enum class ExprType { set, relation };

enum class ExprKind {
  base,        // a base set or base relation: name
  empty,       // 0: the empty relation (or empty set, by type)
  bracket,     // [S]: the identity on a set                  args: S
  unite,       // a | b
  intersect,   // a & b
  subtract,    // a \ b
  complement,  // ~a
  product,     // S * T: the cartesian product of two sets    args: S, T
  sequence,    // a ; b
  inverse,     // a^-1
  plus,        // a+
  star,        // a*
  optional,    // a?
  domain,      // domain(a): the set of events that a leads from; of models that are evaluated
  range,       // range(a): the set of events that a leads to
  recursion,   // binding number `index` of a `let rec` group; args are the right-hand sides of the group
  variable,    // the bound variable number `index` of the enclosing recursion with the same `name`
};

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

struct Expr {
  ExprKind kind;
  ExprType type;
  std::string name;           // base: the base name; recursion and variable: an identifier unique to the group
  unsigned index = 0;         // recursion, variable
  std::vector<ExprPtr> args;  // unite, intersect and sequence have two or more
  Position position;
};

inline bool isBase(const Expr& expr, std::string_view name) { return expr.kind == ExprKind::base && expr.name == name; }

enum class AxiomKind { acyclic, irreflexive, empty };

struct Axiom {
  AxiomKind kind;
  std::string name;  // from `as name`, or axiom1, axiom2, ...
  ExprPtr expr;
  Position position;
  bool negated = false;  // ~empty, ~acyclic, ~irreflexive
};

// The causal order of a model with dependencies (src/causal/causal_order.h), besides what every such model has. nullptr: no more.
struct Causality {
  ExprPtr issue, commit, barrier;  // from `issue-by`, `commit-by`, `barrier-by`
};

struct Model {
  std::string name;  // from the quoted title, or the file's base name
  std::string file;
  bool builtin = false;                                      // one that comes with Heddle
  bool mixedSizes = false;                                   // defined for accesses of different sizes to the same bytes
  bool controlEnds = false;                                  // a branch orders nothing after the code that depends on it
  std::vector<std::pair<std::string, ExprPtr>> definitions;  // every let of the main file and its includes, in order
  std::vector<Axiom> axioms;
  Causality causality;
  ExprPtr happensBefore;  // from `races-by`: the relation that two accesses race without; nullptr: C++20's
  // What is said of an execution that is allowed: `flag`, and the opposite of `undefined_unless`. Raised where it holds.
  std::vector<Axiom> flags;
  // Why it can only be evaluated on complete executions (src/enumerate): the first construct that needs it, and its place.
  // Empty: it may compile to automata.
  std::string evaluatedBecause;

  // The last definition of a name, or nullptr.
  ExprPtr definition(const std::string& name) const;
};

// Does an axiom say something about addr, data or ctrl?
bool hasDependencies(const Model& model);

// Does an axiom name tags, so that it is about a language with primitives such as the Linux kernel's (program/event_tag.h)?
bool namesTags(const Model& model);

// Does an axiom say something about rmw?
bool namesReadModifyWrites(const Model& model);

// Does an axiom have a `let rec`?
bool hasRecursion(const Model& model);

// An expression as source text, with the least parentheses; for messages and generated comments.
std::string toString(const Expr& expr);

}  // namespace heddle::model
