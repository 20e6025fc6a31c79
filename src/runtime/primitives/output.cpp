// What the program prints, and formatted text.

#include <alloca.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "runtime/fiber.h"
#include "runtime/hooks.h"
#include "runtime/on_fiber.h"

using namespace heddle;
using namespace heddle::runtime;

extern "C" {

void heddle_output(const char* text, std::size_t length, int) {
  program().recorder().stop();
  program().printed().print({text, length});
}

// The text is put together on the stack: it may have to be written piece by piece.
int heddle_format(char* buffer, std::size_t size, const char* format, std::va_list arguments) {
  return running().guard([&] {
    if (size == 0) return std::vsnprintf(nullptr, 0, format, arguments);
    if (size > kStackBytes / 4) throw LimitError("a formatted text is too long (over 4 MB)");
    auto* const text = static_cast<char*>(alloca(size));
    const int length = std::vsnprintf(text, size, format, arguments);
    const auto written = std::min<std::size_t>(size, static_cast<std::size_t>(length) + 1);
    program().plain().copy(addressOf(buffer), addressOf(text), written, running().origin(0));
    return length;
  });
}

}  // extern "C"
