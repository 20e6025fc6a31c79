// heddle_bench: how fast the explorer is, on the programs that the field measures itself by.
//
// One row is one program under one model. A row is measured in a process of its own, so that its peak memory is its
// own and rows do not warm caches for each other. Small programs are explored again and again until enough time has
// passed for a rate to mean something. Time is CPU time of two parts, given apart: the construction of the explorer
// (which compiles the model for the program's events) and the exploration. Rates are those of the exploration alone;
// the peer's leave out its start-up too, as well as that can be told (peers.json).
//
// The figures of this program are measurements of one machine at one time: compare them with `--compare` to earlier
// ones of the same machine, and with the peer's by their order of magnitude.
#include <fmt/format.h>
#include <regex.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "bench/naive_mixed.h"
#include "bench/programs.h"
#include "explore/explorer.h"
#include "litmus/test.h"
#include "mixer/mixed_explorer.h"
#include "model/library.h"

namespace heddle::bench {

namespace {

using nlohmann::json;

const std::vector<std::string> kFullSizes = {
    "fib_bench(5)", "big0",        "lastzero(15)", "readers(14)", "ainc(8)",        "binc(5)",    "cinc(4)",     "casrot(10)",
    "casw(5)",      "indexer(15)", "lockinc(7)",   "sigma(7)",    "nwrites-loc(9)", "exp-mem(8)", "exp-mem2(5)", "R+W+W",
    "W+W+RR",       "lockref(2)",  "lockref(3)",   "lockref(4)",  "lockref(5)",     "long(100)",  "long(500)",   "long(2000)"};
const std::vector<std::string> kQuickSizes = {"fib_bench(3)", "big0",     "lastzero(10)",   "readers(10)", "ainc(6)",
                                              "binc(4)",      "cinc(3)",  "casrot(7)",      "casw(4)",     "indexer(13)",
                                              "lockinc(5)",   "sigma(5)", "nwrites-loc(6)", "exp-mem(6)",  "exp-mem2(3)",
                                              "R+W+W",        "W+W+RR",   "lockref(4)",     "long(100)",   "long(500)"};

struct Options {
  std::vector<std::string> programs;
  std::vector<std::string> models = {"rc11", "ra", "sc"};
  std::string filter, jsonFile, compareFile, peersFile = HEDDLE_BENCH_PEERS;
  bool quick = false, reads = false, runtimeModel = false, list = false, naiveMixedSizes = false;
  unsigned repeat = 1;
  double leastSeconds = 0.3;
};

// What a child process reports through its pipe: plain bytes.
struct Measured {
  std::uint64_t executions = 0, blocked = 0, added = 0, revisits = 0, rejected = 0;
  double constructionSeconds = 0, explorationSeconds = 0;  // of one exploration
  std::uint64_t rounds = 0;
  bool complete = false;
  char error[240] = {};
};

struct Row {
  std::string program, model;
  Measured measured;
  long peakKilobytes = 0;
  double peerRate = 0;  // 0: not known

  double rate() const { return static_cast<double>(measured.executions) / measured.explorationSeconds; }
  double ratio() const { return rate() / peerRate; }
  double nanosecondsAnEvent() const { return 1e9 * measured.explorationSeconds / static_cast<double>(measured.added); }
  double eventsAnExecution() const { return static_cast<double>(measured.added) / static_cast<double>(measured.executions); }
};

double cpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The model of a row as the explorer takes it. An explorer takes a compiled model and nothing else, so a built-in
// model and the same text from a file are explored by the same code; when built-in models get generated checkers,
// this is where a row asks for the one or the other.
// One from a file has no generated searches here, so that --runtime-model measures what they are worth.
model::CompiledModel modelFor(const std::string& nameOrPath) {
  model::CompiledModel model = compile(model::loadModel(nameOrPath));
  model.interpreted = !model.builtin;
  return model;
}

// Explores once, in the mode that the program needs, and adds the seconds of construction and exploration.
class Round {
 public:
  Round(const litmus::Test& test, const model::CompiledModel& model, const explore::ExploreOptions& explore,
        const Options& options)
      : program_(*test.program), model_(model), explore_(explore), naive_(options.naiveMixedSizes) {}

  double construction = 0, exploration = 0;

