#include "run/check_program.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <tuple>
#include <utility>

#include "model/library.h"
#include "native/build_program.h"
#include "parallel/agent.h"
#include "persist/cat_persistency.h"
#include "persist/ext4.h"
#include "persist/persists_before.h"
#include "persist/px86.h"
#include "persist/recovery_reads.h"
#include "run/bounded_search.h"
#include "run/check_findings.h"
#include "run/crash_why.h"
#include "run/disk_names.h"
#include "run/explain.h"
#include "run/kernel_judge.h"
#include "run/load_buffering_shape.h"
#include "run/long_run.h"
#include "run/random_walks.h"
#include "run/recorded_results.h"
#include "run/retrace.h"
#include "run/steps.h"
#include "run/subject.h"
#include "run/suggest.h"
#include "run/thread_names.h"
#include "run/tracer.h"
#include "run/waits.h"
#include "runtime/crash.h"
#include "runtime/large_loop.h"
#include "runtime/leaks.h"
#include "runtime/native_program.h"
#include "runtime/places.h"
#include "runtime/waiting.h"
#include "util/default_model.h"
#include "util/stopwatch.h"

namespace heddle::run {

using native::Build;
using runtime::CrashGuard;
using runtime::Error;
using runtime::ErrorAccess;
using runtime::ErrorKind;
using runtime::NativeProgram;
using runtime::ObjectNames;
using runtime::Places;
using runtime::ShownPlace;
using runtime::Source;

namespace {

using util::Clock;
using util::secondsSince;

std::uint64_t peakBytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

bool hasAttempts(const runtime::ProgramInfo& info) {
  return std::ranges::any_of(info.loops,
                             [](const runtime::Loop& loop) { return loop.kind == runtime::LoopKind::zeroNetEffect; });
}

trace::Place placeOf(const Source& source) {
  return {.file = source.file,
          .function = source.function,
          .line = source.line,
          .column = source.column,
          .text = runtime::sourceLine(source.file, source.line),
          .part = source.part};
}

trace::Site siteOf(ThreadId thread, const ShownPlace& place, bool saysCall) {
  trace::Site site{.thread = thread,
                   .at = placeOf(*place.at),
                   .called = saysCall ? std::string(place.called) : "",
                   .callers = {},
                   .thin = place.thin};
  for (const Source* caller : place.callers) site.callers.push_back(placeOf(*caller));
  for (const Source* caller : place.outer) site.outer.push_back(placeOf(*caller));
  return site;
}

// That memory is freed by a call of free goes without saying.
bool isPlain(const ErrorAccess& access, const ShownPlace& place) {
  return (access.what == "free" || access.what == "allocation") && place.called.find("::") == std::string_view::npos;
}

// Which mistake it is, wherever in the tree it is found.
std::string identityOf(const trace::Error& error) {
  std::string text = fmt::format("{} {}:{}", error.kind, error.site.at.file, error.site.at.line);
  for (const trace::Error::Related& related : error.related) {
    text += fmt::format(" {} {}:{}", related.what, related.site.at.file, related.site.at.line);
  }
  return text;
}

class NativeNames final : public run::SourceNames {
 public:
  NativeNames(const NativeProgram& program, const ExecutionView& graph, const ObjectNames& names, const Places& places)
      : program_(program),
        names_(names),
        places_(places),
        threads_(threadNames(graph, program.info(), program.namesOfThreads())) {}

  std::string thread(ThreadId thread) const override {
    const runtime::AfterCrash& afterCrash = program_.afterCrash();
    return afterCrash.isExpected() && thread == afterCrash.thread() ? "recovery" : threads_.at(thread);
  }
  std::string location(Address address, unsigned size) const override {
    if (const auto name = diskName(program_, address, size)) return *name;
    return names_.name(address, size);
  }
  std::string bytes(Address address, unsigned size) const override { return names_.nameOfBytes(address, size); }
  std::string value(const Operation& operation, Value value) const override {
    if (const auto text = diskValue(program_, operation.address, value)) return *text;
    if (operation.size == 16) return names_.wideValue(operation.address, program_.wideValue(value));
    return names_.value(operation.address, operation.size, value);
  }
  trace::Place place(std::uint32_t source) const override {
    return source == 0 ? trace::Place() : placeOf(places_.best(source));
  }
  std::optional<trace::Place> placeOfOrder(std::uint32_t source) const override {
    const ShownPlace place = places_.of(source);
    const bool isOwn = place.called.empty() || place.called.starts_with("std::atomic") || place.called.starts_with("atomic_");
    if (!isOwn || place.at->library) return std::nullopt;
    return placeOf(*place.at);
  }
  // The models of the library say of their operations which are those of locks.
  bool isLock(Address) const override { return false; }
  // Variables of library models have no debug information.
  bool isInternal(Address address) const override { return names_.name(address, 0).starts_with("(anonymous namespace)::"); }

 private:
  const NativeProgram& program_;
  const ObjectNames& names_;
  const Places& places_;
  const std::vector<std::string> threads_;
};

// Counts, judges blocked and full executions, and turns the first error into a report.
class CheckObserver final : public explore::Observer {
 public:
  // `recovery`: what runs after crashes, or null. `judge`: of complete executions, if the model that is explored is weaker than what
  // was asked for; or null.
  CheckObserver(const CheckOptions& options, const ObjectNames& names, NativeProgram& program, persist::RecoveryReads* recovery,
                KernelJudge* judge, bool hasTests, CheckResult& result)
      : options_(options),
        names_(names),
        program_(&program),
        recovery_(recovery),
        judge_(judge),
        hasTests_(hasTests),
        result_(result) {}

  // What the program remembers having done it has done in this part, then. There may have been an error in another part, if
  // this one comes earlier.
  void begin(explore::AnyExplorer& explorer) override {
    explorer_ = &explorer;
    if (!seeksShorter_) result_ = {};
    unjoined_.clear();
    program_->forgetFindings();
    program_->attach(explorer.execution(), explorer.raceView());
    if (recovery_ != nullptr) recovery_->setHappensBefore(explorer.raceView());
  }

