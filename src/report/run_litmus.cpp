#include "report/run_litmus.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <numeric>

#include "mixer/on_demand.h"
#include "report/state_set.h"
#include "report/trace.h"

namespace heddle::report {

namespace {

// The final values of locations. An observed location is, nearly always, one location of the graph; but it may not
// have been accessed at all, or in parts, so it is put together from its initial value and the parts that exist.
class FinalMemory {
 public:
  FinalMemory(const Program& program, const std::vector<litmus::Observable>& observables) {
    for (const litmus::Observable& o : observables) {
      cells_.push_back({&o, o.isRegister ? 0 : program.initialValue(o.address, o.size), {}});
    }
  }

  std::int64_t value(const Graph& graph, std::size_t observable) {
    if (known_ != graph.locations()) findParts(graph);
    const Cell& cell = cells_[observable];
    if (cell.parts.empty()) return cell.observable->fromMemory(cell.initial);
    Value value = cell.initial;
    for (const Part& part : cell.parts) {
      const Value written = graph[graph.location(part.location).coTail].value;
      const Value placed = part.shift >= 0 ? written << part.shift : written >> -part.shift;
      value = (value & ~part.mask) | (placed & part.mask);
    }
    return cell.observable->fromMemory(value);
  }

  std::int64_t value(const MixedGraph& graph, std::size_t observable) const {
    const Cell& cell = cells_[observable];
    const litmus::Observable& o = *cell.observable;
    Value value = cell.initial;
    for (unsigned byte = 0; byte < o.size; ++byte) {
      const LineId line = graph.findLine(o.address + byte);
      const auto place = static_cast<unsigned>((o.address + byte) % kLineBytes);
      if (line == 0 || ((graph.line(line).known >> place) & 1) == 0) continue;
      const auto last = static_cast<Value>(graph.lastData(line) >> (8 * place)) & 0xff;
      value = (value & ~(Value{0xff} << (8 * byte))) | last << (8 * byte);
    }
    return o.fromMemory(value);
  }

 private:
  struct Part {
    LocationId location;
    int shift;   // in bits, of the location within the observable
    Value mask;  // the bits of the observable that it provides
  };
  struct Cell {
    const litmus::Observable* observable;
    Value initial;
    std::vector<Part> parts;
  };

  // Locations are created by the first access and stay.
  void findParts(const Graph& graph) {
    for (; known_ < graph.locations(); ++known_) {
      const Location& location = graph.location(known_);
      for (Cell& cell : cells_) {
        const litmus::Observable& o = *cell.observable;
        if (o.isRegister || location.address >= o.address + o.size || o.address >= location.address + location.size) {
          continue;
        }
        const int shift = 8 * static_cast<int>(static_cast<std::int64_t>(location.address - o.address));
        const Value ones = truncate(~Value{0}, location.size);
        const Value mask = truncate(shift >= 0 ? ones << shift : ones >> -shift, o.size);
        cell.parts.push_back({known_, shift, mask});
      }
    }
  }

  LocationId known_ = 1;
  std::vector<Cell> cells_;
};

// Thrown out of a long enumeration of coherence orders, and never seen outside this file.
struct Interrupted {};

class LitmusObserver final : public AnySizeObserver {
 public:
  LitmusObserver(const litmus::Test& test, const RunOptions& options, Outcome& outcome)
      : test_(test),
        program_(*test.program),
        options_(options),
        outcome_(outcome),
        memory_(program_, test.observables),
        states_(test.observables.size()),
        values_(test.observables.size()) {
    const bool observesMemory = std::any_of(test.observables.begin(), test.observables.end(),
                                            [](const litmus::Observable& o) { return !o.isRegister; });
    everyCoherence_ = options.equivalence == Equivalence::rf && observesMemory;
  }

  void begin(Explorer& explorer) override { explorer_ = &explorer; }

  void beginMixed(MixedExplorer&, const std::string& why) override {
    outcome_ = {};
    outcome_.mixedSizes = why;
    states_ = StateSet(test_.observables.size());
    failing_ = false;
  }

  bool execution(const Graph& graph) override { return full(graph); }
  bool execution(const MixedGraph& graph) override { return full(graph); }

  bool blocked(const Graph&) override { return full(); }
  bool blocked(const MixedGraph&) override { return full(); }

  void race(const Graph& graph, Race race) override { note(graph, race); }
  void race(const MixedGraph& graph, Race race) override { note(graph, race); }

  void error(const Graph& graph, ThreadId thread, const Operation& operation) override {
    note(graph, thread, operation);
  }
  void error(const MixedGraph& graph, ThreadId thread, const Operation& operation) override {
    note(graph, thread, operation);
  }

  std::vector<std::string> states() const {
    std::vector<std::size_t> order(states_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::size_t width = states_.width();
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::lexicographical_compare(states_[a], states_[a] + width, states_[b], states_[b] + width);
    });
    std::vector<std::string> texts;
    for (const std::size_t i : order) texts.push_back(test_.stateText(states_[i]));
    return texts;
  }

