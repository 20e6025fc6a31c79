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

class RunEnumerator {
 public:
  explicit RunEnumerator(Program& program) : program_(program) {}

  ProgramRuns enumerate(bool boundedValues) {
    for (std::size_t round = 0;; ++round) {
      if (round > mostRounds) throw OracleLimit("the values written do not settle");
      runs_ = ProgramRuns{};
      written_.clear();
      std::size_t writes = 0;
      for (unsigned t = 0; t < program_.threadCount(); ++t) {
        thread_ = static_cast<ThreadId>(t);
        runs_.threads.emplace_back();
        mostWrites_ = 0;
        extend({}, Run{});
        writes += mostWrites_;
      }
      bool settled = true;
      for (const auto& [address, values] : written_) {
        for (const Value value : values) settled &= !values_[address].insert(value).second;
      }
      if (settled || (boundedValues && round >= writes)) break;
    }
    runs_.initial = initial_;
    return std::move(runs_);
  }

 private:
  // Everything that can follow the results given so far.
  void extend(const std::vector<Result>& results, const Run& run) {
    if (run.events.size() > mostEventsInRun || results.size() > mostSteps) throw OracleLimit("a run is too long");
    const auto isWrite = [](const Event& e) { return e.kind == EventKind::write; };
    mostWrites_ = std::max(mostWrites_, static_cast<std::size_t>(std::ranges::count_if(run.events, isWrite)));
    const Operation op = replay(results);
    switch (op.kind) {
      case OperationKind::end: return finish(run, RunEnd::finished);
      case OperationKind::error: return finish(run, RunEnd::error);
      case OperationKind::arrive:
      case OperationKind::depart: throw std::logic_error("barriers are compared by their encoding as counters");
      case OperationKind::notify:
      case OperationKind::stopWaiting:
      case OperationKind::beginRound: throw std::logic_error("no litmus test has notifications");
      case OperationKind::block: return finish(run, RunEnd::blocked);
      case OperationKind::choose:
        for (Value value = 0; value < op.choices(); ++value) follow(results, run, {value, true});
        return;
      case OperationKind::fence: return follow(results, with(run, event(EventKind::fence, op.order, op, 0)), {});
      case OperationKind::spawn:
      case OperationKind::join: {
        Run next = with(run, event(EventKind::thread, Order::plain, Operation{}, 0));
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
          follow(results, with(run, event(EventKind::read, op.order, op, value)), {value, true});
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

  void follow(std::vector<Result> results, const Run& run, Result result) {
    results.push_back(result);
    extend(results, run);
  }

  void store(const std::vector<Result>& results, const Run& run, const Operation& op, Order order, Value value) {
    readable(op);  // so that the location has its initial write
    written_[op.address].insert(value);
    follow(results, with(run, event(EventKind::write, order, op, value)), {});
  }

  void update(const std::vector<Result>& results, const Run& run, const Operation& op, Order order, Value old, Value value) {
    written_[op.address].insert(value);
    Event read = event(EventKind::read, order, op, old);
    Event write = event(EventKind::write, order, op, value);
    read.rmw = write.rmw = true;
    follow(results, with(with(run, read), write), {old, true});
  }

  Event event(EventKind kind, Order order, const Operation& op, Value value) const {
    return {.thread = thread_,
            .kind = kind,
            .order = order,
            .reader = op.lock == LockOp::read,
            .address = op.address,
            .value = value};
  }

  static Run with(const Run& run, Event event) {
    Run next = run;
    event.index = static_cast<unsigned>(run.events.size()) + 1;
    next.events.push_back(event);
    return next;
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
  ThreadId thread_ = 0;
  std::size_t mostWrites_ = 0;
  std::map<Address, unsigned> sizes_;
  std::map<Address, Value> initial_;
  std::map<Address, std::set<Value>> values_;
  std::map<Address, std::set<Value>> written_;
  ProgramRuns runs_;
};

}  // namespace

ProgramRuns enumerateRuns(Program& program, bool boundedValues) { return RunEnumerator(program).enumerate(boundedValues); }

}  // namespace heddle::oracle
