// From source files to native code: the steps, each in a file of its own.
//
//   compile     (compile/compile.h)      clang, in process, with precompiled headers       -> llvm::Module
//   link        (compile/link.h)         the library models that the program needs         -> the same module
//   instrument  (instrument_program.h)   checks, frames, accesses, loops                   -> the same module, ProgramInfo
//   jit         (jit/jit.h)              optimisation and code generation                  -> addresses
//
// build_program.h takes a program through all of them. The rooms:
//
//   compile/      source files come in, a linked module with the library models goes out
//   names/        debug information comes in; names, types and places for reports go out
//   instrument/   the steps that replace what is visible in the module by calls of the hooks (src/runtime/hooks.h)
//   loops/        the same for loops: which of them wait, which end, what becomes of each
//   jit/          an instrumented module comes in, native code in the program's memory goes out
//   library/      models of library functions: part of the checked program, not of heddle
//   overlay/      headers that a program sees in place of the system's own
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "abi/heddle_disk.h"
#include "program/operation.h"

namespace heddle::native {

// The program cannot be checked as it is: it does not compile, or it calls something that is not modelled. The text is
// complete, with file and line, and may have several lines.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// How long a step took.
struct StepTime {
  std::string step;
  double seconds = 0;
};

// A memory order that is made stronger (--suggest): where it is written, and at least what it becomes; or a fence of this order.
struct OrderChange {
  std::string file;
  unsigned line = 0, column = 0, part = 0;  // part: runtime::Source::part
  Order order = Order::seq_cst;
  bool failure = false;  // of a compare-exchange that fails
  bool fenceBefore = false, fenceAfter = false;
  bool operator==(const OrderChange&) const = default;
};

// What of the command line matters before the program runs.
struct BuildOptions {
  std::vector<std::string> files;        // .c, .cc, .cpp, .cxx, .ll, .bc
  std::vector<std::string> flags;        // for clang
  std::string compilationDatabase;       // compile_commands.json, or a folder with one; empty for none
  bool precompiled = true;               // --no-precompiled: do not keep or use precompiled headers
  std::vector<std::string> pure;         // external functions that are accepted as they are
  std::uint64_t unroll = 0;              // bound of loops that are not known to end; 0 for none
  std::vector<std::string> unrollLoops;  // "file:line=N"
  bool undefinedBehaviour = false;       // --ub
  bool volatileRelaxed = false;          // --volatile=relaxed
  bool spuriousWakeups = true;           // of condition variables
  bool fair = false;                     // --fair: yields are kept, and explored fairly
  bool races = true;                     // --races=off: plain accesses that race are relaxed events
  bool racesJudged = false;              // likewise, and they are plain events, as the model judges races itself
  bool plainLoads = false;               // --equivalence=rf: plain reads of atomic locations are events
  bool crashes = false;                  // --persistency: what runs after a crash is part of the program
  heddle_disk_options disk = {};         // --persistency=ext4; a block size of 0: there is no disk
  std::string diskFolder;                // --disk: what is on it at first
  bool dependencies = false;             // the model asks what values depend on
  bool controlEnds = false;              // and branches say something about the code that depends on them only
  bool waitingLoops = true;              // --without=spin-loops: loops that wait are explored round by round
  bool joinedLoads = true;               // --without=joined-loads: loops are left in the shape in which they are written
  bool explainLoops = false;             // --list-loops: say why loops are explored round by round
  std::vector<OrderChange> changes;      // of memory orders
  bool identity = false;                 // work out Build::identity(), and keep Build::linked()
  std::string linked;                    // that of another process, in place of the files
  bool debugged = false;                 // the code is for a debugger: it does the same, and all variables can be seen
#ifdef HEDDLE_INVARIANTS
  bool verified = true;  // ask LLVM whether what came of all this is valid code
#else
  bool verified = false;
#endif
};

}  // namespace heddle::native
