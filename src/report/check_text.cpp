#include "report/check_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "trace/formats/describe.h"
#include "trace/formats/formats.h"

namespace heddle::report {

using run::CheckResult;
using trace::placeText;
using util::printable;

namespace {

constexpr std::size_t kIndent = 11;  // of what follows a verdict, or a word like one

std::string continued(const std::string& text) { return std::string(kIndent, ' ') + text + '\n'; }

// A word in the left margin, and a line.
std::string entry(const std::string& word, const std::string& painted, const std::string& text) {
  return painted + std::string(kIndent - word.size(), ' ') + text + '\n';
}

std::string fileList(const std::vector<std::string>& files) {
  constexpr std::size_t kMost = 3;
  if (files.size() <= kMost) return fmt::format("{}", fmt::join(files, " "));
  return fmt::format("{} and {} more files", files[0], files.size() - 1);
}

std::string modelText(const CheckReport& report) {
  std::string text = report.model;
  if (!report.modelFile.empty()) text += fmt::format(" ({})", report.modelFile);
  if (!report.persistency.empty()) text += fmt::format(", persistency {}", report.persistency);
  if (report.dependencies) text += ", dependencies of the source";
  if (report.equivalence == explore::Equivalence::rf) text += ", equivalence rf";
  if (report.assumed) text += ", requirements assumed";
  return text;
}

std::string painted(CheckVerdict verdict, const Style& style) {
  switch (verdict) {
    case CheckVerdict::verified: return style.good(name(verdict));
    case CheckVerdict::error: return style.bad(name(verdict));
    case CheckVerdict::bounded:
    case CheckVerdict::sampled:
    case CheckVerdict::incomplete: return style.warning(name(verdict));
  }
  return name(verdict);
}

// "threads 1-3 and 5, 7"
std::string threadList(const std::vector<ThreadId>& threads) {
  std::vector<std::string> runs;
  for (std::size_t i = 0; i < threads.size();) {
    std::size_t end = i + 1;
    while (end < threads.size() && threads[end] == threads[end - 1] + 1) ++end;
    const bool isRun = end - i > 2;
    for (std::size_t j = i; j < end && !isRun; ++j) runs.push_back(std::to_string(threads[j]));
    if (isRun) runs.push_back(fmt::format("{}-{}", threads[i], threads[end - 1]));
    i = end;
  }
  return fmt::format("threads {}", fmt::join(runs, ", "));
}

// " up to exchange of threads 1-3 and of threads 4, 5"
std::string symmetryText(const CheckResult& result) {
  std::string text;
  for (const std::vector<ThreadId>& group : result.alike) {
    text += (text.empty() ? " up to exchange of " : " and of ") + threadList(group);
  }
  return text;
}

std::string verdictLine(const CheckReport& report, const Style& style) {
  const CheckResult& result = report.result;
  std::string what;
  if (result.verdict == CheckVerdict::error) what = result.execution.error->title + "; ";
  if (result.verdict == CheckVerdict::incomplete) what = result.incompleteReason + "; ";
  return entry(name(result.verdict), painted(result.verdict, style),
               fmt::format("{} under {}: {}{}{}, {} blocked, {:.2f} s, {}", fileList(report.files), modelText(report), what,
                           counted(result.executions, "execution"), symmetryText(result), grouped(result.blocked),
                           result.totalSeconds, memoryText(result.peakBytes)));
}

// "2 loads in a row or a yield"
std::string staleLimit(const run::BoundHit& hit) {
  std::string loads = hit.bound == 0 ? "" : counted(hit.bound, "load") + " in a row";
  if (!hit.yields) return loads;
  return loads + (loads.empty() ? "a yield" : " or a yield");
}

std::string staleReadsText(const CheckResult& result) {
  std::string text;
  std::uint64_t bound = 0;
  bool yields = false;
  for (const run::BoundHit& hit : result.bounds) {
    if (hit.staleReads == 0) continue;
    bound = hit.bound;
    yields = hit.yields;
    text += continued(
        fmt::format("  {} after {}, {}", placeText(hit.file, hit.line), staleLimit(hit), counted(hit.staleReads, "time")));
  }
  if (text.empty()) return "";
  if (result.verdict == CheckVerdict::error) {
    return continued("loads of overwritten values were left out before the error was found:") + text;
  }
  return continued("no error was found, but loads of overwritten values were left out, and there may be one beyond:") + text +
         continued(bound == 0
                       ? "for more rounds use --stale 2 in place of --fair"
                       : fmt::format("{}raise the bound with --stale {}", yields ? "leave out --fair, or " : "", 2 * bound));
}

std::string loopsText(const CheckResult& result) {
  std::vector<run::BoundHit> bounds = result.bounds;
  std::erase_if(bounds, [](const run::BoundHit& hit) { return hit.staleReads != 0; });
  if (bounds.empty()) return "";
  const bool wakeups = std::ranges::any_of(bounds, &run::BoundHit::wakeups);
  const char* const what = wakeups ? "waits and loops" : "loops";
  std::string text = continued([&] {
    if (result.verdict == CheckVerdict::error) return fmt::format("these {} were cut before the error was found:", what);
    if (result.allBlocked) return fmt::format("nothing is known about the program, because these {} were cut:", what);
    return fmt::format("no error was found, but these {} were cut, and there may be one beyond:", what);
  }());
  const run::BoundHit* least = &bounds[0];
  for (const run::BoundHit& bound : bounds) {
    text += continued(fmt::format("  {} after {}", placeText(bound.file, bound.line),
                                  counted(bound.bound, bound.wakeups ? "spurious wake-up" : "round")));
    if (bound.bound < least->bound) least = &bound;
  }
  if (result.verdict == CheckVerdict::error) return text;
  if (least->wakeups) {
    if (least->bound == 1) return text + continued("leave them out with --no-spurious");
    return text +
           continued(fmt::format("raise the bound with --unroll {}, or leave them out with --no-spurious", 2 * least->bound));
  }
  return text + continued(fmt::format("raise the bound with --unroll {}, or that of one loop with --unroll-loop {}={}",
                                      2 * least->bound, placeText(least->file, least->line), 2 * least->bound));
}

// "queue.cpp:31 in push(), thread 1"
std::string where(const trace::Execution& execution, const trace::Site& site) {
  std::string text = placeText(site.at);
  if (!site.at.function.empty()) text += (text.empty() ? "in " : " in ") + printable(site.at.function);
  if (site.thread == 0 && site.at.function == "main") return text;
  return text + (text.empty() ? "" : ", ") + trace::threadName(execution, site.thread);
}

// ", in a call of std::map<...>::find"
std::string inside(const std::string& called) { return called.empty() ? "" : ", in a call of " + printable(called); }

std::string sourceLine(const std::string& text) { return text.empty() ? "" : "      " + printable(text) + '\n'; }

std::string siteText(const trace::Execution& execution, const trace::Site& site) {
  std::string text = where(execution, site) + inside(site.called) + '\n' + sourceLine(site.at.text);
  for (const auto* callers : {&site.callers, &site.outer}) {
    for (const trace::Place& caller : *callers) {
      text += fmt::format("    called from {} in {}\n", placeText(caller), printable(caller.function));
      text += sourceLine(caller.text);
    }
  }
  return text;
}

std::string errorText(const trace::Execution& execution, const Style& style) {
  const trace::Error& error = *execution.error;
  std::string text = style.strong(trace::errorLine(error)) + '\n';
  text += "  " + siteText(execution, error.site);
  for (const trace::Error::Related& related : error.related) {
    text += fmt::format("  {}: {}", printable(related.what), siteText(execution, related.site));
  }
  return text;
}

std::string outputText(const std::string& output) {
  std::string text = "The program's output in this execution:\n\n";
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t end = std::min(output.find('\n', at), output.size());
    text += "  " + printable(output.substr(at, end - at)) + '\n';
    at = end + 1;
  }
  return text;
}

// Each outcome of the test, with what the test says of it.
std::string outcomesText(const CheckResult& result, const Style& style) {
  std::vector<std::vector<std::string>> rows;
  std::string names, text;
  const auto flush = [&] {
    if (!rows.empty()) text += '\n' + table(rows, 3, style);
    rows.clear();
  };
  for (const run::TestOutcome& outcome : result.outcomes) {
    if (rows.empty() || outcome.names != names) {
      flush();
      names = outcome.names;
      rows.push_back({printable(names), "Grade", "Note", "Executions"});
    }
    rows.push_back({outcome.values, printable(outcome.grade), printable(outcome.note), grouped(outcome.executions)});
  }
  flush();
  return text;
}

std::string timingText(const CheckResult& result, const Style& style) {
  std::vector<std::vector<std::string>> rows = {{"Step", "Seconds"}};
  for (const native::StepTime& timing : result.timing) {
    rows.push_back({timing.step, fmt::format("{:.4f}", timing.seconds)});
  }
  rows.push_back({"total", fmt::format("{:.4f}", result.totalSeconds)});
  return table(rows, 1, style);
}

}  // namespace

