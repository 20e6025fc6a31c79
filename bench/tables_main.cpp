// heddle_tables: the evaluation tables of the papers, run here and shown beside the published figures.
//
//   heddle_tables                     rows of short runs; `--size full` all that can be reached, `--size test` the
//   smallest heddle_tables --check             complain about counts that are not expected, or that differ without a
//   reason heddle_tables --from results.json --markdown docs/benchmarks.md    the page again, without running anything
//
// What a row means is said in tables.h.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include "bench/tables.h"
#include "bench/tables_report.h"

namespace heddle::bench {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

struct Options {
  std::string tablesFile = HEDDLE_BENCH_DIR "/tables.json";
  std::vector<std::string> filters;
  Size size = Size::Short;
  std::string options = "-j 1 --time 600", jsonFile, compareFile, fromFile, markdownFile;
  unsigned repeat = 1;
  bool check = false, accept = false;
};

json readJsonFile(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file);
  return json::parse(in);
}

void printHeader(const Table& table) {
  fmt::print("\n{}: {}. Published: {}\n{:<28}{:<6}{:>27}{:>24}{:>20}{:>8}{:>10}\n", table.name, table.title, table.tool,
             "program", "model", "executions", "blocked", "seconds", "faster", "MB");
}

// Ours / published.
std::string pair(const std::string& ours, const std::string& published) {
  return published.empty() ? ours : ours + " / " + published;
}

void printResult(const TableResult& result) {
  const TableRow& row = *result.row;
  const CheckRun& run = result.run;
  const std::string megabytes = row.published.megabytes ? fmt::format("{:.0f}", *row.published.megabytes) : "";
  fmt::print("{:<28}{:<6}{:>27}{:>24}{:>20}{:>8}{:>10}{}\n", row.program, row.model,
             pair(countText(run.executions), countText(row.published.executions)),
             pair(countText(run.blocked), countText(row.published.blocked)),
             pair(secondsText(run.cpuSeconds), secondsText(row.published.seconds)),
             result.faster() ? fmt::format("{:.1f}", *result.faster()) : "",
             pair(fmt::format("{:.0f}", static_cast<double>(run.peakBytes) / 1e6), megabytes),
             result.complete() ? "" : "  " + run.verdict);
  if (result.differs()) fmt::print("    {}\n", row.why.empty() ? "no reason is given" : row.why);
  std::fflush(stdout);
}

// A table is chosen by its name, a row by a part of its program's name; without filters everything is.
bool chosen(const Table& table, const TableRow& row, const std::vector<std::string>& filters) {
  if (filters.empty()) return true;
  return std::any_of(filters.begin(), filters.end(), [&](const std::string& filter) {
    return table.name == filter || row.program.find(filter) != std::string::npos;
  });
}

std::vector<TableResult> runAll(const std::vector<Table>& tables, const Options& options) {
  std::vector<TableResult> results;
  std::map<std::string, CheckRun> runs;  // some rows are in several tables
  for (const Table& table : tables) {
    bool headed = false;
    for (const TableRow& row : table.rows) {
      if (row.file.empty() || row.size > options.size || !chosen(table, row, options.filters)) continue;
      if (!std::exchange(headed, true)) printHeader(table);
      const auto [place, isNew] = runs.try_emplace(fmt::format("{} {} {} {}", row.file, row.flags, row.options, row.model));
      if (isNew) place->second = runRow(row, options.options, options.repeat);
      results.push_back({&table, &row, place->second});
      printResult(results.back());
    }
  }
  return results;
}

void printComparison(const std::vector<TableResult>& results, const std::vector<TableResult>& earlier) {
  std::map<std::string, const CheckRun*> byKey;
  for (const TableResult& result : earlier) byKey[result.key()] = &result.run;
  double sum = 0;
  unsigned rows = 0;
  fmt::print("\nChanged against the earlier run:\n");
  for (const TableResult& result : results) {
    const auto found = byKey.find(result.key());
    if (found == byKey.end()) continue;
    const CheckRun &old = *found->second, &now = result.run;
    if (old.executions != now.executions || old.blocked != now.blocked || old.verdict != now.verdict) {
      fmt::print("{}: {} {} executions, {} blocked; was {} {}, {}\n", result.key(), now.verdict, countText(now.executions),
                 countText(now.blocked), old.verdict, countText(old.executions), countText(old.blocked));
    }
    // Short explorations are nearly all noise.
    const double before = old.explorationCpu(), after = now.explorationCpu();
    if (std::min(before, after) < 0.05) continue;
    const double faster = before / after;
    sum += std::log(faster);
    ++rows;
    if (faster < 0.9 || faster > 1.1) {
      fmt::print("{}: exploration {:.3f} s, was {:.3f}: {:.2f} times as fast\n", result.key(), after, before, faster);
    }
  }
  if (rows > 0) fmt::print("geometric mean of {} explorations: {:.2f} times as fast\n", rows, std::exp(sum / rows));
}

