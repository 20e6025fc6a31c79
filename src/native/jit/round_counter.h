// Does a function really compute? Whether the loops of a function that may (computation.h) go round often is not to be seen in its
// code: most loops of containers do not. So it counts its rounds, while its code is plain.
#pragma once

#include <cstdint>

namespace llvm {
class Function;
}

namespace heddle::native {

// Has the function count its calls and the rounds of its loops in `counter`. At a call after many of them it calls
// `askForBetter` with `number`.
void countRounds(llvm::Function& function, std::uint64_t* counter, void (*askForBetter)(std::uint32_t), std::uint32_t number);

}  // namespace heddle::native
