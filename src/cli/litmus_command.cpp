#include "cli/litmus_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "cli/exit_code.h"
#include "cli/format_files.h"
#include "cli/interrupt.h"
#include "cli/models.h"
#include "cli/progress.h"
#include "cli/result_files.h"
#include "cli/run_control.h"
#include "cli/terminal.h"
#include "report/collect.h"
#include "report/json.h"
#include "report/progress.h"
#include "report/text.h"
#include "run/run_litmus.h"
#include "util/default_model.h"
#include "util/fingerprint.h"
#include "util/read_file.h"

namespace heddle::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = std::size_t{64} << 20;

std::string readTest(const std::string& path) {
  const auto fail = [&](const std::string& why) { return litmus::LitmusError(path, why); };
  std::optional<std::string> text = util::readFile(path, kMostBytes);
  if (!text) throw fail(fmt::format("cannot open the file: {}", std::strerror(errno)));
  if (text->size() > kMostBytes) throw fail("the file is too large");
  return std::move(*text);
}

class LitmusCommand {
 public:
  LitmusCommand(const Options& options, const parallel::Checkpoint* resumed)
      : options_(options),
        resumed_(resumed),
        style_(enabled(options.color, STDOUT_FILENO)),
        progress_(enabled(options.progress, STDERR_FILENO)) {}

  int run() {
    try {
      loadModels();
      findFiles();
      if (!options_.checkpoint.empty() && (files_.size() != 1 || options_.compare.size() > 1)) {
        throw InputError("heddle: --checkpoint is for one test under one model");
      }
      formats_.open(options_);
      results_.open(options_);
    } catch (const InputError& error) {
      fmt::print(stderr, "{}\n", error.what());
      if (options_.json) fmt::print("{}", report::jsonText({}, {}, error.what()));
      return kBadInput;
    }
    for (std::size_t i = 0; i < files_.size() && !wasInterrupted(); ++i) runFile(i);
    finish();
    badInput_ |= !formats_.write(shown_, ofStates_) || !results_.write(collected_);
    if (badInput_) return kBadInput;
    if (errorFound_) return kErrorFound;
    return incomplete_ ? kIncomplete : kNoError;
  }

 private:
  void loadModels() {
    const bool byTest = options_.compare.empty() && options_.model.empty();
    const auto names = options_.compare.empty() ? std::vector{options_.model} : options_.compare;
    for (const std::string& name : byTest ? std::vector<std::string>{} : names) {
      LoadedModel model = loadModel(name);
      checkRequirements(model, Threads::fromTheBeginning, options_.assumeRequirements, options_.quiet || options_.json);
      const bool taken = std::any_of(models_.begin(), models_.end(), [&](auto& m) { return m.name == model.name; });
      if (taken) model.name = name;
      models_.push_back(std::move(model));
    }
  }

  // Those that were asked for, or else the one that the test is about.
  std::vector<const LoadedModel*> modelsOf(const litmus::Test& test) {
    std::vector<const LoadedModel*> models;
    for (const LoadedModel& model : models_) models.push_back(&model);
    if (!models.empty()) return models;
    const std::string name = test.model.empty() ? util::kDefaultModel : test.model;
    auto found = builtIn_.find(name);
    if (found == builtIn_.end()) found = builtIn_.emplace(name, loadModel(name)).first;
    return {&found->second};
  }

  void bad(const std::string& file, const std::string& message) {
    badInput_ = true;
    leaveOut(file, message);
  }

  void leaveOut(const std::string& file, const std::string& message) {
    progress_.clear();
    std::fflush(stdout);
    fmt::print(stderr, "{}\n", message);
    badFiles_.push_back({file, message});
    if (!results_.empty()) collected_.push_back(report::resultOf("litmus", badFiles_.back()));
  }

  void findFiles() {
    for (const std::string& path : options_.paths) {
      std::error_code problem;
      if (!fs::is_directory(path, problem)) {
        files_.push_back(path);
        continue;
      }
      std::vector<std::string> found;
      fs::recursive_directory_iterator entry(path, problem), end;
      for (; !problem && entry != end; entry.increment(problem)) {
        if (entry->path().extension() == ".litmus" && !entry->is_directory()) found.push_back(entry->path().string());
      }
      if (problem) {
        bad(path, fmt::format("{}: error: cannot read the directory: {}", path, problem.message()));
      } else if (found.empty()) {
        bad(path, fmt::format("{}: error: no .litmus file in this directory", path));
      }
      std::sort(found.begin(), found.end());
      files_.insert(files_.end(), found.begin(), found.end());
    }
  }

  void runFile(std::size_t index) {
    const std::string& file = files_[index];
    std::vector<report::Report> reports;
    try {
      const std::string text = readTest(file);
      litmus::ParseOptions parse;
      if (std::ranges::any_of(models_, [](const LoadedModel& model) { return model.compiled.evaluated; })) {
        parse.dialect = litmus::Dialect::preferKernel;
      }
      auto test = std::make_unique<litmus::Test>(litmus::parseLitmus(text, file, parse));
      // Once interrupted, the models that are left get a run that stops at its first execution.
      for (const LoadedModel* model : modelsOf(*test)) reports.push_back(runTest(index, *test, text, *model));
      test->program.reset();  // half a megabyte, and there may be thousands of tests
      tests_.push_back(std::move(test));
      ++done_;
    } catch (const litmus::LitmusError& error) {
      ++done_;
      return bad(file, error.what());
    } catch (const ProgramError& error) {
      ++done_;
      return bad(file, fmt::format("{}: error: {}", file, error.what()));
    } catch (const parallel::CheckpointError& error) {
      ++done_;
      return bad(file, error.what());
    } catch (const std::bad_alloc&) {
      ++done_;
      incomplete_ = true;
      return leaveOut(file, fmt::format("{}: error: out of memory", file));
    }
    for (report::Report& report : reports) {
      print(report);
      if (!formats_.empty()) shown_.push_back(report::shownExecution(report));
      if (formats_.wantEachState()) std::ranges::move(report::executionsOfStates(report), std::back_inserter(ofStates_));
      reports_.push_back(std::move(report));
    }
  }

