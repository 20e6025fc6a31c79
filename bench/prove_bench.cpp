// heddle_prove_bench: how fast `heddle prove` answers the questions of thesis table 10.1.
//
// A question is a file of proofs/. Its first lines say which row of the table it is, how long the thesis' tool took,
// and what the answer is; and which claims are known not to be decided yet:
//   //! row: RC11 -> TSO
//   //! thesis: 0.04
//   //! expect: proved
//   //! undecided: CLAIM: why
// Each file is given to the heddle executable as a user would, and the time of a row is the processor time of the whole
// run, start-up included. A file without these lines is no row of the table; it is run and printed all the same.
// prove_peers.json has the figures of the released tool.
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle::bench {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

// What we hold ourselves to, on one core.
constexpr double kMostSeconds = 3;
constexpr double kMostSecondsOfTable = 10;
constexpr int kPatience = 60;  // seconds of processor time

constexpr const char* kAsExpected = "as expected";

struct Row {
  std::string file, name, expected = "proved";
  std::optional<double> thesis;  // none: not a row of the table
  bool undecided = false;        // known not to be decided, as things stand
  std::string answer;
  double seconds = 0;

  bool right() const { return answer == expected || answer == kAsExpected; }
  bool known() const { return right() || (undecided && (answer == "not decided" || answer == "mixed" || answer == "none")); }
};

Row readHeader(const fs::path& file) {
  Row row{.file = file.string(), .name = file.stem().string(), .thesis = std::nullopt, .answer = {}};
  std::ifstream in(file);
  for (std::string line; std::getline(in, line) && line.starts_with("//! ");) {
    const auto colon = line.find(": ");
    if (colon == std::string::npos) throw std::runtime_error(fmt::format("{}: a header without a value: {}", row.file, line));
    const std::string key = line.substr(4, colon - 4), value = line.substr(colon + 2);
    if (key == "row") {
      row.name = value;
    } else if (key == "thesis") {
      row.thesis = std::stod(value);
    } else if (key == "expect") {
      row.expected = value;
    } else if (key == "undecided") {
      row.undecided = true;
    } else if (key == "slow") {
      continue;  // for the tests
    } else {
      throw std::runtime_error(fmt::format("{}: unknown header `{}`", row.file, key));
    }
  }
  return row;
}

double childSeconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::string outputOf(const std::string& command) {
  std::string text;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), n);
  pclose(pipe);
  return text;
}

// The answer of a file is that of its assertions when they agree. If they do not, it may be that each is what its file says
// of it (`expect refuted`, `expect undecided`).
std::string answerOf(const json& result, const std::string& expected) {
  std::string answer;
  bool agree = true, right = true;
  for (const json& assertion : result.at("assertions")) {
    const std::string one = assertion.at("answer");
    agree &= answer.empty() || answer == one;
    right &= one == assertion.value("expected", expected);
    answer = one;
  }
  return agree ? answer : right ? kAsExpected : "mixed";
}

void measure(Row& row, unsigned repeat) {
  // A query that takes for ever is a bad figure, not a reason to have none.
  const std::string command = fmt::format("ulimit -t {}; '{}' prove --json '{}'", kPatience, HEDDLE_EXECUTABLE, row.file);
  for (unsigned i = 0; i < repeat; ++i) {
    const double before = childSeconds();
    const std::string text = outputOf(command);
    const double seconds = childSeconds() - before;
    if (i == 0) {
      const json result = json::parse(text, nullptr, false);
      row.answer = result.is_discarded() ? "none" : answerOf(result, row.expected);
      row.seconds = seconds;
    }
    row.seconds = std::min(row.seconds, seconds);
    if (row.seconds > kMostSeconds) break;  // once is enough
  }
}

std::string figure(std::optional<double> seconds) { return seconds ? fmt::format("{:.2f}", *seconds) : ""; }

// Returns whether every answer is right.
bool print(const std::vector<Row>& rows, const json& peers) {
  fmt::print("{:<26}{:<13}{:>9}{:>9}{:>10}{:>10}\n", "query", "answer", "seconds", "thesis", "x thesis", "released");
  double ours = 0, thesis = 0, slowest = 0;
  bool right = true;
  for (const Row& row : rows) {
    const json& queries = peers.at("queries");
    std::optional<double> released;
    if (queries.contains(row.name)) released = queries.at(row.name).at("seconds").get<double>();
    std::optional<double> ratio;
    if (row.thesis) ratio = *row.thesis / std::max(row.seconds, 1e-4);
    fmt::print("{:<26}{:<13}{:>9.2f}{:>9}{:>10}{:>10}{}\n", row.name, row.answer, row.seconds, figure(row.thesis),
               ratio ? fmt::format("{:.1f}", *ratio) : "", figure(released),
               row.right() ? "" : fmt::format("  expected: {}", row.expected));
    right = right && row.known();
    if (!row.thesis) continue;
    ours += row.seconds;
    thesis += *row.thesis;
    slowest = std::max(slowest, row.seconds);
  }
  fmt::print("the table: {:.2f} s, the thesis {:.2f} s; slowest query {:.2f} s\n", ours, thesis, slowest);
  fmt::print("{}: {} s for its suite of {} queries\n", peers.at("peer").get<std::string>(),
             peers.at("suite").at("seconds").get<double>(), peers.at("suite").at("queries").get<int>());
  if (slowest > kMostSeconds) fmt::print("slower than wanted: a query took more than {} s\n", kMostSeconds);
  if (ours > kMostSecondsOfTable) fmt::print("slower than wanted: the table took more than {} s\n", kMostSecondsOfTable);
  return right;
}

int run(int argc, char** argv) {
  std::vector<std::string> files;
  std::string jsonFile;
  unsigned repeat = 3;
  CLI::App app("Measures heddle prove on the queries of thesis table 10.1");
  app.add_option("files", files, "query files; default: all of proofs/");
  app.add_option("--repeat", repeat, "take the best of so many")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--json", jsonFile, "write the rows to this file");
  CLI11_PARSE(app, argc, argv);

  if (files.empty()) {
    for (const auto& entry : fs::directory_iterator(HEDDLE_PROOFS)) {
      if (entry.path().extension() == ".prove") files.push_back(entry.path().string());
    }
  }
  std::vector<Row> rows;
  for (const std::string& file : files) rows.push_back(readHeader(file));
  // As in the table: dearest last, the extra ones after them.
  std::ranges::sort(rows, [](const Row& a, const Row& b) {
    constexpr double kExtra = 1e9;
    return std::pair(a.thesis.value_or(kExtra), a.name) < std::pair(b.thesis.value_or(kExtra), b.name);
  });
  std::ifstream in(HEDDLE_PROVE_PEERS);
  const json peers = json::parse(in);
  json out = json::array();
  for (Row& row : rows) {
    measure(row, repeat);
    out.push_back({{"query", row.name}, {"answer", row.answer}, {"expected", row.expected}, {"seconds", row.seconds}});
    if (row.thesis) out.back()["thesisSeconds"] = *row.thesis;
  }
  const bool right = print(rows, peers);
  if (!jsonFile.empty()) std::ofstream(jsonFile) << json{{"rows", out}}.dump(2) << '\n';
  return right ? 0 : 1;
}

}  // namespace
}  // namespace heddle::bench

int main(int argc, char** argv) {
  try {
    return heddle::bench::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "heddle_prove_bench: {}\n", error.what());
    return 1;
  }
}
