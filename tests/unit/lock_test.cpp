// Locks of all kinds (program/lock.h) on random programs: what the threads see must be what they see in some
// interleaving, in which a lock is a holder, a number of readers, a set or a count, and is taken at once. And no
// execution comes twice.

#include "program/lock.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "explore/explorer.h"
#include "mixer/mixed_explorer.h"
#include "model/library.h"

namespace heddle::explore {
namespace {

enum class Do { load, store, hold, unhold, write, unwrite, read, unread, join, leave, signal, broadcast, down, up };

struct Step {
  Do what;
  Value value = 0;  // store
};

using Thread = std::vector<Step>;
using Seen = std::vector<std::vector<Value>>;  // by each thread, in its order

constexpr Address kData = 16, kMutex = 32, kLock = 48, kSet = 64, kCount = 80;
constexpr unsigned kParts = 2;
constexpr Value kFirstCount = 1;

constexpr Value member(ThreadId thread) { return Value{2} << thread; }

// ---- By definition.

class Machine {
 public:
  explicit Machine(const std::vector<Thread>& threads) : threads_(threads) {
    start_.at.resize(threads.size());
    start_.seen.resize(threads.size());
    run(start_);
  }

  std::set<Seen> complete, stuck;

 private:
  struct State {
    std::vector<std::size_t> at;
    Seen seen;
    Value data = 0, set = 0, count = kFirstCount;
    bool held = false, written = false;
    unsigned readers = 0;
    auto operator<=>(const State&) const = default;
  };

  void run(const State& state) {
    if (!known_.insert(state).second) return;
    bool some = false, over = true, vain = false;
    for (unsigned t = 0; t < threads_.size(); ++t) {
      if (state.at[t] == threads_[t].size()) continue;
      over = false;
      const bool moved = step(state, t);
      some |= moved;
      vain |= !moved && threads_[t][state.at[t]].what == Do::leave;
    }
    if (!some && !vain) (over ? complete : stuck).insert(state.seen);
  }

  // False: the thread waits.
  bool step(const State& state, unsigned t) {
    const Step& step = threads_[t][state.at[t]];
    const Value self = member(static_cast<ThreadId>(t));
    State next = state;
    ++next.at[t];
    switch (step.what) {
      case Do::load: next.seen[t].push_back(state.data); break;
      case Do::store: next.data = step.value; break;
      case Do::hold:
        if (state.held) return false;
        next.held = true;
        break;
      case Do::unhold: next.held = false; break;
      case Do::write:
        if (state.written || state.readers != 0) return false;
        next.written = true;
        break;
      case Do::unwrite: next.written = false; break;
      case Do::read:
        if (state.written) return false;
        ++next.readers;
        break;
      case Do::unread: --next.readers; break;
      case Do::join: next.set |= self; break;
      case Do::leave:
        if ((state.set & self) == 0) return false;
        next.set &= ~self;
        break;
      case Do::signal:
        for (Value rest = state.set; rest != 0; rest &= rest - 1) {
          State one = next;
          one.set &= ~(rest & -rest);
          one.seen[t].push_back(rest & -rest);
          run(one);
        }
        if (state.set != 0) return true;
        next.seen[t].push_back(0);
        break;
      case Do::broadcast:
        next.seen[t].push_back(state.set);
        next.set = 0;
        break;
      case Do::down:
        if (state.count == 0) return false;
        --next.count;
        break;
      case Do::up: ++next.count; break;
    }
    run(next);
    return true;
  }

  const std::vector<Thread>& threads_;
  State start_;
  std::set<State> known_;
};

// ---- As the explorer runs it.

class LockProgram final : public Program {
 public:
  explicit LockProgram(const std::vector<Thread>& threads) : threads_(threads) { reset(); }

  unsigned threadCount() const override { return static_cast<unsigned>(threads_.size()); }
  unsigned initialThreads() const override { return threadCount(); }
  void reset() override {
    states_.assign(threads_.size(), {});
    marks_.clear();
  }
  Operation advance(ThreadId thread) override { return states_[thread].pending = next(thread, states_[thread]); }
  void resume(ThreadId thread, Result result) override { take(states_[thread], result); }
  Mark mark(ThreadId thread) override {
    marks_.push_back(states_[thread]);
    return static_cast<Mark>(marks_.size() - 1);
  }
  void rewind(ThreadId thread, Mark mark) override { states_[thread] = marks_[mark]; }
  void release(Mark mark) override { marks_.resize(mark); }
  Value initialValue(Address address, unsigned) const override { return address == kCount ? kFirstCount : 0; }
  std::string locationName(Address address, unsigned) const override { return std::to_string(address); }
  std::string sourceText(std::uint32_t) const override { return ""; }

