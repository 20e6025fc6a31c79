// The enumeration. See mixed.h.
#include "mixed.h"

#include <algorithm>
#include <functional>

#include "lift.h"
#include "mixed_key.h"
#include "model/cat.h"
#include "model/library.h"
#include "runs.h"

namespace heddle::oracle {

namespace {

constexpr unsigned mostEvents = 28;
constexpr std::size_t never = 0;  // a step before all others

using Then = std::function<void()>;

struct Thread {
  bool started = false;
  std::vector<Result> results;
  Operation next;
  std::vector<unsigned> events;
  unsigned spawn = initialWrite;  // the event that started it
  std::string choices;            // what `choose` has returned
  unsigned transaction = 0;       // that it is in

  bool finished() const { return started && next.kind == OperationKind::end; }
};

// What must hold between whole accesses, as far as it is chosen. Events are those of ByteExecution.
struct Known {
  Relation com = Relation(mostEvents);  // rf | co | rb
  Relation co = Relation(mostEvents);
  Relation rb = Relation(mostEvents);
};

class MixedEnumeration {
 public:
  MixedEnumeration(Program& program, const std::vector<const model::Model*>& models, std::size_t limit, Cutting cutting)
      : program_(program),
        limit_(limit),
        cutting_(cutting),
        judge_(models),
        results_(models.size()),
        variants_(models.size()),
        threads_(program.threadCount()) {}

  std::vector<OracleResult> run() {
    for (unsigned t = 0; t < program_.initialThreads(); ++t) start(t);
    step();
    countVariants();
    return std::move(results_);
  }

 private:
  // Threads ---------------------------------------------------------------------------------------------------

  // Runs a thread again from its start; marks are not used, because the explorer depends on them.
  Operation replay(unsigned t) {
    const auto thread = static_cast<ThreadId>(t);
    program_.reset();
    Operation op = program_.advance(thread);
    for (const Result& result : threads_[t].results) {
      program_.resume(thread, result);
      op = program_.advance(thread);
    }
    return op;
  }

  void start(unsigned t) {
    threads_[t].started = true;
    threads_[t].next = replay(t);
  }

  // Everything that can follow when a thread's operation has this result.
  void resume(unsigned t, Result result) {
    Thread& thread = threads_[t];
    const Operation before = thread.next;
    thread.results.push_back(result);
    thread.next = replay(t);
    step();
    thread.next = before;
    thread.results.pop_back();
  }

  // Ends a step of a thread.
  void resumeAfterStep(unsigned t, Result result) {
    stepThreads_.push_back(t);
    resume(t, result);
    stepThreads_.pop_back();
  }

  // The next step -----------------------------------------------------------------------------------------------

  void step() {
    if (++steps_ > limit_) throw OracleLimit("too many steps");
    for (unsigned t = 0; t < threads_.size(); ++t) {
      if (threads_[t].started && threads_[t].next.kind == OperationKind::choose) return choose(t);
    }
    for (unsigned t = 0; t < threads_.size(); ++t) {
      const Thread& thread = threads_[t];
      if (!thread.started) continue;
      const Operation op = thread.next;
      switch (op.kind) {
        case OperationKind::end:
        case OperationKind::error:
        case OperationKind::block: break;
        case OperationKind::join:
          if (!threads_[op.thread].finished()) break;
          join(t, op);
          return;
        case OperationKind::load:
        case OperationKind::rmw:
        case OperationKind::cas:
        case OperationKind::lock: read(t, op); break;
        default: go(t, op); return;  // it can go now, so no higher thread goes first
      }
    }
    if (isOver()) record();
  }

  void choose(unsigned t) {
    const Value count = threads_[t].next.choices();
    const std::string before = threads_[t].choices;
    for (Value value = 0; value < count; ++value) {
      threads_[t].choices = before + std::to_string(value) + ",";
      resume(t, {value, true});
    }
    threads_[t].choices = before;
  }

