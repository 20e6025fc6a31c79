#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/progress.h"
#include "trace/formats/describe.h"
#include "trace/formats/formats.h"

namespace heddle::report {

using litmus::Quantifier;

namespace {

const char* question(Quantifier quantifier) {
  switch (quantifier) {
    case Quantifier::exists: return "Allowed";
    case Quantifier::notExists: return "Forbidden";
    case Quantifier::forall:
    case Quantifier::none: return "Required";
  }
  return "?";
}

std::string answer(Verdict verdict, const Style& style) {
  switch (verdict) {
    case Verdict::ok: return style.good("Ok");
    case Verdict::no: return style.bad("No");
    case Verdict::error: return style.bad("Error");
    case Verdict::incomplete: return style.warning("Incomplete");
    case Verdict::sampled: return style.warning("Sampled");
  }
  return "?";
}

// One of the two accesses of a race: that of this thread.
std::string accessLine(const trace::Execution& race, ThreadId thread) {
  const trace::Event& access = involvedEvent(race, thread);
  return fmt::format("  {} line {}: {} {}{}   {}\n", trace::threadName(race, thread), access.place.line,
                     trace::wordOf(access.kind), access.location,
                     access.order.empty() ? "" : fmt::format(" ({})", access.order), access.place.text);
}

// What a row of a table says besides the observation.
std::string remarks(const Report& report) {
  std::string text;
  const auto add = [&](const char* remark) { text += fmt::format("{}{}", text.empty() ? "" : " ", remark); };
  if (report.outcome.failed > 0) add("error");
  if (hasRace(report.outcome)) add("race");
  if (!report.outcome.complete()) add(report.outcome.cut == Cut::sample ? "sampled" : "incomplete");
  if (!report.differences.empty()) add("unexpected");
  return text;
}

void describe(trace::Execution& execution, const Report& report, const std::string& state) {
  execution.subject = report.test->name;
  execution.model = report.model;
  execution.state = state;
  execution.title = fmt::format("{} under {}: {}", report.test->name, report.model, state);
}

}  // namespace

const trace::Event& involvedEvent(const trace::Execution& race, ThreadId thread) {
  return *std::ranges::find_if(race.events, [&](const trace::Event& e) { return e.involved && e.thread == thread; });
}

trace::Execution shownExecution(const Report& report) {
  trace::Execution execution;
  execution.title = "no execution to show";
  for (const auto* found : {&report.outcome.error, &report.outcome.race, &report.outcome.witness}) {
    if (!*found) continue;
    execution = **found;
    if (execution.error) execution.title = trace::errorLine(*execution.error);
    break;
  }
  describe(execution, report, execution.title);
  return execution;
}

std::vector<trace::Execution> executionsOfStates(const Report& report) {
  std::vector<trace::Execution> executions;
  for (const auto* wrong : {&report.outcome.error, &report.outcome.race}) {
    if (!*wrong) continue;
    executions.push_back(**wrong);
    describe(executions.back(), report, trace::errorLine(*executions.back().error));
  }
  for (const trace::Execution& execution : report.outcome.ofStates) {
    executions.push_back(execution);
    describe(executions.back(), report, execution.state);
  }
  if (executions.empty()) executions.push_back(shownExecution(report));
  return executions;
}

std::string observationLine(const Report& report) {
  const Outcome& outcome = report.outcome;
  return fmt::format("Observation {} {} {} {}\n", report.test->name, observationText(outcome), outcome.positive,
                     outcome.negative);
}

std::string fullText(const Report& report, const util::Page& page) {
  const Style& style = page.style;
  const litmus::Test& test = *report.test;
  const Outcome& outcome = report.outcome;
  std::string text = fmt::format("{} {}\n", style.strong("Test " + test.name), question(test.quantifier));
  text += fmt::format("States {}\n", outcome.states.size());
  for (const std::string& state : outcome.states) text += state + '\n';
  text += answer(verdict(test, outcome), style) + '\n';
  for (const std::string& flag : outcome.flags) text += style.bad("Flag") + ' ' + flag + '\n';
  text += fmt::format("Witnesses\nPositive: {} Negative: {}\n", outcome.positive, outcome.negative);
  text += fmt::format("Condition {}\n", test.conditionText);
  text += observationLine(report);
  text += fmt::format("Time {} {:.2f}\n", test.name, outcome.seconds);
  text +=
      fmt::format("Model {}{}, equivalence {}{}\n", report.model, report.modelFile.empty() ? "" : " (" + report.modelFile + ")",
                  name(report.equivalence), report.assumed ? ", requirements assumed" : "");
  if (!outcome.mixedSizes.empty()) {
    text += fmt::format("Mixed sizes: {}; explored again, by bytes\n", outcome.mixedSizes);
  }
  text += fmt::format("Executions {}\nBlocked {}\n", outcome.executions, outcome.blocked);
  if (outcome.failed > 0) text += fmt::format("Failed {}\n", outcome.failed);
  if (outcome.estimate.isKnown()) {
    text += "Estimate " +
            estimateText(outcome.estimate, outcome.executions + outcome.blocked - outcome.earlier, outcome.seconds) + '\n';
  }
  text += problemText(report, page);
  if (verdict(test, outcome) == Verdict::no && outcome.witness) {
    text += "The execution that violates the condition:\n\n" + trace::onPage(*outcome.witness, page);
  }
  return text;
}

std::string problemText(const Report& report, const util::Page& page) {
  const Style& style = page.style;
  const litmus::Test& test = *report.test;
  const Outcome& outcome = report.outcome;
  std::string text;
  if (!outcome.complete()) {
    text += style.warning(fmt::format("{} {}", outcome.cut == Cut::sample ? "Sampled" : "Incomplete", test.name)) +
            fmt::format(": {}; covered {} executions and {} blocked ones, {} states, in {:.2f} s\n", outcome.cutReason,
                        outcome.executions, outcome.blocked, outcome.states.size(), outcome.seconds);
  }
  if (outcome.race) {
    const trace::Error& race = *outcome.race->error;
    const ThreadId first = race.related[0].site.thread, second = race.site.thread;
    text += style.bad("Race") + fmt::format(" on {}: these accesses are not ordered by happens-before\n",
                                            involvedEvent(*outcome.race, first).location);
    text += accessLine(*outcome.race, first) + accessLine(*outcome.race, second);
  }
  if (outcome.error) {
    const trace::Error& error = *outcome.error->error;
    text += style.bad("Error") + fmt::format(" {} line {}: {}\n", trace::threadName(*outcome.error, error.site.thread),
                                             error.site.at.line, error.message);
    text += trace::onPage(*outcome.error, page);
  }
  for (const std::string& difference : report.differences) text += style.bad("Unexpected") + ' ' + difference + '\n';
  return text;
}

std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t firstRight, const Style& style) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      if (c > 0) line += "  ";
      line += c < firstRight ? fmt::format("{:<{}}", rows[r][c], widths[c]) : fmt::format("{:>{}}", rows[r][c], widths[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += (r == 0 ? style.strong(line) : line) + '\n';
  }
  return text;
}

