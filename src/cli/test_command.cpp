#include "cli/test_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/models.h"
#include "cli/progress.h"
#include "cli/result_files.h"
#include "cli/terminal.h"
#include "report/progress.h"
#include "report/text.h"
#include "suite/compare.h"
#include "util/child_process.h"

namespace heddle::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kThisProgram = "/proc/self/exe";
constexpr std::size_t kSlowest = 5;               // that a table shows
constexpr double kWorthATable = 10;               // seconds of all tests
constexpr useconds_t kMicrosecondsToWait = 2000;  // before a look at the children

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// "2/4": the second of four parts.
struct Shard {
  std::size_t number = 1, count = 1;
};

Shard parseShard(const std::string& text) {
  Shard shard;
  if (text.empty()) return shard;
  const char* const end = text.data() + text.size();
  const auto [slash, problem] = std::from_chars(text.data(), end, shard.number);
  if (problem == std::errc() && slash != end && *slash == '/') {
    const auto [stop, second] = std::from_chars(slash + 1, end, shard.count);
    if (second == std::errc() && stop == end && shard.number >= 1 && shard.number <= shard.count) return shard;
  }
  throw InputError(fmt::format("heddle: --shard needs K/N, for instance 1/4, not `{}`", text));
}

class TestCommand {
 public:
  explicit TestCommand(const Options& options)
      : options_(options), style_(enabled(options.color, STDOUT_FILENO)), progress_(enabled(options.progress, STDERR_FILENO)) {}

  int run() {
    findCases();
    if (options_.list) return list();
    results_.open(options_);
    const Clock::time_point start = Clock::now();
    runAll();
    seconds_ = secondsSince(start);
    progress_.clear();
    finish();
    const bool written = writeResults();
    return written ? exitCode() : kBadInput;
  }

 private:
  struct Running {
    std::unique_ptr<util::ChildProcess> child;
    Clock::time_point start;
  };

  struct Done {
    suite::Comparison comparison;
    double seconds = 0;
    bool ran = false;
  };

  void findCases() {
    const Shard shard = parseShard(options_.shard);
    std::size_t number = 0;
    try {
      for (suite::Case& found : suite::findCases(options_.paths, options_.clangFlags)) {
        if (!options_.filter.empty() && found.name().find(options_.filter) == std::string::npos) continue;
        if (number++ % shard.count == shard.number - 1) cases_.push_back(std::move(found));
      }
    } catch (const suite::SuiteError& error) {
      throw InputError(error.what());
    }
    if (number == 0) throw InputError(fmt::format("heddle: no test has `{}` in its name; --list prints them", options_.filter));
    done_.resize(cases_.size());
  }

  int list() const {
    for (const suite::Case& found : cases_) fmt::print("{}\n", found.name());
    return kNoError;
  }

  std::vector<std::string> commandOf(const suite::Case& tested) const {
    std::vector<std::string> words = tested.command();
    words.insert(words.begin(), kThisProgram);
    // One process for each test, as several tests run at once; and what the test itself says comes later and counts.
    std::vector<std::string> more = {"-j", "1"};
    if (options_.time > 0) more.insert(more.end(), {"--time", fmt::format("{}", options_.time)});
    for (auto option = more.begin(); option != more.end(); option += 2) {
      if (std::ranges::find(words, *option) == words.end()) words.insert(words.begin() + 2, option, option + 2);
    }
    return words;
  }

  void runAll() {
    const std::size_t jobs = options_.jobs > 0 ? options_.jobs : std::max(1U, std::thread::hardware_concurrency());
    std::map<std::size_t, Running> running;
    std::size_t next = 0, shown = 0;
    while (!running.empty() || (next < cases_.size() && !wasInterrupted())) {
      while (running.size() < jobs && next < cases_.size() && !wasInterrupted()) {
        running[next] = {std::make_unique<util::ChildProcess>(commandOf(cases_[next])), Clock::now()};
        ++next;
      }
      const std::size_t before = running.size();
      for (auto entry = running.begin(); entry != running.end();) {
        entry = collect(entry->first, entry->second) ? running.erase(entry) : std::next(entry);
      }
      for (; shown < cases_.size() && done_[shown].ran; ++shown) show(shown);
      if (progress_.on()) progress_.show(fmt::format("[{}/{}]", shown, cases_.size()));
      if (running.size() == before) usleep(kMicrosecondsToWait);
    }
  }

  bool collect(std::size_t index, Running& running) {
    if (!running.child->hasEnded()) return false;
    Done& done = done_[index];
    done.seconds = secondsSince(running.start);
    done.comparison = suite::compare(cases_[index], running.child->wait());
    done.ran = true;
    return true;
  }

