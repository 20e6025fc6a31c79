// heddle_native_bench: how fast `heddle check` is on C and C++ programs.
//
// The programs of bench/programs.cpp in C (bench/native/FAMILY.c, their size by -DN=...), and some data structures. Each row
// runs the heddle executable as a user would and takes its own figures from --json: the exploration alone for rates, and
// the whole run. Beside them stand the peer's rate (peers.json) and the engine's own rate on the same program without any
// native code (heddle_bench), which is what native execution is measured against.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/run_check.h"

namespace heddle::bench {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const std::vector<std::string> kPrograms = {"fib_bench(5)", "big0",    "lastzero(15)", "readers(14)", "ainc(8)", "cinc(4)",
                                            "casrot(10)",   "casw(5)", "indexer(15)",  "lockinc(7)",  "sigma(7)"};

const std::vector<std::string> kMore = {"treiber_stack", "michael_scott_queue", "mpmc_queue", "compute"};

struct Row {
  std::string program, model, verdict;
  std::uint64_t executions = 0, blocked = 0;
  double seconds = 0, totalSeconds = 0;
  double peerRate = 0, engineRate = 0;  // 0: not known
  std::uint64_t peakBytes = 0;

  double rate() const { return static_cast<double>(executions) / seconds; }
};

struct Program {
  std::string family, size;  // "ainc", "8"
};

Program split(const std::string& name) {
  const auto open = name.find('(');
  if (open == std::string::npos) return {name, ""};
  return {name.substr(0, open), name.substr(open + 1, name.size() - open - 2)};
}

std::string sourceOf(const std::string& family) {
  for (const char* suffix : {".c", ".cpp"}) {
    const fs::path path = fs::path(HEDDLE_NATIVE_BENCH_DIR) / (family + suffix);
    if (fs::exists(path)) return path.string();
  }
  throw std::runtime_error(fmt::format("there is no bench/native/{}.c or .cpp", family));
}

Row measure(const std::string& name, const std::string& model, unsigned repeat) {
  const Program program = split(name);
  const CheckRun run =
      bestCheck(sourceOf(program.family), "--model " + model, program.size.empty() ? "" : "-DN=" + program.size, repeat);
  return {.program = name,
          .model = model,
          .verdict = run.verdict,
          .executions = run.executions,
          .blocked = run.blocked,
          .seconds = run.seconds,
          .totalSeconds = run.totalSeconds,
          .peakBytes = run.peakBytes};
}

// The engine's rates on the same programs, by "program model".
std::map<std::string, double> engineRates(const std::vector<std::string>& models) {
  const fs::path file = fs::temp_directory_path() / fmt::format("heddle-bench-{}.json", getpid());
  std::string command = fmt::format("'{}' --seconds 0.2 --json '{}' --models ", HEDDLE_BENCH_EXECUTABLE, file.string());
  for (std::size_t i = 0; i < models.size(); ++i) command += (i == 0 ? "" : ",") + models[i];
  for (const std::string& program : kPrograms) command += fmt::format(" '{}'", program);
  if (std::system((command + " > /dev/null").c_str()) != 0) throw std::runtime_error("heddle_bench failed");
  std::ifstream in(file);
  const json bench = json::parse(in);
  std::map<std::string, double> rates;
  for (const json& row : bench.at("rows")) {
    rates[fmt::format("{} {}", row.at("program").get<std::string>(), row.at("model").get<std::string>())] =
        row.at("executions_per_second");
  }
  fs::remove(file);
  return rates;
}

void print(const std::vector<Row>& rows) {
  fmt::print("{:<22}{:<6}{:>10}{:>9}{:>12}{:>10}{:>9}{:>9}{:>10}{:>9}\n", "program", "model", "executions", "blocked",
             "per second", "seconds", "total s", "x peer", "x engine", "MB");
  std::map<std::string, std::pair<double, unsigned>> means;  // of the logarithms of the ratios
  for (const Row& row : rows) {
    const std::string peer = row.peerRate > 0 ? fmt::format("{:.1f}", row.rate() / row.peerRate) : "";
    const std::string engine = row.engineRate > 0 ? fmt::format("{:.2f}", row.engineRate / row.rate()) : "";
    fmt::print("{:<22}{:<6}{:>10}{:>9}{:>12.0f}{:>10.4f}{:>9.3f}{:>9}{:>10}{:>9.1f}\n", row.program, row.model, row.executions,
               row.blocked, row.rate(), row.seconds, row.totalSeconds, peer, engine, static_cast<double>(row.peakBytes) / 1e6);
    if (row.peerRate <= 0) continue;
    auto& [sum, count] = means[row.model];
    sum += std::log(row.rate() / row.peerRate);
    ++count;
  }
  for (const auto& [model, mean] : means) {
    fmt::print("geometric mean of {} ratios to the peer, {}: {:.1f}\n", mean.second, model, std::exp(mean.first / mean.second));
  }
  fmt::print("x engine: how many times slower than the engine on the same program without native code\n");
}

int run(int argc, char** argv) {
  std::vector<std::string> models = {"rc11", "sc"}, programs;
  std::string jsonFile;
  unsigned repeat = 3;
  CLI::App app("Measures heddle check on C and C++ programs");
  app.add_option("programs", programs, "programs of bench/native, such as \"ainc(8)\"; default: all");
  app.add_option("--models", models, "models, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  app.add_option("--repeat", repeat, "take the best of so many")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--json", jsonFile, "write the rows to this file");
  CLI11_PARSE(app, argc, argv);

  std::ifstream in(HEDDLE_BENCH_PEERS);
  const json peers = json::parse(in);
  const std::map<std::string, double> engine = engineRates(models);
  if (programs.empty()) {
    programs = kPrograms;
    programs.insert(programs.end(), kMore.begin(), kMore.end());
  }
  std::vector<Row> rows;
  json out = json::array();
  for (const std::string& program : programs) {
    for (const std::string& model : models) {
      Row row = measure(program, model, repeat);
      if (peers.at("programs").contains(program) && peers["programs"][program].contains(model)) {
        row.peerRate = peers["programs"][program][model].at("per_second");
      }
      if (const auto known = engine.find(fmt::format("{} {}", program, model)); known != engine.end()) {
        row.engineRate = known->second;
      }
      out.push_back({{"program", row.program},
                     {"model", row.model},
                     {"verdict", row.verdict},
                     {"executions", row.executions},
                     {"blocked", row.blocked},
                     {"seconds", row.seconds},
                     {"totalSeconds", row.totalSeconds},
                     {"perSecond", row.rate()},
                     {"peakBytes", row.peakBytes},
                     {"peerPerSecond", row.peerRate},
                     {"enginePerSecond", row.engineRate}});
      rows.push_back(std::move(row));
    }
  }
  print(rows);
  if (!jsonFile.empty()) std::ofstream(jsonFile) << json{{"rows", out}}.dump(2) << '\n';
  return 0;
}

}  // namespace
}  // namespace heddle::bench

int main(int argc, char** argv) {
  try {
    return heddle::bench::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "heddle_native_bench: {}\n", error.what());
    return 1;
  }
}
