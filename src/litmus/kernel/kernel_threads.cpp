#include "litmus/kernel/kernel_threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "litmus/kernel/kernel_constants.h"

namespace heddle::litmus {

namespace {

using Kind = RunEvent::Kind;
using End = ThreadRun::End;

struct Known {
  std::int64_t value = 0;
  RunEvents from = 0;     // the reads that it depends on
  bool isChosen = false;  // it was assigned in a branch, so that it may depend on more
};

// Ends a run, also by `return`.
struct Stop {
  End end;
  std::string message;
};

std::int64_t compute(Operator op, std::int64_t a, std::int64_t b) {
  const auto left = static_cast<std::uint64_t>(a), right = static_cast<std::uint64_t>(b);
  switch (op) {
    case Operator::add: return static_cast<std::int64_t>(left + right);
    case Operator::sub: return static_cast<std::int64_t>(left - right);
    case Operator::mul: return static_cast<std::int64_t>(left * right);
    case Operator::div:
    case Operator::mod:
      if (b == 0) throw Stop{End::fault, "divides by 0"};
      if (b == -1) return op == Operator::mod ? 0 : static_cast<std::int64_t>(0 - left);
      return op == Operator::div ? a / b : a % b;
    case Operator::bitAnd: return a & b;
    case Operator::bitOr: return a | b;
    case Operator::bitXor: return a ^ b;
    case Operator::shiftLeft: return static_cast<std::int64_t>(left << (right & 63U));
    case Operator::shiftRight: return a >> (right & 63U);
    case Operator::equal: return a == b;
    case Operator::notEqual: return a != b;
    case Operator::less: return a < b;
    case Operator::lessEqual: return a <= b;
    case Operator::greater: return a > b;
    case Operator::greaterEqual: return a >= b;
    case Operator::none: break;
  }
  return 0;
}

Order orderOf(EventTag tag) {
  switch (tag) {
    case EventTag::acquire:
    case EventTag::lockRead: return Order::acquire;
    case EventTag::release:
    case EventTag::unlock: return Order::release;
    default: return Order::relaxed;
  }
}

class Interpreter {
 public:
  Interpreter(const KernelProgram& program, const KernelThread& thread, ReadValues& values)
      : program_(program), values_(values) {
    for (const Value value : thread.initial) locals_.push_back({static_cast<std::int64_t>(value), 0});
  }

  ThreadRun run(const KernelStmt& body) {
    try {
      execute(body);
    } catch (const Stop& stop) {
      run_.end = stop.end;
      run_.message = stop.message;
    }
    for (const Known& local : locals_) run_.registers.push_back(static_cast<Value>(local.value));
    return std::move(run_);
  }

 private:
  // ---- Statements

  // Where a statement leads.
  enum class Flow : std::uint8_t { next, jump, breakOut, nextRound };

  Flow execute(const KernelStmt& stmt) {
    switch (stmt.kind) {
      case KernelStmtKind::expression: evaluate(stmt.expr); return Flow::next;
      case KernelStmtKind::block: return executeFrom(stmt, 0);
      case KernelStmtKind::branch: {
        const Known condition = evaluate(stmt.expr);
        const RunEvents outside = control_;
        control_ |= condition.from;
        noteWays(stmt.ways, condition.from);
        const std::size_t chosen = condition.value != 0 ? 0 : 1;
        const Flow flow = chosen < stmt.parts.size() ? execute(stmt.parts[chosen]) : Flow::next;
        control_ = outside;
        return flow;
      }
      case KernelStmtKind::loop: return executeLoop(stmt);
      case KernelStmtKind::select: return executeSwitch(stmt);
      case KernelStmtKind::label: beyond_.labels.erase(stmt.label); return Flow::next;
      case KernelStmtKind::jump: target_ = stmt.label; return Flow::jump;
      case KernelStmtKind::breakOut: return Flow::breakOut;
      case KernelStmtKind::nextRound: return Flow::nextRound;
      case KernelStmtKind::returnThread: throw Stop{End::complete, ""};
    }
    return Flow::next;
  }

