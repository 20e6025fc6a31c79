// All executions of a litmus test that a model allows, by enumeration, for models that can only be evaluated on complete
// executions.
//
//     runs of the threads by themselves  ->  one run of each thread whose reads find what some write writes  ->
//     a write for each read (rf)  ->  an order of the writes of each location (co)  ->  do the axioms hold?
//
// An execution is its events with rf and co. Different runs of a thread differ in what they read, so each execution comes up
// once, and nothing has to be remembered.
//
// Two things keep the number of candidates small. If the model has the axiom of coherence, `acyclic (po-loc | rf | co | rb)`, only
// those orders are made that it allows: with rf known, it is a partial order of the writes of each location. And axioms that can
// only get worse as rf and co grow are asked as soon as there is rf, with that partial order for co.
//
// Values that come from themselves, by a cycle of rf and data dependencies, are left out, as in the field's simulators. Only where
// plain accesses copy a value round in a circle, one from thin air is tried (thread_runs.h).
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "enumerate/execution.h"
#include "model/ast.h"
#include "program/separate_threads.h"

namespace heddle::enumerate {

// The end of an execution.
struct End {
  std::vector<const ThreadRun*> runs;  // by thread
  std::map<Address, Value> memory;
  const Execution* execution = nullptr;
};

class Observer {
 public:
  virtual ~Observer() = default;
  // Before the model is asked: is an execution that ends so wanted at all?
  virtual bool isWanted(const End& end) = 0;
  // An execution that the model allows. False ends the enumeration.
  virtual bool execution(const End& end) = 0;
  // A flag of the model is raised; once for each.
  virtual void flag(const std::string& name, const End& end) = 0;
  // Asked now and then: should the enumeration stop?
  virtual bool shouldStop() = 0;
};

struct Summary {
  bool complete = true;     // it was not stopped
  bool cut = false;         // some loop went round too often, and those executions are missing
  std::uint64_t asked = 0;  // how often axioms were evaluated
  std::string neverHolds;   // if the model allows nothing: the name of an axiom that holds in none of what was asked about
};

// Throws ProgramError if a thread faults in an execution that the model allows, and LimitError for what is too large.
Summary enumerate(const SeparateThreads& threads, const model::Model& model, Observer& observer, bool thinAir = true);

}  // namespace heddle::enumerate
