#include "native/check.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <bit>
#include <chrono>

#include "mixer/on_demand.h"
#include "native/build.h"
#include "native/crash.h"
#include "native/leaks.h"
#include "native/native_program.h"
#include "native/trace.h"

namespace heddle::native {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string threadName(ThreadId thread) { return thread == 0 ? "main" : fmt::format("thread {}", thread); }

std::uint64_t peakBytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

bool hasAttempts(const ProgramInfo& info) {
  return std::any_of(info.loops.begin(), info.loops.end(), [](const Loop& loop) { return loop.kind == LoopKind::zeroNetEffect; });
}

// Counts, judges blocked and full executions, and turns the first error into a report.
class CheckObserver final : public AnySizeObserver {
 public:
  CheckObserver(const CheckOptions& options, const ObjectNames& names, NativeProgram& program, CheckResult& result)
      : options_(options), names_(names), program_(&program), result_(result), start_(Clock::now()) {}

  void begin(Explorer& explorer) override {
    explorer_ = &explorer;
    program_->attach(explorer.graph(), explorer.raceView());
  }
  void beginMixed(MixedExplorer& explorer, const std::string& why) override {
    if (program_->makesAttempts() && hasAttempts(program_->info())) throw NoticedAttempt{};  // they are judged in the other mode
    explorer_ = nullptr;
    mixed_ = &explorer;
    result_ = {};
    result_.mixedSizes = why;
    unjoined_ = 0;
    program_->attach(explorer.graph(), explorer.raceView());
  }

  bool execution(const Graph& graph) override { return full(graph); }
  bool execution(const MixedGraph& graph) override { return full(graph); }
  bool blocked(const Graph& graph) override { return stuck(graph); }
  bool blocked(const MixedGraph& graph) override { return stuck(graph); }
  void race(const Graph& graph, Race race) override { reportRace(graph, race); }
  void race(const MixedGraph& graph, Race race) override { reportRace(graph, race); }
  void error(const Graph& graph, ThreadId thread, const Operation&) override { reportError(graph, thread); }
  void error(const MixedGraph& graph, ThreadId thread, const Operation&) override { reportError(graph, thread); }

 private:
  const Operation& pending(ThreadId thread) const {
    return explorer_ ? explorer_->pending(thread) : mixed_->pending(thread);
  }
  std::uint64_t stuckThreads() const { return explorer_ ? explorer_->stuckThreads() : mixed_->stuckThreads(); }
  std::uint64_t endedThreads() const { return explorer_ ? explorer_->endedThreads() : mixed_->endedThreads(); }

  template <class AnyGraph>
  bool full(const AnyGraph& graph) {
    if (result_.hasError || atLimit()) return false;
    ++result_.executions;
    lookForUnjoined(graph);
    if (options_.leaks) {
      if (const auto leak = findLeak(graph, *program_)) {
        Error error{.kind = ErrorKind::memoryLeak, .message = {}, .thread = leak->thread, .source = leak->source, .related = {}};
        error.message = fmt::format("{} ({} bytes) is never freed", names_.name(leak->address, 0), leak->size);
        report(graph, error, {}, {});
        return false;
      }
    }
    return goOn();
  }

  template <class AnyGraph>
  bool stuck(const AnyGraph& graph) {
    if (result_.hasError || atLimit()) return false;
    ++result_.blocked;
    return !isDeadlock(graph) && goOn();
  }

  template <class AnyGraph>
  void reportRace(const AnyGraph& graph, Race race) {
    const auto describe = [&](EventId id) {
      const Operation& operation = graph.operation(id);
      return fmt::format("{} {}", operation.order == Order::plain ? "plain" : "atomic",
                         graph[id].isWrite() ? "write" : "read");
    };
    const Operation& location = graph.operation(race.first);
    Error error{.kind = ErrorKind::dataRace,
                .message = fmt::format("{} by thread {} and {} by thread {} of {} are not ordered", describe(race.first),
                                       graph[race.first].thread, describe(race.second), graph[race.second].thread,
                                       names_.name(location.address, location.size)),
                .thread = graph[race.second].thread,
                .source = graph.operation(race.second).source,
                .related = {{.thread = graph[race.first].thread,
                             .source = graph.operation(race.first).source,
                             .what = describe(race.first)}}};
    report(graph, error, {race.first, race.second}, {race.first, race.second});
  }