  // A block from one of its parts on. A jump may lead to a label of it.
  Flow executeFrom(const KernelStmt& block, std::size_t first) {
    for (std::size_t i = first; i < block.parts.size(); ++i) {
      const Flow flow = execute(block.parts[i]);
      if (flow == Flow::next) continue;
      const auto label = std::ranges::find_if(
          block.parts, [&](const KernelStmt& part) { return part.kind == KernelStmtKind::label && part.label == target_; });
      if (flow != Flow::jump || label == block.parts.end()) return flow;
      const auto at = static_cast<std::size_t>(label - block.parts.begin());
      if (at <= i && ++rounds_[target_] > kKernelLoopRounds) throw Stop{End::cut, ""};
      i = at;
      beyond_.labels.erase(target_);
    }
    return Flow::next;
  }

  Flow executeLoop(const KernelStmt& stmt) {
    const Outside outside = enter();
    const bool hasStep = stmt.parts.size() > 1;
    Flow flow = Flow::next;
    bool first = stmt.testAtEnd;
    for (unsigned round = 0;; ++round) {
      if (!std::exchange(first, false)) {
        const Known condition = evaluate(stmt.expr);
        control_ |= condition.from;
        noteWays(stmt.ways, condition.from);
        if (condition.value == 0) break;
        if (round == kKernelLoopRounds + (stmt.testAtEnd ? 1 : 0)) throw Stop{End::cut, ""};
      }
      flow = execute(stmt.parts[0]);
      beyond_.nextRound = 0;
      if (flow == Flow::jump || flow == Flow::breakOut) break;
      if (hasStep) execute(stmt.parts[1]);
    }
    leave(outside);
    return flow == Flow::jump ? flow : Flow::next;
  }

  Flow executeSwitch(const KernelStmt& stmt) {
    const Known value = evaluate(stmt.expr);
    const Outside outside = enter(true);
    control_ |= value.from;
    noteWays(stmt.ways, value.from);
    auto at = std::ranges::find_if(stmt.cases, [&](const KernelCase& c) { return !c.isDefault && c.value == value.value; });
    if (at == stmt.cases.end()) at = std::ranges::find_if(stmt.cases, &KernelCase::isDefault);
    const Flow flow = at == stmt.cases.end() ? Flow::next : executeFrom(stmt, at->part);
    leave(outside);
    return flow == Flow::breakOut ? Flow::next : flow;
  }

  // ---- What decides that the thread gets here

  // Besides what is around: branches before, that might have left the statements here.
  struct Beyond {
    RunEvents end = 0, breakOut = 0, nextRound = 0;  // to the end of the thread, of the loop or switch, of the round
    std::map<unsigned, RunEvents> labels;            // to the label
  };
  struct Outside {
    RunEvents control, breakOut, nextRound;
    bool isSwitch;
  };

  RunEvents deciding() const {
    RunEvents all = control_ | beyond_.end | beyond_.breakOut | beyond_.nextRound;
    for (const auto& [label, events] : beyond_.labels) all |= events;
    return all;
  }

  void noteWays(const WaysOut& ways, RunEvents events) {
    if (ways.returns) beyond_.end |= events;
    if (ways.breaks) beyond_.breakOut |= events;
    if (ways.continues) beyond_.nextRound |= events;
    for (const unsigned label : ways.labels) beyond_.labels[label] |= events;
  }

  // Into a loop or a switch: those around it stay.
  Outside enter(bool isSwitch = false) {
    const Outside outside{control_, beyond_.breakOut, beyond_.nextRound, isSwitch};
    control_ |= std::exchange(beyond_.breakOut, 0);
    if (!isSwitch) control_ |= std::exchange(beyond_.nextRound, 0);
    return outside;
  }
  void leave(const Outside& outside) {
    control_ = outside.control;
    beyond_.breakOut = outside.breakOut;
    if (!outside.isSwitch) beyond_.nextRound = outside.nextRound;
  }

  // ---- Events

  RunEvent& add(Kind kind, EventTags tags, Order order) {
    if (run_.events.size() == kMostRunEvents) throw Stop{End::tooLong, ""};
    run_.events.push_back({.kind = kind, .order = order, .tags = tags, .controlFrom = deciding(), .line = line_});
    return run_.events.back();
  }

