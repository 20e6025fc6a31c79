#include "run/enumerate_litmus.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <optional>

#include "enumerate/enumerate.h"
#include "model/compile.h"
#include "run/enumerated_trace.h"
#include "run/litmus_findings.h"
#include "run/litmus_threads.h"

namespace heddle::run {

namespace {

class Collector final : public enumerate::Observer {
 public:
  Collector(const litmus::Test& test, const LitmusOptions& options)
      : test_(test),
        options_(options),
        budget_(options.control),
        found(test.observables.size()),
        values_(test.observables.size()) {}

  bool isWanted(const enumerate::End& end) override {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const litmus::Observable& o = test_.observables[i];
      values_[i] = o.isRegister ? static_cast<std::int64_t>(end.runs[o.thread]->registers[o.slot])
                                : o.fromMemory(end.memory.at(o.address));
    }
    return test_.filter.holds(values_.data());
  }

  // What was wanted just before.
  bool execution(const enumerate::End& end) override {
    if (options_.maxExecutions != 0 && found.executionCount == options_.maxExecutions) {
      reason = fmt::format("stopped after {} executions", options_.maxExecutions);
      return false;
    }
    ++found.executionCount;
    if (found.states.insert(values_.data()) && options_.eachState && found.ofStates.size() < kMostStatesShown) {
      found.ofStates.push_back(traceOf(test_, end));
      found.ofStates.back().state = test_.stateText(values_.data());
    }
    const bool holds = test_.holds(values_.data());
    ++(holds ? found.positive : found.negative);
    if (options_.witness && !found.witness && holds == (test_.quantifier != litmus::Quantifier::forall)) {
      found.witness = traceOf(test_, end);
      found.witness->title = test_.stateText(values_.data());
    }
    return true;
  }

  void flag(const std::string& name, const enumerate::End&) override { flags.push_back(name); }

  bool shouldStop() override {
    reason = budget_.exceeded(0);
    return !reason.empty();
  }

 private:
  const litmus::Test& test_;
  const LitmusOptions& options_;
  const parallel::Budget budget_;

 public:
  LitmusFindings found;
  std::vector<std::string> flags;
  std::string reason;  // why it was stopped

 private:
  std::vector<std::int64_t> values_;
};

void checkSupported(const litmus::Test& test, const model::CompiledModel& model, const LitmusOptions& options) {
  if (test.kernel && !model.evaluated) {
    throw ProgramError(fmt::format(
        "the test is in the Linux kernel's dialect, which the model {} does not know; use --model lkmm", model.name));
  }
  const char* refused = options.equivalence == explore::Equivalence::rf ? "--equivalence rf"
                        : options.stale != 0                            ? "--stale"
                        : options.control.samples != 0                  ? "--sample"
                        : options.control.estimates                     ? "--estimate"
                        : options.control.checkpointFile.empty()        ? nullptr
                                                                        : "--checkpoint";
  if (refused != nullptr) {
    throw ProgramError(
        fmt::format("{} is not supported under the model {}, which is evaluated on complete executions", refused, model.name));
  }
}

}  // namespace

Outcome enumerateLitmus(const litmus::Test& test, const model::CompiledModel& model, const LitmusOptions& options) {
  checkSupported(test, model, options);
  Outcome outcome;
  const auto start = std::chrono::steady_clock::now();
  const auto cut = [&](Cut why, std::string reason) {
    outcome.cut = why;
    outcome.cutReason = std::move(reason);
  };
  Collector collector(test, options);
  try {
    const auto isExclusive = [](const Operation& operation) { return operation.isExclusive; };
    const bool exclusives = !test.kernel && std::ranges::any_of(test.program->operations(), isExclusive);
    const model::Model source = withAtomicity(exclusives ? forExclusives(model.source()) : model.source());
    std::optional<LitmusThreads> compiled;
    if (!test.kernel) compiled.emplace(test, model::namesTags(source));
    const SeparateThreads& threads = test.kernel ? static_cast<const SeparateThreads&>(*test.kernel) : *compiled;
    const enumerate::Summary summary = enumerate::enumerate(threads, source, collector);
    if (!summary.complete) {
      const bool atLimit = options.maxExecutions != 0 && collector.found.executionCount == options.maxExecutions;
      cut(atLimit ? Cut::executions : Cut::interrupt, collector.reason);
    } else if (summary.cut) {
      cut(Cut::limit,
          fmt::format("executions in which a loop goes round more than {} times are left out", litmus::kKernelLoopRounds));
    } else if (collector.found.executionCount == 0) {
      cut(Cut::blocked,
          summary.neverHolds.empty()
              ? "no execution ran to its end"
              : fmt::format("the model allows no execution: its axiom `{}` holds in none of those that were tried",
                            summary.neverHolds));
    }
  } catch (const LimitError& error) {
    cut(Cut::limit, error.what());
  } catch (const std::bad_alloc&) {
    cut(Cut::limit, "out of memory");
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  collector.found.describe(test, outcome);
  outcome.flags = std::move(collector.flags);
  return outcome;
}

}  // namespace heddle::run