  template <class AnyGraph>
  void reportError(const AnyGraph& graph, ThreadId thread) {
    if (result_.hasError) return;
    std::vector<EventId> ends;
    const auto addEnd = [&](ThreadId t, unsigned next) {
      EventId last = graph.last(t);
      while (next != 0 && last != kNone && graph[last].thread == t && graph[last].index >= next) last = graph[last].poPrev;
      if (last != kNone) ends.push_back(last);
    };
    addEnd(thread, 0);
    for (const ErrorAccess& access : program_->error().related) addEnd(access.thread, access.index);
    report(graph, program_->error(), ends, {});
  }

  // Asked before an execution is counted, so that a program with no more executions than the limit is verified.
  bool atLimit() {
    const std::uint64_t seen = result_.executions + result_.blocked;
    if (options_.maxExecutions == 0 || seen < options_.maxExecutions) return false;
    result_.incompleteReason = fmt::format("stopped after {} executions, as asked", seen);
    return true;
  }

  // A thread that is neither joined nor detached: worth a word, once.
  template <class AnyGraph>
  void lookForUnjoined(const AnyGraph& graph) {
    std::uint64_t rest = endedThreads() & ~(program_->detached() | unjoined_ | 1);
    for (; rest != 0; rest &= rest - 1) {
      const auto thread = static_cast<ThreadId>(std::countr_zero(rest));
      if (graph.joinOf(thread) != kNone) continue;
      const EventId last = graph.last(thread);
      unjoined_ |= std::uint64_t{1} << thread;
      const EventId first = graph.first(thread);
      const EventId spawn = first == kNone ? last : graph[first].poPrev;
      result_.warnings.push_back(fmt::format("{}: {} is never joined", program_->sourceText(graph.operation(spawn).source),
                                             threadName(thread)));
    }
  }

  bool goOn() {
    if (!options_.progress || --untilClock_ != 0) return true;
    // Looks at the clock about a thousand times a second, however long an execution takes.
    const double now = secondsSince(start_);
    between_ = now - lastLook_ < 0.001 ? std::min<std::uint64_t>(2 * between_, 1 << 20) : std::max<std::uint64_t>(between_ / 2, 1);
    untilClock_ = between_;
    lastLook_ = now;
    if (now - lastProgress_ > 0.2) {
      lastProgress_ = now;
      options_.progress({result_.executions, result_.blocked, now});
    }
    return true;
  }

  // A full graph with waiting threads. It is a deadlock if no other value could still reach them: every read that a
  // waiting thread has made last is of the co-maximal write, and no thread is stopped for another reason.
  template <class AnyGraph>
  bool isDeadlock(const AnyGraph& graph) {
    for (std::uint64_t rest = endedThreads(); rest != 0; rest &= rest - 1) {
      if (pending(static_cast<ThreadId>(std::countr_zero(rest))).operand != 0) return false;  // it ended the program
    }
    std::vector<EventId> ends;
    std::vector<ErrorAccess> waiting;
    for (std::uint64_t rest = stuckThreads(); rest != 0; rest &= rest - 1) {
      const auto thread = static_cast<ThreadId>(std::countr_zero(rest));
      const Operation& operation = pending(thread);
      const EventId last = graph.last(thread);
      std::string what;
      switch (operation.kind) {
        case OperationKind::join: what = fmt::format("waits for the end of {}", threadName(static_cast<ThreadId>(operation.operand))); break;
        case OperationKind::depart:
          if (operation.weak) return false;
          what = fmt::format("waits at {} for others to arrive", names_.name(operation.address, 0));
          break;
        case OperationKind::lock: what = fmt::format("waits for {}", names_.name(operation.address, operation.size)); break;
        default: {
          const auto reason = static_cast<BlockReason>(operation.operand);
          if (reason == BlockReason::assumption || reason == BlockReason::loopBound) return false;
          const bool newest = readsCoMaximal(graph, last, thread, reason, static_cast<std::uint32_t>(operation.expected));
          const bool unnotified = reason == BlockReason::notification && isUnnotified(graph, last, operation.address);
          if (!newest && !unnotified) return false;
          what = "waits for another value";
          if (!newest) {
            what = fmt::format("sleeps, not notified of the change of {},", names_.name(operation.address, 0));
            ends.push_back(firstAfter(graph, last));
          } else if (last != kNone && graph[last].isRead()) {
            const Operation& location = graph.operation(last);
            what = fmt::format("waits for another value of {}", names_.name(location.address, location.size));
          }
        }
      }
      if (last != kNone) ends.push_back(last);
      waiting.push_back({.thread = thread,
                         .source = operation.source,
                         .what = std::move(what),
                         .index = static_cast<std::uint16_t>(last == kNone ? 1 : graph[last].index + 1)});
    }
    Error error{.kind = ErrorKind::deadlock,
                .message = fmt::format("{} {} for ever", threadName(waiting.front().thread), waiting.front().what),
                .thread = waiting.front().thread,
                .source = waiting.front().source,
                .related = {waiting.begin() + 1, waiting.end()}};
    report(graph, error, ends, {});
    return true;
  }

