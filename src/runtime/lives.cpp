#include "runtime/lives.h"

#include <algorithm>

namespace heddle::runtime {

namespace {

constexpr const char* kNoRoom = "there is no room for local variables";
constexpr const char* kEnd = "the end of the life";

}  // namespace

Address Lives::pushFrame(std::uint64_t size, std::span<const FrameVariable> variables, bool inner, std::uint32_t source) {
  recorder_.stop();
  const Address base = memory_.pushFrame(size, source, {.inner = inner});
  if (base == 0) running_.fail(ErrorKind::stackOverflow, kNoRoom, source);
  for (const FrameVariable& variable : variables) memory_.defineVariable(base + variable.offset, variable.size, variable.tag);
  return base;
}

void Lives::popFrame(Address base, std::uint32_t source) {
  recorder_.stop();
  plain_.endOfLife(base, memory_.frameTop() - base, kEnd, source);
  check(memory_.popFrame(base, source), source);
}

void Lives::popFramesAbove(Address base, std::uint32_t source) {
  const Address above = memory_.endOfInnerFrames(base);
  if (memory_.frameTop() > above) popFrame(above, source);
}

// The frame of the same size that was here before, and some before that, were elsewhere: a pointer that has stayed behind
// does not point to the new variable.
Address Lives::pushVariable(std::uint64_t size, std::uint64_t alignment, std::uint32_t tag, std::uint32_t number,
                            std::uint32_t source) {
  constexpr std::uint64_t kPlaces = 8, kBetween = 128;
  recorder_.stop();
  const std::uint64_t margin = std::max<std::uint64_t>(alignment, 16);
  const std::uint64_t room = size + 2 * margin;
  const Address base = memory_.pushFrame(room, source, {.gap = (number % kPlaces) * (room + kBetween), .inner = true});
  if (base == 0) running_.fail(ErrorKind::stackOverflow, kNoRoom, source);
  const Address address = (base + margin) & ~(margin - 1);
  memory_.defineVariable(address, size, tag);
  return address;
}

// If the variable is not the newest its frame stays for the time being.
void Lives::popVariable(Address address, std::uint32_t source) {
  if (address == 0) return;  // its life has not begun
  recorder_.stop();
  const memory::Allocation* const variable = memory_.find(address);
  plain_.endOfLife(address, variable->size, kEnd, source);
  const Address frame = memory_.newestFrame(address);
  check(frame != 0 ? memory_.popFrame(frame, source) : memory_.endVariable(address, source), source);
}

void Lives::free(Address address, memory::AllocationKind kind, std::uint32_t source) {
  recorder_.stop();
  const memory::Allocation* const block = memory_.find(address);
  if (block && block->live && block->address == address) {
    if (modes_.racesJudged) {
      running_.visible(Operation::endOfLife(address, block->size).at(source));
    } else {
      plain_.endOfLife(address, block->size, "the free", source);
    }
  }
  check(memory_.free(address, kind, source), source);
}

void Lives::endOfThread() {
  const std::uint32_t source = running_.place(0);
  if (memory_.hasFrames()) popFrame(memory::framesOf(running_.self()), source);
  if (!info_.tlsEscapes) return;
  recorder_.stop();
  plain_.endOfLife(memory::tlsOf(running_.self()), info_.tlsSize, kEnd, source);
  check(memory_.endTls(source), source);
}

}  // namespace heddle::runtime