  explore::Statistics run() {
    if (!mixed_) {
      try {
        return measured<explore::Explorer>();
      } catch (const MixedSizes&) {
        mixed_ = true;
        construction = exploration = 0;
      }
    }
    if (!naive_) return measured<mixer::MixedExplorer>();
    const double start = cpuSeconds();
    NaiveResult result = exploreNaively(program_, model_);
    exploration += cpuSeconds() - start;
    result.statistics.rejected = result.explored - result.consistent;
    result.statistics.executions = result.consistent;
    return result.statistics;
  }

 private:
  template <class ExplorerType>
  explore::Statistics measured() {
    explore::Observer observer;
    const double start = cpuSeconds();
    ExplorerType explorer(program_, model_, explore_, observer);
    const double constructed = cpuSeconds();
    const explore::Statistics statistics = explorer.run();
    exploration += cpuSeconds() - constructed;
    construction += constructed - start;
    return statistics;
  }

  Program& program_;
  const model::CompiledModel& model_;
  const explore::ExploreOptions& explore_;
  const bool naive_;
  bool mixed_ = false;
};

Measured measure(const std::string& program, const std::string& modelName, const Options& options) {
  const litmus::Test test = litmus::parseLitmus(programText(program), program + ".litmus");
  const model::CompiledModel model = modelFor(modelName);
  explore::ExploreOptions exploreOptions;
  exploreOptions.equivalence = options.reads ? explore::Equivalence::rf : explore::Equivalence::co;
  exploreOptions.races = false;

  Measured best;
  for (unsigned i = 0; i < options.repeat; ++i) {
    explore::Statistics statistics;
    Round round(test, model, exploreOptions, options);
    std::uint64_t rounds = 0;
    while (round.construction + round.exploration < options.leastSeconds || rounds == 0) {
      statistics = round.run();
      ++rounds;
    }
    const double each = round.exploration / static_cast<double>(rounds);
    if (i > 0 && each >= best.explorationSeconds) continue;
    best = {.executions = statistics.executions,
            .blocked = statistics.blocked,
            .added = statistics.added,
            .revisits = statistics.revisits,
            .rejected = statistics.rejected,
            .constructionSeconds = round.construction / static_cast<double>(rounds),
            .explorationSeconds = each,
            .rounds = rounds,
            .complete = statistics.complete};
  }
  return best;
}

// Measures a row in a child process.
Row measureApart(const std::string& program, const std::string& model, const Options& options) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("cannot make a pipe");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot start a process");
  if (child == 0) {
    Measured measured;
    try {
      measured = measure(program, model, options);
    } catch (const std::exception& error) {
      std::strncpy(measured.error, error.what(), sizeof measured.error - 1);
    }
    const bool written = write(ends[1], &measured, sizeof measured) == static_cast<ssize_t>(sizeof measured);
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  Row row{program, model, {}, 0, 0};
  const bool received = read(ends[0], &row.measured, sizeof row.measured) == static_cast<ssize_t>(sizeof row.measured);
  close(ends[0]);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  row.peakKilobytes = usage.ru_maxrss;
  if (!received) row.measured = {.error = "the process ended early"};
  return row;
}

json readJson(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(fmt::format("cannot read {}", file));
  return json::parse(in);
}

// An extended regular expression. (With sanitizers on, the compiler finds fault with std::regex.)
class Pattern {
 public:
  explicit Pattern(const std::string& text) {
    if (regcomp(&compiled_, text.c_str(), REG_EXTENDED | REG_NOSUB) != 0) {
      throw std::runtime_error(fmt::format("not a regular expression: {}", text));
    }
  }
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;
  ~Pattern() { regfree(&compiled_); }
  bool matches(const std::string& text) const { return regexec(&compiled_, text.c_str(), 0, nullptr, 0) == 0; }

 private:
  regex_t compiled_{};
};

class GeometricMean {
 public:
  void add(double value) {
    logarithms_ += std::log(value);
    ++count_;
  }
  unsigned count() const { return count_; }
  double value() const { return std::exp(logarithms_ / count_); }