  // The command that shows more.
  static std::string commandLine(const suite::Case& tested) {
    std::string text = "heddle";
    for (const std::string& word : tested.command()) {
      if (word != "--json") text += ' ' + word;
    }
    return text;
  }

  void show(std::size_t index) {
    const Done& done = done_[index];
    const bool passed = done.comparison.differences.empty();
    if (options_.json || (options_.quiet && passed)) return;
    progress_.clear();
    fmt::print("{} {}: {}, {}, {} blocked, {:.2f} s\n", passed ? style_.good("ok  ") : style_.bad("FAIL"), cases_[index].name(),
               done.comparison.verdict.empty() ? "no verdict" : done.comparison.verdict,
               report::counted(done.comparison.executions, "execution"), done.comparison.blocked, done.seconds);
    for (const std::string& difference : done.comparison.differences) fmt::print("       {}\n", util::printable(difference));
    if (!passed) fmt::print("       {}\n", commandLine(cases_[index]));
    std::fflush(stdout);
  }

  void finish() {
    for (const Done& done : done_) {
      if (!done.ran) {
        ++notRun_;
      } else if (done.comparison.differences.empty()) {
        ++passed_;
      } else {
        ++failed_;
        undecided_ += done.comparison.isUndecided;
      }
    }
    if (options_.json) return printJson();
    if (!options_.quiet) fmt::print("{}", slowest());
    fmt::print("{} passed, {} failed", passed_, failed_);
    if (notRun_ > 0) fmt::print(", {} not run", notRun_);
    fmt::print("\n");
  }

  std::string slowest() const {
    double all = 0;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < done_.size(); ++i) {
      all += done_[i].seconds;
      if (done_[i].ran) order.push_back(i);
    }
    if (all < kWorthATable || order.size() <= kSlowest) return "";
    std::ranges::sort(order, std::greater(), [&](std::size_t i) { return done_[i].seconds; });
    std::vector<std::vector<std::string>> rows = {{"The slowest tests", "Seconds", "Executions", "Blocked"}};
    for (std::size_t i = 0; i < kSlowest; ++i) {
      const Done& done = done_[order[i]];
      rows.push_back({cases_[order[i]].name(), fmt::format("{:.2f}", done.seconds), std::to_string(done.comparison.executions),
                      std::to_string(done.comparison.blocked)});
    }
    return '\n' + report::table(rows, 1, style_) + '\n';
  }

  void printJson() const {
    nlohmann::ordered_json object = {{"passed", passed_}, {"failed", failed_}, {"notRun", notRun_}, {"seconds", seconds_}};
    object["tests"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      const Done& done = done_[i];
      object["tests"].push_back({{"name", cases_[i].name()},
                                 {"file", cases_[i].file},
                                 {"line", cases_[i].expectation ? cases_[i].expectation->line : 0},
                                 {"status", !done.ran                             ? "not run"
                                            : done.comparison.differences.empty() ? "passed"
                                                                                  : "failed"},
                                 {"verdict", done.comparison.verdict},
                                 {"executions", done.comparison.executions},
                                 {"blocked", done.comparison.blocked},
                                 {"seconds", done.seconds},
                                 {"differences", done.comparison.differences},
                                 {"command", commandLine(cases_[i])}});
    }
    fmt::print("{}\n", object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  }

  bool writeResults() {
    if (results_.empty()) return true;
    std::vector<report::Result> collected;
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      const Done& done = done_[i];
      report::Result result;
      result.command = "test";
      result.name = cases_[i].name();
      result.file = cases_[i].file;
      result.line = cases_[i].expectation ? cases_[i].expectation->line : 0;
      result.seconds = done.seconds;
      result.message = result.details = done.comparison.verdict;
      if (!done.ran || !done.comparison.differences.empty()) {
        const bool failed = done.ran && !done.comparison.isUndecided;
        result.status = failed ? report::Result::Status::failed : report::Result::Status::undecided;
        result.kind = failed ? "expectation" : "incomplete";
        result.message = done.ran ? fmt::format("{}", fmt::join(done.comparison.differences, "; ")) : "not run";
        result.details = result.message + "\n" + commandLine(cases_[i]) + "\n";
      }
      collected.push_back(std::move(result));
    }
    return results_.write(collected);
  }

  int exitCode() const {
    if (failed_ > undecided_) return kErrorFound;
    return notRun_ + undecided_ > 0 ? kIncomplete : kNoError;
  }

  const Options& options_;
  report::Style style_;
  Progress progress_;
  ResultFiles results_;
  std::vector<suite::Case> cases_;
  std::vector<Done> done_;  // by number of the case
  double seconds_ = 0;
  std::size_t passed_ = 0, failed_ = 0, undecided_ = 0, notRun_ = 0;  // undecided: of those that failed
};

}  // namespace

int runTestCommand(const Options& options) { return TestCommand(options).run(); }

}  // namespace heddle::cli
