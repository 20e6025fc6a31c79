// The lives of objects: where local variables, heap blocks and thread_locals begin and end, on the fiber of the running
// thread.
//
// Local variables whose address matters are in frames of program memory. A function has one frame for all that live as long
// as it does; a variable that lives in a block of it, or that alloca makes, has a frame of its own. No event and no access
// may come after the end of a life (PlainAccesses::endOfLife, Memory).
#pragma once

#include <cstdint>
#include <span>

#include "memory/memory.h"
#include "runtime/faults.h"
#include "runtime/hooks.h"
#include "runtime/plain_accesses.h"
#include "runtime/program_info.h"
#include "runtime/program_modes.h"
#include "runtime/running_thread.h"
#include "runtime/step_recorder.h"

namespace heddle::runtime {

class Lives {
 public:
  Lives(const ProgramInfo& info, memory::Memory& memory, RunningThread& running, StepRecorder& recorder, Faults& faults,
        PlainAccesses& plain, const ProgramModes& modes)
      : info_(info), memory_(memory), running_(running), recorder_(recorder), faults_(faults), plain_(plain), modes_(modes) {}

  // Frames. Without variables it is that of a block.
  Address pushFrame(std::uint64_t size, std::span<const FrameVariable> variables, bool inner, std::uint32_t source);
  void popFrame(Address base, std::uint32_t source);  // and all that are newer
  void popFramesAbove(Address base, std::uint32_t source);

  // A variable with a frame of its own; `number`: how many there have been before. Null ends nothing.
  Address pushVariable(std::uint64_t size, std::uint64_t alignment, std::uint32_t tag, std::uint32_t number,
                       std::uint32_t source);
  void popVariable(Address address, std::uint32_t source);

  void free(Address address, memory::AllocationKind kind, std::uint32_t source);

  // What nobody has returned from ends with its thread, and so do thread_locals.
  void endOfThread();

 private:
  void check(memory::Outcome outcome, std::uint32_t source) {
    if (outcome == memory::Outcome::fault) faults_.fail(memory_.fault(), source, false);
  }

  const ProgramInfo& info_;
  memory::Memory& memory_;
  RunningThread& running_;
  StepRecorder& recorder_;
  Faults& faults_;
  PlainAccesses& plain_;
  const ProgramModes& modes_;
};

}  // namespace heddle::runtime