  // Is every thread that started where it can stay?
  bool isOver() const {
    return std::ranges::all_of(threads_, [&](const Thread& thread) {
      if (!thread.started) return true;
      switch (thread.next.kind) {
        case OperationKind::end:
        case OperationKind::error:
        case OperationKind::block: return true;
        case OperationKind::join: return !threads_[thread.next.thread].finished();
        case OperationKind::lock: return !takenFrom(thread.next, lastValue(thread.next));
        default: return false;
      }
    });
  }

  // The order in which events are added (mixed.h): `since` is the last step that the operation had to wait for, and
  // between that and now only lower threads may have gone.
  bool isTurnOf(unsigned t, std::size_t since) const {
    return std::all_of(stepThreads_.begin() + static_cast<std::ptrdiff_t>(since), stepThreads_.end(),
                       [&](unsigned other) { return other < t; });
  }

  // Steps count from 1.
  std::size_t stepOf(unsigned event) const { return event == initialWrite ? never : eventSteps_[event]; }
  std::size_t lastStepOf(const Thread& thread) const {
    return stepOf(thread.events.empty() ? thread.spawn : thread.events.back());
  }

  // Events ----------------------------------------------------------------------------------------------------

  unsigned add(unsigned t, EventKind kind, Order order, const Operation& op, EventSet alsoAfter = 0) {
    Thread& thread = threads_[t];
    const auto number = static_cast<unsigned>(x_.events.size());
    if (number == mostEvents) throw OracleLimit("too many events");
    EventSet before = alsoAfter;
    const unsigned previous = thread.events.empty() ? thread.spawn : thread.events.back();
    if (previous != initialWrite) before |= x_.poBefore[previous] | singleton(previous);
    Event event{
        .thread = static_cast<int>(t), .index = static_cast<unsigned>(thread.events.size()) + 1, .kind = kind, .order = order};
    event.transaction = thread.transaction;
    if (event.isAccess()) {
      if (op.size > sizeof(Value)) throw OracleLimit("an access of more than eight bytes");
      event.address = op.address;
      event.size = op.size;
      event.reader = op.lock == LockOp::read;
      for (unsigned i = 0; i < op.size; ++i) useByte(op.address + i);
    }
    x_.events.push_back(event);
    x_.poBefore.push_back(before);
    x_.sources.emplace_back();
    eventSteps_.push_back(stepThreads_.size() + 1);
    thread.events.push_back(number);
    return number;
  }

  void remove(unsigned t) {
    threads_[t].events.pop_back();
    eventSteps_.pop_back();
    x_.sources.pop_back();
    x_.poBefore.pop_back();
    x_.events.pop_back();
  }

  // A byte that has been used stays known, which does no harm: a byte without accesses is left out at the end.
  void useByte(Address byte) {
    if (x_.co.try_emplace(byte).second) {
      x_.initial[byte] = static_cast<std::uint8_t>(program_.initialValue(byte, 1));
    }
  }

  std::uint8_t byteOf(unsigned write, Address byte) const {
    if (write == initialWrite) return x_.initial.at(byte);
    const Event& event = x_.events[write];
    return static_cast<std::uint8_t>(event.value >> (8 * (byte - event.address)));
  }

  // What a mutex holds when all is over.
  Value lastValue(const Operation& op) const {
    Value value = 0;
    for (unsigned i = 0; i < op.size; ++i) {
      const auto order = x_.co.find(op.address + i);
      if (order == x_.co.end()) return program_.initialValue(op.address, op.size);
      const unsigned last = order->second.empty() ? initialWrite : order->second.back();
      value |= Value{byteOf(last, op.address + i)} << (8 * i);
    }
    return value;
  }

  // Operations ------------------------------------------------------------------------------------------------

