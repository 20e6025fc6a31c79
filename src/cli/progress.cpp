#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "cli/terminal.h"

namespace heddle::cli {

void Progress::show(std::size_t done, std::size_t all, const std::string& test, std::uint64_t executions) {
  show(fmt::format("[{}/{}] {}  {} executions", done, all, test, executions));
}

void Progress::show(const std::string& line) {
  if (!on_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  shown_ = true;
  // One line on any terminal: what does not fit is left out.
  const std::size_t width = pageWidth(STDERR_FILENO);
  fmt::print(stderr, "\r\x1b[K{}",
             line.size() < width ? line : line.substr(0, width - std::min<std::size_t>(width, 4)) + "...");
  std::fflush(stderr);
}

void Progress::clear() {
  if (!shown_) return;
  shown_ = false;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
}

}  // namespace heddle::cli