  Seen seen() const {
    Seen result;
    for (const State& state : states_) result.push_back(state.seen);
    return result;
  }

 private:
  struct State {
    std::size_t at = 0;
    unsigned part = 0;  // of the step
    Value set = 0;      // that a signal has found, and whom it wakes
    std::vector<Value> seen;
    Operation pending;
  };

  Operation next(ThreadId thread, const State& state) const {
    if (state.at == threads_[thread].size()) return Operation::end();
    const Step& step = threads_[thread][state.at];
    const Address own = kLock + 4 * (thread % kParts);
    Operation operation;
    switch (step.what) {
      case Do::load: return Operation::load(kData, 4, Order::seq_cst);
      case Do::store: return Operation::store(kData, 4, Order::seq_cst, step.value);
      case Do::hold: return Operation::take(kMutex, LockOp::hold);
      case Do::unhold: return Operation::unlock(kMutex);
      case Do::write: return Operation::takePart(kLock + 4 * state.part, LockOp::hold, kLock, state.part);
      case Do::unwrite: return Operation::unlockPart(kLock + 4 * state.part, kLock, state.part);
      case Do::read: return Operation::takePart(own, LockOp::read, kLock, 0);
      case Do::unread: return Operation::update(own, 4, Order::release, RmwOp::sub, kReader);
      case Do::join:
      case Do::leave:
        operation = Operation::take(kSet, step.what == Do::join ? LockOp::join : LockOp::leave, 4, member(thread));
        operation.orNever = step.what == Do::leave;
        return operation;
      case Do::signal:
        if (state.part == 0) return Operation::take(kSet, LockOp::wakeOne);
        if (state.part == 1) return Operation::choose(static_cast<Value>(std::popcount(state.set)));
        return Operation::update(kSet, 4, Order::relaxed, RmwOp::bitAnd, ~(state.set | kHeld));
      case Do::broadcast: return Operation::take(kSet, LockOp::wakeAll);
      case Do::down: return Operation::take(kCount, LockOp::down);
      case Do::up: return Operation::update(kCount, 4, Order::release, RmwOp::add, 1);
    }
    return operation;
  }

  void take(State& state, Result result) {
    const OperationKind kind = state.pending.kind;
    const bool parted = state.pending.whole() == kLock && state.pending.lock == LockOp::hold;
    bool done = true;
    if (parted) {
      done = state.part + 1 == kParts;
    } else if (state.pending.lock == LockOp::wakeOne) {
      state.set = result.value;
      done = std::popcount(result.value) <= 1;
      if (done) state.seen.push_back(result.value);
    } else if (kind == OperationKind::choose) {
      for (Value skip = result.value; skip != 0; --skip) state.set &= state.set - 1;
      state.set &= -state.set;
      state.seen.push_back(state.set);
      done = false;
    } else if (state.pending.lock == LockOp::wakeAll || kind == OperationKind::load) {
      state.seen.push_back(result.value);
    }
    state.part = done ? 0 : state.part + 1;
    state.at += done;
  }

  const std::vector<Thread>& threads_;
  std::vector<State> states_, marks_;
};

class Watcher final : public Observer {
 public:
  explicit Watcher(const LockProgram& program) : program_(program) {}
  bool execution(const ExecutionView& graph) override { return add(graph, complete); }
  bool blocked(const ExecutionView& graph) override { return add(graph, stuck); }

  std::set<Seen> complete, stuck;
  std::set<std::string> graphs;
  bool twice = false;

 private:
  bool add(const ExecutionView& graph, std::set<Seen>& to) {
    to.insert(program_.seen());
    std::string key;
    const auto name = [&](EventId id) { return isInitial(id) ? "i" : fmt::format("{}.{}", graph[id].thread, graph[id].index); };
    for (unsigned t = 0; t < graph.threads(); ++t) {
      for (EventId id = graph.first(static_cast<ThreadId>(t)); id != kNone; id = graph[id].poNext) {
        const Event& event = graph[id];
        key += fmt::format(" {}:{}", name(id), event.isRead() ? name(event.rf) : std::to_string(event.value));
      }
    }
    for (const CoherenceOrder& order : graph.coherence()) {
      for (const EventId w : order.writes) key += ',' + name(w);
      key += ';';
    }
    twice |= !graphs.insert(key).second;
    return true;
  }

  const LockProgram& program_;
};

class MixedWatcher final : public Observer {
 public:
  explicit MixedWatcher(const LockProgram& program) : program_(program) {}
  bool execution(const ExecutionView&) override { return complete.insert(program_.seen()), true; }
  bool blocked(const ExecutionView&) override { return stuck.insert(program_.seen()), true; }