  // For a debugger: the failing execution once more.
  void end(explore::AnyExplorer& explorer) override {
    if (!retrace_) return;
    RetracePlan plan = std::move(*retrace_);
    retrace_.reset();
    build_->showToDebugger();
    if (!Retrace(explorer, *program_, *results_, std::move(plan)).run()) {
      throw LimitError(fmt::format("executions of {} cannot be run step by step yet", options_.model->name));
    }
  }
  // What the program's threads are resumed with, and the code that a debugger is to know then.
  void expectDebugger(const RecordedResults& results, const Build& build) { results_ = &results, build_ = &build; }

  // Everything that was seen is void.
  void restart() {
    found_ = {};
    seen_ = 0;
    result_ = {};
  }

  // Nothing more happens, and some threads wait. Is the execution complete, so that it can crash? It is if the program has ended, and
  // if only loops keep it from its end and such loops are not errors.
  bool isComplete() const {
    if (hasEndedWaiting()) return true;
    if (options_.liveness) return false;
    const auto waiting = runtime::WaitingThreads(*explorer_, names_).find(true);
    return waiting && waiting->error.kind == ErrorKind::nonTermination;
  }

  // From now on executions are only measured: is there one with the same error, and fewer events that lead to it?
  void seekShorter() {
    seeksShorter_ = true;
    shorter_.reset();
  }
  // Where it is, if there is one.
  std::optional<explore::Subtree> endSeeking() {
    seeksShorter_ = false;
    return std::exchange(shorter_, std::nullopt);
  }
  std::size_t length() const { return length_; }
  const std::string& identity() const { return identity_; }
  void setFailure(explore::Subtree failure, std::size_t length) {
    failure_ = std::move(failure);
    length_ = length;
  }

  // Of the first execution that this process has seen.
  RunShape shape() const { return shape_.value_or(RunShape{}); }
  const std::string& loadBuffering() const { return loadBuffering_; }  // what the model leaves out; empty: nothing

  CheckFindings take() {
    CheckFindings taken = std::exchange(found_, {});
    taken.bounds = program_->boundHits();
    taken.idleWaits = program_->idleWaits();
    taken.failedAttempts = program_->failedAttempts();
    taken.warnings = program_->warnings();
    taken.detached = program_->detached();
    return taken;
  }

  bool execution(const ExecutionView& graph) override {
    if (seeksShorter_) {
      if (options_.leaks != Leaks::ignored) lookForLeaks(graph);
      return true;
    }
    lookForAwaitedGracePeriods(graph);
    if (judge_ && !judge(graph)) return !result_.hasError();
    lookForLateAccess(graph);
    if (result_.hasError() || atLimit()) return false;
    if (!shape_) {
      shape_ = shapeOf(graph);
      lookForLoadBuffering(graph);
    }
    ++found_.executionCount;
    ++seen_;
    noteAlike(graph);
    if (judge_ && options_.showOutput) fmt::print("{}", program_->output());
    noteOutcome();
    lookForUnjoined(graph);
    if (options_.leaks != Leaks::ignored) lookForLeaks(graph);
    return !result_.hasError();
  }

  bool blocked(const ExecutionView& graph) override {
    if (seeksShorter_) {
      lookForWaiting(graph);
      return true;
    }
    lookForAwaitedGracePeriods(graph);
    const bool hangs = hasEndlessGracePeriod();
    if (hangs && !keepsGracePeriodsWaiting(graph)) return !result_.hasError();
    if (judge_ && !judge(graph)) return !result_.hasError();
    lookForLateAccess(graph);
    if (result_.hasError() || atLimit()) return false;
    if (!hangs) {  // or else it is there to be looked at only
      ++found_.blockedCount;
      ++seen_;
      noteAlike(graph);
    }
    if (hasEndedWaiting()) {
      found_.endedWaiting = true;
      lookForUnjoined(graph);
    }
    lookForEndlessRecovery(graph);
    lookForWaiting(graph);
    return !result_.hasError();
  }

  void race(const ExecutionView& graph, explore::Race race) override {
    const auto describe = [&](EventId id) {
      const Operation& operation = graph.operation(id);
      return fmt::format("{} {}", operation.order == Order::plain ? "plain" : "atomic", graph[id].isWrite() ? "write" : "read");
    };
    const Operation& location = graph.operation(race.first);
    Error error{
        .kind = ErrorKind::dataRace,
        .message = fmt::format("{} by {} and {} by {} of {} are not ordered", describe(race.first),
                               runtime::threadName(graph[race.first].thread), describe(race.second),
                               runtime::threadName(graph[race.second].thread), names_.name(location.address, location.size)),
        .thread = graph[race.second].thread,
        .source = graph.operation(race.second).source,
        .related = {
            {.thread = graph[race.first].thread, .source = graph.operation(race.first).source, .what = describe(race.first)}}};
    report(graph, error, {race.first, race.second}, {race.first, race.second}, {{.event = race.first}, {.event = race.second}});
  }

  void error(const ExecutionView& graph, ThreadId thread, const Operation&) override {
    if ((result_.hasError() && !seeksShorter_) || (judge_ && !judge_->allows(graph))) return;
    std::vector<EventId> ends;
    const auto addEnd = [&](ThreadId t, unsigned next) {
      EventId last = graph.last(t);
      while (next != 0 && last != kNone && graph[last].thread == t && graph[last].index >= next) last = graph[last].poPrev;
      if (last != kNone) ends.push_back(last);
    };
    addEnd(thread, 0);
    for (const ErrorAccess& access : program_->error(thread).related) {
      if (access.what != runtime::kAllocation) addEnd(access.thread, access.index);
    }
    const Error& found = program_->error(thread);
    report(graph, isRecovery(thread) ? inRecovery(found) : found, ends, {}, racingIn(graph, found));
  }

  void staleRead(std::uint32_t source) override { ++found_.staleReads[source]; }

  // The execution that is reported.
  const std::optional<explore::Subtree>& failure() const { return failure_; }

  [[noreturn]] void tooLarge(const ExecutionView& graph, const LimitError& error) override {
    runtime::LargeLoop loop = runtime::LargeLoopFinder(graph, *program_).find();
    throw LimitError(loop.what.empty() ? error.what() : fmt::format("{}: {}", error.what(), loop.what), std::move(loop.advice));
  }

 private:
  bool isRecovery(ThreadId thread) const { return recovery_ != nullptr && thread == recovery_->thread(); }

