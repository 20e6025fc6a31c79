// A check as text: the verdict in one line, then what needs to be said about it.
//
//     verified   spinlock.cpp under rc20: 1,204 executions, 0 blocked, 0.02 s, 14 MB
//
//     bounded    spin.cpp under rc20: 42 executions, 3 blocked, 0.02 s, 14 MB
//                no error was found, but these loops were cut, so that there may be one beyond:
//                spin.cpp:12 after 8 rounds
//                raise the bound with --unroll 16, or for one loop with --unroll-loop spin.cpp:12=16
//
//     error      mp.cpp under rc20: data race; 3 executions, 0 blocked, 0.02 s, 14 MB
//
//     data race: plain read of data
//       mp.cpp:15 in reader(), thread 2
//           int r = data;
//       plain write: mp.cpp:8 in writer(), thread 1
//           data = 1;
//
//     The execution that leads there:
//     (see trace/formats/text.h)
#pragma once

#include <cstdint>
#include <string>

#include "report/check_report.h"
#include "report/progress.h"
#include "report/text.h"

namespace heddle::report {

struct CheckTextOptions {
  bool quiet = false;  // no execution and no output of the program
  bool timing = false;
  std::size_t width = 100;
};

std::string checkText(const CheckReport& report, const Style& style, const CheckTextOptions& options);

std::string memoryText(std::uint64_t bytes);  // "14 MB"

}  // namespace heddle::report
