// All executions of a small program under the Linux kernel's memory model, by brute force.
//
// It shares nothing with src/enumerate, src/litmus/kernel and models/lkmm.cat: the program is a table, every read is tried with
// every write of its location, every location with every order of its writes, and the axioms are written out in C++ from the
// published definitions (tools/memory-model of Linux 6.3 and later).
#pragma once

#include <map>
#include <string>

#include "lkmm_program.h"

namespace heddle::oracle {

struct KernelOutcome {
  std::map<std::string, unsigned> states;  // final states, and in how many executions
  bool race = false;
  bool tooLarge = false;  // it was given up

  // The same without executions in which dependencies and reads-from form a cycle: plain accesses do not forbid them, and neither
  // does control over reads.
  std::map<std::string, unsigned> grounded;
  bool groundedRace = false;
};

// A state is the registers of reads, by thread and number, and then the data locations: "0 1 2 ".
KernelOutcome kernelOutcome(const KernelProgramTable& program);

}  // namespace heddle::oracle
