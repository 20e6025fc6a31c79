// Errors, warnings and notes of the library models.

#include "runtime/hooks.h"
#include "runtime/on_fiber.h"

using namespace heddle::runtime;

extern "C" {

void heddle_note(std::uint32_t bit) { program().note(bit); }

std::uint32_t heddle_noted() { return program().noted(); }

void heddle_fail_hook(std::uint32_t kind, const char* message) {
  running().fail(static_cast<ErrorKind>(kind), message ? message : "", 0);
}

void heddle_warn_hook(const char* message) { program().findings().warn(message, running().place(0)); }

}  // extern "C"