  // Is it that nothing orders two accesses, or an access and the end of what it is to?
  static bool isRace(const Error& error) {
    if (error.related.empty()) return false;
    const std::string& other = error.related[0].what;
    const bool isAccess = other.find("read") != std::string::npos || other.find("write") != std::string::npos;
    return isAccess &&
           (error.kind == ErrorKind::dataRace || error.kind == ErrorKind::useAfterFree || error.kind == ErrorKind::deadFrame);
  }

  // The two accesses of a race that plain memory has found: that of the thread is yet to come. The other one is an event if it has no
  // place between events.
  static std::vector<RacingAccess> racingIn(const ExecutionView& graph, const Error& error) {
    if (!isRace(error)) return {};
    const ErrorAccess& other = error.related[0];
    RacingAccess first{.thread = other.thread, .index = other.index, .writes = other.what.find("write") != std::string::npos};
    if (other.index == 0) {
      first.event = graph.last(other.thread);
      while (first.event != kNone && graph[first.event].thread == other.thread &&
             graph.operation(first.event).source != other.source) {
        first.event = graph[first.event].poPrev;
      }
      if (first.event == kNone || graph[first.event].thread != other.thread) return {};
    }
    return {first, {.thread = error.thread, .writes = true}};
  }

  // What is wrong after a crash has a kind of its own; what it would be otherwise is in the message.
  static Error inRecovery(Error error) {
    if (error.kind == ErrorKind::recovery || error.kind == ErrorKind::unsupported) return error;
    error.message = error.message.empty() ? title(error.kind) : fmt::format("{}: {}", title(error.kind), error.message);
    error.kind = ErrorKind::recovery;
    return error;
  }

  void lookForWaiting(const ExecutionView& graph) {
    runtime::findWaiting(*explorer_, names_, options_.liveness, [&](const runtime::WaitingError& found) {
      report(graph, found.error, found.ends, found.involved, {}, &found);
    });
  }

  // Recovery runs alone, so a loop in which it waits never ends.
  void lookForEndlessRecovery(const ExecutionView& graph) {
    if (recovery_ == nullptr || !explorer_->stuckThreads().contains(recovery_->thread())) return;
    const Operation& stopped = explorer_->pending(recovery_->thread());
    if (stopped.kind != OperationKind::block || runtime::reasonOf(stopped) != runtime::BlockReason::spin) return;
    report(graph,
           {.kind = ErrorKind::recovery,
            .message = "recovery never ends: this loop waits for what nobody changes",
            .thread = recovery_->thread(),
            .source = stopped.source,
            .related = {}},
           {graph.last(recovery_->thread())}, {});
  }

  void noteAlike(const ExecutionView& graph) {
    if (!options_.symmetry || !program_->hasSymmetry()) return;
    for (explore::AlikeGroup& group : explore::alikeIn(graph, {.initial = {}, .spawned = true})) {
      found_.alike.insert(std::move(group));
    }
  }

  void noteOutcome() {
    if (!hasTests_) return;
    const std::string told = outcomesIn(program_->output());
    if (!told.empty()) ++found_.outcomes[told];
  }

  void lookForAwaitedGracePeriods(const ExecutionView& graph) const {
    if (!judge_ || program_->modes().gracePeriodsHang) return;
    if (runtime::mayAwaitGracePeriod(graph)) throw runtime::GracePeriodAwaited();
  }

  bool hangsAtGracePeriod(ThreadId thread) const {
    const Operation& operation = explorer_->pending(thread);
    return operation.kind == OperationKind::block && runtime::reasonOf(operation) == runtime::BlockReason::gracePeriod;
  }
  // Is a thread stopped because it is tried that a grace period never ends?
  bool hasEndlessGracePeriod() const {
    for (const ThreadId thread : explorer_->stuckThreads()) {
      if (hangsAtGracePeriod(thread)) return true;
    }
    return false;
  }
  // And may it be so, because another one does not get out of a section?
  bool keepsGracePeriodsWaiting(const ExecutionView& graph) const {
    for (const ThreadId thread : explorer_->stuckThreads()) {
      if (!hangsAtGracePeriod(thread)) continue;
      for (const ThreadId other : explorer_->stuckThreads()) {
        if (other != thread && runtime::isInSection(graph, other, explorer_->pending(thread).address)) return true;
      }
    }
    return false;
  }

  // Does the execution count? A race in it is an error.
  bool judge(const ExecutionView& graph) {
    if (!judge_->allows(graph)) return false;
    if (options_.build.races && !result_.hasError()) {
      if (const auto found = judge_->findRace(graph, explorer_->raceView())) race(graph, *found);
    }
    if (result_.hasError()) return true;
    if (const auto late = judge_->findLateAccess(graph, explorer_->raceView(), program_->memory()))
      reportLate(graph, late->end, late->access);
    return true;
  }

  // With transactions: an access to a heap block that does not happen before its end (kernel_judge.h has the same for its model).
  void lookForLateAccess(const ExecutionView& graph) {
    if (judge_ || !program_->modes().racesJudged || result_.hasError()) return;
    for (EventId end = graph.newest(); end != kNone; end = graph[end].orderPrev) {
      const Operation& block = graph.operation(end);
      if (graph[end].kind != EventKind::fence || !block.isEndOfLife()) continue;
      const Lane* const before = graph.view(end, explorer_->raceView());
      const auto isBefore = [&](ThreadId thread, std::uint16_t index) {
        EventId next = graph.last(thread);  // the first event of the thread with that index or a greater one
        if (next == kNone || graph[next].thread != thread || graph[next].index < index) return false;
        while (graph[next].poPrev != kNone && graph[graph[next].poPrev].thread == thread &&
               graph[graph[next].poPrev].index >= index) {
          next = graph[next].poPrev;
        }
        return next == end || explorer_->happensBefore(next, end);
      };
      for (const memory::AccessInfo& access : program_->memory().accessesTo(block.address, block.bytes(), before)) {
        if (!isBefore(access.thread, access.index)) return reportLate(graph, end, access);
      }
      for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) {
        const Operation& operation = graph.operation(id);
        if ((!graph[id].isRead() && !graph[id].isWrite()) || graph.inPrefix(before, id)) continue;
        if (operation.address < block.address || operation.address >= block.address + block.bytes()) continue;
        if (explorer_->happensBefore(id, end)) continue;
        return reportLate(graph, end, {graph[id].thread, graph[id].isWrite(), false, false, operation.source, graph[id].index});
      }
    }
  }

