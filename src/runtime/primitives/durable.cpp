// Durable memory: where it is, and what makes it so (runtime/after_crash.h).

#include <fmt/format.h>

#include "runtime/hooks.h"
#include "runtime/on_fiber.h"

using namespace heddle;
using namespace heddle::runtime;

extern "C" {

void heddle_flush(const void* address, std::uint32_t what) {
  if (!program().afterCrash().isExpected()) return;
  running().visible(Operation::flush(static_cast<Flush>(what), addressOf(address)));
}

// The zeros are there before the program begins, so they are no writes that could be lost. That they are on the medium is said by an
// event: what the thread has written since its last one it may write again without a check (Memory).
void* heddle_allocate_durable(std::size_t size) {
  constexpr std::size_t kCacheLine = 64;
  void* const block = running().guard([&]() -> void* {
    program().recorder().stop();
    memory::Memory& memory = program().plainMemory();
    const Address address = memory.allocate(size, kCacheLine, memory::AllocationKind::persistent, running().origin(0), 0);
    if (address == 0) return nullptr;
    memory.set(address, 0, size, running().origin(0));
    program().afterCrash().noteHeap();
    return reinterpret_cast<void*>(address);
  });
  if (block != nullptr) heddle_flush(block, static_cast<std::uint32_t>(Flush::line));
  return block;
}

int heddle_recovers() { return program().afterCrash().crashes(); }

void heddle_note_name(const char* name) {
  running().guard([&] {
    if (program().afterCrash().noteName(name)) return;
    running().fail(ErrorKind::unsupported, fmt::format("the name {} cannot be told from another one: use another name", name),
                   0);
  });
}

}  // extern "C"