std::string summaryTable(const std::vector<Report>& reports, const Style& style) {
  std::vector<std::vector<std::string>> rows = {
      {"Test", "Verdict", "Observation", "Remarks", "States", "Executions", "Blocked", "Seconds"}};
  for (const Report& report : reports) {
    const Outcome& outcome = report.outcome;
    rows.push_back({report.test->name, name(verdict(*report.test, outcome)), observationText(outcome), remarks(report),
                    std::to_string(outcome.states.size()), std::to_string(outcome.executions), std::to_string(outcome.blocked),
                    fmt::format("{:.2f}", outcome.seconds)});
  }
  return table(rows, 4, style);
}

std::string comparisonTable(const std::vector<Report>& reports, std::size_t models, const Style& style) {
  std::vector<std::vector<std::string>> rows = {{"Test"}};
  for (std::size_t m = 0; m < models && m < reports.size(); ++m) rows[0].push_back(reports[m].model);
  for (std::size_t first = 0; first + models <= reports.size(); first += models) {
    std::vector<std::string> row = {reports[first].test->name};
    for (std::size_t m = 0; m < models; ++m) {
      const Report& report = reports[first + m];
      std::string cell = fmt::format("{} {}", observationText(report.outcome), report.outcome.executions);
      if (const std::string extra = remarks(report); !extra.empty()) cell += ' ' + extra;
      row.push_back(std::move(cell));
    }
    rows.push_back(std::move(row));
  }
  return table(rows, rows[0].size(), style);
}

std::string totals(const std::vector<Report>& reports, std::size_t badFiles) {
  std::size_t counts[5] = {}, races = 0, unexpected = 0;
  for (const Report& report : reports) {
    ++counts[static_cast<std::size_t>(verdict(*report.test, report.outcome))];
    races += hasRace(report.outcome);
    unexpected += !report.differences.empty();
  }
  std::string text =
      fmt::format("{} {}: {} ok, {} no", reports.size(), reports.size() == 1 ? "run" : "runs", counts[0], counts[1]);
  const auto add = [&](std::size_t count, const char* what) {
    if (count > 0) text += fmt::format(", {} {}", count, what);
  };
  add(counts[2], "with a failed assertion");
  add(counts[3], "incomplete");
  add(counts[4], "sampled");
  add(races, "with a data race");
  add(unexpected, "not as expected");
  add(badFiles, badFiles == 1 ? "file that could not be run" : "files that could not be run");
  return text + '\n';
}

}  // namespace heddle::report