  void reportLate(const ExecutionView& graph, EventId endOfLife, const memory::AccessInfo& access) {
    const Operation& end = graph.operation(endOfLife);
    const char* const what = access.write ? "write" : "read";
    const Error error{.kind = ErrorKind::useAfterFree,
                      .message = fmt::format("a {} of {} by {} may come after it has been freed: they are not ordered", what,
                                             names_.name(end.address, 0), runtime::threadName(access.thread)),
                      .thread = graph[endOfLife].thread,
                      .source = end.source,
                      .related = {{.thread = access.thread, .source = access.source, .what = what, .index = access.index}}};
    EventId last = graph.last(access.thread);
    while (last != kNone && graph[last].thread == access.thread && graph[last].index > access.index) {
      last = graph[last].poPrev;
    }
    report(graph, error, {endOfLife, last}, {endOfLife});
  }

  // Worth a word if the language allows what the model excludes.
  void lookForLoadBuffering(const ExecutionView& graph) {
    if (options_.model->name != util::kDefaultModel && options_.model->name != "rc11") return;
    const auto shape = findLoadBufferingShape(graph);
    if (!shape) return;
    loadBuffering_ = fmt::format(
        "{} leaves out load buffering: {} loads {}, later {} stores {}, and another thread does the opposite; check that with "
        "--model c11-lb, too",
        options_.model->name, program_->sourceText(graph.operation(shape->load).source),
        names_.name(graph.operation(shape->load).address, 0), program_->sourceText(graph.operation(shape->store).source),
        names_.name(graph.operation(shape->store).address, 0));
  }

  // Has the program ended, and is no thread stopped for a reason that is not the program's own?
  bool hasEndedWaiting() const {
    bool ended = false;
    for (const ThreadId thread : explorer_->endedThreads()) ended |= explorer_->pending(thread).endsProgram;
    for (const ThreadId thread : explorer_->stuckThreads()) {
      const Operation& operation = explorer_->pending(thread);
      if (operation.kind != OperationKind::block) continue;
      const auto reason = runtime::reasonOf(operation);
      if (reason == runtime::BlockReason::assumption || reason == runtime::BlockReason::loopBound) return false;
    }
    return ended;
  }

  // Under the rf equivalence the graph's coherence order is one of several: what depends on it is looked for in all.
  void lookForLeaks(const ExecutionView& graph) {
    const bool all = options_.leaks == Leaks::all;
    const auto look = [&] {
      const auto leak = all ? runtime::firstAllocated(*program_) : runtime::findLeak(graph, *program_);
      if (!leak) return true;
      Error error{.kind = ErrorKind::memoryLeak, .message = {}, .thread = leak->thread, .source = leak->source, .related = {}};
      error.message = fmt::format("{} ({} bytes) is never freed{}", names_.name(leak->address, 0), leak->size,
                                  all ? "" : ", and nothing points to it at the end");
      report(graph, error, {}, {});
      return false;
    };
    if (!all && explorer_->leavesCoherenceOpen()) {
      explorer_->forEachEnd(runtime::heapPointers(graph, *program_), look);
    } else {
      look();
    }
  }

  // Asked before an execution is counted, so that a program with no more executions than the limit is verified.
  bool atLimit() {
    if (options_.maxExecutions == 0 || seen_ < options_.maxExecutions) return false;
    result_.incompleteReason = fmt::format("stopped after {} executions, as asked", seen_);
    if (!options_.control.checkpointFile.empty()) throw explore::StopHere();  // this execution is the first that is left
    return true;
  }

  // A thread that is neither joined nor detached: worth a word, once. It has ended, or it waits when the program ends.
  void lookForUnjoined(const ExecutionView& graph) {
    const ThreadSet stuck = explorer_->stuckThreads();
    ThreadSet others = (explorer_->endedThreads() | stuck) - program_->detached() - unjoined_;
    others.erase(0);
    if (recovery_ != nullptr) others.erase(recovery_->thread());
    for (const ThreadId thread : others) {
      const EventId join = graph.joinOf(thread);
      if (join != kNone && !graph.operation(join).joinsRest) continue;
      const EventId last = graph.last(thread);
      unjoined_.insert(thread);
      const EventId first = graph.first(thread);
      const EventId spawn = first == kNone ? last : graph[first].poPrev;
      std::string& text = found_.unjoined[thread];
      text = fmt::format("{}: {} is never joined", program_->sourceText(graph.operation(spawn).source),
                         runtime::threadName(thread));
      if (stuck.contains(thread)) {
        text += fmt::format(", and waits at {} when the program ends", program_->sourceText(explorer_->pending(thread).source));
      }
    }
  }

  void report(const ExecutionView& graph, const Error& error, std::vector<EventId> ends, std::vector<EventId> involved,
              std::vector<RacingAccess> race = {}, const runtime::WaitingError* waiting = nullptr) {
    if (!places_) places_.emplace(program_->info());
    const Places& places = *places_;
    trace::Error shown{.kind = name(error.kind),
                       .title = runtime::title(error.kind),
                       .message = error.message,
                       .site = siteOf(error.thread, places.of(error.source), runtime::isOfMemory(error.kind)),
                       .related = {}};
    for (const ErrorAccess& access : error.related) {
      const ShownPlace place = places.of(access.source);
      shown.related.push_back({access.what, siteOf(access.thread, place, !isPlain(access, place)), access.index});
    }
    std::unordered_map<EventId, unsigned> numbers;
    const TraceOptions trace{.ends = std::move(ends),
                             .involved = std::move(involved),
                             .recovery = isRecovery(error.thread) ? recovery_ : nullptr,
                             .isDurable = [&](Address address) { return program_->afterCrash().isDurable(address); },
                             .taking = halfTakenLocks(),
                             .anyCoherence = explorer_->leavesCoherenceOpen() && waiting == nullptr,
                             .numbers = &numbers};
    if (!measure(graph, shown, trace)) return;
    const NativeNames names(*program_, graph, names_, places);
    result_.execution = run::traceOf(graph, names, trace);
    result_.execution.error = std::move(shown);
    if (options_.why && error.kind != ErrorKind::unsupported && !trace.anyCoherence) {
      explainError(graph, names, trace, isRace(error), std::move(race), waiting);
    }
    result_.isUnsupported = error.kind == ErrorKind::unsupported;
    if (options_.debugged) planRetrace(graph, error, trace, waiting != nullptr);
    failure_ = hereAsFailure();
    result_.output = withoutOutcomes(program_->output());
    noteOutcome();  // which may be what is wrong
  }

