// Enumerates the runs of each thread by running it again from the start for every sequence of results. The
// oracle never uses a program's marks: it should not depend on what the explorer depends on.
#include "runs.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace heddle::oracle {

namespace {

constexpr std::size_t mostRuns = 1000;
constexpr std::size_t mostEventsInRun = 24;
constexpr std::size_t mostSteps = 200;  // visible operations of one run, choices included
constexpr std::size_t mostRounds = 40;

// A run up to the operation that its thread is paused at.
struct Beginning : Run {
  std::vector<std::size_t> firstEvents;  // how many events come before each operation; the last is the one paused at
  EventDependencies next;                // of that one
};

class RunEnumerator {
 public:
  RunEnumerator(Program& program, const RunOptions& options) : program_(program), options_(options) {
    if (options.dependencies && !program.trackDependencies()) throw std::invalid_argument("dependencies are not known");
  }

  ProgramRuns enumerate() {
    for (std::size_t round = 0;; ++round) {
      if (round > mostRounds) throw OracleLimit("the values written do not settle");
      runs_ = ProgramRuns{};
      written_.clear();
      std::size_t writes = 0;
      for (unsigned t = 0; t < program_.threadCount(); ++t) {
        thread_ = static_cast<ThreadId>(t);
        runs_.threads.emplace_back();
        mostWrites_ = 0;
        extend({}, {});
        writes += mostWrites_;
      }
      bool settled = true;
      for (const auto& [address, values] : written_) {
        for (const Value value : values) settled &= !values_[address].insert(value).second;
      }
      if (settled || (options_.boundedValues && round >= writes)) break;
    }
    runs_.initial = initial_;
    return std::move(runs_);
  }

 private:
  // Everything that can follow the results given so far.
  void extend(const std::vector<Result>& results, Beginning run) {
    if (run.events.size() > mostEventsInRun || results.size() > mostSteps) throw OracleLimit("a run is too long");
    const auto isWrite = [](const Event& e) { return e.kind == EventKind::write; };
    mostWrites_ = std::max(mostWrites_, static_cast<std::size_t>(std::ranges::count_if(run.events, isWrite)));
    const Operation op = replay(results);
    run.firstEvents.push_back(run.events.size());
    if (options_.dependencies) run.next = dependencies(run);
    switch (op.kind) {
      case OperationKind::end: return finish(run, RunEnd::finished);
      case OperationKind::error: return finish(run, RunEnd::error);
      case OperationKind::arrive:
      case OperationKind::depart: throw std::logic_error("barriers are compared by their encoding as counters");
      case OperationKind::notify:
      case OperationKind::stopWaiting:
      case OperationKind::beginRound: throw std::logic_error("no litmus test has notifications");
      case OperationKind::transaction: throw std::logic_error("transactions have an oracle of their own");
      case OperationKind::flush:
      case OperationKind::crash:
      case OperationKind::recover: throw std::logic_error("crashes have an oracle of their own");
      case OperationKind::block: return finish(run, RunEnd::blocked);
      case OperationKind::choose:
        for (Value value = 0; value < op.choices(); ++value) follow(results, run, {value, true});
        return;
      case OperationKind::fence: return follow(results, with(run, event(EventKind::fence, op.order, op, 0)), {});
      case OperationKind::spawn:
      case OperationKind::join: {
        Beginning next = with(run, event(EventKind::thread, Order::plain, Operation{}, 0));
        auto& links = op.kind == OperationKind::spawn ? next.spawns : next.joins;
        links.push_back({next.events.size() - 1, op.thread});
        follow(results, next, {});
        if (op.kind == OperationKind::join) {
          Run stuck = run;
          stuck.awaited = op.thread;
          finish(stuck, RunEnd::joining);
        }
        return;
      }
      case OperationKind::store: return store(results, run, op, op.order, truncate(op.operand(), op.size));
      case OperationKind::unlock: return store(results, run, op, Order::release, 0);
      case OperationKind::load:
        for (const Value value : readable(op)) {
          const Order order = op.hidesRead ? Order::plain : op.order;
          follow(results, with(run, event(EventKind::read, order, op, value)), {value, true});
        }
        return;
      case OperationKind::rmw:
        for (const Value value : readable(op)) {
          update(results, run, op, op.order, value, applyRmw(op.rmw, value, op.operand(), op.size));
        }
        return;
      case OperationKind::lock: {
        // A thread waits until it can take the lock, so it only ever reads that it can.
        for (const Value value : readable(op)) {
          if (const auto taken = takenFrom(op, value)) update(results, run, op, Order::acquire, value, *taken);
        }
        Run stuck = run;
        stuck.mutex = op.address;
        stuck.reading = op.lock == LockOp::read;
        return finish(stuck, RunEnd::locking);
      }
      case OperationKind::cas:
        for (const Value value : readable(op)) {
          const auto written = takenFrom(op, value);
          if (written) update(results, run, op, op.order, value, *written);
          if (!written || op.mayFailSpuriously) {
            follow(results, with(run, event(EventKind::read, op.failureOrder, op, value)), {value, false});
          }
        }
        return;
    }
  }

