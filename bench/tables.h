// The evaluation tables of the papers that heddle builds on, and our figures for their rows.
//
// tables.json holds what was published, row by row, and how a row is run here: which program (bench/tables,
// bench/native, examples), with which macros and options. Of every row that we ran it also holds what we expect to
// count. Where that is not the published number, the row has to say why: a difference without a reason counts as an
// error, here and in the test that runs the smallest sizes.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/run_check.h"

namespace heddle::bench {

// How long a row takes here, and so when it is run. `Never`: published, and beyond reach here as well.
enum class Size { Test, Short, Full, Never };

struct Figures {
  std::optional<std::uint64_t> executions, blocked;
  std::optional<double> seconds, megabytes;
};

struct TableRow {
  std::string program;  // "barrier(4)"
  std::string file;     // from bench/; empty if there is no program of ours
  std::string flags, options, model = "rc11", verdict = "verified";
  Size size = Size::Short;
  Figures published;        // of the tool that the table names
  std::string note;         // what other columns of the published table have
  Figures expected;         // of ours: the number of executions, and the most blocked ones
  std::string why;          // why ours differs from the published count, where it does
  bool sameProgram = true;  // false: ours is of the same kind, but nothing tells whether it is the same program

  std::string family() const;            // "barrier"
  std::optional<double> number() const;  // 4
};

struct Table {
  std::string name, title, tool, machine, note;
  std::vector<TableRow> rows;
};

// A row that was run, or that an earlier run wrote.
struct TableResult {
  const Table* table;
  const TableRow* row;
  CheckRun run;

  std::string key() const;
  bool complete() const { return run.verdict == row->verdict; }
  // Whether the count is known to be another than the published one.
  bool differs() const { return row->published.executions.value_or(run.executions) != run.executions; }
  // Whether a published time is one of the same exploration.
  bool comparable() const { return complete() && row->sameProgram && !differs(); }
  // Times faster than published: the whole run in CPU time, or the exploration alone. Nothing if they do not compare.
  std::optional<double> faster() const;
  std::optional<double> fasterExploration() const;
};

std::vector<Table> readTables(const std::string& file);

CheckRun runRow(const TableRow& row, const std::string& moreOptions, unsigned runs);

// What is wrong with the result: unexpected numbers, or numbers that differ from the published ones without a reason.
std::vector<std::string> complaints(const TableResult& result);

// Puts the counts of these results into the file, as those that are expected from now on. Reasons for differences that
// are no more are dropped.
void acceptCounts(const std::string& file, const std::vector<TableResult>& results);

nlohmann::json toJson(const TableResult& result);
// The results that `toJson` wrote, for those rows that still exist.
std::vector<TableResult> resultsFromJson(const nlohmann::json& document, const std::vector<Table>& tables);

}  // namespace heddle::bench
