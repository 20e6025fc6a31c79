#include "bench/tables.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>

namespace heddle::bench {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;
namespace fs = std::filesystem;

template <typename Document>
Document readJson(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file);
  return Document::parse(in);
}

template <typename T>
void read(const json& object, const char* name, std::optional<T>& value) {
  if (const auto found = object.find(name); found != object.end()) value = found->template get<T>();
}

void read(const json& object, const char* name, std::string& value) {
  if (const auto found = object.find(name); found != object.end()) value = *found;
}

Figures readFigures(const json& object) {
  Figures figures;
  read(object, "executions", figures.executions);
  read(object, "blocked", figures.blocked);
  read(object, "seconds", figures.seconds);
  read(object, "megabytes", figures.megabytes);
  return figures;
}

Size readSize(const std::string& name) {
  static const std::map<std::string, Size> sizes = {
      {"test", Size::Test}, {"short", Size::Short}, {"full", Size::Full}, {"never", Size::Never}};
  const auto found = sizes.find(name);
  if (found == sizes.end()) throw std::runtime_error("there is no size " + name);
  return found->second;
}

// A note that several rows share is written once, under a name.
std::string noteText(const json& notes, const json& object, const char* name) {
  const std::string text = object.value(name, "");
  return notes.contains(text) ? notes[text].get<std::string>() : text;
}

TableRow readRow(const json& object, const json& notes) {
  TableRow row;
  row.program = object.at("program");
  row.published = readFigures(object.at("published"));
  read(object, "file", row.file);
  read(object, "flags", row.flags);
  read(object, "options", row.options);
  read(object, "model", row.model);
  read(object, "verdict", row.verdict);
  row.note = noteText(notes, object, "note");
  row.why = noteText(notes, object, "why");
  row.sameProgram = object.value("sameProgram", true);
  row.size = readSize(object.at("size"));
  if (object.contains("expected")) row.expected = readFigures(object["expected"]);
  return row;
}

// One row a line, so that a change of a row is a change of a line.
std::string rowsByLine(const ordered_json& document) {
  std::string text = "{\n \"notes\": " + document.at("notes").dump(1) + ",\n \"tables\": [";
  const char* betweenTables = "\n";
  for (ordered_json table : document.at("tables")) {
    const ordered_json rows = table["rows"];
    table.erase("rows");
    std::string head = table.dump(1);
    head.resize(head.size() - 2);  // the closing brace
    text += betweenTables + head + ",\n \"rows\": [";
    const char* betweenRows = "\n";
    for (const ordered_json& row : rows) {
      text += betweenRows + ("  " + row.dump());
      betweenRows = ",\n";
    }
    text += "\n ]}";
    betweenTables = ",\n";
  }
  return text + "\n]}\n";
}

std::string keyOf(const std::string& table, const std::string& program, const std::string& model) {
  return fmt::format("{}: {} under {}", table, program, model);
}

}  // namespace

std::string TableRow::family() const { return program.substr(0, program.find('(')); }

std::optional<double> TableRow::number() const {
  const std::size_t open = program.find('(');
  if (open == std::string::npos) return {};
  return std::strtod(program.c_str() + open + 1, nullptr);
}

std::string TableResult::key() const { return keyOf(table->name, row->program, row->model); }

std::optional<double> TableResult::faster() const {
  if (!comparable() || !row->published.seconds || run.cpuSeconds <= 0) return {};
  return *row->published.seconds / run.cpuSeconds;
}

std::optional<double> TableResult::fasterExploration() const {
  if (!comparable() || !row->published.seconds || run.explorationCpu() <= 0) return {};
  return *row->published.seconds / run.explorationCpu();
}

std::vector<Table> readTables(const std::string& file) {
  const json document = readJson<json>(file);
  std::vector<Table> tables;
  for (const json& object : document.at("tables")) {
    Table table;
    table.name = object.at("name");
    table.title = object.at("title");
    table.tool = object.at("tool");
    read(object, "machine", table.machine);
    read(object, "note", table.note);
    for (const json& row : object.at("rows")) table.rows.push_back(readRow(row, document.at("notes")));
    tables.push_back(std::move(table));
  }
  return tables;
}

