#include "cli/check_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <new>
#include <optional>

#include "cli/cluster.h"
#include "cli/exit_code.h"
#include "cli/format_files.h"
#include "cli/interrupt.h"
#include "cli/models.h"
#include "cli/progress.h"
#include "cli/result_files.h"
#include "cli/run_control.h"
#include "cli/terminal.h"
#include "graph/graph.h"
#include "model/library.h"
#include "native/project_sources.h"
#include "report/check_json.h"
#include "report/check_text.h"
#include "report/collect.h"
#include "report/loop_list.h"
#include "sandbox/sandbox.h"
#include "trace/formats/describe.h"
#include "util/cache_folder.h"
#include "util/default_model.h"

namespace heddle::cli {

namespace {

// The words of a text, as a shell would take them apart: blanks separate, quotes and backslashes keep together.
std::vector<std::string> splitWords(const std::string& text) {
  std::vector<std::string> words;
  bool inWord = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      inWord = false;
      continue;
    }
    if (!inWord) words.emplace_back();
    inWord = true;
    if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      words.back() += text[++i];
    } else {
      words.back() += c;
    }
  }
  if (quote != 0) throw InputError(fmt::format("heddle: --args: no closing {}", quote));
  return words;
}

bool isPositive(std::string_view text) {
  std::uint64_t number = 0;
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc() && stop == text.data() + text.size() && number > 0;
}

void checkUnrollLoop(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  const std::size_t colon = equals == std::string::npos ? equals : text.rfind(':', equals);
  if (colon != std::string::npos && colon > 0) {
    const std::string_view view = text;
    if (isPositive(view.substr(colon + 1, equals - colon - 1)) && isPositive(view.substr(equals + 1))) return;
  }
  throw InputError(fmt::format("heddle: --unroll-loop needs FILE:LINE=N, for instance queue.c:31=8, not `{}`", text));
}

// "rand=4", "getenv", "nondet=-1..1"
heddle_explored_inputs exploredInputs(const std::vector<std::string>& texts) {
  heddle_explored_inputs inputs{};
  const auto parse = [](std::string_view text, auto& number) {
    const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    return problem == std::errc() && stop == text.data() + text.size();
  };
  for (const std::string& text : texts) {
    const std::string_view view = text;
    const std::size_t dots = view.find("..");
    bool good = false;
    if (view == "rand") {
      inputs.random = 2;
      good = true;
    } else if (view.starts_with("rand=")) {
      good = parse(view.substr(5), inputs.random) && inputs.random > 0;
    } else if (view == "getenv") {
      inputs.environment = 1;
      good = true;
    } else if (view.starts_with("nondet=") && dots != std::string_view::npos) {
      inputs.nondet = 1;
      good = parse(view.substr(7, dots - 7), inputs.least) && parse(view.substr(dots + 2), inputs.most) &&
             inputs.least <= inputs.most;
    }
    if (!good) {
      throw InputError(fmt::format(
          "heddle: --explore needs rand, rand=N, getenv or nondet=A..B, for instance rand=4 or nondet=-1..1, not `{}`", text));
    }
  }
  return inputs;
}

// While the program is compiled: the cache, devices, and what the run writes if there is no helper to do it.
std::vector<std::string> foldersToWrite(const parallel::Control& control) {
  std::vector<std::string> folders = {"/dev", util::cacheFolder().string()};
  for (const std::string& file : {control.checkpointFile, control.failureFile}) {
    if (file.empty()) continue;
    const std::string folder = std::filesystem::path(file).parent_path().string();
    folders.push_back(folder.empty() ? "." : folder);
  }
  return folders;
}

// What a debugger shows of an execution: a line for each event that led to its error, and one for that.
std::vector<std::string> debuggerLines(const trace::Execution& execution) {
  std::vector<std::string> lines;
  for (const trace::Event& event : execution.events) {
    if (!event.relevant) continue;
    std::string line = fmt::format("{}: {}", trace::threadName(execution, event.thread), trace::actionText(event));
    if (trace::isThreadEvent(event)) line += " " + trace::threadName(execution, event.partner);
    const std::string place = trace::placeText(event.place);
    if (!place.empty()) line += fmt::format(" ({})", place);
    lines.push_back(std::move(line));
  }
  lines.push_back(execution.error ? trace::errorLine(*execution.error) : "");
  return lines;
}

