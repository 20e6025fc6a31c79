// Loops that wait: which of a thread's loops may go round without end, and what to look at so that they need not.
//
// A loop such as `while (atomic_load(x) == 0) {}` has infinitely many executions, as it may read the old value any number
// of times. But a round that has changed nothing, neither memory nor a variable that matters afterwards, can be left out:
// whatever the thread does after it, it can do without it (SAVER, section 7.2 of the thesis of M. Kokologiannakis). So
// such a round ends like a failed assumption, in place of another round.
//
// Whether a round has changed anything is found out when it has run. What matters afterwards are the variables that the
// loop assigns and that are live where a round begins: read before they are assigned, in the loop or, on some way out of
// it, for all we know, behind it.
//
// A loop whose number of rounds is fixed when it begins (loop_bound.h) needs none of this. A loop every round of which
// certainly changes something cannot be helped; it is an error.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "litmus/source.h"
#include "litmus/syntax.h"

namespace heddle::litmus {

struct SpinLoop {
  std::vector<std::uint16_t> carried;  // the slots of the variables that matter
  bool mayAffect = false;              // a round may change memory
};

// Throws LitmusError at the first loop that cannot be explored to its end.
std::map<const Stmt*, SpinLoop> findSpinLoops(const SourceFile& file, const Thread& thread);

// May evaluating this very expression, its parts apart, change what other threads see?
bool mayAffect(const Expr& expr);

}  // namespace heddle::litmus
