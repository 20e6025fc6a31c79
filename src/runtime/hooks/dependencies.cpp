// The hooks of dependencies (runtime/dependencies.h).

#include <utility>

#include "runtime/hooks.h"
#include "runtime/on_fiber.h"

using namespace heddle;
using namespace heddle::runtime;

extern "C" {

std::uint32_t heddle_join_dependencies(std::uint32_t a, std::uint32_t b) { return program().dependencySets().join(a, b); }

void heddle_note_control(std::uint32_t set) { heddle_control = program().dependencySets().join(heddle_control, set); }

// Where a plain read is an event, what is read depends on that.
std::uint32_t heddle_load_dependencies(const void* address, std::uint64_t size) {
  const DependencySet events = std::exchange(heddle_result_dependencies, kIndependent);
  return program().dependencySets().join(events, program().dependentMemory().load(addressOf(address), size));
}

void heddle_store_dependencies(const void* address, std::uint64_t size, std::uint32_t set) {
  running().guard([&] { program().dependentMemory().store(addressOf(address), size, set); });
}

void heddle_begin_copy(const void* from, std::uint64_t size) {
  program().dependentMemory().beginCopy(addressOf(from), size, running().ownContext().tracking.operations);
}

void heddle_end_copy(const void* to, const void* from, std::uint64_t size, std::uint32_t set) {
  const DependencySet events = std::exchange(heddle_result_dependencies, kIndependent);
  running().guard([&] {
    program().dependentMemory().endCopy(addressOf(to), addressOf(from), size, program().dependencySets().join(events, set),
                                        running().ownContext().tracking.operations);
  });
}

}  // extern "C"