  // Stores, fences and spawns.
  void go(unsigned t, const Operation& op) {
    if (!isTurnOf(t, lastStepOf(threads_[t]))) return;
    switch (op.kind) {
      case OperationKind::store: return write(t, op, op.order, truncate(op.operand(), op.size), false, {});
      case OperationKind::unlock: return write(t, op, Order::release, 0, false, {});
      case OperationKind::fence:
        add(t, EventKind::fence, op.order, op);
        resumeAfterStep(t, {});
        return remove(t);
      case OperationKind::transaction: {  // one event each, in T; none inside another
        Thread& thread = threads_[t];
        const unsigned before = thread.transaction;
        if (op.begins()) thread.transaction = static_cast<unsigned>(x_.events.size()) + 1;
        add(t, EventKind::thread, Order::plain, op);
        if (!op.begins()) thread.transaction = 0;
        resumeAfterStep(t, {});
        thread.transaction = before;
        return remove(t);
      }
      case OperationKind::spawn: {
        Thread& child = threads_[op.thread];
        child.spawn = add(t, EventKind::thread, Order::plain, op);
        start(op.thread);
        resumeAfterStep(t, {});
        child.started = false;
        return remove(t);
      }
      default: throw std::logic_error("an operation that the oracle does not know");
    }
  }

  void join(unsigned t, const Operation& op) {
    const Thread& child = threads_[op.thread];
    if (!isTurnOf(t, std::max(lastStepOf(threads_[t]), lastStepOf(child)))) return;
    const unsigned last = child.events.empty() ? child.spawn : child.events.back();
    add(t, EventKind::thread, Order::plain, op, last == initialWrite ? 0 : x_.poBefore[last] | singleton(last));
    resumeAfterStep(t, {});
    remove(t);
  }

  // Everything that a read or a read-modify-write can find, and what it does then.
  void read(unsigned t, const Operation& op) {
    const Order order = op.kind == OperationKind::lock ? Order::acquire : op.order;
    const std::size_t since = lastStepOf(threads_[t]);
    const unsigned r = add(t, EventKind::read, order, op);
    chooseSource(r, 0, [&] {
      std::size_t waited = since;
      Value value = 0;
      for (unsigned i = 0; i < op.size; ++i) {
        waited = std::max(waited, stepOf(x_.sources[r][i]));
        value |= Value{byteOf(x_.sources[r][i], op.address + i)} << (8 * i);
      }
      if (!isTurnOf(t, waited)) return;
      x_.events[r].value = value;
      haveRead(t, op, r, value);
    });
    remove(t);
  }

  // The readers that have left a lock since it was held for writing, and all before them: who takes it for writing comes
  // after them in program order, so to say (src/graph/lock_order.h).
  EventSet readersBefore(unsigned r) const {
    EventSet before = 0;
    for (unsigned w = x_.sources[r][0]; w != initialWrite && x_.events[w].rmw && x_.events[w].reader;) {
      const unsigned read = w - 1;
      if (x_.events[w].value < x_.events[read].value) before |= x_.poBefore[w] | singleton(w);
      w = x_.sources[read][0];
    }
    return before;
  }

  void haveRead(unsigned t, const Operation& op, unsigned r, Value value) {
    const auto update = [&](Order order, Value written) {
      const EventSet before = x_.poBefore[r];
      x_.events[r].rmw = true;
      if (!x_.events[r].reader) x_.poBefore[r] |= readersBefore(r);
      write(t, op, order, written, true, {value, true});
      x_.events[r].rmw = false;
      x_.poBefore[r] = before;
    };
    switch (op.kind) {
      case OperationKind::load: return resumeAfterStep(t, {value, true});
      case OperationKind::rmw: return update(op.order, applyRmw(op.rmw, value, op.operand(), op.size));
      case OperationKind::lock:  // waits until it can take the lock, so it only ever reads that it can
        if (const auto taken = takenFrom(op, value)) update(Order::acquire, *taken);
        return;
      default: break;
    }
    const auto written = takenFrom(op, value);
    if (written) update(op.order, *written);
    if (written && !op.mayFailSpuriously) return;
    x_.events[r].order = op.failureOrder;
    resumeAfterStep(t, {value, false});
    x_.events[r].order = op.order;
  }