  std::set<Seen> complete, stuck;

 private:
  const LockProgram& program_;
};

// ---- Random programs: sections of some kind, with accesses in and between them.

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::vector<Thread> program() {
    std::vector<Thread> threads(2 + random_() % 3);
    for (Thread& thread : threads) {
      for (std::size_t sections = threads.size() > 3 ? 1 : 1 + random_() % 2; sections > 0; --sections) section(thread);
    }
    return threads;
  }

 private:
  void access(Thread& thread) {
    switch (random_() % 4) {
      case 0: thread.push_back({Do::load}); break;
      case 1: thread.push_back({Do::store, ++last_}); break;
      default: break;
    }
  }
  void between(Thread& thread, Do first, Do second) {
    thread.push_back({first});
    random_() % 6 == 0 ? section(thread) : access(thread);
    if (random_() % 10 != 0) thread.push_back({second});
  }
  void section(Thread& thread) {
    access(thread);
    switch (random_() % 10) {
      case 0: return between(thread, Do::hold, Do::unhold);
      case 1:
      case 2: return inLock(thread, Do::read, Do::unread);
      case 3:
      case 4: return inLock(thread, Do::write, Do::unwrite);
      case 5:
      case 6: {
        const bool waits = random_() % 2 == 0;
        thread.push_back({Do::join});
        access(thread);
        if (waits) thread.push_back({Do::leave});
        return;
      }
      case 7: thread.push_back({Do::signal}); return;
      case 8: thread.push_back({random_() % 2 == 0 ? Do::signal : Do::broadcast}); return;
      default: return between(thread, Do::down, Do::up);
    }
  }
  // A thread does not take the lock that it has.
  void inLock(Thread& thread, Do first, Do second) {
    if (std::exchange(inLock_, true)) return access(thread);
    between(thread, first, second);
    inLock_ = thread.back().what != second;
    if (inLock_) thread.push_back({second}), inLock_ = false;
  }

  std::mt19937 random_;
  Value last_ = 0;
  bool inLock_ = false;
};

std::string toString(const std::vector<Thread>& threads) {
  static const char* const names[] = {"load",   "store", "hold",  "unhold", "write",     "unwrite", "read",
                                      "unread", "join",  "leave", "signal", "broadcast", "down",    "up"};
  std::string text;
  for (const Thread& thread : threads) {
    for (const Step& step : thread) text += fmt::format("{} ", names[static_cast<unsigned>(step.what)]);
    text += '\n';
  }
  return text;
}

TEST(Locks, RandomProgramsSeeWhatInterleavingsSee) {
  const model::CompiledModel sc = compile(model::loadModel("sc")), rc20 = compile(model::loadModel("rc20"));
  std::size_t branching = 0, withStuck = 0;
  for (unsigned seed = 1; seed <= 1500; ++seed) {
    const std::vector<Thread> threads = Generator(seed).program();
    const Machine machine(threads);
    for (const Equivalence equivalence : {Equivalence::co, Equivalence::rf}) {
      LockProgram program(threads);
      Watcher watcher(program);
      Explorer(program, sc, {.equivalence = equivalence}, watcher).run();
      ASSERT_EQ(watcher.complete, machine.complete) << seed << '\n' << toString(threads);
      ASSERT_EQ(watcher.stuck, machine.stuck) << seed << '\n' << toString(threads);
      ASSERT_FALSE(watcher.twice) << seed << '\n' << toString(threads);
    }
    if (seed % 4 == 0) {
      LockProgram program(threads);
      MixedWatcher watcher(program);
      mixer::MixedExplorer(program, sc, {}, watcher).run();
      ASSERT_EQ(watcher.complete, machine.complete) << "mixed " << seed << '\n' << toString(threads);
      ASSERT_EQ(watcher.stuck, machine.stuck) << "mixed " << seed << '\n' << toString(threads);
    }
    LockProgram program(threads);
    Watcher weaker(program);
    Explorer(program, rc20, {}, weaker).run();
    for (const Seen& seen : machine.complete) {
      ASSERT_TRUE(weaker.complete.contains(seen)) << seed << '\n' << toString(threads);
    }
    ASSERT_FALSE(weaker.twice) << seed << '\n' << toString(threads);
    branching += machine.complete.size() > 1;
    withStuck += !machine.stuck.empty();
  }
  EXPECT_GT(branching, 500u);
  EXPECT_GT(withStuck, 50u);
}

}  // namespace
}  // namespace heddle::explore
