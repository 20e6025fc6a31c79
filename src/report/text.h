// Outcomes as text, in the layout of the field's simulators, whose output people already parse.
//
//     Test SB+rlx Allowed
//     States 4
//     0:r0=0; 1:r0=0;
//     ...
//     Ok
//     Witnesses
//     Positive: 1 Negative: 3
//     Condition exists (0:r0=0 /\ 1:r0=0)
//     Observation SB+rlx Sometimes 1 3
//     Time SB+rlx 0.00
//     Model rc20, equivalence co
//     Executions 4
//     Blocked 0
//
// What the simulators do not have (races, failed assertions, explorations cut short) follows as lines of its own.
#pragma once

#include <string>
#include <vector>

#include "report/outcome.h"
#include "util/page.h"

namespace heddle::report {

using util::Style;

// One test under one model, as every report starts from it.
struct Report {
  const litmus::Test* test = nullptr;
  std::string model;      // its name
  std::string modelFile;  // of a model that is not built in
  bool assumed = false;   // what the exploration needs of the model was assumed, not established
  explore::Equivalence equivalence = explore::Equivalence::co;
  Outcome outcome;
  std::vector<std::string> differences;  // from the test's expectations
};

// The access of a data race that is this thread's.
const trace::Event& involvedEvent(const trace::Execution& race, ThreadId thread);

// The execution that the formats of files show: one with an error, or one that answers the test's question, or, if there is
// none, a title that says so.
trace::Execution shownExecution(const Report& report);
// That one if something is wrong in it, and one for each final state.
std::vector<trace::Execution> executionsOfStates(const Report& report);

std::string fullText(const Report& report, const util::Page& page);
// The end of it: what is wrong with the test or the run, if anything.
std::string problemText(const Report& report, const util::Page& page);
std::string observationLine(const Report& report);

// A table with aligned columns; the first row is the heading. Columns from `firstRight` on are aligned to the right.
std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t firstRight, const Style& style);

// One row a test.
std::string summaryTable(const std::vector<Report>& reports, const Style& style);
// One row a test and one column a model; `reports` come test by test, each with all models in the same order.
std::string comparisonTable(const std::vector<Report>& reports, std::size_t models, const Style& style);

// "409 runs: 300 ok, 100 no, ..."
std::string totals(const std::vector<Report>& reports, std::size_t badFiles);

}  // namespace heddle::report
