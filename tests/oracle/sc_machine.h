// A second opinion on the oracle, for sequential consistency only: one memory, one step at a time, all orders.
//
// An interleaving machine knows nothing of relations, axioms, guessed values or candidates, so a mistake in the
// oracle's idea of what an execution is (which threads run, what a lock or a failed compare-exchange does, how an
// execution is written as a key) shows as a difference here.
#pragma once

#include <set>
#include <string>

#include "program/program.h"

namespace heddle::oracle {

// A transaction is one step: nobody else goes on before its end. It has to come there.

// The co-keys of all executions. Throws OracleLimit after `stepLimit` steps.
std::set<std::string> interleave(Program& program, std::size_t stepLimit);

// The same for accesses of mixed sizes, with keys as in mixed_key.h: a step reads or writes all its bytes at once.
std::set<std::string> interleaveBytes(Program& program, std::size_t stepLimit);

}  // namespace heddle::oracle
