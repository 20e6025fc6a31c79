// What proofs and automata cannot follow as it is written, in words that they can: for models from elsewhere.
//
//     r & (A * B)   [A] ; r ; [B]             r \ (A * B)   [~A] ; r | r ; [~B]
//     r \ id        r, of base relations that relate no event to itself
//
// A union of products is taken product by product.
#pragma once

#include "model/ast.h"

namespace heddle::model {

// Of an intersection or a difference; nullptr if there is nothing to simplify.
ExprPtr simplified(const Expr& expr);

}  // namespace heddle::model