  report::Report runTest(std::size_t index, const litmus::Test& test, const std::string& text, const LoadedModel& model) {
    run::LitmusOptions run;
    run.equivalence = options_.equivalence == "rf" ? explore::Equivalence::rf : explore::Equivalence::co;
    run.spurious = !options_.noSpurious;
    run.weakIsolation = options_.isolation == "weak";
    run.stale = static_cast<std::uint32_t>(options_.stale);
    run.maxExecutions = options_.maxExecutions;
    run.witness = !formats_.empty() || !results_.empty();
    run.eachState = formats_.wantEachState();
    const bool identified = !options_.checkpoint.empty() || resumed_ != nullptr;
    const std::string identity = identified ? modelIdentity(model.name, model.file) + util::fingerprint(text) : std::string();
    run.control = runControl(options_, identity, resumed_);
    if (progress_.on()) {
      progress_.show(index, files_.size(), test.name, 0);
      run.control.progress = [&](const parallel::Progress& progress) {
        progress_.show(fmt::format("[{}/{}] {}  {}", index, files_.size(), test.name, report::progressText(progress)));
      };
    }
    report::Report report{.test = &test,
                          .model = model.name,
                          .modelFile = model.file,
                          .assumed = model.assumed,
                          .equivalence = run.equivalence,
                          .outcome = {},
                          .differences = {}};
    report.outcome = run::runLitmus(test, model.compiled, run);
    if (!report.outcome.checkpointProblem.empty()) {
      progress_.clear();
      fmt::print(stderr, "{}\n", report.outcome.checkpointProblem);
    }
    incomplete_ |= !report.outcome.complete() && report.outcome.cut != run::Cut::sample;
    const bool failed = judge(test, report);
    errorFound_ |= failed;
    if (!results_.empty()) collected_.push_back(report::resultOf(report, failed));
    return report;
  }

  // Has it failed? With --check, what a file announces is not an error.
  bool judge(const litmus::Test& test, report::Report& report) const {
    const run::Outcome& outcome = report.outcome;
    const auto expected = std::find_if(test.expectations.begin(), test.expectations.end(),
                                       [&](const litmus::Expectation& e) { return e.model == report.model; });
    if (!options_.check || expected == test.expectations.end()) return run::hasError(test, outcome);
    report.differences = report::differences(*expected, outcome, report.equivalence);
    const bool claim = test.quantifier == litmus::Quantifier::forall || test.quantifier == litmus::Quantifier::notExists;
    return !report.differences.empty() || (outcome.failed > 0 && !expected->error) ||
           (run::hasRace(outcome) && !expected->race.value_or(false)) ||
           (claim && run::verdict(test, outcome) == run::Verdict::no && !expected->observation);
  }

  util::Page page() const { return {style_, pageWidth(STDOUT_FILENO)}; }

  void print(const report::Report& report) {
    if (options_.json) return;
    progress_.clear();
    if (!options_.compare.empty()) {
      for (const std::string& difference : report.differences) {
        fmt::print(formats_.reportStream(), "{} {}, {}: {}\n", style_.bad("Unexpected"), report.test->name, report.model,
                   difference);
      }
    } else if (options_.quiet) {
      fmt::print(formats_.reportStream(), "{}", report::observationLine(report) + report::problemText(report, page()));
    } else {
      fmt::print(formats_.reportStream(), "{}\n", report::fullText(report, page()));
    }
    std::fflush(formats_.reportStream());
  }

  void finish() {
    progress_.clear();
    const std::size_t left = files_.size() - done_;
    if (wasInterrupted()) {
      incomplete_ = true;
      fmt::print(stderr, "heddle: interrupted; {} of {} files were not run to the end\n", left, files_.size());
    }
    if (options_.json) {
      fmt::print(formats_.reportStream(), "{}", report::jsonText(reports_, badFiles_, ""));
    } else if (!options_.compare.empty()) {
      fmt::print(formats_.reportStream(), "{}", report::comparisonTable(reports_, models_.size(), style_));
    } else if (reports_.size() + badFiles_.size() > 1 && !options_.quiet) {
      fmt::print(formats_.reportStream(), "{}{}", report::summaryTable(reports_, style_),
                 report::totals(reports_, badFiles_.size()));
    }
  }

  const Options& options_;
  const parallel::Checkpoint* resumed_;
  report::Style style_;
  Progress progress_;
  std::vector<LoadedModel> models_;             // that were asked for
  std::map<std::string, LoadedModel> builtIn_;  // that tests are about, if none was asked for
  std::vector<std::string> files_;
  std::vector<std::unique_ptr<litmus::Test>> tests_;
  std::vector<report::Report> reports_;
  std::vector<report::BadFile> badFiles_;
  FormatFiles formats_;
  std::vector<trace::Execution> shown_, ofStates_;
  ResultFiles results_;
  std::vector<report::Result> collected_;
  std::size_t done_ = 0;  // files
  bool badInput_ = false;
  bool errorFound_ = false;
  bool incomplete_ = false;
};

}  // namespace

int runLitmusCommand(const Options& options, const parallel::Checkpoint* resumed) {
  return LitmusCommand(options, resumed).run();
}

}  // namespace heddle::cli