 private:
  template <class AnyGraph>
  bool full(const AnyGraph& graph) {
    if (atLimit()) return false;
    ++outcome_.executions;
    if (failing_) {  // some thread has stopped half-way: there is no final state
      failing_ = false;
      ++outcome_.failed;
      return true;
    }
    holds_ = fails_ = false;
    if (everyCoherence_ && outcome_.mixedSizes.empty()) {
      explorer_->forEachCoherence([this] {
        if (options_.interrupt && options_.interrupt->load(std::memory_order_relaxed)) throw Interrupted();
        collect(explorer_->graph());
      });
    } else {
      collect(graph);
    }
    outcome_.positive += holds_;
    outcome_.negative += fails_;
    reportProgress();
    return true;
  }

  // A blocked one.
  bool full() {
    if (atLimit()) return false;
    ++outcome_.blocked;
    outcome_.failed += failing_;
    failing_ = false;
    reportProgress();
    return true;
  }

  template <class AnyGraph>
  void note(const AnyGraph& graph, Race race) {
    outcome_.race = RaceReport{access(graph, race.first), access(graph, race.second)};
  }

  template <class AnyGraph>
  void note(const AnyGraph& graph, ThreadId thread, const Operation& operation) {
    failing_ = true;
    if (outcome_.error || atLimit()) return;
    ErrorReport report;
    report.thread = program_.threadName(thread);
    report.message = program_.errorText(operation.operand);
    report.statement = statementText(program_, operation.source);
    report.line = program_.sourceLine(operation.source);
    report.trace = describeExecution(graph, program_, {thread, report.line, report.message},
                                     options_.equivalence == Equivalence::co || !outcome_.mixedSizes.empty());
    outcome_.error = std::move(report);
  }

  template <class AnyGraph>
  void collect(const AnyGraph& graph) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const litmus::Observable& o = test_.observables[i];
      values_[i] =
          o.isRegister ? static_cast<std::int64_t>(program_.registerValue(o.thread, o.slot)) : memory_.value(graph, i);
    }
    states_.insert(values_.data());
    (test_.holds(values_.data()) ? holds_ : fails_) = true;
  }

  // Asked before an execution is counted, so that a test with no more executions than the limit is complete.
  bool atLimit() const {
    return options_.maxExecutions != 0 && outcome_.executions + outcome_.blocked == options_.maxExecutions;
  }

  void reportProgress() const {
    constexpr std::uint64_t kPeriod = 1 << 12;
    const std::uint64_t count = outcome_.executions + outcome_.blocked;
    if (options_.progress && count % kPeriod == 0) options_.progress(count);
  }

  template <class AnyGraph>
  Access access(const AnyGraph& graph, EventId id) const {
    const Operation& operation = graph.operation(id);
    return {.thread = program_.threadName(graph[id].thread),
            .kind = accessKind(operation),
            .order = orderName(operation.order),
            .location = program_.locationName(operation.address, operation.size),
            .statement = statementText(program_, operation.source),
            .line = program_.sourceLine(operation.source)};
  }

  const litmus::Test& test_;
  const litmus::LitmusProgram& program_;
  const RunOptions& options_;
  Outcome& outcome_;
  Explorer* explorer_ = nullptr;
  bool everyCoherence_ = false;
  bool failing_ = false;  // the graph about to be reported has a failed assertion
  bool holds_ = false, fails_ = false;
  FinalMemory memory_;
  StateSet states_;
  std::vector<std::int64_t> values_;
};

}  // namespace

Outcome runLitmus(const litmus::Test& test, const model::CompiledModel& model, const RunOptions& options) {
  Outcome outcome;
  ExploreOptions explore;
  explore.equivalence = options.equivalence;
  explore.races = test.hasPlainAccesses;
  explore.spurious = options.spurious;
  explore.interrupt = options.interrupt;

  LitmusObserver observer(test, options, outcome);
  const auto start = std::chrono::steady_clock::now();
  try {
    if (!exploreOnDemand(*test.program, model, explore, observer).complete) {
      const bool byCount = options.maxExecutions != 0 && outcome.executions + outcome.blocked >= options.maxExecutions;
      outcome.cut = byCount ? Cut::executions : Cut::interrupt;
      outcome.cutReason = byCount ? fmt::format("stopped after {} executions", options.maxExecutions) : "interrupted";
    }
  } catch (const Interrupted&) {
    outcome.cut = Cut::interrupt;
    outcome.cutReason = "interrupted";
  } catch (const LimitError& error) {
    outcome.cut = Cut::limit;
    outcome.cutReason = error.what();
  } catch (const std::bad_alloc&) {
    outcome.cut = Cut::limit;
    outcome.cutReason = "out of memory";
  } catch (const std::length_error&) {
    outcome.cut = Cut::limit;
    outcome.cutReason = "one execution is too long to be kept";
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  outcome.states = observer.states();
  return outcome;
}

}  // namespace heddle::report