void writePage(const std::vector<Table>& tables, const std::vector<TableResult>& results, const fs::path& page) {
  std::ofstream(page) << markdown(tables, results, "");
  std::ofstream(page.parent_path() / "benchmarks-rate.svg") << ratePlot(results);
  std::ofstream(page.parent_path() / "benchmarks-cost.svg") << costPlot(results);
}

int report(const std::vector<TableResult>& results, const Options& options) {
  const Summary summary = summarize(results);
  if (summary.rows > 0) {
    fmt::print("\n{} rows with the same count took the published tool over 0.5 s: {:.0f} times faster in the geometric mean, "
               "explorations alone {:.0f}, least {:.1f} ({})\n",
               summary.rows, summary.geometricMean, summary.explorations, summary.least, summary.leastRow);
  }
  unsigned wrong = 0;
  if (options.check) {
    for (const TableResult& result : results) {
      for (const std::string& complaint : complaints(result)) fmt::print("{}{}\n", wrong++ == 0 ? "\n" : "", complaint);
    }
    fmt::print("\n{} rows checked, {} complaints\n", results.size(), wrong);
  }
  return wrong == 0 && !results.empty() ? 0 : 1;
}

int run(const Options& options) {
  const std::vector<Table> tables = readTables(options.tablesFile);
  const std::vector<TableResult> results =
      options.fromFile.empty() ? runAll(tables, options) : resultsFromJson(readJsonFile(options.fromFile), tables);
  if (!options.jsonFile.empty()) {
    json document = {{"rows", json::array()}};
    for (const TableResult& result : results) document["rows"].push_back(toJson(result));
    std::ofstream(options.jsonFile) << document.dump(1) << '\n';
  }
  if (options.accept) acceptCounts(options.tablesFile, results);
  if (!options.compareFile.empty()) {
    printComparison(results, resultsFromJson(readJsonFile(options.compareFile), tables));
  }
  if (!options.markdownFile.empty()) writePage(tables, results, options.markdownFile);
  return report(results, options);
}

}  // namespace
}  // namespace heddle::bench

int main(int argc, char** argv) {
  using heddle::bench::Size;
  heddle::bench::Options options;
  const std::map<std::string, Size> sizes = {{"test", Size::Test}, {"short", Size::Short}, {"full", Size::Full}};
  CLI::App app("Runs the evaluation tables of the papers and shows ours beside the published figures");
  app.add_option("filters", options.filters, "names of tables, or parts of names of programs; default: all");
  app.add_option("--size", options.size, "which rows: test, short or full")->transform(CLI::CheckedTransformer(sizes));
  app.add_option("--options", options.options, "more options for heddle check")->capture_default_str();
  app.add_option("--repeat", options.repeat, "take the best of so many")->check(CLI::PositiveNumber);
  app.add_option("--tables", options.tablesFile, "the published figures")->capture_default_str();
  app.add_option("--json", options.jsonFile, "write the results to this file");
  app.add_option("--from", options.fromFile, "take the results from such a file; run nothing");
  app.add_option("--compare", options.compareFile, "show what changed against an earlier --json file");
  app.add_option("--markdown", options.markdownFile, "write the tables to this page and the plots beside it");
  app.add_flag("--check", options.check, "fail for counts that are not expected or differ without a reason");
  app.add_flag("--accept", options.accept, "write the counts into the file of tables as those that are expected");
  CLI11_PARSE(app, argc, argv);
  try {
    return heddle::bench::run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "heddle_tables: {}\n", error.what());
    return 2;
  }
}
