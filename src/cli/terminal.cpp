#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

namespace heddle::cli {

bool enabled(const std::string& when, int descriptor) {
  return when == "on" || when == "always" || (when == "auto" && isatty(descriptor) != 0);
}

std::size_t pageWidth(int descriptor) {
  constexpr std::size_t kUsual = 100, kWidest = 160;
  winsize size = {};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsual;
  return std::min<std::size_t>(size.ws_col, kWidest);
}

}  // namespace heddle::cli
