// Makes a program of lines small: takes lines away, in large pieces first, puts what is in a block in its place, and takes
// away everything that mentions a name. What a line means is not known here: a candidate that does not even compile is
// one that does not differ.
#pragma once

#include <functional>

#include "sequential_program.h"

namespace heddle::oracle {

// `stillDiffers` is asked about so many candidates at most; compiling one takes a second or two.
SequentialProgram shrink(SequentialProgram program, const std::function<bool(const SequentialProgram&)>& stillDiffers,
                         unsigned candidates = 400);

}  // namespace heddle::oracle
