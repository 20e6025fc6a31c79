// The hooks of dependencies (runtime/dependencies.h).

#include <utility>

#include "runtime/hooks.h"
#include "runtime/on_fiber.h"

using namespace heddle;
using namespace heddle::runtime;

extern "C" {

std::uint32_t heddle_join_dependencies(std::uint32_t a, std::uint32_t b) { return program().dependencySets().join(a, b); }

void heddle_note_control(std::uint32_t set) { heddle_control = program().dependencySets().join(heddle_control, set); }

void heddle_note_store(std::uint32_t set) {
  heddle_stored_through = program().dependencySets().join(heddle_stored_through, set);
}

// Where a plain read is an event, what is read depends on that.
std::uint32_t heddle_load_dependencies(const void* address, std::uint64_t size) {
  const DependencySet events = std::exchange(heddle_result_dependencies, kIndependent);
  const DependencySet set = program().dependentMemory().load(addressOf(address), size);
  program().recorder().recordSetRead(addressOf(address), size, set);
  return program().dependencySets().join(events, set);
}

void heddle_store_dependencies(const void* address, std::uint64_t size, std::uint32_t set) {
  running().guard([&] { program().dependentMemory().store(addressOf(address), size, set); });
  program().recorder().recordSetWrite(addressOf(address), size, set);
}

// A step with a copy of bytes that depend on something is not remembered, as each byte has a set of its own; nor is one that
// goes on with a copy.
void heddle_begin_copy(const void* from, std::uint64_t size) {
  if (program().dependentMemory().beginCopy(addressOf(from), size)) program().recorder().stop();
  program().recorder().recordSetRead(addressOf(from), size, kIndependent);
}

void heddle_end_copy(const void* to, const void* from, std::uint64_t size, std::uint32_t set) {
  const DependencySet events = std::exchange(heddle_result_dependencies, kIndependent);
  const DependencySet both = program().dependencySets().join(events, set);
  bool whole = true;
  running().guard([&] { whole = program().dependentMemory().endCopy(addressOf(to), addressOf(from), size, both); });
  if (!whole) program().recorder().stop();
  program().recorder().recordSetWrite(addressOf(to), size, both);
}

}  // extern "C"
