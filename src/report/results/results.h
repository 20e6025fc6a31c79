// Every way to write results (result.h) for other programs, in one table.
//
// A format is a file in this folder and a row in results.cpp. A row with a file becomes an option, --NAME FILE, of `check`,
// `litmus` and `prove`; one without becomes a flag, and what it says is printed.
#pragma once

#include <span>
#include <string>

#include "report/results/result.h"

namespace heddle::report {

struct ResultFormat {
  const char* name;  // of the option
  const char* help;  // of the option
  bool toFile;
  std::string (*text)(std::span<const Result> results, const std::string& version);  // the version of heddle
};

std::span<const ResultFormat> resultFormats();

}  // namespace heddle::report
