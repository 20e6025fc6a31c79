// docs/benchmarks.md and its plots, from the results of the tables.
#pragma once

#include <string>
#include <vector>

#include "bench/tables.h"

namespace heddle::bench {

// A figure as text; empty if there is none. 14,457,720; 0.04; 16,377.
std::string countText(const std::optional<std::uint64_t>& count);
std::string secondsText(const std::optional<double>& seconds);

// Every table, with rows that were not run as published alone. `plots`: the folder of the plots, from the page.
std::string markdown(const std::vector<Table>& tables, const std::vector<TableResult>& results, const std::string& plots);

// How many executions a second, ours and published, of the largest row of each program.
std::string ratePlot(const std::vector<TableResult>& results);
// What an execution costs, over the sizes of each program.
std::string costPlot(const std::vector<TableResult>& results);

// Of the rows that took the published tool more than half a second and compare.
struct Summary {
  unsigned rows = 0;
  double geometricMean = 0, least = 0;  // of whole runs
  double explorations = 0;              // geometric mean of the explorations alone
  std::string leastRow;
};
Summary summarize(const std::vector<TableResult>& results);

}  // namespace heddle::bench
