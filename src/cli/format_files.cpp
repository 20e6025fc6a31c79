#include "cli/format_files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "cli/models.h"

namespace heddle::cli {

std::ofstream openToWrite(const std::string& name) {
  errno = 0;
  std::ofstream stream(name, std::ios::binary);
  if (!stream) throw InputError(fmt::format("{}: error: cannot write the file: {}", name, std::strerror(errno)));
  return stream;
}

void FormatFiles::open(const Options& options) {
  for (const trace::Format& format : trace::formats()) {
    const auto wanted = options.formats.find(format.name);
    if (wanted != options.formats.end()) files_.push_back({&format, wanted->second, openToWrite(wanted->second)});
  }
}

bool FormatFiles::write(std::span<const trace::Execution> executions) {
  bool written = true;
  for (File& file : files_) {
    file.stream << file.format->inFile(executions) << std::flush;
    if (file.stream) continue;
    fmt::print(stderr, "{}: error: cannot write the file\n", file.name);
    written = false;
  }
  return written;
}

}  // namespace heddle::cli