  void planRetrace(const ExecutionView& graph, const Error& error, const TraceOptions& trace, bool waits) {
    RetracePlan plan{.relevant = inShownOrder(graph, [&](EventId id) { return isRelevant(graph, trace, id); }),
                     .others = inShownOrder(graph, [&](EventId id) { return !isRelevant(graph, trace, id); }),
                     .numbers = *trace.numbers,
                     .wrong = {},
                     .thread = error.thread,
                     .threads = result_.execution.threads,
                     .events = {},
                     .problem = {}};
    if (!trace.ends.empty() && trace.involved == trace.ends && !waits) plan.wrong = trace.ends.back();
    plan.events = options_.debugged(result_.execution);
    plan.problem = std::move(plan.events.back());
    plan.events.pop_back();
    retrace_ = std::move(plan);
  }

  explore::Subtree hereAsFailure() const {
    explore::Subtree here = explorer_->here();
    here.base = static_cast<std::uint32_t>(here.path.size());
    here.digest = 0;  // of the graph as the report shows it, which may have another coherence order
    return here;
  }

  // How long is this execution? False if it need not be reported: a shorter one is sought, and where it is has been noted.
  bool measure(const ExecutionView& graph, const trace::Error& error, const TraceOptions& trace) {
    std::size_t length = 0;
    for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) length += isRelevant(graph, trace, id) ? 1 : 0;
    if (seeksShorter_) {
      if (length >= length_ || identityOf(error) != identity_) return false;
      length_ = length;
      shorter_ = hereAsFailure();
      return false;
    }
    length_ = length;
    identity_ = identityOf(error);
    return true;
  }

  std::unordered_map<ThreadId, Address> halfTakenLocks() const {
    std::unordered_map<ThreadId, Address> locks;
    for (const ThreadId thread : explorer_->stuckThreads()) {
      const Operation& waits = explorer_->pending(thread);
      if (waits.kind == OperationKind::lock && waits.whole() != 0) locks[thread] = waits.whole();
    }
    return locks;
  }

  void explainError(const ExecutionView& graph, const NativeNames& names, const TraceOptions& trace, bool race,
                    std::vector<RacingAccess> accesses, const runtime::WaitingError* waiting) {
    // Where races are judged by the kernel's model, so is everything else.
    const std::optional<model::Model> model =
        judge_ == nullptr && !trace.recovery && options_.model->source ? std::optional(options_.model->source()) : std::nullopt;
    const ExplainOptions explained{.model = model ? &*model : nullptr,
                                   .modelName = options_.model->name,
                                   .isRace = race,
                                   .race = std::move(accesses),
                                   .trace = &trace,
                                   .changed = options_.changes};
    result_.execution.why = explain(graph, names, explained);
    if (trace.recovery) describeCrash(graph, trace, *result_.execution.why);
    if (waiting != nullptr) describeWaits(*explorer_, *waiting, names, *trace.numbers, *result_.execution.why);
    if (options_.suggest && model) result_.failure = std::make_shared<why::Graph>(graphOf(graph, names, explained));
  }

  const CheckOptions& options_;
  const ObjectNames& names_;
  NativeProgram* program_;
  persist::RecoveryReads* recovery_;
  KernelJudge* judge_;
  bool hasTests_;  // which may have outcomes
  CheckResult& result_;
  explore::AnyExplorer* explorer_ = nullptr;
  CheckFindings found_;
  std::optional<explore::Subtree> failure_;
  std::size_t length_ = 0;  // of the execution that is reported: how many events lead to its error
  std::string identity_;    // of that error
  bool seeksShorter_ = false;
  std::optional<Places> places_;
  std::optional<explore::Subtree> shorter_;
  std::optional<RetracePlan> retrace_;
  const RecordedResults* results_ = nullptr;  // null: no debugger is there
  const Build* build_ = nullptr;
  std::uint64_t seen_ = 0;  // executions, for the limit
  ThreadSet unjoined_;      // threads that have been found so in this part
  std::optional<RunShape> shape_;
  std::string loadBuffering_;
};

class CheckSubject final : public run::Subject {
 public:
  CheckSubject(const CheckOptions& options, const Build& build, memory::Memory& memory, const ObjectNames& names,
               CheckResult& result)
      : Subject(*options.model, {.equivalence = options.equivalence,
                                 .races = true,
                                 .weakIsolation = options.weakIsolation,
                                 .judgesRaces = options.judge != nullptr,
                                 .spurious = options.spurious,
                                 .skipFutile = options.skipFutile,
                                 .overtakenAwaits = options.overtakenAwaits,
                                 .confirmations = options.confirmations,
                                 .stale = options.stale,
                                 .fair = options.build.fair,
                                 .stopAtError = options.judge == nullptr}),
        options_(options),
        build_(build),
        memory_(memory),
        names_(names),
        result_(result) {
    if (options.judge != nullptr) judge_.emplace(*options.judge);
  }

  NativeProgram& native() { return *program_; }
  RunShape shape() const { return observer_->shape(); }
  const std::string& loadBuffering() const { return observer_->loadBuffering(); }