  Operation replay(const std::vector<Result>& results) {
    program_.reset();
    Operation op = program_.advance(thread_);
    for (const Result& result : results) {
      program_.resume(thread_, result);
      op = program_.advance(thread_);
    }
    return op;
  }

  void follow(std::vector<Result> results, const Beginning& run, Result result) {
    results.push_back(result);
    extend(results, run);
  }

  void store(const std::vector<Result>& results, const Beginning& run, const Operation& op, Order order, Value value) {
    readable(op);  // so that the location has its initial write
    written_[op.address].insert(value);
    follow(results, with(run, event(EventKind::write, order, op, value)), {});
  }

  void update(const std::vector<Result>& results, const Beginning& run, const Operation& op, Order order, Value old,
              Value value) {
    written_[op.address].insert(value);
    Event read = event(EventKind::read, op.hidesRead ? Order::plain : order, op, old);
    Event write = event(EventKind::write, order, op, value);
    read.rmw = write.rmw = true;
    follow(results, with(with(run, read), write), {old, true});
  }

  Event event(EventKind kind, Order order, const Operation& op, Value value) const {
    return {.thread = thread_,
            .kind = kind,
            .order = order,
            .machineFence = kind == EventKind::fence ? op.machineFence() : std::nullopt,
            .reader = op.lock == LockOp::read,
            .exclusive = op.isExclusive,
            .address = op.address,
            .value = value};
  }

  Beginning with(const Beginning& run, Event event) const {
    Beginning next = run;
    event.index = static_cast<unsigned>(run.events.size()) + 1;
    next.events.push_back(event);
    if (!options_.dependencies) return next;
    next.dependencies.push_back(event.isAccess() ? run.next : EventDependencies{.control = run.next.control});
    return next;
  }

  // Of the operation that the thread is paused at.
  EventDependencies dependencies(const Beginning& run) const {
    Dependencies known;
    program_.dependencies(thread_, known);
    const auto reads = [&](const std::vector<std::uint32_t>& operations) {
      std::vector<std::size_t> result;
      for (const std::uint32_t operation : operations) {
        const std::size_t event = run.firstEvents.at(operation);
        const bool isChoice = event == run.firstEvents.at(operation + 1);
        if (isChoice) continue;
        if (run.events[event].kind != EventKind::read && !run.events[event].exclusive) {
          throw std::logic_error("a dependency on what is no read");
        }
        result.push_back(event);
      }
      return result;
    };
    return {.address = reads(known.address), .data = reads(known.data), .control = reads(known.control)};
  }

  // The values a read of this location may be guessed to return. A copy: the runs that follow may add to it.
  std::set<Value> readable(const Operation& op) {
    const auto [size, isNew] = sizes_.try_emplace(op.address, op.size);
    if (size->second != op.size) throw std::invalid_argument("the oracle does not handle accesses of mixed size");
    if (isNew) {
      const Value initial = program_.initialValue(op.address, op.size);
      initial_[op.address] = initial;
      values_[op.address].insert(initial);
    }
    return values_[op.address];
  }

  void finish(Run run, RunEnd end) {
    run.end = end;
    std::vector<Run>& runs = runs_.threads.back();
    const auto same = std::find_if(runs.begin(), runs.end(), [&](const Run& other) { return other.sameAs(run); });
    if (same != runs.end()) {
      ++same->variants;
    } else {
      runs.push_back(std::move(run));
      if (runs.size() > mostRuns) throw OracleLimit("a thread has too many runs");
    }
  }

  Program& program_;
  const RunOptions options_;
  ThreadId thread_ = 0;
  std::size_t mostWrites_ = 0;
  std::map<Address, unsigned> sizes_;
  std::map<Address, Value> initial_;
  std::map<Address, std::set<Value>> values_;
  std::map<Address, std::set<Value>> written_;
  ProgramRuns runs_;
};

}  // namespace

ProgramRuns enumerateRuns(Program& program, const RunOptions& options) { return RunEnumerator(program, options).enumerate(); }

}  // namespace heddle::oracle
