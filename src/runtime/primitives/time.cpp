// Time.

#include "runtime/hooks.h"
#include "runtime/on_fiber.h"

using namespace heddle::runtime;

extern "C" {

std::uint64_t heddle_time() {
  program().recorder().stop();
  return program().clocks().time();
}

void heddle_set_time(std::uint64_t time) { program().clocks().set(time); }

}  // extern "C"
