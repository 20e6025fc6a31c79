// Threads.

#include <cstring>

#include "runtime/fiber.h"
#include "runtime/hooks.h"
#include "runtime/on_fiber.h"
#include "util/hash.h"

using namespace heddle;
using namespace heddle::runtime;

extern "C" {

std::uint32_t heddle_spawn(void* (*function)(void*), void* argument) {
  heddle_check_callee(reinterpret_cast<const void*>(function), 0);
  const ThreadId child = program().childThread();
  Operation spawn = Operation::spawn(child, reinterpret_cast<Address>(function), addressOf(argument));
  spawn.setAlike(running().takeAlike());
  running().visible(spawn);
  return child;
}

void heddle_start_alike(const void* function, const void* argument, int ignored, int owned) {
  if (!running().hasSymmetry()) return;
  program().recorder().stop();
  std::uint64_t number = util::mix(1, addressOf(function));
  if (owned != 0) {
    const auto* const bytes = static_cast<const std::uint8_t*>(argument);
    const std::size_t size = program().plainMemory().sizeOfNew(addressOf(argument));
    for (std::size_t i = 0; i < size; ++i) number = util::mix(number, bytes[i]);
    number = util::mix(number, size != 0 ? size : addressOf(argument));
  } else if (ignored == 0) {
    number = util::mix(number, addressOf(argument));
  }
  running().startAlike(number | 1);
}

void heddle_look_at_result(std::uint32_t thread) { running().lookAtResult(static_cast<ThreadId>(thread)); }

void heddle_join(std::uint32_t thread) { running().visible(Operation::join(static_cast<ThreadId>(thread))); }

int heddle_join_rest() { return running().visible(Operation::joinOneOfTheRest()).value != 0; }

void heddle_detach(std::uint32_t thread) { program().findings().detached.insert(static_cast<ThreadId>(thread)); }

void heddle_name_thread(std::uint32_t thread, const char* name) {
  constexpr std::size_t kLongest = 15;  // as the kernel has it
  program().findings().threadNames[static_cast<ThreadId>(thread)] = std::string(name, strnlen(name, kLongest));
}

std::uint32_t heddle_self() {
  running().tellNumber();
  return running().self();
}

std::uint32_t heddle_own_place() { return running().self(); }

int heddle_has_many_threads() { return program().threadCount() > 63; }

std::uint64_t* heddle_private() { return reinterpret_cast<std::uint64_t*>(privateWord(running().self())); }

void heddle_end_thread() { program().endThread(); }

void heddle_end_program(int) { running().pauseForEver(Operation::endProgram()); }

}  // extern "C"