  RunEvent& access(Kind kind, EventTags tags, Order order, const Known& pointer) {
    const auto address = static_cast<Address>(pointer.value);
    if (std::ranges::find(program_.locations, address, &KernelLocation::address) == program_.locations.end()) {
      throw Stop{End::fault, fmt::format("line {}: accesses the address {}, where no location is", line_, pointer.value)};
    }
    RunEvent& event = add(kind, tags, order);
    event.hasLocation = true;
    event.address = address;
    event.addressFrom = pointer.from;
    return event;
  }

  Known read(EventTags tags, Order order, const Known& pointer, bool isUpdate = false) {
    const std::size_t index = run_.events.size();
    RunEvent& event = access(Kind::read, tags, order, pointer);
    event.isUpdate = isUpdate;
    event.value = values_.read(event.address);
    return {static_cast<std::int64_t>(event.value), RunEvents{1} << index};
  }

  RunEvent& write(EventTags tags, Order order, const Known& pointer, const Known& value) {
    RunEvent& event = access(Kind::write, tags, order, pointer);
    event.value = static_cast<Value>(value.value);
    values_.wrote(event.address, event.value);
    event.dataFrom = value.from;
    event.isFixed =
        !mayEndEarly_ && !value.isChosen && !pointer.isChosen && (event.dataFrom | event.addressFrom | event.controlFrom) == 0;
    return event;
  }

  Known readTagged(EventTag tag, const Known& pointer, bool isUpdate = false) {
    return read(tagBit(tag), orderOf(tag), pointer, isUpdate);
  }

  void fence(EventTag tag) { add(Kind::fence, tagBit(tag), Order::relaxed); }

  // The write of a read-modify-write, right after its read.
  void writeUpdate(EventTag tag, const Known& pointer, const Known& value) {
    const auto reads = static_cast<int>(run_.events.size()) - 1;
    RunEvent& event = write(tagBit(tag), orderOf(tag), pointer, value);
    event.isUpdate = true;
    event.updates = reads;
  }

  // ---- Expressions

  Known evaluate(const KernelExpr& expr) {
    line_ = expr.line;
    switch (expr.kind) {
      case KernelExprKind::constant: return {expr.value, 0};
      case KernelExprKind::local: return locals_[expr.slot];
      case KernelExprKind::plainLoad: {
        const Known pointer = evaluate(expr.parts[0]);
        line_ = expr.line;
        return read(0, Order::plain, pointer);
      }
      case KernelExprKind::plainStore: {
        const Known pointer = evaluate(expr.parts[0]);
        const Known value = evaluate(expr.parts[1]);
        line_ = expr.line;
        write(0, Order::plain, pointer, value);
        return value;
      }
      case KernelExprKind::logicalNot: {
        const Known inner = evaluate(expr.parts[0]);
        return {inner.value == 0, inner.from, inner.isChosen};
      }
      case KernelExprKind::binary: {
        const Known left = evaluate(expr.parts[0]);
        const Known right = evaluate(expr.parts[1]);
        return {compute(expr.op, left.value, right.value), left.from | right.from, left.isChosen || right.isChosen};
      }
      case KernelExprKind::logicalAnd:
      case KernelExprKind::logicalOr: return shortCircuit(expr);
      case KernelExprKind::conditional: {
        const Known condition = evaluate(expr.parts[0]);
        const Known chosen = under(condition, expr.parts[condition.value != 0 ? 1 : 2]);
        return {chosen.value, condition.from | chosen.from, true};
      }
      case KernelExprKind::assign: {
        Known& local = locals_[expr.slot];
        const bool wasChosen = local.isChosen;
        local = evaluate(expr.parts[0]);
        local.isChosen |= wasChosen || deciding() != 0;
        return local;
      }
      case KernelExprKind::call: return call(expr);
    }
    return {};
  }

  // What is run only because of the condition.
  Known under(const Known& condition, const KernelExpr& expr) {
    const RunEvents outside = control_;
    control_ |= condition.from;
    const Known result = evaluate(expr);
    control_ = outside;
    return result;
  }

