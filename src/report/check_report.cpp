#include "report/check_report.h"

#include <fmt/format.h>

#include "trace/formats/describe.h"

namespace heddle::report {

const char* name(CheckVerdict verdict) {
  switch (verdict) {
    case CheckVerdict::verified: return "verified";
    case CheckVerdict::bounded: return "bounded";
    case CheckVerdict::sampled: return "sampled";
    case CheckVerdict::error: return "error";
    case CheckVerdict::incomplete: return "incomplete";
  }
  return "?";
}

trace::Execution shownExecution(const CheckReport& report) {
  trace::Execution execution = report.result.execution;
  execution.subject = fmt::format("{}", fmt::join(report.files, " "));
  execution.model = report.model;
  execution.title = fmt::format("{} under {}: {}", execution.subject, report.model,
                                execution.error ? trace::errorLine(*execution.error)
                                                : fmt::format("{}, no execution to show", name(report.result.verdict)));
  return execution;
}

}  // namespace heddle::report
