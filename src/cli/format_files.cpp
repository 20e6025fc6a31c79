#include "cli/format_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>

#include "cli/models.h"

namespace heddle::cli {

namespace {

constexpr const char* kStandardOutput = "-";

}  // namespace

std::ofstream openToWrite(const std::string& name) {
  errno = 0;
  std::ofstream stream(name, std::ios::binary);
  if (!stream) throw InputError(fmt::format("{}: error: cannot write the file: {}", name, std::strerror(errno)));
  return stream;
}

void FormatFiles::open(const Options& options) {
  for (const trace::Format& format : trace::formats()) {
    const auto wanted = options.formats.find(format.name);
    if (wanted == options.formats.end()) continue;
    const std::string& name = wanted->second;
    if (name == kStandardOutput && (options.json || reportStream() != stdout)) {
      throw InputError(
          fmt::format("heddle: --{} - writes to standard output, and so does another option: name a file", format.name));
    }
    files_.push_back({&format, name, name == kStandardOutput ? std::ofstream() : openToWrite(name)});
  }
}

std::FILE* FormatFiles::reportStream() const {
  return std::ranges::find(files_, kStandardOutput, &File::name) == files_.end() ? stdout : stderr;
}

bool FormatFiles::wantEachState() const {
  return std::ranges::any_of(files_, [](const File& file) { return file.format->eachState; });
}

bool FormatFiles::write(std::span<const trace::Execution> executions, std::span<const trace::Execution> ofStates) {
  bool written = true;
  for (File& file : files_) {
    std::ostream& stream = file.name == kStandardOutput ? std::cout : file.stream;
    stream << file.format->inFile(file.format->eachState ? ofStates : executions) << std::flush;
    if (stream) continue;
    fmt::print(stderr, "{}: error: cannot write the file\n", file.name);
    written = false;
  }
  return written;
}

}  // namespace heddle::cli
