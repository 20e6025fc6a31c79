// A litmus test: a program, the question asked about it, and what it is known to answer.
//
// This header and program.h are what the rest of the product uses of this folder.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "litmus/condition.h"
#include "litmus/expectation.h"
#include "litmus/kernel/kernel_threads.h"
#include "litmus/program.h"
#include "litmus/source.h"

namespace heddle::litmus {

// Something whose value at the end of an execution matters: a register or a location.
struct Observable {
  bool isRegister = false;
  ThreadId thread = 0;  // of a register, with its slot for LitmusProgram::registerValue
  unsigned slot = 0;
  Address address = 0;  // of a location
  unsigned size = 4;
  bool isSigned = true;
  std::string name;  // "0:r0", "x", "a[2]"; a thread goes by its number in the source

  // The bytes found at `address` as the number that conditions and states speak of. A register's value needs no
  // conversion.
  std::int64_t fromMemory(Value value) const {
    return Type{.size = static_cast<std::uint8_t>(size), .isSigned = isSigned}.fromMemory(value);
  }
};

struct Test {
  std::string name;
  std::string file;
  std::string model;  // that the test is about: "armv8", "lkmm", ...; empty for C11
  std::unique_ptr<LitmusProgram> program;
  std::unique_ptr<KernelThreads> kernel;  // in the place of the program, for a test in the kernel's dialect

  Quantifier quantifier = Quantifier::none;  // none: the test has no condition, and `holds` is always true
  std::string conditionText;                 // "exists (0:r0=1 /\ 1:r0=0)", whatever the spelling in the file
  std::vector<Observable> observables;       // registers by thread and name, then locations by name
  Condition condition;                       // the formula, without the quantifier
  Condition filter;                          // executions in which it does not hold do not count
  ValueNames valueNames;                     // of addresses, where a value may be one
  std::vector<Expectation> expectations;     // one for each model
  bool hasPlainAccesses = false;

  // Does the formula hold in a final state? `observed` has a value for each observable, in their order.
  bool holds(const std::int64_t* observed) const { return condition.holds(observed); }

  // "0:r0=0; 1:r0=1; x=2;"
  std::string stateText(const std::int64_t* observed) const;
};

enum class Dialect : std::uint8_t {
  byText,        // the kernel's if the text shows it (litmus/kernel/kernel_parser.h), or else C11
  preferKernel,  // C11 if the text shows that
};

struct ParseOptions {
  Dialect dialect = Dialect::byText;  // of tests in C
  unsigned loopBound = 10000;         // rounds of loops that a thread may make in one run
};

// Both throw LitmusError.
Test parseLitmus(const std::string& text, const std::string& file, const ParseOptions& options = {});
Test loadLitmus(const std::string& path, const ParseOptions& options = {});

}  // namespace heddle::litmus
