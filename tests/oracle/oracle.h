// The oracle: every execution of a program that a model allows, by trying them all.
//
// It combines the threads' runs (runs.h) in every way, lets every read take its value from every write of
// that value at its location, orders the writes of each location in every way, and asks the model
// (evaluate.h). Coherence and everything else is the model's business; two things are decided here, by a switch,
// because each model without dependencies forbids them and the explorer is only meant for models that do: a choice of rf
// with a cycle in po | rf is passed over, and so is one of co in which the write of a read-modify-write does not come right
// after the write that was read.
//
// If a model names dependencies, these lead from a read to each event of an operation that depends on it, both halves of a
// read-modify-write, and from its read half to what depends on one. Fences, spawns and joins depend on control only.
//
// It shares no code with the explorer and knows none of its ideas, so when both find the same executions,
// both are probably right.
//
// What counts as an execution:
//  - every thread that runs has finished, has stopped at a failed assertion (the execution is failed), or is stuck (the
//    execution is stuck): at a failed assumption, at a lock whose mutex is held when all is over, or at a join of a
//    thread that has not finished.
//  - a thread that is spawned runs, and one that is not does not.
// A lock is a read-modify-write that only ever reads that its mutex is free. An attempt at one (trylock) is a strong
// compare-exchange: it succeeds where it reads that the mutex is free, fails where it reads that it is held, however
// long ago, and never waits.
//
// Keys, which the explorer writes in the same way:
//
//     0[W16=1 R32=0<i]1[W32=1 R16=1<0.1]|16:0.1;32:1.1;
//
// the events of each thread that has any, R<address>=<value><<source> (i: the initial write), W<address>=<value>,
// U for the write of a read-modify-write, F, and T for spawn and join; then, after the bar, the writes of each location
// in coherence order. The part before the bar is the rf-key. The key of a stuck execution begins with "stuck:", that of
// a failed one with "failed:".
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "evaluate.h"
#include "model/ast.h"
#include "program/program.h"
#include "runs.h"

namespace heddle::oracle {

struct OracleResult {
  std::set<std::string> coKeys;
  std::set<std::string> rfKeys;
  bool race = false;  // a C11 data race in one of the executions, whatever the model

  // A key that stands for several executions, which differ only in what `choose` returned or in memory orders,
  // and how many they are. Every other key stands for one.
  std::map<std::string, std::size_t> repeated;

  std::size_t multiplicity(const std::string& key) const;
};

// Throws OracleLimit if there are more than `candidateLimit` candidates to look at. `skipForbidden` is the
// switch described above; it must be off for models with dependencies.
std::vector<OracleResult> runOracle(Program& program, const std::vector<const model::Model*>& models,
                                    std::size_t candidateLimit, bool skipForbidden = true);

// Whether two accesses of different threads with a byte in common, a write among them and a plain one among them, are
// unordered by the model's happens-before, or if it is nullptr by that of C++20, which follows from po, rf and rmw.
bool hasDataRace(const Execution& execution, const Relation* happensBefore);

}  // namespace heddle::oracle
