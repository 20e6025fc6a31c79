#include "bench/tables_report.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace heddle::bench {

namespace {

std::string megabytesText(const std::optional<double>& megabytes) { return megabytes ? fmt::format("{:.0f}", *megabytes) : ""; }

// "36 / 36": ours, and what was published.
std::string both(const std::string& ours, const std::string& published) {
  return published.empty() ? ours : ours + " / " + published;
}

std::string resultLine(const TableResult& result, std::string mark) {
  const TableRow& row = *result.row;
  const CheckRun& run = result.run;
  const std::string faster = result.faster() ? fmt::format("{:.{}f}", *result.faster(), *result.faster() < 10 ? 1 : 0) : "";
  if (!result.complete()) mark += fmt::format(" {}{}{}", run.verdict, run.message.empty() ? "" : ": ", run.message);
  return fmt::format("| {}{} | {} | {} | {} | {} | {} | {} |\n", row.program, mark, row.model,
                     both(countText(run.executions), countText(row.published.executions)),
                     both(countText(run.blocked), countText(row.published.blocked)),
                     both(secondsText(run.cpuSeconds), secondsText(row.published.seconds)), faster,
                     both(megabytesText(static_cast<double>(run.peakBytes) / 1e6), megabytesText(row.published.megabytes)));
}

std::string publishedLine(const TableRow& row, const std::string& mark) {
  const auto of = [](const std::string& text) { return text.empty() ? "" : "- / " + text; };
  return fmt::format("| {}{} | {} | {} | {} | {} | | {} |\n", row.program, mark, row.model,
                     of(countText(row.published.executions)), of(countText(row.published.blocked)),
                     of(secondsText(row.published.seconds)), of(megabytesText(row.published.megabytes)));
}

using ResultsByKey = std::map<std::string, const TableResult*>;

// Notes of the rows, numbered by their first use; the same text is one note.
class Notes {
 public:
  // `result`: null if the row was not run.
  std::string mark(const TableRow& row, const TableResult* result) {
    std::string marks;
    if (result != nullptr && result->differs()) marks += markOf(row.why);
    return marks + markOf(row.note);
  }
  std::string list() const {
    std::string text;
    for (std::size_t i = 0; i < texts_.size(); ++i) text += fmt::format("{}. {}\n", i + 1, texts_[i]);
    return text.empty() ? "" : "\n" + text;
  }

 private:
  std::string markOf(const std::string& text) {
    if (text.empty()) return {};
    const auto [place, isNew] = numbers_.emplace(text, numbers_.size() + 1);
    if (isNew) texts_.push_back(text);
    return fmt::format(" ({})", place->second);
  }

  std::map<std::string, std::size_t> numbers_;
  std::vector<std::string> texts_;
};

std::string tableText(const Table& table, const ResultsByKey& results) {
  std::string text =
      fmt::format("## {}\n\n{}. Published: {}{}{}.{}{}\n\n", table.name, table.title, table.tool,
                  table.machine.empty() ? "" : ", on ", table.machine, table.note.empty() ? "" : " ", table.note);
  text += "| program | model | executions | blocked | seconds | times faster | MB |\n|---|---|---|---|---|---|---|\n";
  Notes notes;
  for (const TableRow& row : table.rows) {
    const auto found = results.find(TableResult{&table, &row, {}}.key());
    const TableResult* const result = found != results.end() ? found->second : nullptr;
    const std::string mark = notes.mark(row, result);
    text += result != nullptr ? resultLine(*result, mark) : publishedLine(row, mark);
  }
  return text + notes.list() + "\n";
}

constexpr const char* kIntroduction = R"(# Benchmarks

<!-- Made by `make bench-full` from bench/tables.json and the results of the run; do not edit. -->

The evaluation tables of the papers, with programs of our own, written from the papers' descriptions (`bench/tables`);
where a paper does not say what the threads do, they do what those of the published tool's test suite do, if we know it.
Each cell is ours / published. Ours are CPU seconds of whole runs of `heddle check`, from source to verdict, compilation
included (0.1 s of it, which is what rows of 0.1 s measure); the published seconds are those of the paper on the paper's
machine, so "times faster" is an order of magnitude and not a measurement. Peak memory of ours is nearly all LLVM and
clang. `-` marks what was not run: out of reach, or no program of ours. Counts are of executions with the same rf and co,
unless the table says otherwise; where ours is not the published one, a note under the table says why, and times are not
compared; nor are they where nothing tells whether our program is the same. Where the published count is that of loops
that are cut, or of rounds that Heddle leaves out, the row is run like that, and a row after it, without published
figures, has what Heddle counts by default. `blocked` are executions that were begun and came to nothing; fewer are better.

)";

}  // namespace

std::string countText(const std::optional<std::uint64_t>& count) {
  if (!count) return {};
  std::string digits = std::to_string(*count);
  for (std::size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, ",");
  return digits;
}

std::string secondsText(const std::optional<double>& seconds) {
  if (!seconds) return {};
  return *seconds < 100 ? fmt::format("{:.2f}", *seconds) : countText(static_cast<std::uint64_t>(std::llround(*seconds)));
}

Summary summarize(const std::vector<TableResult>& results) {
  Summary summary;
  double sum = 0, explorations = 0;
  for (const TableResult& result : results) {
    if (!result.faster() || *result.row->published.seconds <= 0.5) continue;
    const double faster = *result.faster();
    sum += std::log(faster);
    explorations += std::log(*result.fasterExploration());
    if (summary.rows++ == 0 || faster < summary.least) {
      summary.least = faster;
      summary.leastRow = result.key();
    }
  }
  if (summary.rows > 0) {
    summary.geometricMean = std::exp(sum / summary.rows);
    summary.explorations = std::exp(explorations / summary.rows);
  }
  return summary;
}

std::string markdown(const std::vector<Table>& tables, const std::vector<TableResult>& results, const std::string& plots) {
  ResultsByKey byKey;
  for (const TableResult& result : results) byKey[result.key()] = &result;
  std::string text = kIntroduction;
  const Summary summary = summarize(results);
  if (summary.rows > 0) {
    text +=
        fmt::format("Of the {} rows with the same count that took the published tool more than half a second, whole runs are "
                    "{:.0f} times "
                    "faster in the geometric mean, explorations alone {:.0f} times; the least is {:.1f} ({}).\n\n",
                    summary.rows, summary.geometricMean, summary.explorations, summary.least, summary.leastRow);
  }
  text += fmt::format("![executions a second]({0}benchmarks-rate.svg)\n\n![cost of an execution]({0}benchmarks-cost.svg)\n\n",
                      plots);
  for (const Table& table : tables) text += tableText(table, byKey);
  text.pop_back();
  return text;
}

}  // namespace heddle::bench
