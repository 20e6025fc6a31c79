// Loops whose number of rounds is fixed when they begin, whatever memory holds.
//
// The rule: some test that must hold for another round depends only on local variables that change in the loop
// and whose changes do not depend, directly, through other variables or through control flow, on a value that the
// loop itself reads from memory or chooses. Then the number of rounds is fixed when the loop begins, and
// LitmusProgram's limit on rounds catches a loop that never ends. Such a test is the condition of the loop or one
// conjunct of it, or an `if (...) break;` that every round passes. A comparison `i < n` is also accepted where every
// change of `i` in the loop is a step by a constant towards n, one of them in each round.
//
// Other loops may go on for as long as memory keeps them going: see spin_loop.h.
#pragma once

#include "litmus/syntax.h"

namespace heddle::litmus {

bool isBounded(const Thread& thread, const Stmt& loop);

}  // namespace heddle::litmus
