// The files that executions are written to: one for each format that was asked for (trace/formats/formats.h).
#pragma once

#include <cstdio>
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
  // Where the report goes: to standard output, or to standard error if one of the files ("-") is standard output.
  std::FILE* reportStream() const;
  // Is there one that shows each final state of a litmus test?
  bool wantEachState() const;
  // False if one cannot be written; that is told on standard error. `ofStates`: for the formats that show each final state.
  bool write(std::span<const trace::Execution> executions, std::span<const trace::Execution> ofStates);
  bool write(std::span<const trace::Execution> executions) { return write(executions, executions); }

 private:
  struct File {
    const trace::Format* format;
    std::string name;
    std::ofstream stream;
  };
  std::vector<File> files_;
};

}  // namespace heddle::cli