  Known shortCircuit(const KernelExpr& expr) {
    const Known left = evaluate(expr.parts[0]);
    const bool isAnd = expr.kind == KernelExprKind::logicalAnd;
    if ((left.value != 0) != isAnd) return {!isAnd, left.from, true};
    const Known right = under(left, expr.parts[1]);
    return {right.value != 0, left.from | right.from, true};
  }

  // ---- Primitives

  Known call(const KernelExpr& expr) {
    const Primitive& primitive = expr.primitive;
    std::vector<Known> arguments;
    for (const KernelExpr& part : expr.parts) arguments.push_back(evaluate(part));
    line_ = expr.line;
    switch (primitive.kind) {
      case PrimitiveKind::load:
      case PrimitiveKind::loadFrom: return readTagged(primitive.tag, arguments[0]);
      case PrimitiveKind::store:
      case PrimitiveKind::storeTo:
        write(tagBit(primitive.tag), orderOf(primitive.tag), arguments[0], arguments[1]);
        if (primitive.fence) fence(*primitive.fence);
        return {};
      case PrimitiveKind::fence: fence(primitive.tag); return {};
      case PrimitiveKind::syncSrcu: access(Kind::fence, tagBit(EventTag::syncSrcu), Order::relaxed, arguments[0]); return {};
      case PrimitiveKind::lock:
      case PrimitiveKind::tryLock: return takeLock(primitive, arguments[0]);
      case PrimitiveKind::unlock: write(tagBit(EventTag::unlock), Order::release, arguments[0], {}); return {};
      case PrimitiveKind::unlockOfWriter: write(tagBit(primitive.tag), Order::release, arguments[0], {}); return {};
      case PrimitiveKind::lockToRead:
      case PrimitiveKind::lockToWrite:
      case PrimitiveKind::tryLockToRead:
      case PrimitiveKind::tryLockToWrite: return takeReadWriteLock(primitive, arguments[0]);
      case PrimitiveKind::isLocked: {
        const Known found = read(0, Order::relaxed, arguments[0]);
        run_.events.back().tags = tagBit(found.value != 0 ? EventTag::readLocked : EventTag::readUnlocked);
        return {found.value != 0, found.from};
      }
      case PrimitiveKind::waitUnlocked:
        if (read(tagBit(EventTag::readUnlocked), Order::relaxed, arguments[0]).value != 0) throw Stop{End::waiting, ""};
        mayEndEarly_ = true;
        return {};
      default: return updateMemory(primitive, arguments);
    }
  }

  Known takeLock(const Primitive& primitive, const Known& pointer) {
    const Known found = read(0, Order::relaxed, pointer);
    RunEvent& event = run_.events.back();
    if (found.value != 0) {
      if (primitive.kind == PrimitiveKind::lock) throw Stop{End::waiting, ""};
      event.tags = tagBit(EventTag::lockFails);
      return {0, found.from};
    }
    event.tags = tagBit(EventTag::lockRead);
    event.order = Order::acquire;
    // Whoever comes to a lock that is held at first waits for another thread.
    const auto* place = &*std::ranges::find(program_.locations, event.address, &KernelLocation::address);
    mayEndEarly_ = mayEndEarly_ || place->initial != 0;
    const auto reads = static_cast<int>(run_.events.size()) - 1;
    write(tagBit(EventTag::lockWrite), Order::relaxed, pointer, {1, 0}).updates = reads;
    return {1, found.from};
  }

  // Of a read-write lock: how many read, or -1. It is taken with acquire, and the model knows no more of it.
  Known takeReadWriteLock(const Primitive& primitive, const Known& pointer) {
    const bool writes = primitive.kind == PrimitiveKind::lockToWrite || primitive.kind == PrimitiveKind::tryLockToWrite;
    const bool waits = primitive.kind == PrimitiveKind::lockToRead || primitive.kind == PrimitiveKind::lockToWrite;
    const Known found = readTagged(EventTag::acquire, pointer, true);
    if (writes ? found.value != 0 : found.value < 0) {
      if (waits) throw Stop{End::waiting, ""};
      return failUpdate(run_.events.size() - 1, found, false);
    }
    const auto* place = &*std::ranges::find(program_.locations, run_.events.back().address, &KernelLocation::address);
    mayEndEarly_ = mayEndEarly_ || place->initial != 0;
    const RunEvents outside = control_;
    control_ |= found.from;
    writeUpdate(EventTag::once, pointer, writes ? Known{-1, 0} : Known{found.value + 1, found.from});
    control_ = outside;
    return {1, found.from};
  }

