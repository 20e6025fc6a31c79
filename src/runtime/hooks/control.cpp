// The hooks of errors that instrumented code finds, and of loops.

#include "runtime/call_targets.h"
#include "runtime/hooks.h"
#include "runtime/on_fiber.h"

using namespace heddle;
using namespace heddle::runtime;

extern "C" {

void heddle_fail(std::uint32_t kind, const char* message, std::uint32_t source) {
  running().fail(static_cast<ErrorKind>(kind), message ? message : "", source);
}

void heddle_check_callee(const void* function, std::uint32_t source) {
  const auto callee = reinterpret_cast<Address>(function);
  if (!callTargets().contains(callee)) running().fail(ErrorKind::wildCall, CallTargets::describe(callee), source);
}

void heddle_loop_bound(std::uint32_t loop, std::uint32_t source) {
  program().findings().boundHits.insert(loop);
  running().pauseForEver(blockedBy(BlockReason::loopBound).at(source));
}

void heddle_spin(std::uint32_t source, std::uint32_t begin) {
  running().pauseForEver(Operation::spin(static_cast<Value>(BlockReason::spin), begin).at(source));
}

void heddle_spin_on_mutex(std::uint32_t source, std::uint32_t begin, void* mutex) {
  Operation spin = Operation::spin(static_cast<Value>(BlockReason::spin), begin).at(source);
  spin.address = addressOf(mutex);
  running().pauseForEver(spin);
}

std::uint32_t heddle_polls() {
  if (program().modes().attempts && program().modes().polls) running().pollNext();
  return program().modes().attempts ? 1 : 0;
}

std::uint32_t heddle_unchanged_since(std::uint32_t begin, std::uint32_t plain, std::uint32_t entries, std::uint64_t bytes) {
  program().recorder().stop();
  return program().waits().isIdleRound(begin, plain != 0, {.entries = entries, .bytes = bytes}) ? 1 : 0;
}

std::uint32_t heddle_written_entries() {
  program().recorder().stop();
  return program().plainMemory().moment().entries;
}

std::uint64_t heddle_written_bytes() {
  program().recorder().stop();
  return program().plainMemory().moment().bytes;
}

void heddle_begin_round(std::uint32_t source) {
  running().visible(Operation::beginRound(running().ownContext().time).at(source));
}

void heddle_end_round(std::uint32_t source, std::uint32_t mark, std::uint32_t begin, const char* changed, std::uint32_t unclear,
                      std::uint32_t rewrites) {
  program().recorder().stop();
  program().markedRounds().end(
      {.source = source, .mark = mark, .begin = begin, .changed = changed, .unclear = unclear != 0, .rewrites = rewrites != 0});
}

std::uint32_t heddle_position() { return running().position(); }

}  // extern "C"