class CheckCommand {
 public:
  CheckCommand(const Options& options, const parallel::Checkpoint* resumed, parallel::Cluster* cluster = nullptr)
      : options_(options),
        resumed_(resumed),
        cluster_(cluster),
        // What MPI passes on from a process looks to that like a terminal.
        style_(enabled(cluster != nullptr && options.color == "auto" ? "never" : options.color, STDOUT_FILENO)),
        // The program's own output would break the line.
        progress_(enabled(options.progress, STDERR_FILENO) && !(options.output && options.progress == "auto")) {
    report_.files = options.paths;  // until targets are known
    report_.model = modelName();
    report_.persistency = options.persistency;
    report_.symmetry = options.symmetry == "on";
    report_.equivalence = options.equivalence == "rf" ? explore::Equivalence::rf : explore::Equivalence::co;
  }

  int run(std::optional<run::BuiltProgram>* built = nullptr) {
    try {
      if (cluster_ != nullptr && cluster_->isFirst()) {
        cluster_->tellAll("command", textOfWords(resumed_ != nullptr ? resumed_->about.command : options_.words));
      }
      prepare();
      if (options_.listLoops) return listLoops();
      check(built);
    } catch (const InputError& error) {
      return badInput(error.what());
    } catch (const native::InputError& error) {
      return badInput(error.what());
    } catch (const parallel::CheckpointError& error) {
      return badInput(error.what());
    } catch (const sandbox::Unavailable& error) {
      return badInput(error.what());
    } catch (const LimitError& error) {
      giveUp(error.what());
    } catch (const std::bad_alloc&) {
      giveUp("out of memory");
    }
    progress_.clear();
    if (cluster_ != nullptr && !cluster_->isFirst()) return kNoError;  // rank 0 has the verdict
    return print() ? exitCode() : kBadInput;
  }

  native::BuildOptions buildOptions() {
    findTargets();
    model_ = loadModel(modelName());
    return run::ExploredOptions(checkOptions()).build();
  }

  int badInput(const std::string& message) {
    progress_.clear();
    fmt::print(stderr, "{}{}", message, message.ends_with('\n') ? "" : "\n");
    giveUp("bad input");
    if (options_.json) fmt::print("{}", report::badInputJson(report_, message));
    if (!results_.empty()) {
      const std::string file = options_.paths.empty() ? "" : options_.paths.front();
      const report::Result result = report::resultOf("check", report::BadFile{file, message});
      results_.write({&result, 1});
    }
    return kBadInput;
  }

 private:
  void findTargets() {
    if (!options_.compileCommands.empty()) report_.files = native::projectSources(options_.compileCommands, options_.paths);
  }

  void prepare() {
    findTargets();
    model_ = loadModel(modelName());
    report_.model = model_.name;
    report_.modelFile = model_.file;
    checkRequirements(model_, Threads::created, options_.assumeRequirements, options_.quiet || options_.json);
    report_.assumed = model_.assumed;
    report_.dependencies = model_.compiled.hasDependencies || model_.compiled.evaluated;
    if (model_.compiled.evaluated && !options_.persistency.empty()) {
      throw InputError(fmt::format("heddle: --persistency is not for the model {}, whose executions are judged when they are "
                                   "complete: leave out --model",
                                   model_.name));
    }
    for (const std::string& loop : options_.unrollLoops) checkUnrollLoop(loop);
    formats_.open(options_);
    results_.open(options_);
  }

