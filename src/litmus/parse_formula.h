// The final condition: its quantifier, and the formula as a tree over numbered observables.
#pragma once

#include <functional>

#include "litmus/condition.h"
#include "litmus/syntax.h"
#include "litmus/token_stream.h"

namespace heddle::litmus {

// exists, ~exists, not exists, forall.
Quantifier parseQuantifier(TokenStream& tokens);

// `comparison` parses what is not made of other formulas: `0:r0=1`.
Formula parseFormula(TokenStream& tokens, const std::function<Formula()>& comparison);

// `differs` is set for `!=`. What is neither that nor `=` is an error.
bool parseDiffers(TokenStream& tokens);

Formula conjunction(Formula left, Formula right);
Formula negation(Formula part);

// Puts what is observed into the order that the simulators print it in: registers by thread and name, then locations.
void sortObserved(Syntax& syntax);

}  // namespace heddle::litmus
