// The files that executions are written to: one for each format that was asked for (trace/formats/formats.h).
#pragma once

#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "cli/options.h"
#include "trace/formats/formats.h"

namespace heddle::cli {

// Throws InputError if the file cannot be written.
std::ofstream openToWrite(const std::string& name);

class FormatFiles {
 public:
  // Opens them, so that a name that cannot be used is told before the work begins. Throws InputError.
  void open(const Options& options);
  bool empty() const { return files_.empty(); }
  // False if one cannot be written; that is told on standard error.
  bool write(std::span<const trace::Execution> executions);

 private:
  struct File {
    const trace::Format* format;
    std::string name;
    std::ofstream stream;
  };
  std::vector<File> files_;
};

}  // namespace heddle::cli
