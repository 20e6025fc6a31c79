#include "run/run_litmus.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "run/litmus_findings.h"
#include "run/litmus_names.h"
#include "run/subject.h"
#include "trace/words.h"

namespace heddle::run {

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

  // The locations of the graph that are observed.
  const std::vector<LocationId>& locations(const Graph& graph) {
    if (known_ != graph.locations()) findParts(graph);
    return locations_;
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

  // Another graph is looked at.
  void forget() {
    known_ = 1;
    locations_.clear();
    for (Cell& cell : cells_) cell.parts.clear();
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
        if (locations_.empty() || locations_.back() != known_) locations_.push_back(known_);
      }
    }
  }

  LocationId known_ = 1;
  std::vector<LocationId> locations_;
  std::vector<Cell> cells_;
};

class LitmusObserver final : public AnySizeObserver {
 public:
  LitmusObserver(const litmus::Test& test, const LitmusOptions& options)
      : test_(test),
        program_(*test.program),
        names_(test),
        options_(options),
        memory_(program_, test.observables),
        found_(test.observables.size()),
        values_(test.observables.size()) {
    const bool observesMemory = std::any_of(test.observables.begin(), test.observables.end(),
                                            [](const litmus::Observable& o) { return !o.isRegister; });
    everyCoherence_ = options.equivalence == Equivalence::rf && observesMemory;
  }

  // Who is to be asked in a long enumeration of final states.
  void attend(const std::atomic<bool>& attention, const Attendant& attendant) {
    attention_ = &attention;
    attendant_ = &attendant;
  }

  void restart() {
    take();
    seen_ = 0;
  }

  LitmusFindings take() { return std::exchange(found_, LitmusFindings(test_.observables.size())); }

  void begin(Explorer& explorer) override {
    explorer_ = &explorer;
    memory_.forget();
    failing_ = mixed_ = false;
  }

