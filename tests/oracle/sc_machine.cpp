// Depth-first over the steps of the threads; every thread is run again from its start for every step.
#include "sc_machine.h"

#include <map>
#include <stdexcept>
#include <vector>

#include "runs.h"

namespace heddle::oracle {

namespace {

struct Machine {
  std::vector<std::vector<Result>> results;  // of each thread so far
  std::vector<bool> started;
  std::vector<unsigned> eventCount;
  std::vector<unsigned> depth;                          // in how many transactions each thread is
  std::vector<std::string> text;                        // of each thread's events
  std::map<Address, std::uint8_t> memory;               // by byte
  std::map<Address, std::vector<std::string>> writers;  // of each byte, in order
};

class Interleaver {
 public:
  Interleaver(Program& program, std::size_t limit, bool bytes) : program_(program), limit_(limit), bytes_(bytes) {}

  std::set<std::string> run() {
    const unsigned threads = program_.threadCount();
    Machine machine;
    machine.results.resize(threads);
    machine.eventCount.resize(threads, 0);
    machine.text.resize(threads);
    machine.depth.resize(threads, 0);
    for (unsigned t = 0; t < threads; ++t) machine.started.push_back(t < program_.initialThreads());
    step(machine);
    return std::move(keys_);
  }

 private:
  Operation nextOf(const Machine& machine, ThreadId thread) {
    program_.reset();
    Operation op = program_.advance(thread);
    for (const Result& result : machine.results[thread]) {
      program_.resume(thread, result);
      op = program_.advance(thread);
    }
    return op;
  }

  void step(const Machine& machine) {
    if (++steps_ > limit_) throw OracleLimit("too many interleavings");
    bool over = true, stuck = false, failed = false;
    for (unsigned t = 0; t < machine.results.size(); ++t) {
      if (!machine.started[t]) continue;
      const Operation op = nextOf(machine, static_cast<ThreadId>(t));
      failed |= op.kind == OperationKind::error;
      if (op.kind == OperationKind::error || op.kind == OperationKind::end) continue;
      if (isLeftAlone(machine, t)) continue;
      if (perform(machine, t, op)) {
        over = false;
      } else {
        stuck = true;
      }
    }
    if (over) keys_.insert(std::string(failed ? "failed:" : "") + (stuck ? "stuck:" : "") + key(machine));
  }

  // Is another thread in a transaction?
  static bool isLeftAlone(const Machine& machine, unsigned thread) {
    for (unsigned t = 0; t < machine.depth.size(); ++t) {
      if (t != thread && machine.depth[t] > 0) return true;
    }
    return false;
  }

  // Everything that can follow when a thread takes this step. False: it cannot.
  bool perform(const Machine& machine, unsigned t, const Operation& op) {
    const auto old = [&] {
      Value value = program_.initialValue(op.address, op.size);
      for (unsigned i = 0; i < op.size; ++i) {
        const auto byte = machine.memory.find(op.address + i);
        if (byte == machine.memory.end()) continue;
        value &= ~(Value{0xff} << (8 * i));
        value |= Value{byte->second} << (8 * i);
      }
      return value;
    };
    Machine next = machine;
    switch (op.kind) {
      case OperationKind::load: read(next, t, op, old()); return resume(next, t, {old(), true});
      case OperationKind::store: write(next, t, op, truncate(op.operand(), op.size)); return resume(next, t, {});
      case OperationKind::unlock: write(next, t, op, 0); return resume(next, t, {});
      case OperationKind::lock:
        if (!takenFrom(op, old())) return false;
        read(next, t, op, old());
        write(next, t, op, *takenFrom(op, old()));
        return resume(next, t, {old(), true});
      case OperationKind::rmw:
        read(next, t, op, old());
        write(next, t, op, applyRmw(op.rmw, old(), op.operand(), op.size));
        return resume(next, t, {old(), true});
      case OperationKind::cas: {
        read(next, t, op, old());
        const auto written = takenFrom(op, old());
        if (!written || op.mayFailSpuriously) resume(next, t, {old(), false});
        if (!written) return true;
        write(next, t, op, *written);
        return resume(next, t, {old(), true});
      }
      case OperationKind::fence: event(next, t, "F"); return resume(next, t, {});
      case OperationKind::spawn:
        event(next, t, "T");
        next.started[op.thread] = true;
        return resume(next, t, {});
      case OperationKind::join: {
        const ThreadId other = op.thread;
        if (!machine.started[other] || nextOf(machine, other).kind != OperationKind::end) return false;
        event(next, t, "T");
        return resume(next, t, {});
      }
      case OperationKind::choose:
        for (Value value = 0; value < op.choices(); ++value) resume(next, t, {value, true});
        return true;
      case OperationKind::transaction: next.depth[t] += op.begins() ? 1 : -1; return resume(next, t, {});
      case OperationKind::arrive:
      case OperationKind::depart: throw std::logic_error("barriers are compared by their encoding as counters");
      case OperationKind::notify:
      case OperationKind::stopWaiting:
      case OperationKind::beginRound: throw std::logic_error("no litmus test has notifications");
      case OperationKind::flush:
      case OperationKind::crash:
      case OperationKind::recover: throw std::logic_error("crashes have an oracle of their own");
      case OperationKind::block:
      case OperationKind::error:
      case OperationKind::end: break;
    }
    return false;
  }

