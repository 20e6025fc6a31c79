#include "cli/test_command.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <thread>

#include "cli/check_command.h"
#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/models.h"
#include "cli/progress.h"
#include "cli/result_files.h"
#include "cli/terminal.h"
#include "cli/test_group.h"
#include "cli/tool_identity.h"
#include "report/collect.h"
#include "report/progress.h"
#include "report/results/rules.h"
#include "report/text.h"
#include "suite/changed_files.h"
#include "suite/compare.h"
#include "trace/formats/from_json.h"
#include "util/stopwatch.h"

namespace heddle::cli {

namespace {

using util::Clock;
using util::secondsSince;

constexpr std::size_t kSlowest = 5;       // that a table shows
constexpr double kWorthATable = 10;       // seconds of all tests
constexpr int kMostMessageLines = 12;     // of the compiler that are shown
constexpr int kMillisecondsToWait = 100;  // for news of the groups, at most

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
    findGroups();
    if (groups_.empty()) return nothingChanged();
    if (!options_.list) results_.open(options_);
    const Clock::time_point start = Clock::now();
    runAll();
    seconds_ = secondsSince(start);
    progress_.clear();
    if (collected_.empty() && problems_.empty() && notStarted_ == 0 && !options_.filter.empty() && options_.shard.empty()) {
      throw InputError(fmt::format("heddle: no test has `{}` in its name; --list prints them", options_.filter));
    }
    if (options_.list) return list();
    finish();
    const bool written = writeResults();
    for (const std::string& problem : problems_) fmt::print(stderr, "{}\n", problem);
    return written ? exitCode() : kBadInput;
  }

 private:
  struct Done {
    suite::Case tested;
    suite::Comparison comparison;
    double seconds = 0;
    bool ran = false;
    bool isKept = false;
    std::string out;  // of heddle, if the test failed
  };