  void beginMixed(MixedExplorer&) override {
    failing_ = false;
    mixed_ = true;
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

  bool wasCut() const { return cut_; }

 private:
  template <class AnyGraph>
  bool full(const AnyGraph& graph) {
    if (atLimit()) return false;
    if (failing_) {  // some thread has stopped half-way: there is no final state
      failing_ = false;
      ++found_.failed;
    } else {
      holds_ = fails_ = false;
      if (everyCoherence_ && !mixed_) {
        explorer_->forEachEnd(memory_.locations(explorer_->graph()), [this] {
          if (attention_->load(std::memory_order_relaxed) && attendant_->isUrgent()) throw StopHere();
          collect(explorer_->graph());
          return true;
        });
      } else {
        collect(graph);
      }
      found_.positive += holds_;
      found_.negative += fails_;
    }
    ++found_.executionCount;
    ++seen_;
    return true;
  }

  // A blocked one.
  bool full() {
    if (atLimit()) return false;
    ++found_.blockedCount;
    ++seen_;
    found_.failed += failing_;
    failing_ = false;
    return true;
  }

  template <class AnyGraph>
  void note(const AnyGraph& graph, Race race) {
    if (found_.race) return;
    // The events of a read-modify-write are shown as one, the read.
    for (EventId* id : {&race.first, &race.second}) {
      if (graph[*id].isWrite() && graph[*id].rmw) *id = graph[*id].poPrev;
    }
    trace::Execution execution = show(graph, {race.first, race.second});
    const std::string where = names_.location(graph.operation(race.first).address, graph.operation(race.first).size);
    execution.error = trace::Error{.kind = "data-race",
                                   .title = "data race",
                                   .message = "data race on " + where,
                                   .site = site(graph[race.second].thread, graph.operation(race.second)),
                                   .related = {}};
    execution.error->related.push_back({trace::kindName(graph.operation(race.first), false),
                                        site(graph[race.first].thread, graph.operation(race.first)), 0});
    found_.race = std::move(execution);
  }

  template <class AnyGraph>
  void note(const AnyGraph& graph, ThreadId thread, const Operation& operation) {
    failing_ = true;
    if (found_.error || isAtLimit()) return;
    found_.error = show(graph, {});
    const std::string& message = program_.errorText(operation.operand);
    found_.error->error = trace::Error{.kind = "assertion-failure",
                                       .title = message.substr(0, message.find(':')),
                                       .message = message,
                                       .site = site(thread, operation),
                                       .related = {}};
  }

  trace::Site site(ThreadId thread, const Operation& operation) const {
    return {.thread = thread, .at = names_.place(operation.source), .called = "", .callers = {}};
  }

  template <class AnyGraph>
  trace::Execution show(const AnyGraph& graph, std::vector<EventId> involved) const {
    const bool coherence = options_.equivalence == Equivalence::co || mixed_;
    return traceOf(graph, names_, {.ends = {}, .involved = std::move(involved), .coherence = coherence});
  }

  template <class AnyGraph>
  void collect(const AnyGraph& graph) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const litmus::Observable& o = test_.observables[i];
      values_[i] =
          o.isRegister ? static_cast<std::int64_t>(program_.registerValue(o.thread, o.slot)) : memory_.value(graph, i);
    }
    found_.states.insert(values_.data());
    const bool holds = test_.holds(values_.data());
    (holds ? holds_ : fails_) = true;
    if (options_.witness && !found_.witness && holds == (test_.quantifier != litmus::Quantifier::forall)) {
      found_.witness = show(graph, {});
      found_.witness->title = test_.stateText(values_.data());
    }
  }

  // Asked before an execution is counted, so that a test with no more executions than the limit is complete.
  bool atLimit() {
    cut_ = isAtLimit();
    return cut_;
  }
  bool isAtLimit() const { return options_.maxExecutions != 0 && seen_ == options_.maxExecutions; }

  const litmus::Test& test_;
  const litmus::LitmusProgram& program_;
  const LitmusNames names_;
  const LitmusOptions& options_;
  const std::atomic<bool>* attention_ = nullptr;
  const Attendant* attendant_ = nullptr;
  Explorer* explorer_ = nullptr;
  bool mixed_ = false;
  bool everyCoherence_ = false;
  bool failing_ = false;  // the graph about to be reported has a failed assertion
  bool holds_ = false, fails_ = false;
  bool cut_ = false;
  std::uint64_t seen_ = 0;  // executions, for the limit
  FinalMemory memory_;
  LitmusFindings found_;
  std::vector<std::int64_t> values_;
};

class LitmusSubject final : public Subject {
 public:
  LitmusSubject(const litmus::Test& test, const model::CompiledModel& model, const LitmusOptions& options)
      : Subject(model, {.equivalence = options.equivalence, .races = test.hasPlainAccesses, .spurious = options.spurious}),
        test_(test),
        observer_(test, options) {}

  bool wasCut() const { return observer_.wasCut(); }

  void forget() override { observer_.restart(); }
  std::unique_ptr<parallel::Findings> takeFindings() override {
    return std::make_unique<LitmusFindings>(observer_.take());
  }
  std::unique_ptr<parallel::Findings> parseFindings(const std::string& text) const override {
    return std::make_unique<LitmusFindings>(LitmusFindings::parse(text, test_.observables.size()));
  }

 private:
  void begin(const Mode&) override { observer_.restart(); }
  Program& program() override { return *test_.program; }
  AnySizeObserver& observer() override { return observer_; }
  void attend(const std::atomic<bool>& attention, const Attendant& attendant) override {
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
  Outcome outcome;
  LitmusSubject subject(test, model, options);
  parallel::Control control = options.control;
  if (options.maxExecutions != 0) control.workers = 1;
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
  if (end.findings) static_cast<const LitmusFindings&>(*end.findings).describe(test, outcome);
  return outcome;
}

}  // namespace heddle::run
