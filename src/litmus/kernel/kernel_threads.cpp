#include "litmus/kernel/kernel_threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

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
    mayEndEarly_ = mayReturn(thread.body);
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
  static bool mayReturn(const KernelStmt& stmt) {
    return stmt.kind == KernelStmtKind::returnThread || std::ranges::any_of(stmt.parts, mayReturn);
  }

  // ---- Statements

  void execute(const KernelStmt& stmt) {
    switch (stmt.kind) {
      case KernelStmtKind::expression: evaluate(stmt.expr); break;
      case KernelStmtKind::block:
        for (const KernelStmt& part : stmt.parts) execute(part);
        break;
      case KernelStmtKind::branch: {
        const Known condition = evaluate(stmt.expr);
        const RunEvents outside = control_;
        control_ |= condition.from;
        const std::size_t chosen = condition.value != 0 ? 0 : 1;
        if (chosen < stmt.parts.size()) execute(stmt.parts[chosen]);
        control_ = outside;
        break;
      }
      case KernelStmtKind::loop: executeLoop(stmt); break;
      case KernelStmtKind::returnThread: throw Stop{End::complete, ""};
    }
  }

  void executeLoop(const KernelStmt& stmt) {
    const RunEvents outside = control_;
    if (stmt.testAtEnd) execute(stmt.parts[0]);
    for (unsigned round = 0;; ++round) {
      const Known condition = evaluate(stmt.expr);
      control_ |= condition.from;
      if (condition.value == 0) break;
      if (round == kKernelLoopRounds) throw Stop{End::cut, ""};
      execute(stmt.parts[0]);
    }
    control_ = outside;
  }

  // ---- Events

  RunEvent& add(Kind kind, EventTags tags, Order order) {
    if (run_.events.size() == kMostRunEvents) throw Stop{End::tooLong, ""};
    run_.events.push_back({.kind = kind, .order = order, .tags = tags, .controlFrom = control_, .line = line_});
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
        local.isChosen |= wasChosen || control_ != 0;
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
  RunEvents control_ = 0;
  bool mayEndEarly_ = false;  // there are runs that do not get here
  unsigned line_ = 0;
  ThreadRun run_;
};

// The numbers in a program, and has it branches?
class Constants {
 public:
  explicit Constants(const KernelProgram& program) {
    for (const KernelThread& thread : program.threads) add(thread.body);
    if (!branches_) values_.clear();
  }

  std::vector<Value> values() && { return std::move(values_); }

 private:
  void add(const KernelStmt& stmt) {
    branches_ |= stmt.kind == KernelStmtKind::branch || stmt.kind == KernelStmtKind::loop;
    add(stmt.expr);
    for (const KernelStmt& part : stmt.parts) add(part);
  }
  void add(const KernelExpr& expr) {
    using enum KernelExprKind;
    branches_ |= expr.kind == conditional || expr.kind == logicalAnd || expr.kind == logicalOr;
    const auto value = static_cast<Value>(expr.value);
    if (expr.kind == constant && std::ranges::find(values_, value) == values_.end()) values_.push_back(value);
    for (const KernelExpr& part : expr.parts) add(part);
  }

  bool branches_ = false;
  std::vector<Value> values_ = {1};  // `if (r)` compares with none
};

// Which locations are counters: no thread writes through a pointer that it computes, or what is not a sum.
class Counters {
 public:
  explicit Counters(const KernelProgram& program) {
    for (thread_ = 0; thread_ < program.threads.size(); ++thread_) {
      add(program.threads[thread_].body, 1);
      for (auto& [address, counter] : counters_) counter.ofThread.resize(program.threads.size());
    }
    if (anywhere_) counters_.clear();
    std::erase_if(counters_, [&](const auto& entry) { return others_.contains(entry.first); });
  }

  std::vector<Counter> counters() const {
    std::vector<Counter> result;
    for (const auto& [address, counter] : counters_) result.push_back(counter);
    return result;
  }

 private:
  static constexpr std::int64_t kMost = 1'000'000'000;  // so that sums do not overflow

  void add(const KernelStmt& stmt, std::int64_t times) {
    if (stmt.kind == KernelStmtKind::loop) times *= kKernelLoopRounds + 1;
    if (times > kMost) anywhere_ = true;
    if (anywhere_) return;
    add(stmt.expr, times);
    for (const KernelStmt& part : stmt.parts) add(part, times);
  }

  void add(const KernelExpr& expr, std::int64_t times) {
    for (const KernelExpr& part : expr.parts) add(part, times);
    if (expr.kind == KernelExprKind::plainStore) note(expr.parts[0], std::nullopt, times);
    if (expr.kind != KernelExprKind::call) return;
    const Primitive& primitive = expr.primitive;
    switch (primitive.kind) {
      case PrimitiveKind::load:
      case PrimitiveKind::loadFrom:
      case PrimitiveKind::fence:
      case PrimitiveKind::isLocked:
      case PrimitiveKind::waitUnlocked:
      case PrimitiveKind::syncSrcu: break;
      case PrimitiveKind::update:
      case PrimitiveKind::updateReturn:
      case PrimitiveKind::fetchUpdate:
      case PrimitiveKind::updateTest:
      case PrimitiveKind::updateNegative:
        note(expr.parts[primitive.operandFirst ? 1 : 0], change(primitive, expr), times);
        break;
      case PrimitiveKind::addUnless: note(expr.parts[0], primitive.byOne ? 1 : constantOf(expr.parts[1]), times); break;
      default: note(expr.parts[0], std::nullopt, times);
    }
  }

  // What an update adds, if that is known.
  static std::optional<std::int64_t> change(const Primitive& primitive, const KernelExpr& expr) {
    if (primitive.op != Operator::add && primitive.op != Operator::sub) return std::nullopt;
    const std::optional<std::int64_t> operand = primitive.byOne ? 1 : constantOf(expr.parts[0]);
    if (!operand || *operand > kMost || *operand < -kMost) return std::nullopt;
    return primitive.op == Operator::add ? *operand : -*operand;
  }

  // A number, an address, or the sum of these: p->next of a location's name.
  static std::optional<std::int64_t> constantOf(const KernelExpr& expr) {
    if (expr.kind == KernelExprKind::constant) return expr.value;
    if (expr.kind != KernelExprKind::binary || expr.op != Operator::add) return std::nullopt;
    const auto left = constantOf(expr.parts[0]), right = constantOf(expr.parts[1]);
    return left && right ? std::optional(compute(Operator::add, *left, *right)) : std::nullopt;
  }

  void note(const KernelExpr& pointer, std::optional<std::int64_t> change, std::int64_t times) {
    const std::optional<std::int64_t> place = constantOf(pointer);
    if (!place) {
      anywhere_ = true;
      return;
    }
    const auto address = static_cast<Address>(*place);
    if (!change || *change == 0 || *change > kMost || *change < -kMost) {  // with 0, values would not be different
      others_.insert(address);
      return;
    }
    Counter& counter = counters_[address];
    counter.address = address;
    if (counter.ofThread.size() <= thread_) counter.ofThread.resize(thread_ + 1);
    (*change > 0 ? counter.ofThread[thread_].added : counter.ofThread[thread_].subtracted) += std::abs(*change) * times;
  }

  std::size_t thread_ = 0;
  bool anywhere_ = false;     // something is written through a pointer
  std::set<Address> others_;  // what is written in another way
  std::map<Address, Counter> counters_;
};

}  // namespace

std::vector<Counter> KernelThreads::counters() const { return Counters(program_).counters(); }

std::vector<Value> KernelThreads::constantsOfBranches() const { return Constants(program_).values(); }

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
