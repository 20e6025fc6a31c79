// An execution as a graph in the language of Graphviz: a box for each thread with its events in program order, and
// edges for reads-from (rf), coherence (co), and the start and end of threads. The error is red; what cannot have had a
// part in it is grey.
#pragma once

#include <string>

#include "report/check_report.h"

namespace heddle::report {

// Without an execution to show the graph has a title that says so, and nothing else.
std::string checkDot(const CheckReport& report);

}  // namespace heddle::report
