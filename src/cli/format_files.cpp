#include "cli/format_files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "cli/models.h"

namespace heddle::cli {

void FormatFiles::open(const Options& options) {
  for (const trace::Format& format : trace::formats()) {
    const auto wanted = options.formats.find(format.name);
    if (wanted == options.formats.end()) continue;
    errno = 0;
    File file{&format, wanted->second, std::ofstream(wanted->second, std::ios::binary)};
    if (!file.stream) throw InputError(fmt::format("{}: error: cannot write the file: {}", file.name, std::strerror(errno)));
    files_.push_back(std::move(file));
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