  bool resume(Machine machine, unsigned t, Result result) {
    machine.results[t].push_back(result);
    step(machine);
    return true;
  }

  static void event(Machine& machine, unsigned t, const std::string& what) {
    machine.text[t] += (machine.eventCount[t]++ == 0 ? "" : " ") + what;
  }

  std::string access(const Operation& op, Value value) const {
    return std::to_string(op.address) + (bytes_ ? ":" + std::to_string(op.size) : "") + "=" + std::to_string(value);
  }

  // Where sizes are not mixed a location is known by its first byte.
  unsigned shownBytes(const Operation& op) const { return bytes_ ? op.size : 1; }

  void read(Machine& machine, unsigned t, const Operation& op, Value value) const {
    std::set<std::string> different;
    std::string sources;
    for (unsigned i = 0; i < shownBytes(op); ++i) {
      const auto& writers = machine.writers[op.address + i];
      const std::string source = writers.empty() ? "i" : writers.back();
      different.insert(source);
      sources += (i == 0 ? "" : ",") + source;
    }
    event(machine, t, "R" + access(op, value) + "<" + (different.size() == 1 ? *different.begin() : sources));
  }

  void write(Machine& machine, unsigned t, const Operation& op, Value value) const {
    const bool update = op.kind != OperationKind::store && op.kind != OperationKind::unlock;
    event(machine, t, (update ? "U" : "W") + access(op, value));
    for (unsigned i = 0; i < op.size; ++i) machine.memory[op.address + i] = static_cast<std::uint8_t>(value >> (8 * i));
    for (unsigned i = 0; i < shownBytes(op); ++i) {
      machine.writers[op.address + i].push_back(std::to_string(t) + "." + std::to_string(machine.eventCount[t]));
    }
  }

  static std::string key(const Machine& machine) {
    std::string result;
    for (std::size_t t = 0; t < machine.text.size(); ++t) {
      if (machine.eventCount[t] > 0) result += std::to_string(t) + "[" + machine.text[t] + "]";
    }
    result += "|";
    for (const auto& [address, writers] : machine.writers) {
      if (writers.empty()) continue;
      result += std::to_string(address) + ":";
      for (std::size_t i = 0; i < writers.size(); ++i) result += (i == 0 ? "" : ",") + writers[i];
      result += ";";
    }
    return result;
  }

  Program& program_;
  const std::size_t limit_;
  const bool bytes_;
  std::size_t steps_ = 0;
  std::set<std::string> keys_;
};

}  // namespace

std::set<std::string> interleave(Program& program, std::size_t stepLimit) {
  return Interleaver(program, stepLimit, false).run();
}

std::set<std::string> interleaveBytes(Program& program, std::size_t stepLimit) {
  return Interleaver(program, stepLimit, true).run();
}

}  // namespace heddle::oracle