  void forget() override { observer_->restart(); }
  std::optional<explore::Subtree> failure() const override { return observer_->failure(); }
  void setSettler(Settler settler) override {
    program_->threadNumbers().setSettler([settler = std::move(settler)](ThreadId parent, std::uint32_t child) {
      return static_cast<ThreadId>(std::stoul(settler(fmt::format("{} {}", parent, child))));
    });
  }
  std::string settle(const std::string& question) override {
    std::istringstream in(question);
    ThreadId parent = 0;
    std::uint32_t child = 0;
    in >> parent >> child;
    return std::to_string(program_->threadNumbers().of(parent, child));
  }
  std::unique_ptr<parallel::Findings> takeFindings() override { return std::make_unique<CheckFindings>(observer_->take()); }
  std::unique_ptr<parallel::Findings> parseFindings(const std::string& text) const override {
    return std::make_unique<CheckFindings>(CheckFindings::parse(text));
  }
  // What a crash has left, and what a model judges that cannot be explored, is not searched. Nor is a program run again that was
  // stopped in the middle of code that is not its own, such as a function of the host, which may hold a lock.
  void shortenFailure() override {
    if (judge_ || recovery_ || !observer_->failure() || !options_.shorten) return;
    for (const ErrorKind kind : {ErrorKind::forbiddenCall, ErrorKind::signal, ErrorKind::noProgress}) {
      if (result_.execution.error && result_.execution.error->kind == name(kind)) return;
    }
    const CheckResult known = result_;
    const explore::Subtree first = *observer_->failure();
    const std::size_t length = observer_->length();
    const std::string identity = observer_->identity();
    program_->showOutput(false);
    observer_->seekShorter();
    static const std::atomic<bool> always = true, never = false;
    RandomWalks walks(first.path.size(), options_.control.interrupted);
    setStopAtError(false);
    // False: the walks have come where the program would have to be explored in another way.
    const auto tryToExplore = [&](const explore::Subtree& part, const std::atomic<bool>& attention) {
      try {
        explore(part, attention, walks);
        return true;
      } catch (const std::exception&) {
        return false;
      }
    };
    tryToExplore({}, always);
    setStopAtError(true);
    const std::optional<explore::Subtree> shorter = observer_->endSeeking();
    if (shorter) {
      names_.forgetMentions();
      if (!tryToExplore(*shorter, never)) result_ = {};
      if (result_.hasError() && observer_->identity() == identity && observer_->length() < length) return;
    }
    result_ = known;
    observer_->setFailure(first, length);
  }

  // The watchdog of the process that this one was forked from has stayed there.
  void enterProcess() override { guard_ = std::make_unique<CrashGuard>(options_.stuckSeconds); }

 private:
  void begin(const run::Mode& mode) override {
    if (!program_ || program_->threadCount() != mode.threads) makeProgram(mode.threads);
    run::prepare(*program_, mode);
    observer_->restart();
  }

  void makeProgram(unsigned threads) {
    program_.reset();  // before another one uses the memory
    program_ = std::make_unique<NativeProgram>(build_.info(), memory_, build_.entry(options_.arguments), threads);
    program_->setNames(&names_);
    program_->showOutput(options_.showOutput && !judge_);  // what is not allowed is not shown
    if (judge_) {
      program_->judgeRaces();
    } else if (!options_.build.races) {
      program_->allowRaces();
    }
    if (options_.persistency != Persistency::none) expectCrash();
    observer_.emplace(options_, names_, *program_, recovery_.get(), judge_ ? &*judge_ : nullptr, build_.hasTests(), result_);
    if (options_.debugged) observer_->expectDebugger(recorded_.emplace(*program_), build_);
  }

  void expectCrash() {
    program_->expectCrash(options_.recoveryWrites);
    const runtime::AfterCrash& afterCrash = program_->afterCrash();
    recovery_ = std::make_unique<persist::RecoveryReads>([this] { return makePersistency(); }, *program_, afterCrash.thread());
    recovery_->setCompleteness([this] { return observer_->isComplete(); });
    setRecovery(recovery_.get());
  }

  std::unique_ptr<persist::Model> makePersistency() const {
    using persist::Granularity;
    const auto isDurable = [&afterCrash = program_->afterCrash()](Address address) { return afterCrash.isDurable(address); };
    switch (options_.persistency) {
      case Persistency::none: break;
      case Persistency::strict: return std::make_unique<persist::StrictPersistency>(isDurable);
      case Persistency::weakest: return std::make_unique<persist::WeakestPersistency>(isDurable);
      case Persistency::px86: return std::make_unique<persist::Px86>(isDurable, Granularity::line);
      case Persistency::px86ByLocation: return std::make_unique<persist::Px86>(isDurable, Granularity::location);
      case Persistency::fromFile: return std::make_unique<persist::CatPersistency>(isDurable, *options_.persistencyModel);
      case Persistency::ext4: return std::make_unique<persist::Ext4>(isDurable, program_->entry().disk, options_.build.disk);
    }
    return nullptr;
  }

  Program& program() override {
    if (recorded_) return *recorded_;
    return *program_;
  }
  explore::Observer& observer() override { return *observer_; }
  void attend(const std::atomic<bool>&, const explore::Attendant& attendant) override { program_->setAttendant(&attendant); }
  std::string threadNumbers() const override { return program_->threadNumbers().toText(); }
  void setThreadNumbers(const std::string& text) override { program_->threadNumbers().set(text); }

  const CheckOptions& options_;
  const Build& build_;
  memory::Memory& memory_;
  const ObjectNames& names_;
  CheckResult& result_;
  std::unique_ptr<NativeProgram> program_;
  std::optional<RecordedResults> recorded_;
  std::unique_ptr<persist::RecoveryReads> recovery_;
  std::optional<KernelJudge> judge_;
  std::optional<CheckObserver> observer_;
  std::unique_ptr<CrashGuard> guard_;
};

// What --stale and --fair have left out. Several places may be in one line.
void describeStaleReads(const CheckFindings& found, const NativeProgram& program, const CheckOptions& options,
                        CheckResult& result) {
  const Places places(program.info());
  std::map<std::pair<std::string, unsigned>, std::uint64_t> lines;
  for (const auto& [place, count] : found.staleReads) {
    const Source& source = places.best(place);
    lines[{source.file, source.line}] += count;
  }
  for (const auto& [line, count] : lines) {
    result.bounds.push_back(
        {.file = line.first, .line = line.second, .bound = options.stale, .staleReads = count, .yields = options.build.fair});
  }
}

