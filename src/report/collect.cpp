#include "report/collect.h"

#include <fmt/format.h>

#include "report/check_text.h"
#include "trace/formats/describe.h"

namespace heddle::report {

namespace {

constexpr const char* kRequiredVerdict = "required-verdict";

// Fails a result that is not an error but not good enough either.
void require(Result& result, const std::string& verdict, const std::string& required) {
  if (required.empty() || verdict == required || result.status == Result::Status::failed) return;
  result.status = Result::Status::failed;
  result.kind = kRequiredVerdict;
  result.message = requirementText(verdict, required);
}

}  // namespace

std::string requirementText(const std::string& verdict, const std::string& required) {
  return fmt::format("the verdict is `{}`, and `{}` is required", verdict, required);
}

Result resultOf(const CheckReport& report, const std::string& required) {
  const run::CheckResult& found = report.result;
  Result result;
  result.command = "check";
  result.name = fmt::format("{} under {}", fmt::join(report.files, " "), report.model);
  result.file = report.files.empty() ? "" : report.files.front();
  result.message = name(found.verdict);
  result.details = checkText(report, Style(), {});
  result.seconds = found.totalSeconds;
  result.execution = found.execution;
  if (found.hasError()) {
    result.kind = found.execution.error->kind;
    result.message = trace::errorLine(*found.execution.error);
  } else if (found.verdict == CheckVerdict::incomplete) {
    result.kind = result.message;
    result.message += ": " + found.incompleteReason;
  }
  if (found.verdict == CheckVerdict::error) result.status = Result::Status::failed;
  if (found.verdict == CheckVerdict::incomplete) result.status = Result::Status::undecided;
  require(result, name(found.verdict), required);
  return result;
}

Result resultOf(const Report& report, bool failed) {
  const Outcome& outcome = report.outcome;
  const std::string answer = name(verdict(*report.test, outcome));
  Result result;
  result.command = "litmus";
  result.name = fmt::format("{} under {}", report.test->name, report.model);
  result.file = report.test->file;
  result.message = answer;
  result.details = fullText(report, {});
  result.seconds = outcome.seconds;
  result.execution = shownExecution(report);
  if (failed) {
    result.status = Result::Status::failed;
    result.kind = "claim";
    result.message = "the test's claim does not hold: " + report.test->conditionText;
    if (result.execution.error) {
      result.kind = result.execution.error->kind;
      result.message = trace::errorLine(*result.execution.error);
    }
    if (!report.differences.empty()) {
      result.kind = "expectation";
      result.message = fmt::format("{}", fmt::join(report.differences, "; "));
    }
  } else if (!outcome.complete() && outcome.cut != Cut::sample) {
    result.status = Result::Status::undecided;
    result.kind = "incomplete";
    result.message = fmt::format("incomplete: {}", outcome.cutReason);
  }
  return result;
}

Result resultOf(const std::string& command, const BadFile& bad) {
  Result result;
  result.command = command;
  result.name = result.file = bad.file;
  result.status = Result::Status::undecided;
  result.kind = "bad-input";
  result.message = util::firstLine(bad.message);
  result.details = bad.message;
  return result;
}

}  // namespace heddle::report
