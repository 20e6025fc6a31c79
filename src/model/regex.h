// Regular expressions over the edges of an execution graph, with tests.
//
// The part of relational algebra that an automaton can follow edge by edge: letters are edges of the graph,
// tests are sets of event classes, and the rest is union, sequence and iteration (Kleene algebra with tests,
// thesis section 3.2). A base relation is a path of letters (base_relations.h).
//
// What has no such form becomes a filtered letter: `e & loc`, `e \ loc`, `e & ext`, `e & int`, `e \ ext`,
// `e \ int` for any regular e: its edges are found by a search of their own that remembers where it began.
// Anything else is an error that names the expression.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/ast.h"
#include "model/base_relations.h"

namespace heddle::model {

// What `e & expr`, or if `complemented` `e \ expr`, keeps of e, if the expression is loc, int or ext.
std::optional<Filter> filterOf(const Expr& expr, bool complemented);

enum class RegexKind { never, test, letter, unite, sequence, star };

struct Regex;
using RegexPtr = std::shared_ptr<const Regex>;

struct Regex {
  RegexKind kind;
  ClassSet test = {};          // test
  Letter letter = Letter::po;  // letter
  Filter filter{};             // letter == filtered
  std::vector<RegexPtr> args;  // unite, sequence, star; letter == filtered: the relation filtered
};

RegexPtr never();
RegexPtr test(ClassSet set);
RegexPtr letter(Letter which);
RegexPtr filtered(RegexPtr relation, Filter filter);
RegexPtr unite(RegexPtr a, RegexPtr b);
RegexPtr sequence(RegexPtr a, RegexPtr b);
RegexPtr star(RegexPtr a);
RegexPtr plus(const RegexPtr& a);

// The class set of a set expression.
ClassSet classSet(const Expr& set);

// Translates a relation; throws CatError where it is not regular.
RegexPtr toRegex(const Expr& relation);

// The base relations of the theory, for recognising axioms.
RegexPtr programOrder();
RegexPtr coherenceOrder();
RegexPtr readsBefore();

}  // namespace heddle::model