  void write(unsigned t, const Operation& op, Order order, Value value, bool rmw, Result result) {
    const unsigned w = add(t, EventKind::write, order, op);
    x_.events[w].value = value;
    x_.events[w].rmw = rmw;
    choosePlace(w, 0, [&] { resumeAfterStep(t, result); });
    remove(t);
  }

  // Bytes -----------------------------------------------------------------------------------------------------

  // Every write for every byte of a read, from byte number i on.
  void chooseSource(unsigned r, unsigned i, const Then& then) {
    if (i == x_.events[r].size) return then();
    const std::vector<unsigned>& order = x_.co.at(x_.events[r].address + i);
    const Known before = known_;
    for (std::size_t place = 0; place <= order.size(); ++place) {
      const unsigned source = place == 0 ? initialWrite : order[place - 1];
      if (source != initialWrite) known_.com.add(source, r);
      for (std::size_t later = place; later < order.size(); ++later) readsBefore(r, order[later]);
      x_.sources[r].push_back(source);
      if (isPossible()) chooseSource(r, i + 1, then);
      x_.sources[r].pop_back();
      known_ = before;
    }
  }

  // Every place in the order of every byte of a write, from byte number i on.
  void choosePlace(unsigned w, unsigned i, const Then& then) {
    if (i == x_.events[w].size) return then();
    const Address byte = x_.events[w].address + i;
    std::vector<unsigned>& order = x_.co.at(byte);
    const Known before = known_;
    for (std::size_t place = 0; place <= order.size(); ++place) {
      for (std::size_t other = 0; other < order.size(); ++other) {
        other < place ? coherent(order[other], w) : coherent(w, order[other]);
      }
      for (unsigned r = 0; r < x_.events.size(); ++r) {
        const Event& read = x_.events[r];
        if (read.kind != EventKind::read || !read.covers(byte)) continue;
        const unsigned source = x_.sources[r][byte - read.address];
        const auto end = order.begin() + static_cast<std::ptrdiff_t>(place);
        if (source == initialWrite || std::find(order.begin(), end, source) != end) readsBefore(r, w);
      }
      order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), w);
      if (isPossible()) choosePlace(w, i + 1, then);
      order.erase(order.begin() + static_cast<std::ptrdiff_t>(place));
      known_ = before;
    }
  }

  void coherent(unsigned first, unsigned second) {
    known_.co.add(first, second);
    known_.com.add(first, second);
  }

  void readsBefore(unsigned read, unsigned write) {
    known_.rb.add(read, write);
    known_.com.add(read, write);
  }

  // What every model forbids: a cycle of com, one of com against po, and a write within a read-modify-write.
  bool isPossible() const {
    if (cutting_ == Cutting::off) return true;
    const Relation eco = known_.com.plus();
    for (unsigned e = 0; e < x_.events.size(); ++e) {
      if (eco.has(e, e) || (eco.successors(e) & x_.poBefore[e]) != 0) return false;
      if (!x_.isUpdate(e)) continue;
      for (unsigned w = 0; w < x_.events.size(); ++w) {
        if (known_.rb.has(e - 1, w) && known_.co.has(w, e)) return false;
      }
    }
    return true;
  }

  // Complete executions -----------------------------------------------------------------------------------------

