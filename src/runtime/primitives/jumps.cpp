// setjmp and longjmp.
//
// A thread runs on a stack of its own, which goes back with it (fiber.h). So a jump is what it is anywhere: the registers are
// loaded, and the frames between are gone. They are kept in the program's jump buffer, which is plain memory like any other:
// to set one that another thread uses is a data race.
//
// A buffer is good as long as the function that has called setjmp has not returned. The frame of such a function begins with a
// mark, a number that no other call of a function in this thread has. The buffer has it, too. When the function is left, by
// whatever way, its frame ends, and who jumps later does not find the mark.
//
// A buffer has room for more (jmp_buf of glibc has 200 bytes), but those of pthread_cleanup_push have 104 only.
//
//     | registers: 8 words | kind, thread | frame | mark, place of the setjmp | place of a library call, annotations |

#include <algorithm>
#include <cstring>

#include "runtime/fiber.h"
#include "runtime/hooks.h"
#include "runtime/on_fiber.h"

using namespace heddle;
using namespace heddle::runtime;

namespace {

struct JumpBuffer {
  HeddleRegisters registers;
  std::uint32_t kind, thread;
  std::uint64_t frame;
  std::uint32_t mark, source;
  std::uint32_t callSource;
  std::uint16_t local, final;  // Marking
};

constexpr std::uint32_t kKind = 0x6a6d7062;

std::uint64_t& markOf(Address frame) { return *reinterpret_cast<std::uint64_t*>(frame + kJumpMarkOffset); }

bool isThere(const JumpBuffer& buffer) {
  const Address mark = buffer.frame + kJumpMarkOffset;
  const memory::Allocation* const variable = program().plainMemory().find(mark);
  return variable && variable->live && variable->address == mark && variable->size == kJumpMarkBytes &&
         variable->kind == memory::AllocationKind::frame && markOf(buffer.frame) == buffer.mark;
}

// What is wrong with a jump, or null.
const char* faultOf(const JumpBuffer& buffer) {
  if (buffer.kind != kKind) return "longjmp with a buffer that setjmp has not filled in";
  if (buffer.thread != running().self()) return "longjmp with a buffer that another thread has filled in";
  if (!isThere(buffer)) return "longjmp into a function that has returned";
  return nullptr;
}

}  // namespace

extern "C" {

void heddle_note_jump(void* buffer, void* frame, std::uint32_t source, const HeddleRegisters* registers) {
  running().guard([&] {
    program().recorder().stop();
    Context& context = running().ownContext();
    std::uint64_t mark = markOf(addressOf(frame));
    if (mark == 0) {
      mark = ++context.jumpMarks;
      program().plain().copy(addressOf(frame) + kJumpMarkOffset, addressOf(&mark), sizeof mark, source);
    }
    const JumpBuffer filled{.registers = *registers,
                            .kind = kKind,
                            .thread = running().self(),
                            .frame = addressOf(frame),
                            .mark = static_cast<std::uint32_t>(mark),
                            .source = source,
                            .callSource = heddle_call_source,
                            .local = context.marking.local,
                            .final = context.marking.final};
    program().plain().copy(addressOf(buffer), addressOf(&filled), sizeof filled, source);
  });
}

void heddle_jump(const void* from, std::uint32_t value) {
  JumpBuffer buffer;
  running().guard([&] {
    program().recorder().stop();
    program().plain().read(addressOf(from), sizeof buffer, running().origin(0), PlainAccesses::Use::bytes);
    std::memcpy(&buffer, from, sizeof buffer);
    if (const char* const fault = faultOf(buffer)) {
      Error error{.kind = ErrorKind::misuse, .message = fault, .related = {}};
      if (buffer.kind == kKind)
        error.related.push_back({.thread = static_cast<ThreadId>(buffer.thread), .source = buffer.source, .what = "setjmp"});
      running().fail(std::move(error), 0);
    }
    program().lives().popFramesAbove(buffer.frame, running().origin(0));
  });
  running().ownContext().marking.local = buffer.local;
  running().ownContext().marking.final = buffer.final;
  heddle_call_source = buffer.callSource;
  heddle_return_again(&buffer.registers, std::max<std::uint32_t>(value, 1));
}

}  // extern "C"
