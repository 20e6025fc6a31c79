// Where results go for those who collect them: the files and annotations that were asked for (report/results/results.h).
#pragma once

#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "cli/options.h"
#include "report/results/results.h"

namespace heddle::cli {

class ResultFiles {
 public:
  // Opens them, so that a name that cannot be used is told before the work begins. Throws InputError.
  void open(const Options& options);
  bool empty() const { return outputs_.empty(); }
  // False if a file cannot be written; that is told on standard error.
  bool write(std::span<const report::Result> results);

 private:
  struct Output {
    const report::ResultFormat* format;
    std::string name;  // of the file; empty if it is printed
    std::ofstream stream;
  };
  std::vector<Output> outputs_;
  bool printsToError_ = false;  // standard output is taken
};

}  // namespace heddle::cli
