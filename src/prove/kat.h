// Relations of a query as terms of Kleene algebra with tests (thesis section 3.2).
//
// A term is built from tests, letters, union, sequence and iteration; an intersection with loc, int or ext, or a
// difference with one, is a filter around a term. What has no such form is an error that names the expression.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "model/ast.h"
#include "model/regex.h"
#include "prove/alphabet.h"

namespace heddle::prove {

using model::Filter;

enum class KatKind : std::uint8_t { never, test, letters, unite, sequence, star, filter };

struct Kat;
using KatPtr = std::shared_ptr<const Kat>;

struct Kat {
  KatKind kind;
  Cells test;                // test
  LetterSet letters = 0;     // letters: their union
  Filter filter{};           // filter
  std::vector<KatPtr> args;  // unite, sequence: two; star, filter: one
};

KatPtr never();
KatPtr test(const Cells& cells);
KatPtr anything();  // id
KatPtr letters(LetterSet set);
KatPtr unite(KatPtr a, KatPtr b);
KatPtr sequence(KatPtr a, KatPtr b);
KatPtr star(KatPtr a);
KatPtr plus(const KatPtr& a);
KatPtr optional(const KatPtr& a);
KatPtr filtered(KatPtr a, Filter filter);

// What the names of sets and of declared relations mean in a query.
struct Vocabulary {
  std::function<Cells(ClassSet)> classes = cellsOfClasses;  // a mapping changes it for the machine's model
  std::vector<std::string> sets;                            // declared
  std::vector<std::string> relations;                       // declared
};

// The cells of a set expression, the term of a relation. Throw model::CatError.
Cells cellsOf(const model::Expr& set, const Vocabulary& vocabulary);
KatPtr toKat(const model::Expr& relation, const Vocabulary& vocabulary);

// Written alike?
bool sameTerm(const Kat& a, const Kat& b);

// Every test that occurs in the term.
void collectTests(const Kat& term, std::vector<Cells>& tests);

// The letters that occur in it, those of filters included.
LetterSet lettersIn(const Kat& term);

// Is the relation `rmw & e`, for atomicity? Then e, or nullptr.
model::ExprPtr meetsReadModifyWrite(const model::Expr& relation);

}  // namespace heddle::prove