CheckRun runRow(const TableRow& row, const std::string& moreOptions, unsigned runs) {
  const fs::path source = fs::path(HEDDLE_BENCH_DIR) / row.file;
  const std::string options = fmt::format("--model {} {} {}", row.model, row.options, moreOptions);
  return bestCheck(source.lexically_normal().string(), options, row.flags, runs);
}

std::vector<std::string> complaints(const TableResult& result) {
  const TableRow& row = *result.row;
  const CheckRun& run = result.run;
  std::vector<std::string> all;
  const auto complain = [&](std::string text) { all.push_back(fmt::format("{}: {}", result.key(), text)); };
  if (run.verdict != row.verdict) {
    complain(fmt::format("{}, not {}{}{}", run.verdict, row.verdict, run.message.empty() ? "" : ": ", run.message));
    return all;
  }
  if (!row.expected.executions) {
    complain("no count is expected yet (--accept)");
  } else if (*row.expected.executions != run.executions) {
    complain(fmt::format("{} executions, not {}", run.executions, *row.expected.executions));
  }
  if (row.expected.blocked.value_or(run.blocked) < run.blocked) {
    complain(fmt::format("{} blocked, more than {}", run.blocked, *row.expected.blocked));
  }
  if (row.why.empty() && result.differs()) {
    complain(fmt::format("{} executions, {} published, and no reason is given", run.executions, *row.published.executions));
  }
  return all;
}

void acceptCounts(const std::string& file, const std::vector<TableResult>& results) {
  auto document = readJson<ordered_json>(file);
  std::map<std::string, const TableResult*> byKey;
  for (const TableResult& result : results) byKey[result.key()] = &result;
  for (ordered_json& table : document.at("tables")) {
    for (ordered_json& row : table.at("rows")) {
      const auto found = byKey.find(keyOf(table.at("name"), row.at("program"), row.value("model", "rc11")));
      if (found == byKey.end() || !found->second->complete()) continue;
      const CheckRun& run = found->second->run;
      row["expected"] = {{"executions", run.executions}, {"blocked", run.blocked}};
      if (!found->second->differs()) row.erase("why");
    }
  }
  std::ofstream(file) << rowsByLine(document);
}

json toJson(const TableResult& result) {
  const CheckRun& run = result.run;
  return {{"table", result.table->name},  {"program", result.row->program}, {"model", result.row->model},
          {"verdict", run.verdict},       {"message", run.message},         {"executions", run.executions},
          {"blocked", run.blocked},       {"seconds", run.seconds},         {"totalSeconds", run.totalSeconds},
          {"cpuSeconds", run.cpuSeconds}, {"perSecond", run.perSecond()},   {"peakBytes", run.peakBytes}};
}

std::vector<TableResult> resultsFromJson(const json& document, const std::vector<Table>& tables) {
  std::map<std::string, const json*> byKey;
  for (const json& row : document.at("rows")) byKey[keyOf(row.at("table"), row.at("program"), row.at("model"))] = &row;
  std::vector<TableResult> results;
  for (const Table& table : tables) {
    for (const TableRow& row : table.rows) {
      TableResult result{&table, &row, {}};
      const auto found = byKey.find(result.key());
      if (found == byKey.end()) continue;
      const json& object = *found->second;
      result.run = {.verdict = object.at("verdict"),
                    .message = object.at("message"),
                    .executions = object.at("executions"),
                    .blocked = object.at("blocked"),
                    .seconds = object.at("seconds"),
                    .totalSeconds = object.at("totalSeconds"),
                    .cpuSeconds = object.at("cpuSeconds"),
                    .peakBytes = object.at("peakBytes")};
      results.push_back(std::move(result));
    }
  }
  return results;
}

}  // namespace heddle::bench