  // Has the thread gone to sleep after its last read, before the value changed, and does nobody say that it did? If the
  // change comes before the read in porf, the thread would have noticed it when it went to sleep.
  static bool isUnnotified(const Graph& graph, EventId read, Address address) {
    if (read == kNone || !graph[read].isRead()) return false;
    for (EventId write = firstAfter(graph, read); write != kNone; write = graph[write].coNext) {
      if (graph.inPrefix(graph.porf(read), write)) return false;
      for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) {
        const Operation& operation = graph.operation(id);
        const bool notifies = operation.kind == OperationKind::choose && operation.address == address;
        if (notifies && graph.inPrefix(graph.porf(id), write)) return false;
      }
    }
    return true;
  }

  static EventId firstAfter(const Graph& graph, EventId read) { return graph[graph[read].rf].coNext; }

  // Bytes that change one by one are not followed.
  static bool isUnnotified(const MixedGraph&, EventId, Address) { return false; }
  static EventId firstAfter(const MixedGraph&, EventId) { return kNone; }

  // The reads that made a thread wait: those of the last iteration of a spin loop, or the last one.
  template <class AnyGraph>
  static bool readsCoMaximal(const AnyGraph& graph, EventId last, ThreadId thread, BlockReason reason,
                             std::uint32_t begin) {
    for (EventId id = last; id != kNone && graph[id].thread == thread; id = graph[id].poPrev) {
      const auto& event = graph[id];
      if (reason == BlockReason::spin ? event.index < begin : id != last) break;
      if (!event.isRead()) continue;
      const Operation& operation = graph.operation(id);
      const bool spurious = operation.kind == OperationKind::cas && !isAttempt(operation) && !event.rmw &&
                            event.value == truncate(operation.expected, operation.size);
      if (spurious || !isCoMaximal(graph, id)) return false;
    }
    return true;
  }

  // Or else what came later has written the same, and nothing else: a test-and-set of what is set; or it is this thread
  // that has given the mutex back last.
  static bool isCoMaximal(const Graph& graph, EventId read) {
    const Event& event = graph[read];
    if (graph.operation(read).kind == OperationKind::lock) return graph[graph.location(event.location).coTail].thread == event.thread;
    for (EventId later = graph[event.rf].coNext; later != kNone; later = graph[later].coNext) {
      if (!graph[later].rmw || graph[later].value != event.value) return false;
    }
    return true;
  }
  static bool isCoMaximal(const MixedGraph& graph, EventId read) {
    bool last = true;
    graph.forEachCell(read, [&](const Cell& cell) {
      last = last && MixedGraph::next(cell, graph.sourceOf(read, cell.bytes)) == kNone;
    });
    return last;
  }

  template <class AnyGraph>
  void report(const AnyGraph& graph, const Error& error, std::vector<EventId> ends, std::vector<EventId> involved) {
    result_.hasError = true;
    result_.error = error;
    const auto& sources = program_->info().sources;
    const auto resolve = [&](std::uint32_t source) { return source < sources.size() ? sources[source] : Source{}; };
    const Source place = resolve(error.source);
    result_.errorFile = place.file;
    result_.errorFunction = place.function;
    result_.errorLine = place.line;
    result_.errorText = sourceLine(place.file, place.line);
    for (const ErrorAccess& access : error.related) {
      const Source other = resolve(access.source);
      result_.related.push_back({.what = access.what,
                                 .file = other.file,
                                 .function = other.function,
                                 .line = other.line,
                                 .thread = access.thread,
                                 .index = access.index,
                                 .text = sourceLine(other.file, other.line)});
    }
    result_.trace = traceOf(graph, *program_, names_, {.ends = std::move(ends), .involved = std::move(involved)});
    result_.output = program_->output();
    for (unsigned t = 0; t < graph.threads(); ++t) {
      result_.threadNames.push_back(threadName(static_cast<ThreadId>(t)));
    }
  }

