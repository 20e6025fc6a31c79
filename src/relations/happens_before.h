// The order that decides about races: the model's happens-before or, of a model that has none, that of the language.
#pragma once

#include "model/ast.h"

namespace heddle::relations {

model::ExprPtr happensBeforeOf(const model::Model& model);

}  // namespace heddle::relations