 private:
  double logarithms_ = 0;
  unsigned count_ = 0;
};

json toJson(const Row& row) {
  const Measured& m = row.measured;
  json result = {{"program", row.program}, {"model", row.model}};
  if (m.error[0] != 0) {
    result["error"] = m.error;
    return result;
  }
  result.update({{"executions", m.executions},
                 {"blocked", m.blocked},
                 {"added", m.added},
                 {"revisits", m.revisits},
                 {"rejected", m.rejected},
                 {"construction_seconds", m.constructionSeconds},
                 {"exploration_seconds", m.explorationSeconds},
                 {"rounds", m.rounds},
                 {"executions_per_second", row.rate()},
                 {"nanoseconds_per_event", row.nanosecondsAnEvent()},
                 {"events_per_execution", row.eventsAnExecution()},
                 {"peak_kilobytes", row.peakKilobytes}});
  if (row.peerRate > 0) result.update({{"peer_executions_per_second", row.peerRate}, {"ratio", row.ratio()}});
  return result;
}

void printHeader() {
  fmt::print("{:<15} {:<5} {:>11} {:>8} {:>12} {:>8} {:>8} {:>8} {:>10} {:>10} {:>9} {:>7}\n", "program", "model", "executions",
             "blocked", "exec/s", "ns/event", "ev/exec", "peak MB", "explore s", "construct", "peer/s", "ratio");
}

void printRow(const Row& row) {
  const Measured& m = row.measured;
  if (m.error[0] != 0) {
    fmt::print("{:<15} {:<5} {}\n", row.program, row.model, m.error);
    return;
  }
  fmt::print("{:<15} {:<5} {:>11} {:>8} {:>12.0f} {:>8.1f} {:>8.2f} {:>8.1f} {:>10.6f} {:>10.6f}", row.program, row.model,
             m.executions, m.blocked, row.rate(), row.nanosecondsAnEvent(), row.eventsAnExecution(),
             static_cast<double>(row.peakKilobytes) / 1024, m.explorationSeconds, m.constructionSeconds);
  if (row.peerRate > 0) fmt::print(" {:>9.0f} {:>7.1f}", row.peerRate, row.ratio());
  fmt::print("\n");
  std::fflush(stdout);
}

void printMeans(const std::vector<Row>& rows, const Options& options) {
  GeometricMean all;
  for (const std::string& model : options.models) {
    GeometricMean mean;
    for (const Row& row : rows) {
      if (row.model != model || row.peerRate == 0 || row.measured.error[0] != 0) continue;
      mean.add(row.ratio());
      all.add(row.ratio());
    }
    if (mean.count() > 0) fmt::print("geometric mean of {} ratios, {}: {:.1f}\n", mean.count(), model, mean.value());
  }
  if (all.count() > 0) fmt::print("geometric mean of all {} ratios: {:.1f}\n", all.count(), all.value());
}

void printComparison(const std::vector<Row>& rows, const std::string& file) {
  std::map<std::pair<std::string, std::string>, json> earlier;
  const json document = readJson(file);
  for (const json& row : document.at("rows")) {
    if (!row.contains("error")) earlier[{row.at("program"), row.at("model")}] = row;
  }
  GeometricMean mean;
  fmt::print("\nagainst {}\n{:<15} {:<5} {:>14} {:>14} {:>8}\n", file, "program", "model", "exec/s then", "exec/s now",
             "change");
  for (const Row& row : rows) {
    const auto found = earlier.find({row.program, row.model});
    if (found == earlier.end() || row.measured.error[0] != 0) continue;
    const double then = found->second.at("executions_per_second");
    const bool same = found->second.at("executions") == row.measured.executions;
    mean.add(row.rate() / then);
    fmt::print("{:<15} {:<5} {:>14.0f} {:>14.0f} {:>+7.1f}%{}\n", row.program, row.model, then, row.rate(),
               100 * (row.rate() / then - 1), same ? "" : "  the number of executions differs");
  }
  if (mean.count() > 0) fmt::print("geometric mean of {}: {:+.1f}%\n", mean.count(), 100 * (mean.value() - 1));
}

// The same model twice: built in, and its text as a user's own file.
int compareRuntimeModels(const std::vector<std::string>& programs, const Options& options) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / fmt::format("heddle_bench_{}", getpid());
  std::filesystem::create_directory(folder);
  fmt::print("{:<15} {:<8} {:>14} {:>14} {:>8}\n", "program", "model", "built in /s", "from file /s", "ratio");
  GeometricMean mean;
  for (const std::string& model : options.models) {
    const std::filesystem::path file = folder / (model + ".cat");
    for (const model::BuiltinModel& builtin : model::builtinModels()) {
      if (builtin.name == model) std::ofstream(file) << builtin.text;
    }
    for (const std::string& program : programs) {
      const Row builtin = measureApart(program, model, options);
      const Row loaded = measureApart(program, file.string(), options);
      const char* error = builtin.measured.error[0] != 0 ? builtin.measured.error : loaded.measured.error;
      if (error[0] != 0) {
        fmt::print("{:<15} {:<8} {}\n", program, model, error);
        continue;
      }
      const double ratio = builtin.rate() / loaded.rate();
      mean.add(ratio);
      fmt::print("{:<15} {:<8} {:>14.0f} {:>14.0f} {:>8.2f}{}\n", program, model, builtin.rate(), loaded.rate(), ratio,
                 builtin.measured.executions == loaded.measured.executions ? "" : "  the number of executions differs");
      std::fflush(stdout);
    }
  }
  std::filesystem::remove_all(folder);
  if (mean.count() > 0) fmt::print("geometric mean of {}: {:.2f}\n", mean.count(), mean.value());
  return 0;
}

int run(Options options) {
  std::vector<std::string> programs = options.programs;
  if (programs.empty()) programs = options.quick ? kQuickSizes : kFullSizes;
  if (options.list) {
    for (const Family& family : families()) fmt::print("{}{}\n", family.name, family.sized ? "(N)" : "");
    return 0;
  }
  const json peers = readJson(options.peersFile);
  const Pattern filter(options.filter);
  if (options.runtimeModel) {
    std::erase_if(programs, [&](const std::string& program) { return !filter.matches(program); });
    return compareRuntimeModels(programs, options);
  }

  std::vector<Row> rows;
  bool failed = false;
  printHeader();
  for (const std::string& program : programs) {
    for (const std::string& model : options.models) {
      if (!filter.matches(program + " " + model)) continue;
      Row row = measureApart(program, model, options);
      const json& known = peers.at("programs");
      if (!options.reads && known.contains(program) && known[program].contains(model)) {
        const json& figures = known[program][model];
        row.peerRate = figures.at("per_second");
        // Rates of different explorations do not compare.
        if (row.measured.error[0] == 0 && figures.at("executions") != row.measured.executions) {
          fmt::print("{} under {}: the peer counts {} executions\n", program, model,
                     figures.at("executions").get<std::uint64_t>());
          failed = true;
          row.peerRate = 0;
        }
      }
      failed |= row.measured.error[0] != 0 || !row.measured.complete;
      printRow(row);
      rows.push_back(row);
    }
  }
  fmt::print("\npeer: {}\n", peers.at("peer").get<std::string>());
  printMeans(rows, options);
  if (!options.compareFile.empty()) printComparison(rows, options.compareFile);
  if (!options.jsonFile.empty()) {
    json document = {{"equivalence", options.reads ? "rf" : "co"}, {"rows", json::array()}};
    for (const Row& row : rows) document["rows"].push_back(toJson(row));
    std::ofstream(options.jsonFile) << document.dump(2) << '\n';
  }
  return failed ? 1 : 0;
}

}  // namespace
}  // namespace heddle::bench

