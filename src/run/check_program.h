// Checking a program: everything from its source files to the verdict.
//
// `check` compiles, instruments and runs the program, explores its executions, and returns plain values: names, typed
// values and places in the source are resolved here, so that whoever prints a result needs no other table.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "abi/heddle_inputs.h"
#include "explore/explorer.h"
#include "model/compile.h"
#include "native/inputs.h"
#include "native/pipeline.h"
#include "parallel/run.h"
#include "run/test_outcomes.h"
#include "sandbox/sandbox.h"
#include "trace/execution.h"
#include "why/relabelled.h"

namespace heddle::run {

// Which writes have persisted when the program crashes (src/persist).
enum class Persistency : std::uint8_t { none, strict, weakest, px86, px86ByLocation, ext4, fromFile };

// Which memory that is not freed at the end is an error.
enum class Leaks : std::uint8_t { ignored, unreachable, all };

struct CheckOptions {
  native::BuildOptions build;
  std::vector<std::string> arguments;  // the program's argv[1..]
  heddle_explored_inputs explored = {};
  const model::CompiledModel* model = nullptr;
  const model::Model* judge = nullptr;  // of complete executions, if there is one; check() sets it
  explore::Equivalence equivalence = explore::Equivalence::co;
  bool spurious = true;          // weak compare-exchanges and condition waits
  std::uint32_t stale = 0;       // how often a thread may read an overwritten write; 0: any number of times
  bool zeroNetEffect = true;     // attempts that are taken back wait (Mode::attempts, Mode::polls)
  bool barriers = true;          // the order of arrivals at a barrier does not matter (Mode::orderedArrivals)
  bool skipFutile = true;        // ExploreOptions::skipFutile
  bool overtakenAwaits = false;  // and the two that follow it there
  bool confirmations = false;
  bool symmetry = false;  // alike threads are explored in one order (explore/symmetry.cpp)
  Persistency persistency = Persistency::none;
  std::shared_ptr<const model::Model> persistencyModel;  // fromFile: defines pb
  bool recoveryWrites = false;                           // and may crash, too
  Leaks leaks = Leaks::ignored;
  bool liveness = true;                            // loops that never end are errors
  bool showOutput = false;                         // the program's own output, of every execution, on standard output
  std::uint64_t maxExecutions = 0;                 // blocked ones included; 0: no limit
  double stuckSeconds = 10;                        // a segment that runs longer is an error
  bool why = true;                                 // an error is explained
  bool shorten = true;                             // and a shorter execution with it is looked for
  bool suggest = false;                            // and stronger orders are looked for with which there is none
  std::vector<trace::Change> changes;              // made in the program before it is checked
  std::function<void()> compiled = [] {};          // the exploration is about to begin
  sandbox::Wanted sandbox = sandbox::Wanted::off;  // entered before the program's first instruction, for good
  // One worker if there is a limit of executions, or if the program's output is shown: the order matters then.
  parallel::Control control;
};

struct BoundHit {
  std::string file;
  unsigned line = 0;
  std::uint64_t bound = 0;       // 0: none, but yields
  bool wakeups = false;          // spurious ones of a wait in a row, not rounds of a loop
  std::uint64_t staleReads = 0;  // not of a loop: so many loads there of what the thread had read too often were left out
  bool yields = false;           // likewise: because of --fair, or of that too
  bool operator==(const BoundHit&) const = default;
};

struct CheckResult {
  enum class Verdict : std::uint8_t { verified, bounded, sampled, error, incomplete };

  Verdict verdict = Verdict::incomplete;
  std::string incompleteReason;              // for people
  std::vector<std::string> advice;           // what to do about that, a line each
  bool tooLarge = false;                     // incomplete because of one execution that did not end, or nearly so
  bool allBlocked = false;                   // incomplete for no other reason than that no execution ran to its end
  std::string checkpointProblem;             // why one could not be written
  parallel::Estimate estimate;               // of the number of executions, if that was asked for
  std::uint64_t earlier = 0;                 // executions and blocked ones that a checkpoint brought along
  std::vector<std::vector<ThreadId>> alike;  // threads up to whose exchange the executions are counted
  std::string noSymmetry;                    // why there are none of these although they were asked for
  std::string mixedSizes;                    // which accesses overlap in part, if some do: see mixer/on_demand.h
  std::uint64_t executions = 0, blocked = 0;
  double seconds = 0, totalSeconds = 0;  // exploration alone; everything
  std::vector<native::StepTime> timing;  // compile, link, instrument, optimise, generate code, explore
  std::uint64_t peakBytes = 0;           // of all processes
  std::uint64_t workerBytes = 0;         // of those that helped to explore, with this one
  trace::Execution execution;            // of the error, if there is one; without a title
  bool isUnsupported = false;            // the error is that heddle does not do what the program asks for
  std::vector<BoundHit> bounds;
  std::vector<std::string> warnings;          // "thread 2 is never joined"
  std::vector<TestOutcome> outcomes;          // of a test that has some
  std::string output;                         // what the program printed in the execution that is shown
  std::shared_ptr<const why::Graph> failure;  // that execution, for --suggest

  bool hasError() const { return execution.error.has_value(); }
};

// Options as the exploration sees them. A model that can only be evaluated judges the complete executions of a weaker one, which
// is explored.
class ExploredOptions {
 public:
  // Throws InputError for what cannot be explored.
  explicit ExploredOptions(const CheckOptions& asked);

  const CheckOptions& explored() const { return options_; }
  // All that the program has to be built with. Runs with equal ones (isSameBuild) can share a BuiltProgram.
  native::BuildOptions build() const;

 private:
  CheckOptions options_;
  std::unique_ptr<const model::CompiledModel> explored_;  // null: the model that was asked for
  std::unique_ptr<const model::Model> judge_;
};

bool isSameBuild(const native::BuildOptions& a, const native::BuildOptions& b);

// A program that is compiled and in memory, before its first step. One process explores it once: to explore it several times
// from the same beginning, fork.
class BuiltProgram {
 public:
  // Throws InputError for a program that cannot be checked.
  explicit BuiltProgram(const native::BuildOptions& options);
  ~BuiltProgram();
  BuiltProgram(const BuiltProgram&) = delete;
  BuiltProgram& operator=(const BuiltProgram&) = delete;

  const native::InputFiles& inputs() const;
  bool hasTests() const;  // several, by a header that lists them (native/build_program.h)
  // The options are explored ones, and build() of them is what the program was built with.
  CheckResult check(const CheckOptions& options);

 private:
  struct Parts;

  std::unique_ptr<Parts> parts_;
  double seconds_ = 0;  // that it took to build
};

// All of it. Throws InputError for a program that cannot be checked, LimitError for one that is too large.
CheckResult check(const CheckOptions& options);

}  // namespace heddle::run
