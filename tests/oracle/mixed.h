// The oracle for programs with accesses of mixed sizes: every execution that a model allows, by trying them all.
//
// An execution is built from nothing, an operation at a time, in every way: a read takes each of its bytes from every
// write that is there and covers it, a write goes to every place in the order of each of its bytes. What is complete is
// put to the models (lift.h). Values are never guessed, because a write is there before it is read from, and nothing is
// lost by that: all models forbid cycles of po | rf.
//
// The events of an execution can be added in many orders that extend po | rf. Only one of them is followed: at each
// step the lowest thread goes whose next operation could go, and a read can go once everything it takes its value from
// is there. So a read that has waited must take some byte from an event that came while it waited. Every execution then
// comes exactly once; if a key comes twice, `choose` is the reason.
//
// Most ways to choose bytes contradict one another: the order of two writes on one byte decides it on all others that
// they share, and so on. What no model allows is cut off as soon as it shows: a cycle of rf | co | rb on whole
// accesses, against po or by itself, and a write inside a read-modify-write. All relations only grow, so what is wrong
// stays wrong. The cutting can be switched off, which leaves no idea in this file but "all choices"; a test compares
// the two.
//
// It shares no code with the explorer, and of the ordinary oracle (oracle.h) only the models' evaluator. What counts as
// an execution is said there.
#pragma once

#include <string>
#include <vector>

#include "fuzz.h"
#include "oracle.h"

namespace heddle::oracle {

enum class Cutting { on, off };

// As runOracle, with keys as in mixed_key.h. `limit`: of steps; throws OracleLimit.
std::vector<OracleResult> runMixedOracle(Program& program, const std::vector<const model::Model*>& models, std::size_t limit,
                                         Cutting cutting = Cutting::on);

// The models that mixed sizes are defined for.
const std::vector<std::string>& mixedModelNames();
std::vector<NamedModel> loadMixedModels(const std::vector<std::string>& names = mixedModelNames());

}  // namespace heddle::oracle