  static EventTag readTag(const Primitive& primitive) {
    if (primitive.kind == PrimitiveKind::update) return EventTag::noreturn;
    return primitive.strength == Strength::acquire ? EventTag::acquire : EventTag::once;
  }

  Known updateMemory(const Primitive& primitive, const std::vector<Known>& arguments) {
    const bool hasOperand = primitive.arguments == 2;
    const Known& pointer = arguments[primitive.operandFirst ? 1 : 0];
    const bool isConditional = primitive.kind == PrimitiveKind::compareExchange || primitive.kind == PrimitiveKind::addUnless;
    const bool isFull = primitive.strength == Strength::full && primitive.kind != PrimitiveKind::update;
    const std::size_t before = run_.events.size();
    if (isFull) fence(EventTag::mb);
    const Known old = readTagged(readTag(primitive), pointer, true);

    Known result = old;
    Known written;
    const RunEvents outside = control_;
    if (isConditional) {
      const bool compares = primitive.kind == PrimitiveKind::compareExchange;
      const Known other = compares ? arguments[1] : primitive.byOne ? Known{} : arguments[2];
      if ((old.value == other.value) != compares) return failUpdate(before, old, compares);
      control_ |= other.from | old.from;
      const Known added = primitive.byOne || compares ? Known{1, 0} : arguments[1];
      written = compares ? arguments[2] : Known{compute(Operator::add, old.value, added.value), old.from | added.from};
      if (!compares) result = {1, old.from};
    } else if (primitive.kind == PrimitiveKind::exchange) {
      written = arguments[1];
    } else {
      const Known operand = hasOperand ? arguments[0] : Known{1, 0};
      written = {compute(primitive.op, old.value, primitive.complemented ? ~operand.value : operand.value),
                 old.from | operand.from};
      if (primitive.kind == PrimitiveKind::updateReturn) result = written;
      if (primitive.kind == PrimitiveKind::updateTest) result = {written.value == 0, written.from};
      if (primitive.kind == PrimitiveKind::updateNegative) result = {written.value < 0, written.from};
    }
    writeUpdate(primitive.strength == Strength::release ? EventTag::release : EventTag::once, pointer, written);
    control_ = outside;
    if (isFull) fence(EventTag::mb);
    return result;
  }

  // What fails orders nothing: it is a relaxed read, without fences.
  Known failUpdate(std::size_t before, const Known& old, bool compares) {
    RunEvent read = run_.events.back();
    run_.events.resize(before);
    read.tags = tagBit(EventTag::once);
    read.order = Order::relaxed;
    run_.events.push_back(read);
    return {compares ? old.value : 0, RunEvents{1} << before};
  }

  const KernelProgram& program_;
  ReadValues& values_;
  std::vector<Known> locals_;
  RunEvents control_ = 0;  // what the statements around decide by
  Beyond beyond_;
  unsigned target_ = 0;                  // of the last jump
  std::map<unsigned, unsigned> rounds_;  // by label: how often was jumped back to it
  bool mayEndEarly_ = false;             // there are runs that do not get here, without a branch
  unsigned line_ = 0;
  ThreadRun run_;
};

}  // namespace

std::vector<Counter> KernelThreads::counters() const { return countersOf(program_); }

std::vector<Value> KernelThreads::constantsOfBranches() const { return litmus::constantsOfBranches(program_); }

std::vector<InitialValue> KernelThreads::locations() const {
  std::vector<InitialValue> result;
  for (const KernelLocation& location : program_.locations) result.push_back({location.address, location.initial});
  return result;
}

ThreadRun KernelThreads::run(unsigned thread, ReadValues& values) const {
  const KernelThread& of = program_.threads[thread];
  return Interpreter(program_, of, values).run(of.body);
}

}  // namespace heddle::litmus