std::string memoryText(std::uint64_t bytes) {
  const double megabytes = static_cast<double>(bytes) / 1e6;
  return megabytes < 1000 ? fmt::format("{:.0f} MB", megabytes) : fmt::format("{:.1f} GB", megabytes / 1000);
}

std::string checkText(const CheckReport& report, const Style& style, const CheckTextOptions& options) {
  const CheckResult& result = report.result;
  std::string text = verdictLine(report, style) + loopsText(result) + staleReadsText(result);
  for (const std::string& line : result.advice) text += continued(printable(line));
  if (result.allBlocked && result.bounds.empty()) {
    text += continued("in every execution a thread stops, at an assumption that fails or in a wait that never ends");
    text += continued("nothing is known about the program: look at its assumptions, and at --liveness if that is off");
  }
  if (!result.mixedSizes.empty()) {
    text += continued(fmt::format("mixed sizes: {}; explored again, by bytes", printable(result.mixedSizes)));
  }
  if (!result.noSymmetry.empty()) {
    text += continued(fmt::format("--symmetry on has no effect: {}", printable(result.noSymmetry)));
  } else if (report.symmetry && result.alike.empty() && !result.hasError()) {
    text += continued("no threads were found to be alike");
  }
  if (result.verdict == CheckVerdict::sampled) {
    text += continued("these executions were chosen at random; there are others, which may have errors");
  }
  if (result.estimate.isKnown()) {
    text += continued("estimate: " +
                      estimateText(result.estimate, result.executions + result.blocked - result.earlier, result.seconds));
  }
  for (const std::string& warning : result.warnings) {
    text += entry("warning", style.warning("warning"), printable(warning));
  }
  if (result.hasError()) {
    text += '\n' + errorText(result.execution, style);
    const std::string trace = options.quiet ? "" : trace::onPage(result.execution, {style, options.width});
    if (!trace.empty()) text += "\nThe execution that leads there:\n\n" + trace;
    if (!options.quiet && !result.output.empty()) text += '\n' + outputText(result.output);
  }
  if (!options.quiet) text += outcomesText(result, style);
  if (options.timing) text += '\n' + timingText(result, style);
  return text;
}

}  // namespace heddle::report
