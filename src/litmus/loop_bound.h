// Refuses loops that memory could keep going.
//
// A spin loop such as `while (atomic_load(x) == 0) {}` has infinitely many executions: it may read the old value
// any number of times. A litmus test is explored exhaustively, so such a loop is an error here, with the advice to
// write `assume` or to give the loop a bound.
//
// The rule: some test that must hold for another round depends only on local variables that change in the loop
// and whose changes do not depend, directly, through other variables or through control flow, on a value that the
// loop itself reads from memory or chooses. Then the number of rounds is fixed when the loop begins, and
// LitmusProgram's limit on rounds catches a loop that never ends. Such a test is the condition of the loop or one
// conjunct of it, or an `if (...) break;` that every round passes. A comparison `i < n` is also accepted where every
// change of `i` in the loop is a step by a constant towards n, one of them in each round.
#pragma once

#include "litmus/source.h"
#include "litmus/syntax.h"

namespace heddle::litmus {

// Throws LitmusError at the first loop of the thread that breaks the rule.
void checkLoops(const SourceFile& file, const Thread& thread);

}  // namespace heddle::litmus