  const CheckOptions& options_;
  const ObjectNames& names_;
  NativeProgram* program_;
  CheckResult& result_;
  const Explorer* explorer_ = nullptr;     // one of these two, by the mode of the exploration
  const MixedExplorer* mixed_ = nullptr;
  Clock::time_point start_;
  std::uint64_t unjoined_ = 0;  // threads that have been found so, a bit for each
  double lastProgress_ = 0, lastLook_ = 0;
  std::uint64_t untilClock_ = 1, between_ = 1;  // executions
};

// Why loops that take back what they do are explored round by round.
std::string noticedText(const ProgramInfo& info, const NoticedAttempt& noticed) {
  const auto place = [&](std::uint32_t source) {
    const Source found = source < info.sources.size() ? info.sources[source] : Source{};
    return found.file.empty() ? std::string("another access") : fmt::format("{}:{}", found.file, found.line);
  };
  if (noticed.attempt == 0) return "loops that take back what they change are explored round by round: sizes are mixed";
  return fmt::format("{}: the loop is explored round by round, because what it changes and takes back can be noticed: {}",
                     place(noticed.attempt), place(noticed.access));
}

// Explores with room for so many threads. Throws TooManyThreads and NoticedAttempt.
void explore(const CheckOptions& options, const Build& build, memory::Memory& memory, const ObjectNames& names,
             unsigned threads, bool attempts, CheckResult& result) {
  NativeProgram program(build.info(), memory, build.entry(options.arguments), threads);
  program.setAttempts(attempts);
  program.setNames(&names);
  program.showOutput(options.showOutput);
  CheckObserver observer(options, names, program, result);
  const ExploreOptions exploreOptions{.equivalence = options.equivalence,
                                      .races = true,
                                      .spurious = options.spurious,
                                      .stopAtError = true,
                                      .interrupt = options.interrupt};
  const CrashGuard guard(program, options.stuckSeconds);
  Statistics statistics;
  try {
    statistics = exploreOnDemand(program, *options.model, exploreOptions, observer);
  } catch (const LimitError& error) {
    result.incompleteReason = error.what();
  } catch (const ProgramError& error) {
    throw InputError(error.what());
  }
  for (const std::uint32_t loop : program.boundHits()) {
    const Loop& l = build.info().loops[loop];
    const Source& source = build.info().sources[l.source];
    result.bounds.push_back({.file = source.file, .line = source.line, .bound = l.bound});
  }
  for (const Error& warning : program.warnings()) {
    result.warnings.push_back(fmt::format("{}: {}", program.sourceText(warning.source), warning.message));
  }
  if (result.hasError && result.error.kind == ErrorKind::unsupported) {
    result.verdict = CheckResult::Verdict::incomplete;
    result.incompleteReason = "the program does something that is not supported";
  } else if (result.hasError) {
    result.verdict = CheckResult::Verdict::error;
  } else if (!statistics.complete) {
    result.verdict = CheckResult::Verdict::incomplete;
    if (result.incompleteReason.empty()) result.incompleteReason = "interrupted";
  } else {
    result.verdict = result.bounds.empty() ? CheckResult::Verdict::verified : CheckResult::Verdict::bounded;
  }
}

}  // namespace

CheckResult check(const CheckOptions& options) {
  const Clock::time_point start = Clock::now();
  memory::Memory memory;
  BuildOptions buildOptions = options.build;
  buildOptions.spuriousWakeups = options.spurious;
  Build build(buildOptions, memory);
  const ObjectNames names(build.info(), memory);
  CheckResult result;
  std::string noticed;
  for (unsigned threads = 8;; threads *= 2) {
    result = {};
    const Clock::time_point exploring = Clock::now();
    try {
      explore(options, build, memory, names, threads, noticed.empty(), result);
      result.seconds = secondsSince(exploring);
      break;
    } catch (const NoticedAttempt& attempt) {
      noticed = noticedText(build.info(), attempt);
      threads /= 2;  // the same again
    } catch (const TooManyThreads&) {
      if (threads >= memory::kThreads) {
        throw LimitError(fmt::format("the program starts more than {} threads", memory::kThreads - 1));
      }
    }
  }
  if (!noticed.empty()) result.warnings.push_back(std::move(noticed));
  result.timing = build.timing();
  result.timing.push_back({"explore", result.seconds});
  result.totalSeconds = secondsSince(start);
  result.peakBytes = peakBytes();
  return result;
}

}  // namespace heddle::native
