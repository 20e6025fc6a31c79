// The hooks of local variables in frame memory.

#include "runtime/hooks.h"
#include "runtime/on_fiber.h"

using namespace heddle::runtime;

namespace {

template <typename Push>
void* pushed(Push push) {
  return reinterpret_cast<void*>(running().guard(push));
}

}  // namespace

extern "C" {

void* heddle_frame_push(std::uint64_t size, const FrameVariable* variables, std::uint32_t count, std::uint32_t source) {
  return pushed([&] { return program().lives().pushFrame(size, {variables, count}, variables == nullptr, source); });
}

void heddle_frame_pop(void* base, std::uint32_t source) {
  running().guard([&] { program().lives().popFrame(addressOf(base), source); });
}

void heddle_frame_unwind(void* base, std::uint32_t source) {
  running().guard([&] { program().lives().popFramesAbove(addressOf(base), source); });
}

void* heddle_alloca(std::uint64_t size, std::uint64_t alignment, std::uint32_t tag, std::uint32_t source) {
  return pushed([&] { return program().lives().pushVariable(size, alignment, tag, 0, source); });
}

void* heddle_life_begin(std::uint64_t size, std::uint64_t alignment, std::uint32_t tag, std::uint32_t number,
                        std::uint32_t source) {
  return pushed([&] { return program().lives().pushVariable(size, alignment, tag, number, source); });
}

void heddle_life_end(void* address, std::uint32_t source) {
  running().guard([&] { program().lives().popVariable(addressOf(address), source); });
}

}  // extern "C"