  // Cases of one program that are built in the same way are one group.
  void findGroups() {
    const Shard shard = parseShard(options_.shard);
    selects_ = [this, shard](const suite::Case& tested, std::size_t number) {
      if (number % shard.count != shard.number - 1) return false;
      return options_.filter.empty() || tested.name().find(options_.filter) != std::string::npos;
    };
    std::vector<suite::Case> cases;
    try {
      cases = suite::findCases(
          options_.paths,
          {.flags = options_.clangFlags, .with = options_.with, .gtest = options_.gtest, .catch2 = options_.catch2});
      if (!options_.changed.empty()) {
        suite::ChangedFiles changed(options_.changed);
        std::erase_if(cases, [&](const suite::Case& program) { return !changed.affect(program); });
      }
    } catch (const suite::SuiteError& error) {
      throw InputError(error.what());
    }
    std::vector<std::vector<TestGroup::Member>> groups;
    std::optional<native::BuildOptions> built;  // of the last group
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const std::optional<native::BuildOptions> wanted = buildOptions(cases[i]);
      if (!wanted || !built || !run::isSameBuild(*wanted, *built)) groups.emplace_back();
      groups.back().push_back({std::move(cases[i]), i});
      built = wanted;
    }
    for (auto& members : groups) groups_.emplace_back(std::move(members));
    if (!options_.noCache && !options_.list) {
      for (TestGroup& group : groups_) useKept(group);
    }
  }

  // If the results of all tests of the group are known from an earlier run, they are not run.
  void useKept(TestGroup& group) {
    std::vector<TestRun> runs;
    for (const TestGroup::Member& member : group.members()) {
      const std::optional<suite::KeptResults> kept = cache_.find(member.program);
      if (!kept) return;
      std::vector<suite::Case> cases = {member.program};
      try {
        if (kept->hasTests) cases = suite::withTests(member.program, kept->listed);
      } catch (const suite::SuiteError&) {
        return;  // said when it is run
      }
      for (std::size_t k = 0; k < cases.size(); ++k) {
        if (!selects_(cases[k], member.number + k)) continue;
        const auto found =
            std::ranges::find_if(kept->passed, [&](const suite::KeptTest& t) { return t.test.name == cases[k].test; });
        if (found == kept->passed.end()) return;
        runs.push_back({cases[k], found->finished, found->seconds, true, true});
      }
    }
    group.finishWith(std::move(runs));
  }

  // Only what passed is kept: who looks into a failure wants to see it again.
  void keep(const TestGroup& group) const {
    const TestGroup::Dependencies& known = group.dependencies();
    if (options_.noCache || !known.inputs) return;
    std::size_t next = 0;
    for (const TestGroup::Member& member : group.members()) {
      suite::KeptResults results{known.hasTests, known.listed, {}};
      for (; next < group.runs().size() && isOf(group.runs()[next], member); ++next) {
        const TestRun& run = group.runs()[next];
        if (!run.hasEnded || !isLasting(suite::compare(run.tested, run.finished))) continue;
        results.passed.push_back({{run.tested.test, run.tested.argument}, run.finished, run.seconds});
      }
      if (!results.passed.empty()) cache_.keep(member.program, *known.inputs, results);
    }
  }

  static bool isOf(const TestRun& run, const TestGroup::Member& member) {
    const auto& expectation = member.program.expectation;
    return !expectation ||
           (run.tested.expectation->line == expectation->line && run.tested.expectation->model == expectation->model);
  }

  static bool isLasting(const suite::Comparison& comparison) {
    return comparison.differences.empty() && !comparison.isUndecided && !comparison.verdict.empty() &&
           comparison.verdict != "incomplete" && comparison.verdict != "sampled" && comparison.verdict != "bad-input";
  }

  // None for what is not compiled, or cannot be: it shares nothing.
  std::optional<native::BuildOptions> buildOptions(const suite::Case& program) const {
    if (!program.expectation) return std::nullopt;
    try {
      return buildOptionsOf(caseOptions(program, options_));
    } catch (const std::runtime_error&) {
      return std::nullopt;  // said when it is run
    }
  }

  int nothingChanged() {
    results_.open(options_);
    if (options_.json) {
      printJson();
    } else {
      fmt::print("no test depends on what has changed since {}\n", options_.changed);
    }
    return writeResults() ? kNoError : kBadInput;
  }

  int list() const {
    for (const Done& done : collected_) fmt::print("{}\n", done.tested.name());
    for (const std::string& problem : problems_) fmt::print(stderr, "{}\n", problem);
    return problems_.empty() ? kNoError : kBadInput;
  }

  void runAll() {
    JobSlots slots(options_.jobs > 0 ? options_.jobs : std::max(1U, std::thread::hardware_concurrency()));
    std::size_t next = 0, shown = 0, running = 0;
    while (running > 0 || (next < groups_.size() && !wasInterrupted())) {
      // A slot may have been lost with a process that crashed; one group can always run.
      while (next < groups_.size() && groups_[next].hasEnded()) ++next;  // known
      while (next < groups_.size() && !wasInterrupted() && (slots.tryTake() || running == 0)) {
        groups_[next++].start(options_, selects_, options_.list, slots);
        while (next < groups_.size() && groups_[next].hasEnded()) ++next;
        ++running;
      }
      if (running > 0) waitForNews();
      for (std::size_t i = shown; i < next; ++i) {
        if (groups_[i].hasEnded()) continue;
        groups_[i].update();
        if (!groups_[i].hasEnded()) continue;
        --running;
        slots.give();
        keep(groups_[i]);
      }
      while (shown < groups_.size() && show(groups_[shown])) ++shown;
      if (progress_.on()) progress_.show(fmt::format("[{}/{}]", shown, groups_.size()));
    }
    for (; shown < groups_.size(); ++shown) show(groups_[shown]);
  }

  void waitForNews() const {
    std::vector<pollfd> pipes;
    for (const TestGroup& group : groups_) {
      if (group.hasStarted() && !group.hasEnded()) pipes.push_back({group.pipe(), POLLIN, 0});
    }
    poll(pipes.data(), pipes.size(), kMillisecondsToWait);
  }

  // Shows what is new of the group. Is that all?
  bool show(const TestGroup& group) {
    while (group.isPlanned() && shownOfGroup_ < group.runs().size()) {
      const TestRun& run = group.runs()[shownOfGroup_];
      if (!run.hasEnded && !group.hasEnded()) return false;
      ++shownOfGroup_;
      Done done{.tested = run.tested,
                .comparison = {},
                .seconds = run.isKept ? 0 : run.seconds,
                .ran = run.hasEnded,
                .isKept = run.isKept,
                .out = {}};
      if (run.hasEnded) {
        done.comparison = suite::compare(run.tested, run.finished);
        require(done.comparison);
        if (!done.comparison.differences.empty()) done.out = run.finished.out;
        show(done);
      }
      collected_.push_back(std::move(done));
    }
    if (!group.hasEnded() && group.hasStarted()) return false;
    if (!group.hasEnded() && !wasInterrupted()) return false;
    if (group.compileSeconds() > 0) compiled_.push_back({group.members().front().program.file, group.compileSeconds()});
    problems_.insert(problems_.end(), group.problems().begin(), group.problems().end());
    if (!group.hasStarted() && !group.hasEnded()) notStarted_ += group.members().size();
    shownOfGroup_ = 0;
    return true;
  }

  // As a shell reads it.
  static std::string quoted(const std::string& word) {
    constexpr const char* kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=.,:/@%";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
    std::string text = "'";
    for (const char c : word) {
      if (c == '\'') text += "'\\'";
      text += c;
    }
    return text + '\'';
  }

  // The command that shows more.
  static std::string commandLine(const suite::Case& tested) {
    std::string text = "heddle";
    for (const std::string& word : tested.command()) {
      if (word != "--json") text += ' ' + quoted(word);
    }
    return text;
  }

  // What is expected may still not be good enough.
  void require(suite::Comparison& comparison) const {
    const bool isLess =
        comparison.verdict == "bounded" || comparison.verdict == "sampled" || comparison.verdict == "incomplete";
    if (options_.require.empty() || !isLess) return;
    comparison.differences.push_back(report::requirementText(comparison.verdict, options_.require));
  }

  // The first lines of what the compiler says.
  static std::string indented(const std::string& message) {
    std::string text;
    std::size_t at = 0;
    for (int line = 0; line < kMostMessageLines && at < message.size(); ++line) {
      const std::size_t end = std::min(message.find('\n', at), message.size());
      text += "       " + util::printable(message.substr(at, end - at)) + '\n';
      at = end + 1;
    }
    return text;
  }

  void show(const Done& done) {
    if (options_.list) return;
    const bool passed = done.comparison.differences.empty();
    if (options_.json || (options_.quiet && passed)) return;
    progress_.clear();
    fmt::print("{} {}: {}, {}, {} blocked, {}\n", passed ? style_.good("ok  ") : style_.bad("FAIL"), done.tested.name(),
               done.comparison.verdict.empty() ? "no verdict" : done.comparison.verdict,
               report::counted(done.comparison.executions, "execution"), done.comparison.blocked,
               done.isKept ? "cached" : fmt::format("{:.2f} s", done.seconds));
    for (const std::string& difference : done.comparison.differences) fmt::print("       {}\n", util::printable(difference));
    if (!passed) fmt::print("{}       {}\n", indented(done.comparison.message), commandLine(done.tested));
    for (const std::string& warning : done.comparison.warnings) {
      fmt::print("       {} {}\n", style_.warning("warning"), util::printable(warning));
    }
    std::fflush(stdout);
  }

  void finish() {
    for (const Done& done : collected_) {
      if (!done.ran) {
        ++notRun_;
      } else if (done.comparison.differences.empty()) {
        ++passed_;
      } else {
        ++failed_;
        undecided_ += done.comparison.isUndecided;
      }
    }
    notRun_ += notStarted_;
    if (options_.json) return printJson();
    if (!options_.quiet) fmt::print("{}{}", outcomes(), slowest());
    fmt::print("{} passed, {} failed", passed_, failed_);
    if (const auto kept = std::ranges::count_if(collected_, &Done::isKept); kept > 0)
      fmt::print(", {} of them from the cache", kept);
    if (notRun_ > 0) fmt::print(", {} not run", notRun_);
    fmt::print("\n");
  }

  // The outcomes of each test that has some, under each model that it was run under.
  std::string outcomes() const {
    std::string text;
    std::set<std::string> shown;
    for (const Done& done : collected_) {
      const std::string title = titleOf(done.tested);
      if (done.comparison.outcomes.empty() || !shown.insert(title).second) continue;
      text += '\n' + title + '\n' + outcomesOf(title);
    }
    return text.empty() ? text : text + '\n';
  }

  // A test without its model: "sb_test.cpp store_buffering".
  static std::string titleOf(const suite::Case& tested) {
    std::string text = tested.file + (tested.test.empty() ? "" : ' ' + tested.test);
    for (const std::string& flag : tested.expectation ? tested.expectation->compilerFlags : std::vector<std::string>())
      text += ' ' + flag;
    return text;
  }

  std::string outcomesOf(const std::string& title) const {
    using Row = std::pair<std::string, std::string>;  // names, values
    std::vector<const Done*> runs;
    std::vector<Row> order;
    std::map<Row, std::vector<std::string>> rows;
    for (const Done& done : collected_) {
      if (!done.comparison.outcomes.empty() && titleOf(done.tested) == title) runs.push_back(&done);
    }
    std::vector<std::string> heading = {"Outcome", "", "Grade", "Note"};
    for (std::size_t run = 0; run < runs.size(); ++run) {
      heading.push_back(runs[run]->tested.expectation->model);
      for (const suite::SeenOutcome& outcome : runs[run]->comparison.outcomes) {
        const Row key = {outcome.names, outcome.values};
        auto [row, isNew] =
            rows.try_emplace(key, std::vector<std::string>{outcome.names, outcome.values, outcome.grade, outcome.note});
        if (isNew) order.push_back(key);
        row->second.resize(4 + run, "0");
        row->second.push_back(report::grouped(outcome.executions));
      }
    }
    std::vector<std::vector<std::string>> table = {heading};
    for (const Row& key : order) {
      table.push_back(rows[key]);
      table.back().resize(heading.size(), "0");
    }
    return report::table(table, 4, style_);
  }

  // Of tests and compilations.
  std::string slowest() const {
    std::vector<std::vector<std::string>> rows;
    std::vector<std::pair<double, std::vector<std::string>>> all;
    for (const Done& done : collected_) {
      all.push_back({done.seconds,
                     {done.tested.name(), fmt::format("{:.2f}", done.seconds), report::grouped(done.comparison.executions),
                      report::grouped(done.comparison.blocked)}});
    }
    for (const auto& [file, seconds] : compiled_) {
      all.push_back({seconds, {file + ", its compilation", fmt::format("{:.2f}", seconds), "", ""}});
    }
    double sum = 0;
    for (const auto& row : all) sum += row.first;
    if (sum < kWorthATable || all.size() <= kSlowest) return "";
    std::ranges::sort(all, std::greater(), &std::pair<double, std::vector<std::string>>::first);
    rows = {{"What took longest", "Seconds", "Executions", "Blocked"}};
    for (std::size_t i = 0; i < kSlowest; ++i) rows.push_back(all[i].second);
    return '\n' + report::table(rows, 1, style_) + '\n';
  }

  void printJson() const {
    nlohmann::ordered_json object = {{"passed", passed_}, {"failed", failed_}, {"notRun", notRun_}, {"seconds", seconds_}};
    object["tests"] = nlohmann::ordered_json::array();
    for (const Done& done : collected_) {
      object["tests"].push_back({{"name", done.tested.name()},
                                 {"file", done.tested.file},
                                 {"line", done.tested.expectation ? done.tested.expectation->line : 0},
                                 {"status", !done.ran                             ? "not run"
                                            : done.comparison.differences.empty() ? "passed"
                                                                                  : "failed"},
                                 {"verdict", done.comparison.verdict},
                                 {"executions", done.comparison.executions},
                                 {"blocked", done.comparison.blocked},
                                 {"seconds", done.seconds},
                                 {"cached", done.isKept},
                                 {"differences", done.comparison.differences},
                                 {"warnings", done.comparison.warnings},
                                 {"command", commandLine(done.tested)}});
    }
    fmt::print("{}\n", object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  }

  // The error that was found in place of what was expected, with its execution.
  static void takeError(const Done& done, report::Result& result) {
    const auto found = nlohmann::json::parse(done.out, nullptr, false);
    if (result.status != report::Result::Status::failed || !found.is_object()) return;
    result.execution = trace::executionFromJson(found);
    if (!result.execution.error) return;
    result.kind = result.execution.error->kind;
    result.execution.error->title = report::ruleTitle(result.kind);
  }

  bool writeResults() {
    if (results_.empty()) return true;
    std::vector<report::Result> collected;
    for (const Done& done : collected_) {
      report::Result result;
      result.command = "test";
      result.name = done.tested.name();
      result.file = done.tested.file;
      result.line = done.tested.expectation ? done.tested.expectation->line : 0;
      result.seconds = done.seconds;
      result.message = result.details = done.comparison.verdict;
      for (const std::string& warning : done.comparison.warnings) result.details += "\nwarning " + warning;
      if (!done.ran || !done.comparison.differences.empty()) {
        const bool failed = done.ran && !done.comparison.isUndecided;
        result.status = failed ? report::Result::Status::failed : report::Result::Status::undecided;
        result.kind = failed ? "expectation" : "incomplete";
        takeError(done, result);
        result.message = done.ran ? fmt::format("{}", fmt::join(done.comparison.differences, "; ")) : "not run";
        result.details = result.message + "\n" + commandLine(done.tested) + "\n";
      }
      collected.push_back(std::move(result));
    }
    return results_.write(collected);
  }

  int exitCode() const {
    if (!problems_.empty()) return kBadInput;
    if (failed_ > undecided_) return kErrorFound;
    return notRun_ + undecided_ > 0 ? kIncomplete : kNoError;
  }

  const Options& options_;
  report::Style style_;
  Progress progress_;
  ResultFiles results_;
  Selection selects_;
  suite::ResultCache cache_{toolIdentity()};
  std::vector<TestGroup> groups_;
  std::size_t shownOfGroup_ = 0;  // tests of the group that is being shown
  std::vector<Done> collected_;   // in the order in which they are shown
  std::vector<std::pair<std::string, double>> compiled_;
  std::vector<std::string> problems_;
  double seconds_ = 0;
  std::size_t notStarted_ = 0;                                        // cases of groups
  std::size_t passed_ = 0, failed_ = 0, undecided_ = 0, notRun_ = 0;  // undecided: of those that failed
};

}  // namespace

int runTestCommand(const Options& options) { return TestCommand(options).run(); }

}  // namespace heddle::cli