void describe(const CheckFindings& found, const NativeProgram& program, CheckResult& result) {
  result.executions = found.executionCount;
  result.blocked = found.blockedCount;
  const auto addWakeups = [&](std::uint32_t place, unsigned inARow) {
    const Source& source = program.info().sources[place];
    result.bounds.push_back({.file = source.file, .line = source.line, .bound = inARow, .wakeups = true});
  };
  for (const auto& [mutex, place] : found.idleWaits) {
    const bool attempted = mutex == 0 ? !found.failedAttempts.empty() : found.failedAttempts.contains(mutex);
    if (attempted && !found.bounds.contains(runtime::kWakeups | place)) addWakeups(place, 1);
  }
  for (const std::uint32_t loop : found.bounds) {
    if ((loop & runtime::kWakeups) != 0) {
      addWakeups(loop & ~runtime::kWakeups, program.info().wakeups);
      continue;
    }
    const runtime::Loop& l = program.info().loops[loop];
    const Source& source = program.info().sources[l.source];
    const BoundHit hit{.file = source.file, .line = source.line, .bound = l.bound};
    // A function that was inlined has a loop of its own wherever that was.
    if (std::ranges::find(result.bounds, hit) == result.bounds.end()) result.bounds.push_back(hit);
  }
  result.alike.assign(found.alike.begin(), found.alike.end());
  result.outcomes = testOutcomes(found.outcomes);
  for (const auto& [thread, text] : found.unjoined) result.warnings.push_back(text);
  for (const runtime::Warning& warning : found.warnings) {
    std::string text = fmt::format("{}: {}", program.sourceText(warning.source), warning.message);
    // A function that was inlined has a place of its own wherever that was.
    if (std::ranges::find(result.warnings, text) == result.warnings.end()) result.warnings.push_back(std::move(text));
  }
}

// Is there an execution in which the program ended, with threads that wait for ever and that nobody has joined?
bool hasEnded(const parallel::RunEnd& end) {
  return end.findings && static_cast<const CheckFindings&>(*end.findings).endedWaiting;
}

// What is read and written while the program may run, and after it.
sandbox::Access outsideAccess(const CheckOptions& options, const runtime::ProgramInfo& info) {
  sandbox::Access access;
  if (options.sandbox == sandbox::Wanted::off || sandbox::isEntered()) return access;
  std::set<std::string_view> files;
  for (const Source& source : info.sources) files.insert(source.file);
  access.sources.assign(files.begin(), files.end());
  for (const std::string& file : {options.control.checkpointFile, options.control.failureFile}) {
    if (!file.empty()) access.outputs.push_back(file);
  }
  access.readsFiles = options.suggest || mayBeSearchedBounded(options, info);
  return access;
}

void explore(const CheckOptions& options, const Build& build, memory::Memory& memory, const ObjectNames& names,
             CheckResult& result) {
  CheckSubject subject(options, build, memory, names, result);
  run::Mode mode;
  mode.plainLoads = options.equivalence == explore::Equivalence::rf;
  mode.attempts = mode.polls = mode.guards = options.zeroNetEffect;
  mode.orderedArrivals = !options.barriers;
  mode.symmetry = options.symmetry && options.judge == nullptr;
  if (options.symmetry && !mode.symmetry) mode.toldApart = "the model judges complete executions";
  // What is left out of loops is judged by what other threads can see, and not by what a crash can leave.
  if (options.persistency != Persistency::none) {
    mode.attempts = mode.polls = mode.guards = mode.redoneStores = mode.repeatedStores = false;
  }
  if (options.model->hasDependencies && !options.model->pathsInThread) run::allowLoadBuffering(mode);
  parallel::Control control = options.control;
  control.start = parallel::now();  // of the time that may be used, however often it is begun again
  if (options.maxExecutions != 0 || options.showOutput || options.suggest) control.workers = 1;
  control.about.program += build.identity();
  sandbox::enter(options.sandbox, outsideAccess(options, build.info()));
  const CrashGuard guard(options.stuckSeconds);
  parallel::RunEnd end;
  if (options.cluster != nullptr && !options.cluster->isFirst()) {
    return parallel::serveRuns(subject, options.cluster->relay(), control.workers);
  }
  try {
    run::exploreAll(subject, mode, control, end);
  } catch (const LimitError& error) {
    result.incompleteReason = error.what();
    result.advice = error.advice();
    result.tooLarge = mayBeSearchedBounded(options, build.info());
  } catch (const ProgramError& error) {
    throw native::InputError(error.what());
  }
  result.mixedSizes = subject.mode().overlap;
  result.noSymmetry = subject.mode().toldApart;
  result.workerBytes = end.workerBytes;
  result.checkpointProblem = end.checkpointProblem;
  result.replay = end.failure;
  result.estimate = end.estimate;
  result.earlier = end.earlier;
  if (end.findings) {
    const auto& found = static_cast<const CheckFindings&>(*end.findings);
    describe(found, subject.native(), result);
    describeStaleReads(found, subject.native(), options, result);
  }
  if (const std::string& place = build.argumentsReadAt(); options.arguments.empty() && !place.empty()) {
    result.warnings.push_back(place + ": main was run without arguments; no others were explored. To give it some, use --args");
  }
  if (options.zeroNetEffect && !subject.mode().attempts && !subject.mode().noticed.empty() && hasAttempts(build.info()))
    result.warnings.push_back(subject.mode().noticed);
  if (result.isUnsupported) {
    result.verdict = CheckResult::Verdict::incomplete;
    result.incompleteReason = "the program does something that is not supported";
  } else if (result.hasError()) {
    result.verdict = CheckResult::Verdict::error;
  } else if (!end.complete) {
    result.verdict = CheckResult::Verdict::incomplete;
    if (result.incompleteReason.empty()) {
      result.incompleteReason = end.reason;
      const RunShape shape = subject.shape();
      result.advice = adviceForLongRun(options, shape, shape.contended ? names.name(*shape.contended, 0) : "", result);
    }
  } else if (result.executions == 0 && (options.persistency != Persistency::none || !hasEnded(end))) {
    result.verdict = CheckResult::Verdict::incomplete;
    result.incompleteReason = "no execution ran to its end";
    result.allBlocked = true;
  } else if (control.samples != 0) {
    result.verdict = CheckResult::Verdict::sampled;
  } else {
    result.verdict = result.bounds.empty() ? CheckResult::Verdict::verified : CheckResult::Verdict::bounded;
    if (!subject.loadBuffering().empty()) result.advice.push_back(subject.loadBuffering());
  }
}

}  // namespace

