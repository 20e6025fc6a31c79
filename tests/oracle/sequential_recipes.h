// Recipes for sequential programs: texts with holes.
//
// A recipe has global declarations, a line "---", and statements. In both,
//
//   @name     becomes a name of its own for each use of the recipe
//   $e        an unsigned value, a random expression
//   $x        an unsigned variable, that may be assigned
//   $k        a constant from 0 to 9, $n one from 1 to 4
//   $s        a string literal
//   $T        a type of elements, the same everywhere in the recipe, and $t a value of it (C++)
//   [?a|b|c?] one of these
//   ? line    is there or not
//   ~ line    together with those around it a pool, from which lines are drawn again and again
//
// MIX(value) adds a number to the checksum, and in C++ anything that is printable by `hashOf`.
#pragma once

#include <string>
#include <vector>

#include "print_c.h"

namespace heddle::oracle {

const std::vector<std::string>& recipes(Language language);
const std::vector<std::string>& cRecipes();  // fit for C++, too
const std::vector<std::string>& cppRecipes();

}  // namespace heddle::oracle
