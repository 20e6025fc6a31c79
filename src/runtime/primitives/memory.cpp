// The heap, and accesses of library code to the memory of the program.

#include <utility>

#include "runtime/fiber.h"
#include "runtime/hooks.h"
#include "runtime/on_fiber.h"

using namespace heddle;
using namespace heddle::runtime;

namespace {

// It has the same numbers (HEDDLE_HEAP_KINDS).
memory::AllocationKind heapKind(std::uint32_t kind) { return static_cast<memory::AllocationKind>(kind); }

}  // namespace

extern "C" {

void* heddle_allocate(std::size_t size, std::size_t alignment, std::uint32_t kind) {
  running().stopIfAsked();
  return running().guard([&] {
    program().recorder().stop();
    const std::uint32_t tag = std::exchange(heddle_heap_type, 0);
    return reinterpret_cast<void*>(program().plainMemory().allocate(size, alignment, heapKind(kind), running().origin(0), tag));
  });
}

void heddle_free(void* address, std::uint32_t kind) {
  running().guard([&] {
    if (address != nullptr) program().lives().free(addressOf(address), heapKind(kind), running().origin(0));
  });
}

int heddle_is_initialised(const void* address, std::size_t n) {
  program().recorder().stop();
  return !program().plainMemory().isUninitialised(addressOf(address), n);
}

std::size_t heddle_allocation_size(const void* address) {
  program().recorder().stop();
  const memory::Allocation* const block = program().plainMemory().find(addressOf(address));
  return block && block->live && block->address == addressOf(address) ? block->size : 0;
}

void heddle_check_read(const void* address, std::size_t n) {
  running().guard([&] {
    program().recorder().stop();
    if (n != 0) program().plain().read(addressOf(address), n, running().origin(0), PlainAccesses::Use::bytes);
  });
}

void heddle_check_write(void* address, std::size_t n) {
  running().guard([&] {
    program().recorder().stop();
    if (n == 0 || isOnAnyStack(addressOf(address))) return;
    const AfterCrash& afterCrash = program().afterCrash();
    if (afterCrash.isExpected() && (afterCrash.isNow() || afterCrash.isDurable(addressOf(address), n))) {
      if (afterCrash.isNow()) {
        return program().afterCrash().write(addressOf(address), n, running().origin(0), {.areKnown = false});
      }
      running().fail(ErrorKind::unsupported,
                     "a library function writes to durable memory by itself: let it write elsewhere, and copy",
                     running().origin(0));
    }
    if (program().plainMemory().write(addressOf(address), n, running().origin(0)) == memory::Outcome::fault) {
      program().faults().fail(program().plainMemory().fault(), 0, false);
    }
  });
}

}  // extern "C"