  run::CheckOptions checkOptions() {
    run::CheckOptions check;
    check.build.files = report_.files;
    check.build.flags = options_.clangFlags;
    check.build.compilationDatabase = options_.compileCommands;
    for (const char* const framework : {options_.gtest ? "gtest" : "", options_.catch2 ? "catch2" : ""}) {
      if (*framework == '\0') continue;
      const std::vector<std::string> flags = native::frameworkFlags(framework);
      check.build.flags.insert(check.build.flags.begin(), flags.begin(), flags.end());
    }
    check.explored = exploredInputs(options_.explore);
    check.build.precompiled = !options_.noPrecompiled;
    check.build.pure = options_.pure;
    check.build.unroll = options_.unroll;
    check.build.unrollLoops = options_.unrollLoops;
    check.build.fair = options_.fair;
    check.build.undefinedBehaviour = options_.undefinedBehaviour;
    check.build.volatileRelaxed = options_.volatileAccesses == "relaxed";
    check.build.races = options_.races == "on";
    check.build.waitingLoops = isOn("spin-loops");
    check.build.joinedLoads = isOn("joined-loads");
    check.zeroNetEffect = isOn("zero-net-effect");
    check.barriers = isOn("barriers");
    check.skipFutile = isOn("futile-reads");
    check.overtakenAwaits = isAskedFor("overtaken-awaits");
    check.confirmations = isAskedFor("confirmations");
    check.arguments = splitWords(options_.argumentText);
    check.arguments.insert(check.arguments.end(), options_.arguments.begin(), options_.arguments.end());
    check.model = &model_.compiled;
    check.equivalence = report_.equivalence;
    check.symmetry = options_.symmetry == "on";
    check.spurious = !options_.noSpurious;
    check.weakIsolation = options_.isolation == "weak";
    check.stale = static_cast<std::uint32_t>(options_.stale);
    if (!options_.leaks.empty()) check.leaks = options_.leaks == "all" ? run::Leaks::all : run::Leaks::unreachable;
    check.persistency = persistency();
    if (check.persistency == run::Persistency::fromFile) check.persistencyModel = persistencyFile();
    if (check.persistency == run::Persistency::ext4) check.build.disk = diskOptions();
    check.build.diskFolder = options_.disk;
    check.recoveryWrites = options_.recoveryWrites;
    check.liveness = options_.liveness == "on";
    check.showOutput = options_.output && !options_.json;  // standard output is the object's alone
    check.maxExecutions = options_.maxExecutions;
    check.stuckSeconds = options_.stuck;
    check.suggest = options_.suggest;
    check.sandbox = options_.sandbox == "off"       ? sandbox::Wanted::off
                    : options_.sandbox == "require" ? sandbox::Wanted::require
                                                    : sandbox::Wanted::on;
    if (options_.debugged) {
      if (!options_.persistency.empty())
        throw InputError("heddle: replay --gdb is not for programs that crash (--persistency) yet");
      check.debugged = debuggerLines;
      check.stuckSeconds = 0;  // a person looks
    }
    check.control = runControl(options_, modelIdentity(model_.name, model_.file), resumed_);
    if (cluster_ != nullptr) {
      check.cluster = cluster_;
      if (cluster_->isFirst()) {
        check.control.workers = cluster_->workers();
        check.control.transport = cluster_->transport();
      }
    }
    if (progress_.on()) {
      check.control.progress = [this](const parallel::Progress& progress) { progress_.show(report::progressText(progress)); };
    }
    return check;
  }

  heddle_disk_options diskOptions() const {
    heddle_disk_options disk{};
    disk.journal = heddle_journal_ordered;
    if (options_.journal == "writeback") disk.journal = heddle_journal_writeback;
    if (options_.journal == "journal") disk.journal = heddle_journal_data;
    disk.delayed_allocation = !options_.noDelayedAllocation;
    disk.block_size = static_cast<int>(options_.blockSize);
    disk.most_bytes = static_cast<int>(options_.maxFileSize);
    disk.reports_errors = options_.fileErrors == "report";
    disk.has_zeros = options_.unwrittenData == "zeros";
    return disk;
  }

  std::shared_ptr<const model::Model> persistencyFile() const {
    try {
      auto model = std::make_shared<const model::Model>(model::loadModel(options_.persistency));
      if (!model->definition("pb")) {
        throw InputError(fmt::format("{}: a persistency model defines `pb`, the order in which writes persist, for instance:\n"
                                     "let pb = (co | [W] ; po ; [F & SC] ; po ; [W])+",
                                     options_.persistency));
      }
      model::Model pb;
      pb.axioms.push_back({model::AxiomKind::empty, "pb", model->definition("pb"), {}});
      if (hasDependencies(pb) || hasRecursion(pb)) {
        throw InputError(options_.persistency + ": `pb` cannot name addr, data and ctrl, and not be recursive");
      }
      return model;
    } catch (const std::runtime_error& error) {
      throw InputError(error.what());
    }
  }

  run::Persistency persistency() const {
    if (options_.persistency.empty()) return run::Persistency::none;
    if (options_.persistency == "strict") return run::Persistency::strict;
    if (options_.persistency == "weakest") return run::Persistency::weakest;
    if (options_.persistency == "ext4") return run::Persistency::ext4;
    if (options_.persistency != "px86") return run::Persistency::fromFile;
    return options_.granularity == "location" ? run::Persistency::px86ByLocation : run::Persistency::px86;
  }

