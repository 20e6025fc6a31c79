// See native_checked.h. Explores as run/check_program.cpp does, in the modes of run/mode.h, but goes on after an error.
#include "native_checked.h"

#include <map>
#include <optional>

#include "model/library.h"
#include "native/build_program.h"
#include "run/kernel_judge.h"
#include "run/subject.h"
#include "runtime/crash.h"
#include "runtime/native_program.h"
#include "runtime/object_names.h"
#include "runtime/waiting.h"
#include "split.h"

namespace heddle::oracle {

namespace {

constexpr double stuckSeconds = 60;

class OutcomeObserver final : public explore::Observer {
 public:
  OutcomeObserver(runtime::NativeProgram& program, const runtime::ObjectNames& names, const CheckedRun& run,
                  run::KernelJudge* judge)
      : program_(program), names_(names), run_(run), judge_(judge) {}

  void begin(explore::AnyExplorer& explorer) override {
    explorer_ = &explorer;
    program_.attach(explorer.execution(), explorer.raceView());
  }
  bool execution(const ExecutionView& graph) override {
    if (!isAllowed(graph)) return true;
    ++result_.executions;
    if (failure_.empty()) ++result_.counts[program_.output()];
    return add(program_.output());
  }
  bool blocked(const ExecutionView& graph) override {
    if (!isAllowed(graph)) return true;
    ++result_.blocked;
    std::string waiting;
    runtime::findWaiting(*explorer_, names_, true,
                         [&](const runtime::WaitingError& found) { waiting = runtime::name(found.error.kind); });
    if (!waiting.empty() || !failure_.empty()) return add(waiting);
    return !isEnough();
  }
  void race(const ExecutionView&, explore::Race) override { result_.race = true; }
  void error(const ExecutionView&, ThreadId thread, const Operation&) override {
    const runtime::Error& error = program_.error(thread);
    if (error.kind == runtime::ErrorKind::dataRace) result_.race = true;
    if (error.kind == runtime::ErrorKind::unsupported) result_.unsupported = true;
    if (failure_.empty()) failure_ = std::string(runtime::name(error.kind)) + ": " + error.message;
  }

  CheckedOutcomes& result() { return result_; }

 private:
  // Races and late accesses of the execution are noted.
  bool isAllowed(const ExecutionView& graph) {
    if (!judge_) return true;
    if (!judge_->allows(graph)) {
      failure_.clear();
      return false;
    }
    result_.race |= judge_->findRace(graph, explorer_->raceView()).has_value();
    result_.lateAccess |= judge_->findLateAccess(graph, explorer_->raceView(), program_.memory()).has_value();
    return true;
  }

  bool add(const std::string& outcome) {
    result_.outcomes.insert(failure_.empty() ? outcome : failure_);
    failure_.clear();
    return !isEnough();
  }

  bool isEnough() {
    if (run_.limit != 0 && result_.executions + result_.blocked > run_.limit) result_.complete = false;
    return (result_.race && !judge_) || result_.unsupported || !result_.complete;
  }

  runtime::NativeProgram& program_;
  const runtime::ObjectNames& names_;
  const CheckedRun& run_;
  run::KernelJudge* judge_;
  explore::AnyExplorer* explorer_ = nullptr;
  std::string failure_;  // of the current execution
  CheckedOutcomes result_;
};

native::BuildOptions buildOptions(const CheckedBuild& build, const std::string& path) {
  native::BuildOptions options;
  options.files = {path};
  options.flags = build.flags;
  options.flags.push_back("-w");
  options.races = build.races;
  options.plainLoads = build.plainLoads;
  options.volatileRelaxed = build.volatileRelaxed;
  options.undefinedBehaviour = build.undefinedBehaviour;
  options.precompiled = build.precompiled;
  options.unroll = build.unroll;
  options.waitingLoops = build.waitingLoops;
  options.joinedLoads = build.joinedLoads;
  options.verified = true;
  if (build.kernel) {
    options.races = false;
    options.racesJudged = options.dependencies = options.controlEnds = true;
  }
  return options;
}

}  // namespace

struct CheckedFile::Parts {
  Parts(const std::string& text, Language language, const CheckedBuild& options)
      : build(buildOptions(options, folder.write(sourceName(language), text)), memory), names(build.info(), memory) {}

  TemporaryFolder folder;
  memory::Memory memory;
  native::Build build;
  runtime::ObjectNames names;
};

CheckedFile::CheckedFile(const std::string& text, Language language, const CheckedBuild& build)
    : parts_(std::make_unique<Parts>(text, language, build)) {}

CheckedFile::~CheckedFile() = default;

CheckedOutcomes CheckedFile::explore(const std::vector<std::string>& arguments, const CheckedRun& run) const {
  static std::map<std::string, model::CompiledModel> models;
  const auto weaker = model::explorationOf(run.model);
  if (!models.contains(run.model)) {
    models.emplace(run.model,
                   weaker ? model::compile(*weaker, model::kBuiltinParts) : model::compile(model::loadModel(run.model)));
  }
  const model::CompiledModel& model = models.at(run.model);
  std::optional<run::KernelJudge> judge;
  if (weaker) judge.emplace(model::loadModel(run.model));
  run::Mode usual;
  usual.plainLoads = run.equivalence == explore::Equivalence::rf;
  usual.attempts = usual.polls = usual.guards = run.zeroNetEffect;
  return run::inRightMode(usual, [&](const run::Mode& mode) {
    runtime::NativeProgram program(parts_->build.info(), parts_->memory, parts_->build.entry(arguments), mode.threads);
    program.setNames(&parts_->names);
    run::prepare(program, mode);
    if (judge) program.judgeRaces();
    OutcomeObserver observer(program, parts_->names, run, judge ? &*judge : nullptr);
    const runtime::CrashGuard guard(stuckSeconds);
    explore::ExploreOptions options{
        .equivalence = run.equivalence, .races = true, .judgesRaces = judge.has_value(), .spurious = run.spurious};
    options.skipFutile = run.skipFutile;
    options.overtakenAwaits = run.overtakenAwaits;
    options.confirmations = run.confirmations;
    const auto explorePart = [&](const explore::Subtree& part) {
      run::explorePart(program, model, options, observer, mode, part);
      return observer.result().race;
    };
    if (std::vector<std::string> none; run.parts != 0) {
      exploreInParts(run.parts, options, none, explorePart);
    } else {
      explorePart({});
    }
    return observer.result();
  });
}

}  // namespace heddle::oracle
