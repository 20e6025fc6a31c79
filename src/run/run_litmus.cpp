#include "run/run_litmus.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "run/enumerate_litmus.h"
#include "run/explain.h"
#include "run/litmus_findings.h"
#include "run/litmus_names.h"
#include "run/subject.h"
#include "trace/words.h"

namespace heddle::run {

namespace {

class LitmusObserver final : public explore::Observer {
 public:
  LitmusObserver(const litmus::Test& test, const model::CompiledModel& model, const LitmusOptions& options)
      : test_(test),
        model_(model),
        program_(*test.program),
        names_(test),
        options_(options),
        found_(test.observables.size()),
        values_(test.observables.size()) {
    for (const litmus::Observable& o : test.observables) {
      initial_.push_back(o.isRegister ? 0 : program_.initialValue(o.address, o.size));
      if (!o.isRegister) observed_.push_back({o.address, o.size});
    }
  }

  // Who is to be asked in a long enumeration of final states.
  void attend(const std::atomic<bool>& attention, const explore::Attendant& attendant) {
    attention_ = &attention;
    attendant_ = &attendant;
  }

  void restart() {
    take();
    seen_ = 0;
  }

  LitmusFindings take() { return std::exchange(found_, LitmusFindings(test_.observables.size())); }

  void begin(explore::AnyExplorer& explorer) override {
    explorer_ = &explorer;
    failing_ = false;
  }

  bool takesGraphs() const override { return false; }

  bool execution(const ExecutionView&) override {
    if (atLimit()) return false;
    if (failing_) {  // some thread has stopped half-way: there is no final state
      failing_ = false;
      ++found_.failed;
    } else {
      holds_ = fails_ = false;
      if (explorer_->leavesCoherenceOpen() && !observed_.empty()) {
        explorer_->forEachEnd(observed_, [&] {
          if (attention_->load(std::memory_order_relaxed) && attendant_->isUrgent()) throw explore::StopHere();
          collect();
          return true;
        });
      } else {
        collect();
      }
      found_.positive += holds_;
      found_.negative += fails_;
    }
    ++found_.executionCount;
    ++seen_;
    return true;
  }

  bool blocked(const ExecutionView&) override {
    if (atLimit()) return false;
    ++found_.blockedCount;
    ++seen_;
    found_.failed += failing_;
    failing_ = false;
    return true;
  }

  void race(const ExecutionView& graph, explore::Race race) override {
    if (found_.race) return;
    // The events of a read-modify-write are shown as one, the read.
    for (EventId* id : {&race.first, &race.second}) {
      if (graph[*id].isWrite() && graph[*id].rmw) *id = graph[*id].poPrev;
    }
    trace::Execution execution = show(graph, {race.first, race.second}, {{.event = race.first}, {.event = race.second}});
    const std::string where = names_.location(graph.operation(race.first).address, graph.operation(race.first).size);
    execution.error = trace::Error{.kind = "data-race",
                                   .title = "data race",
                                   .message = "data race on " + where,
                                   .site = site(graph[race.second].thread, graph.operation(race.second)),
                                   .related = {}};
    execution.error->related.push_back({trace::wordOf(trace::kindOf(graph.operation(race.first), false)),
                                        site(graph[race.first].thread, graph.operation(race.first)), 0});
    found_.race = std::move(execution);
  }

  void error(const ExecutionView& graph, ThreadId thread, const Operation& operation) override {
    failing_ = true;
    if (found_.error || isAtLimit()) return;
    found_.error = show(graph, {});
    const std::string& message = program_.errorText(operation.message());
    found_.error->error = trace::Error{.kind = "assertion-failure",
                                       .title = message.substr(0, message.find(':')),
                                       .message = message,
                                       .site = site(thread, operation),
                                       .related = {}};
  }

  void staleRead(std::uint32_t /*source*/) override { ++found_.staleReads; }

  bool wasCut() const { return cut_; }

 private:
  trace::Site site(ThreadId thread, const Operation& operation) const {
    return {.thread = thread, .at = names_.place(operation.source), .called = "", .callers = {}};
  }

  // With an explanation, unless the order of the writes is one of several.
  trace::Execution show(const ExecutionView& graph, std::vector<EventId> involved, std::vector<RacingAccess> race = {}) const {
    const bool coherence = !explorer_->leavesCoherenceOpen();
    std::unordered_map<EventId, unsigned> numbers;
    const TraceOptions options{
        .ends = {}, .involved = std::move(involved), .coherence = coherence, .anyCoherence = !coherence, .numbers = &numbers};
    trace::Execution execution = traceOf(graph, names_, options);
    if (!coherence || !model_.source || hasTransactions(graph)) return execution;
    const model::Model model = model_.source();
    execution.why = explain(graph, names_,
                            {.model = &model,
                             .modelName = model_.name,
                             .isRace = !race.empty(),
                             .race = std::move(race),
                             .trace = &options,
                             .changed = {}});
    return execution;
  }

  void collect() {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const litmus::Observable& o = test_.observables[i];
      values_[i] = o.isRegister ? static_cast<std::int64_t>(program_.registerValue(o.thread, o.slot))
                                : o.fromMemory(explorer_->lastValue({o.address, o.size}, initial_[i]));
    }
    if (found_.states.insert(values_.data()) && options_.eachState && found_.ofStates.size() < kMostStatesShown) {
      found_.ofStates.push_back(show(explorer_->execution(), {}));
      found_.ofStates.back().state = test_.stateText(values_.data());
    }
    const bool holds = test_.holds(values_.data());
    (holds ? holds_ : fails_) = true;
    const bool isShown = holds == (test_.quantifier != litmus::Quantifier::forall);
    const bool isViolated =
        isShown && (test_.quantifier == litmus::Quantifier::notExists || test_.quantifier == litmus::Quantifier::forall);
    if ((options_.witness || isViolated) && !found_.witness && isShown) {
      found_.witness = show(explorer_->execution(), {});
      found_.witness->title = test_.stateText(values_.data());
    }
  }

