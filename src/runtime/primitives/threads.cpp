// Threads.

#include <cstring>

#include "runtime/fiber.h"
#include "runtime/hooks.h"
#include "runtime/on_fiber.h"

using namespace heddle;
using namespace heddle::runtime;

extern "C" {

std::uint32_t heddle_spawn(void* (*function)(void*), void* argument) {
  heddle_check_callee(reinterpret_cast<const void*>(function), 0);
  const ThreadId child = program().childThread();
  running().visible(Operation::spawn(child, reinterpret_cast<Address>(function), addressOf(argument)));
  return child;
}

void heddle_join(std::uint32_t thread) { running().visible(Operation::join(static_cast<ThreadId>(thread))); }

int heddle_join_rest() { return running().visible(Operation::joinOneOfTheRest()).value != 0; }

void heddle_detach(std::uint32_t thread) { program().findings().detached.insert(static_cast<ThreadId>(thread)); }

void heddle_name_thread(std::uint32_t thread, const char* name) {
  constexpr std::size_t kLongest = 15;  // as the kernel has it
  program().findings().threadNames[static_cast<ThreadId>(thread)] = std::string(name, strnlen(name, kLongest));
}

std::uint32_t heddle_self() { return running().self(); }

int heddle_has_many_threads() { return program().threadCount() > 63; }

std::uint64_t* heddle_private() { return reinterpret_cast<std::uint64_t*>(privateWord(running().self())); }

void heddle_end_thread() { program().endThread(); }

void heddle_end_program(int) { running().pauseForEver(Operation::endProgram()); }

}  // extern "C"