namespace {

// Every field, or this does not compile.
auto fieldsOf(const heddle_disk_options& options) {
  const auto& [journal, delayedAllocation, blockSize, mostBytes, files, reportsErrors, hasZeros] = options;
  return std::tie(journal, delayedAllocation, blockSize, mostBytes, files, reportsErrors, hasZeros);
}
auto fieldsOf(const native::BuildOptions& options) {
  const auto& [files, flags, database, precompiled, pure, unroll, unrollLoops, ub, volatileRelaxed, wakeups, fair, races,
               judged, plainLoads, crashes, disk, diskFolder, dependencies, controlEnds, waiting, joined, explained, changes,
               identity, linked, debugged, verified] = options;
  return std::tuple_cat(std::tie(files, flags, database, precompiled, pure, unroll, unrollLoops, ub, volatileRelaxed, wakeups,
                                 fair, races, judged, plainLoads, crashes, diskFolder, dependencies, controlEnds, waiting,
                                 joined, explained, changes, identity, linked, debugged, verified),
                        fieldsOf(disk));
}

}  // namespace

bool isSameBuild(const native::BuildOptions& a, const native::BuildOptions& b) { return fieldsOf(a) == fieldsOf(b); }

struct BuiltProgram::Parts {
  explicit Parts(const native::BuildOptions& options) : build(options, memory), names(build.info(), memory) {}

  memory::Memory memory;
  Build build;
  ObjectNames names;
};

BuiltProgram::BuiltProgram(const native::BuildOptions& options) {
  const Clock::time_point start = Clock::now();
  parts_ = std::make_unique<Parts>(options);
  seconds_ = secondsSince(start);
}
BuiltProgram::~BuiltProgram() = default;

const native::InputFiles& BuiltProgram::inputs() const { return parts_->build.inputs(); }

bool BuiltProgram::hasTests() const { return parts_->build.hasTests(); }

const std::string& BuiltProgram::identity() const { return parts_->build.identity(); }

CheckResult BuiltProgram::check(const CheckOptions& options) {
  CheckResult result;
  const Clock::time_point exploring = Clock::now();
  if (options.cluster != nullptr && options.cluster->isFirst()) {
    options.cluster->tellAll("program", fmt::format("{}\n{}", parts_->build.identity(), parts_->build.linked()));
  }
  parts_->build.explore(options.explored);
  explore(options, parts_->build, parts_->memory, parts_->names, result);
  result.seconds = secondsSince(exploring);
  result.timing = parts_->build.timing();
  result.timing.push_back({"explore", result.seconds});
  result.totalSeconds = seconds_ + secondsSince(exploring);
  result.peakBytes = std::max(peakBytes(), result.workerBytes);
  return result;
}

ExploredOptions::ExploredOptions(const CheckOptions& asked) : options_(asked) {
  if (!asked.model->evaluated) return;
  const auto weaker = model::explorationOf(asked.model->name);
  if (!weaker) throw native::InputError(fmt::format("heddle: no program can be explored under {}", asked.model->name));
  if (asked.equivalence == explore::Equivalence::rf) {
    throw native::InputError(
        fmt::format("heddle: --equivalence rf is not for the model {}, which judges orders of writes", asked.model->name));
  }
  if (asked.control.samples != 0 || asked.control.estimates) {
    throw native::InputError(
        fmt::format("heddle: --sample and --estimate are not for the model {}: they would count executions that it forbids",
                    asked.model->name));
  }
  explored_ = std::make_unique<const model::CompiledModel>(model::compile(*weaker, model::kBuiltinParts));
  judge_ = std::make_unique<const model::Model>(asked.model->source());
  options_.model = explored_.get();
  options_.judge = judge_.get();
}

native::BuildOptions ExploredOptions::build() const {
  native::BuildOptions build = options_.build;
  build.spuriousWakeups = options_.spurious;
  build.plainLoads = options_.equivalence == explore::Equivalence::rf;
  build.crashes = options_.persistency != Persistency::none;
  build.dependencies = options_.model->hasDependencies;
  build.controlEnds = options_.model->controlEnds;
  if (options_.judge != nullptr) {
    build.races = false;
    build.racesJudged = true;
  }
  build.changes = changesOf(options_.changes);
  build.debugged = options_.debugged != nullptr;
  build.identity = !options_.control.checkpointFile.empty() || options_.control.keepsFailure || options_.control.resume ||
                   options_.cluster != nullptr;
  return build;
}

namespace {

CheckResult checkOnce(const CheckOptions& asked) {
  const ExploredOptions options(asked);
  BuiltProgram program(options.build());
  asked.compiled();
  return program.check(options.explored());
}

// With the program that comes from rank 0.
CheckResult checkForAnother(const CheckOptions& asked) {
  const std::optional<std::string> sent = asked.cluster->await("program");
  if (!sent) return {};
  const std::size_t end = sent->find('\n');
  CheckOptions here = asked;
  here.build.linked = sent->substr(end + 1);
  const ExploredOptions options(here);
  BuiltProgram program(options.build());
  if (program.identity() != sent->substr(0, end)) {
    throw native::InputError(fmt::format("heddle: rank {} makes another program of the same source than rank 0, so it does not "
                                         "explore: install the same heddle on "
                                         "all machines",
                                         asked.cluster->rank()));
  }
  return program.check(options.explored());
}

}  // namespace

CheckResult check(const CheckOptions& asked) {
  if (asked.cluster != nullptr && !asked.cluster->isFirst()) return checkForAnother(asked);
  std::optional<BuiltProgram> program(std::in_place, ExploredOptions(asked).build());
  asked.compiled();
  return check(asked, program);
}

CheckResult check(const CheckOptions& asked, std::optional<BuiltProgram>& program) {
  CheckResult result = program->check(ExploredOptions(asked).explored());
  program.reset();
  // What follows is short, or has other programs.
  CheckOptions here = asked;
  if (asked.cluster != nullptr) {
    here.cluster = nullptr;
    here.control.workers = asked.cluster->workersHere();
    here.control.transport = parallel::localTransport;
  }
  const std::optional<CheckOptions> bounded = searchBounded(here, checkOnce, result);
  if (asked.suggest && !asked.model->evaluated && result.hasError() && result.execution.why) {
    suggestChanges(bounded.value_or(here), checkOnce, result);
  }
  return result;
}

}  // namespace heddle::run
