// What is to be done to each loop of a function: bounds, and what there is to watch in a spin loop (loops.h).
//
// Found for all loops before the first is changed. Every loop is entered into ProgramInfo::loops, with how it is
// treated.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "native/instrument/shared_state.h"
#include "native/loops/bytes.h"
#include "native/loops/limits.h"
#include "native/loops/marked_rounds.h"
#include "native/loops/visible_code.h"

namespace heddle::native {

struct LoopPlan {
  llvm::BasicBlock* header = nullptr;
  std::vector<llvm::BasicBlock*> latches;
  std::vector<llvm::BasicBlock*> entries;  // the blocks outside that lead to the header
  std::uint32_t index = 0;                 // into ProgramInfo::loops
  std::uint64_t bound = 0;
  std::uint32_t source = 0;
  bool spin = false;
  bool attempt = false;                     // it has one, which waits (attempts.h)
  bool silent = false;                      // may run for ever without a visible operation
  std::vector<llvm::PHINode*> carried;      // spin: the values that the loop carries round, if they matter
  std::vector<llvm::LoadInst*> loads;       // spin: before the loop, of values that each iteration reads anew (reread.h),
  std::vector<llvm::PHINode*> reread;       // and these values
  bool failsOnce = false;                   // spin: of rounds whose exchange fails no more than one counts (reread.h)
  std::vector<llvm::Instruction*> effects;  // spin: what may be an effect on the way to a back edge
  bool asks = false;                        // spin: there are effects of which only the runtime knows,
  bool calls = false;                       // and they may be effects on plain memory
  bool mayReadNothing = false;              // spin: there are rounds that have read nothing, and do not count
  std::optional<Limit> limit;               // spin: where a round in vain gives up, instead of waiting,
  std::optional<Look> looks;                // if it has found the same twice
  Bytes mutex;                              // spin: that iterations may take and give back; without a base, none
  std::vector<llvm::Instruction*> allocations, frees;  // spin: among the effects, of memory that is the iteration's own
  MarkedLoop marked;                                   // what the program says of its rounds, if that is of use
  std::string why;                                     // it is no spin loop (loop_causes.h)
};

// The mutex that a call of a library function takes or gives back.
Bytes mutexOf(const llvm::Instruction& call);

// Those loops that there is something to do to.
std::vector<LoopPlan> planLoops(Instrumentation& instrumentation, const VisibleCode& visible, llvm::Function& function);

}  // namespace heddle::native