  std::string modelName() const {
    if (!options_.model.empty()) return options_.model;
    return options_.persistency == "px86" ? "tso" : util::kDefaultModel;
  }

  // Has --without not turned this reduction off?
  bool isOn(const char* reduction) const {
    return std::ranges::none_of(options_.without, [&](const std::string& name) { return name == "all" || name == reduction; });
  }

  // Has --reduce turned it on?
  bool isAskedFor(const char* reduction) const {
    return std::ranges::any_of(options_.reduce, [&](const std::string& name) { return name == "all" || name == reduction; });
  }

  int listLoops() {
    const std::vector<native::ListedLoop> loops = native::listLoops(checkOptions().build);
    fmt::print("{}", options_.json ? report::loopsJson(options_.paths, loops) : report::loopsText(loops));
    return kNoError;
  }

  void check(std::optional<run::BuiltProgram>* built) {
    run::CheckOptions check = checkOptions();
    if (built) {
      report_.result = run::check(check, *built);
    } else {
      giveUp("out of memory while it was compiled");
      endWithoutMemory(text());
      giveUp("interrupted before it was compiled");
      endAtInterrupt(text());
      check.compiled = [] {
        endAtInterrupt("");
        endWithoutMemory(std::nullopt);
      };
      if (check.sandbox != sandbox::Wanted::off) sandbox::restrictToReading(foldersToWrite(check.control));
      report_.result = run::check(check);
    }
    for (const std::string& text : sandbox::missingLayers()) {
      progress_.clear();
      fmt::print(stderr, "heddle: warning: {}\n", text);
    }
    if (!report_.result.checkpointProblem.empty()) {
      progress_.clear();
      fmt::print(stderr, "{}\n", report_.result.checkpointProblem);
    }
  }

  void giveUp(const std::string& why) {
    report_.result.verdict = report::CheckVerdict::incomplete;
    report_.result.incompleteReason = why;
  }

  std::string text() const {
    if (options_.json) return report::checkJson(report_);
    return report::checkText(report_, style_,
                             {.quiet = options_.quiet, .timing = options_.timing, .width = pageWidth(STDOUT_FILENO)});
  }

  // False if a file could not be written.
  bool print() {
    fmt::print(formats_.reportStream(), "{}", text());
    bool written = true;
    if (!formats_.empty()) {
      const trace::Execution shown = report::shownExecution(report_);
      written = formats_.write({&shown, 1});
    }
    if (!results_.empty()) {
      const report::Result result = report::resultOf(report_, options_.require);
      written &= results_.write({&result, 1});
    }
    if (isShortOfRequired()) {
      fmt::print(stderr, "heddle: {}\n", report::requirementText(report::name(report_.result.verdict), options_.require));
    }
    return written;
  }

  // No error was found, but not enough is known.
  bool isShortOfRequired() const {
    return !options_.require.empty() && !report_.result.hasError() && options_.require != report::name(report_.result.verdict);
  }

  int exitCode() const {
    if (isShortOfRequired()) return kErrorFound;
    switch (report_.result.verdict) {
      case report::CheckVerdict::verified:
      case report::CheckVerdict::sampled:
      case report::CheckVerdict::bounded: return kNoError;
      case report::CheckVerdict::error: return kErrorFound;
      case report::CheckVerdict::incomplete: return report_.result.hasError() ? kBadInput : kIncomplete;
    }
    return kInternalError;
  }

  const Options& options_;
  const parallel::Checkpoint* resumed_;
  parallel::Cluster* cluster_;  // none: one machine explores
  report::Style style_;
  Progress progress_;
  LoadedModel model_;
  report::CheckReport report_;
  FormatFiles formats_;
  ResultFiles results_;
};

}  // namespace

int runCheckCommand(const Options& options, const parallel::Checkpoint* resumed, parallel::Cluster* cluster) {
  return CheckCommand(options, resumed, cluster).run();
}

native::BuildOptions buildOptionsOf(const Options& options) { return CheckCommand(options, nullptr).buildOptions(); }

int runBuiltCheck(const Options& options, std::optional<run::BuiltProgram>& program) {
  return CheckCommand(options, nullptr).run(&program);
}

int reportUnbuilt(const Options& options, const std::string& why) { return CheckCommand(options, nullptr).badInput(why); }

}  // namespace heddle::cli
