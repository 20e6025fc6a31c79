#include "cli/result_files.h"

#include <fmt/format.h>

#include "cli/format_files.h"
#include "util/version.h"

namespace heddle::cli {

void ResultFiles::open(const Options& options) {
  printsToError_ = options.json;
  for (const report::ResultFormat& format : report::resultFormats()) {
    if (!format.toFile) {
      if (options.github) outputs_.push_back({&format, "", {}});
      continue;
    }
    const auto wanted = options.results.find(format.name);
    if (wanted != options.results.end()) outputs_.push_back({&format, wanted->second, openToWrite(wanted->second)});
  }
}

bool ResultFiles::write(std::span<const report::Result> results) {
  bool written = true;
  for (Output& output : outputs_) {
    const std::string text = output.format->text(results, util::version());
    if (!output.format->toFile) {
      fmt::print(printsToError_ ? stderr : stdout, "{}", text);
      continue;
    }
    output.stream << text << std::flush;
    if (output.stream) continue;
    fmt::print(stderr, "{}: error: cannot write the file\n", output.name);
    written = false;
  }
  return written;
}

}  // namespace heddle::cli