int main(int argc, char** argv) {
  heddle::bench::Options options;
  CLI::App app("Measures the explorer on programs of the literature");
  app.add_option("programs", options.programs, "programs to measure, such as \"ainc(8)\"; default: a selection");
  app.add_option("--models", options.models, "models, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  app.add_option("--filter", options.filter, "only rows whose \"program model\" this regular expression matches");
  app.add_flag("--quick", options.quick, "small sizes");
  app.add_flag("--rf", options.reads, "explore by the reads-from equivalence");
  app.add_option("--repeat", options.repeat, "take the best of so many")->check(CLI::PositiveNumber);
  app.add_option("--seconds", options.leastSeconds, "explore again until so much time has passed")->capture_default_str();
  app.add_option("--json", options.jsonFile, "write the rows to this file");
  app.add_option("--compare", options.compareFile, "compare with an earlier --json file");
  app.add_option("--peers", options.peersFile, "the peer's figures");
  app.add_flag("--runtime-model", options.runtimeModel, "compare built-in models with the same text from a file");
  app.add_flag("--naive-mixed-size", options.naiveMixedSizes,
               "programs of mixed sizes byte by byte, filtered at the end (TruSt_MSA); rejected counts what was filtered");
  app.add_flag("--list", options.list, "list the families of programs");
  CLI11_PARSE(app, argc, argv);
  try {
    return heddle::bench::run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "heddle_bench: {}\n", error.what());
    return 2;
  }
}