  void record() {
    ByteExecution used = x_;
    std::erase_if(used.co, [&](const auto& entry) {
      return std::ranges::none_of(x_.events, [&](const Event& event) { return event.covers(entry.first); });
    });
    const LiftedExecution lifted = lift(used, cutting_ == Cutting::off);
    const std::vector<bool> verdicts = judge_.consistent(used, lifted);
    if (std::ranges::none_of(verdicts, [](bool verdict) { return verdict; })) return;
    const MixedKey key = keyOf(used);
    const std::string coKey = toString(key, true);
    const std::string rfKey = toString(key, false);
    std::string choices;
    for (const Thread& thread : threads_) choices += thread.choices + ";";
    for (std::size_t m = 0; m < verdicts.size(); ++m) {
      if (!verdicts[m]) continue;
      results_[m].race |= hasDataRace(lifted.x, judge_.happensBefore(m));
      if (!variants_[m][coKey].insert(choices).second) throw std::logic_error("an execution came twice: " + coKey);
      variants_[m][rfKey].insert(choices);
      results_[m].coKeys.insert(coKey);
      results_[m].rfKeys.insert(rfKey);
    }
  }

  void countVariants() {
    for (std::size_t m = 0; m < results_.size(); ++m) {
      for (const auto& [key, choices] : variants_[m]) {
        if (choices.size() > 1) results_[m].repeated[key] = choices.size();
      }
    }
  }

  MixedKey keyOf(const ByteExecution& x) const {
    // Begins and ends of transactions are not shown.
    const auto isShown = [&](unsigned e) { return x.events[e].kind != EventKind::thread || x.events[e].transaction == 0; };
    const auto name = [&](unsigned event) {
      if (event == initialWrite) return EventName{};
      EventName shown{x.events[event].thread, 0};
      for (const unsigned e : threads_[static_cast<unsigned>(shown.thread)].events) {
        shown.index += isShown(e);
        if (e == event) break;
      }
      return shown;
    };
    MixedKey key;
    for (const Thread& thread : threads_) {
      std::vector<KeyEvent>& events = key.threads.emplace_back();
      if (!thread.started) continue;
      key.failed |= thread.next.kind == OperationKind::error;
      key.stuck |= thread.next.kind != OperationKind::error && thread.next.kind != OperationKind::end;
      for (const unsigned e : thread.events) {
        if (!isShown(e)) continue;
        const Event& event = x.events[e];
        KeyEvent& written = events.emplace_back(KeyEvent{"RWFT"[static_cast<int>(event.kind)]});
        if (x.isUpdate(e)) written.kind = 'U';
        written.address = event.address;
        written.size = event.size;
        written.value = event.value;
        for (const unsigned source : x.sources[e]) written.sources.push_back(name(source));
      }
    }
    for (const auto& [byte, order] : x.co) {
      for (const unsigned write : order) key.coherence[byte].push_back(name(write));
    }
    return key;
  }

  Program& program_;
  const std::size_t limit_;
  const Cutting cutting_;
  MixedJudge judge_;
  std::vector<OracleResult> results_;
  std::vector<std::map<std::string, std::set<std::string>>> variants_;  // by model and key: the choices that give it
  std::size_t steps_ = 0;

  // The execution being built.
  std::vector<Thread> threads_;
  ByteExecution x_;
  Known known_;
  std::vector<unsigned> stepThreads_;    // the thread of each step
  std::vector<std::size_t> eventSteps_;  // the step of each event
};

}  // namespace

std::vector<OracleResult> runMixedOracle(Program& program, const std::vector<const model::Model*>& models, std::size_t limit,
                                         Cutting cutting) {
  return MixedEnumeration(program, models, limit, cutting).run();
}

const std::vector<std::string>& mixedModelNames() {
  static const std::vector<std::string> names = {"sc", "tso", "ra", "rc20", "rc11", "ra-msa"};
  return names;
}

std::vector<NamedModel> loadMixedModels(const std::vector<std::string>& names) {
  std::vector<NamedModel> models;
  for (const std::string& name : names) {
    models.push_back({name, name == "ra-msa" ? model::parseCat(raMsaText, "ra-msa.cat") : model::loadModel(name)});
  }
  return models;
}

}  // namespace heddle::oracle
