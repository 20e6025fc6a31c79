// Local transformations: which two adjacent accesses of different locations a model lets a compiler swap.
//
// A compiler that swaps a ; b may do so if every execution of the program with b ; a is one of the program with a ; b.
// It is enough that the order from a to b by itself forbids nothing (thesis section 3.4.2): the cycles that use the
// step from a to b must be forbidden without it. The step is a letter of its own here, which is ordered only through
// third events. If a cycle is not covered, graphs with it are built, and swapped: one that is consistent only after the
// swap refutes it.
#pragma once

#include "prove/prover.h"

namespace heddle::prove {

struct SwapKind {
  std::string name;
  ClassSet classes;
};

// The accesses and fences that the table is about, from weak to strong.
const std::vector<SwapKind>& swapKinds();

// May `first ; second` become `second ; first`? The counterexample is the graph before the swap.
Answer maySwap(const model::Model& model, const SwapKind& first, const SwapKind& second, const ProverLimits& limits = {});

}  // namespace heddle::prove
