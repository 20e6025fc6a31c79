// Makes a failing program small: tries one simplification after another, keeps each one after which the
// program still fails, and stops when none is left that does.
//
// The simplifications are removals first (a thread, a statement, one side of an `if`), then replacements by
// something weaker (a compare-exchange by a load, any order by relaxed, a register by a constant). Each makes
// the program strictly simpler, so this ends.
#pragma once

#include <functional>

#include "random_program.h"

namespace heddle::oracle {

using StillFails = std::function<bool(const RandomProgram&)>;

RandomProgram shrink(RandomProgram program, const StillFails& stillFails);

}  // namespace heddle::oracle