  // Asked before an execution is counted, so that a test with no more executions than the limit is complete.
  bool atLimit() {
    cut_ = isAtLimit();
    if (cut_ && !options_.control.checkpointFile.empty())
      throw explore::StopHere();  // this execution is the first that is left
    return cut_;
  }
  bool isAtLimit() const { return options_.maxExecutions != 0 && seen_ == options_.maxExecutions; }

  const litmus::Test& test_;
  const model::CompiledModel& model_;
  const litmus::LitmusProgram& program_;
  const LitmusNames names_;
  const LitmusOptions& options_;
  const std::atomic<bool>* attention_ = nullptr;
  const explore::Attendant* attendant_ = nullptr;
  explore::AnyExplorer* explorer_ = nullptr;
  std::vector<Value> initial_;       // of the observables
  std::vector<ByteRange> observed_;  // those in memory
  bool failing_ = false;             // the graph about to be reported has a failed assertion
  bool holds_ = false, fails_ = false;
  bool cut_ = false;
  std::uint64_t seen_ = 0;  // executions, for the limit
  LitmusFindings found_;
  std::vector<std::int64_t> values_;
};

class LitmusSubject final : public Subject {
 public:
  LitmusSubject(const litmus::Test& test, const model::CompiledModel& model, const LitmusOptions& options)
      : Subject(model, {.equivalence = options.equivalence,
                        .races = test.hasPlainAccesses || options.weakIsolation,
                        .weakIsolation = options.weakIsolation,
                        .spurious = options.spurious,
                        .stale = options.stale}),
        test_(test),
        observer_(test, model, options) {
    if (!model.hasDependencies) test.program->forgetDependencies();
  }

  bool wasCut() const { return observer_.wasCut(); }

  void forget() override { observer_.restart(); }
  std::unique_ptr<parallel::Findings> takeFindings() override { return std::make_unique<LitmusFindings>(observer_.take()); }
  std::unique_ptr<parallel::Findings> parseFindings(const std::string& text) const override {
    return std::make_unique<LitmusFindings>(LitmusFindings::parse(text, test_.observables.size()));
  }

 private:
  void begin(const Mode&) override { observer_.restart(); }
  Program& program() override { return *test_.program; }
  explore::Observer& observer() override { return observer_; }
  void attend(const std::atomic<bool>& attention, const explore::Attendant& attendant) override {
    observer_.attend(attention, attendant);
  }

  const litmus::Test& test_;
  LitmusObserver observer_;
};

void cut(Outcome& outcome, Cut why, std::string reason) {
  outcome.cut = why;
  outcome.cutReason = std::move(reason);
}

}  // namespace

Outcome runLitmus(const litmus::Test& test, const model::CompiledModel& model, const LitmusOptions& options) {
  // What only decides on a value is told apart there from what is part of it.
  const bool decides = !test.kernel && model.hasDependencies && test.program->hasDecisions();
  if (model.evaluated || test.kernel || decides) return enumerateLitmus(test, model, options);
  Outcome outcome;
  LitmusSubject subject(test, model, options);
  parallel::Control control = options.control;
  // Where there are store-exclusives the exploration remembers where it has been (causal/causal_revisit.cpp).
  const bool remembers = model.hasDependencies && test.program->hasExclusives();
  if (remembers && !control.checkpointFile.empty()) {
    throw ProgramError("--checkpoint is not supported for tests with load-exclusives and store-exclusives or atomic "
                       "instructions: the exploration "
                       "remembers where it has been, which a checkpoint does not keep; run it again without");
  }
  if (options.maxExecutions != 0 || remembers) control.workers = 1;
  control.start = parallel::now();  // of the time that may be used, also if it is begun again
  parallel::RunEnd end;
  const auto start = std::chrono::steady_clock::now();
  try {
    exploreAll(subject, {}, control, end);
    if (subject.wasCut()) {
      cut(outcome, Cut::executions, fmt::format("stopped after {} executions", options.maxExecutions));
    } else if (!end.complete) {
      cut(outcome, Cut::interrupt, end.reason);
    } else if (end.findings->executions() == 0) {
      cut(outcome, Cut::blocked, "no execution ran to its end");
    } else if (options.control.samples != 0) {
      cut(outcome, Cut::sample, end.reason);
    } else if (const std::uint64_t left = static_cast<const LitmusFindings&>(*end.findings).staleReads; left != 0) {
      cut(outcome, Cut::stale,
          fmt::format("--stale {} has left out {}", options.stale,
                      left == 1 ? "a load of an overwritten value" : fmt::format("{} loads of overwritten values", left)));
    }
  } catch (const LimitError& error) {
    cut(outcome, Cut::limit, error.what());
  } catch (const std::bad_alloc&) {
    cut(outcome, Cut::limit, "out of memory");
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  outcome.mixedSizes = subject.mode().overlap;
  outcome.checkpointProblem = end.checkpointProblem;
  outcome.estimate = end.estimate;
  outcome.earlier = end.earlier;
  if (end.findings) static_cast<const LitmusFindings&>(*end.findings).describe(test, outcome);
  return outcome;
}

}  // namespace heddle::run
