#include "litmus/assembly/thread_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace heddle::litmus {

namespace {

constexpr std::uint8_t shiftOf(unsigned size) { return static_cast<std::uint8_t>(64U - 8U * size); }

Operator operatorOf(Comparison comparison) {
  switch (comparison) {
    case Comparison::equal: return Operator::equal;
    case Comparison::notEqual: return Operator::notEqual;
    case Comparison::less:
    case Comparison::below: return Operator::less;
    case Comparison::lessEqual:
    case Comparison::belowEqual: return Operator::lessEqual;
    case Comparison::greater:
    case Comparison::above: return Operator::greater;
    case Comparison::greaterEqual:
    case Comparison::aboveEqual: return Operator::greaterEqual;
    case Comparison::noneOf:
    case Comparison::anyOf: break;  // of attempts; no machine has such a branch
  }
  return Operator::equal;
}

bool isUnsigned(Comparison comparison) {
  return comparison == Comparison::below || comparison == Comparison::belowEqual || comparison == Comparison::above ||
         comparison == Comparison::aboveEqual;
}

}  // namespace

ThreadWriter::ThreadWriter(AssemblyContext& context, const std::map<std::string, std::uint16_t>& registers,
                           std::vector<std::uint32_t> pointsTo)
    : CodeBuilder(context.code, pointsTo.size()),
      context_(context),
      registers_(registers),
      pointsTo_(std::move(pointsTo)),
      flagLeft_(newTemporary()),
      flagRight_(newTemporary()),
      reservation_(newTemporary()),
      stored_(newTemporary()),
      base_(temporaries_),
      begin_(here()) {}

void ThreadWriter::beginLine(const AssemblyLine& line) {
  line_ = &line;
  temporaries_ = base_;
}

// Labels -------------------------------------------------------------------------------------------------------

CodeBuilder::Label& ThreadWriter::labelNamed(const std::string& name) {
  NamedLabel& named = labels_[name];
  if (!named.label.isBound() && named.label.jumps.empty()) named.offset = line_->operands.back().offset;
  return named.label;
}

void ThreadWriter::bindLabel(const std::string& name, std::size_t offset, bool isLoop) {
  NamedLabel& named = labels_[name];
  if (named.label.isBound()) context_.file.fail(offset, fmt::format("the label `{}` is there twice", name));
  bind(named.label);
  reserved_.isKnown = false;
  hasLoops_ = hasLoops_ || isLoop;
  if (isLoop) load(stored_, constant(0));
}

namespace {

// The registers that an instruction reads and writes, in the order in which it does.
struct Effect {
  std::vector<std::uint16_t> reads, writes;
};

Effect effectOf(const Instruction& in) {
  Effect effect;
  const auto flagged = [&](unsigned flag, std::uint16_t reg) {
    if ((in.flags & flag) != 0) effect.reads.push_back(reg);
  };
  switch (in.opcode) {
    case Opcode::ready:
    case Opcode::patched:
      if (in.opcode == Opcode::patched) {
        flagged(kOperandFromA | kChoicesFromA, in.a);
        flagged(kAddressFromB, in.b);
        flagged(kExpectedFromC, in.c);
      }
      if (in.result != ResultKind::none && in.dst != kNoRegister) effect.writes.push_back(in.dst);
      if (in.result == ResultKind::cas || in.result == ResultKind::exchange) effect.writes.push_back(in.c);
      break;
    case Opcode::select:
      effect.reads = {in.a, in.b, in.c};
      effect.writes.push_back(in.dst);
      break;
    case Opcode::jump:
    case Opcode::loop: break;
    case Opcode::constant:
    case Opcode::wideConstant: effect.writes.push_back(in.dst); break;
    case Opcode::checkAddress:
    case Opcode::checkPositive:
    case Opcode::jumpIfZero:
    case Opcode::jumpIfNotZero:
    case Opcode::jumpIfEqual:
    case Opcode::jumpIfNotEqual: effect.reads.push_back(in.a); break;
    default:
      effect.reads.push_back(in.a);
      if (in.opcode >= Opcode::add && in.opcode <= Opcode::mod && (in.flags & kImmediate) == 0) effect.reads.push_back(in.b);
      effect.writes.push_back(in.dst);
  }
  return effect;
}

bool isJump(Opcode opcode) { return opcode >= Opcode::jump; }

}  // namespace

// Of the code from `begin` on.
void ThreadWriter::requireIdleRound(std::uint32_t begin, const std::string& label) const {
  const std::string hint = "write the rounds one after the other, or write the test in C";
  std::vector<bool> written(kNoRegister, false);
  std::vector<std::uint16_t> readBefore;
  std::uint32_t skippedUntil = 0;  // a jump may have left out what is before this
  for (std::uint32_t pc = begin; pc < here(); ++pc) {
    const Instruction& in = code_.instructions[pc];
    if (in.opcode == Opcode::ready || in.opcode == Opcode::patched) {
      const Operation& operation = code_.operations[in.index];
      const bool writes = operation.kind == OperationKind::store || operation.kind == OperationKind::rmw ||
                          operation.kind == OperationKind::cas;
      if (writes && !operation.isExclusive) failLine(fmt::format("the loop from `{}` to here writes memory", label), hint);
    }
    const Effect effect = effectOf(in);
    for (const std::uint16_t reg : effect.reads) {
      if (!written[reg] && reg != stored_) readBefore.push_back(reg);
    }
    for (const std::uint16_t reg : effect.writes) {
      const bool carried = std::ranges::find(readBefore, reg) != readBefore.end() || pc < skippedUntil;
      if (carried && reg < base_ && reg != stored_) {
        failLine(fmt::format("a round of the loop from `{}` to here depends on the one before", label), hint);
      }
      written[reg] = true;
    }
    if (isJump(in.opcode) && in.index < here()) skippedUntil = std::max(skippedUntil, in.index);
  }
}

void ThreadWriter::jumpBack(const Label& label, const std::string& name) {
  requireIdleRound(label.target, name);
  Label idle;
  jump(Opcode::jumpIfZero, idle, stored_);
  emitReady(code_.operations[errorOperation(message("a loop goes on after it has written memory"), source())]);
  bind(idle);
  emitReady(Operation::block(0).at(source()));
}

void ThreadWriter::end(std::uint32_t source) {
  for (const auto& [name, named] : labels_) {
    if (!named.label.isBound()) context_.file.fail(named.offset, fmt::format("there is no label `{}` in this thread", name));
  }
  emitReady(Operation::end().at(source));
}

// Operands -----------------------------------------------------------------------------------------------------

void ThreadWriter::fail(std::size_t i, const std::string& message, const std::string& hint) const {
  context_.file.fail(i < count() ? operand(i).offset : line_->offset, message, hint);
}

void ThreadWriter::failLine(const std::string& message, const std::string& hint) const {
  context_.file.fail(line_->offset, message, hint);
}

void ThreadWriter::expectCount(std::size_t least, std::size_t most) const {
  if (count() >= least && count() <= most) return;
  const std::string expected = least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
  failLine(fmt::format("`{}` takes {} operand{}, not {}", line_->mnemonic, expected, most == 1 ? "" : "s", count()));
}

RegisterPart ThreadWriter::reg(std::size_t i) const {
  if (!isRegister(i)) fail(i, fmt::format("expected a register as operand {} of `{}`", i + 1, line_->mnemonic));
  return operand(i).reg;
}

const AssemblyOperand& ThreadWriter::memory(std::size_t i) const {
  if (!isMemory(i)) fail(i, fmt::format("expected a place in memory as operand {} of `{}`", i + 1, line_->mnemonic));
  return operand(i);
}

std::int64_t ThreadWriter::number(std::size_t i) const {
  if (i >= count() || operand(i).kind != OperandKind::number) {
    fail(i, fmt::format("expected a number as operand {} of `{}`", i + 1, line_->mnemonic));
  }
  return operand(i).number;
}

const std::string& ThreadWriter::name(std::size_t i) const {
  if (i >= count() || operand(i).kind != OperandKind::name) {
    fail(i, fmt::format("expected a name as operand {} of `{}`", i + 1, line_->mnemonic));
  }
  return operand(i).name;
}

ThreadWriter::Operand ThreadWriter::value(std::size_t i) {
  if (i < count() && operand(i).kind == OperandKind::number) return constant(operand(i).number);
  if (!isRegister(i)) fail(i, fmt::format("expected a register or a number as operand {} of `{}`", i + 1, line_->mnemonic));
  return read(operand(i).reg);
}

// Registers ----------------------------------------------------------------------------------------------------

ThreadWriter::Operand ThreadWriter::read(RegisterPart reg) const {
  return reg.slot == kNoRegister ? constant(0) : Operand{.reg = reg.slot};
}

ThreadWriter::Operand ThreadWriter::extended(Operand operand, unsigned size, bool isSigned) {
  if (size >= 8) return operand;
  if (operand.isConstant) {
    const auto value = static_cast<Value>(operand.value);
    return constant(isSigned ? signExtend(value, size) : static_cast<std::int64_t>(truncate(value, size)));
  }
  const Register result = newTemporary();
  emitMove(isSigned ? Opcode::signExtend : Opcode::zeroExtend, result, operand.reg, shiftOf(size));
  return {.reg = result};
}

std::uint32_t ThreadWriter::pointedTo(const Operand& operand) const {
  return operand.isConstant || operand.reg >= pointsTo_.size() ? kNowhere : pointsTo_[operand.reg];
}

void ThreadWriter::notePointer(Register reg, std::uint32_t location) {
  if (reg < pointsTo_.size()) pointsTo_[reg] = location;
}

void ThreadWriter::move(RegisterPart dst, Operand value) {
  if (dst.slot == kNoRegister) return;
  const std::uint32_t location = pointedTo(value);
  if (dst.size < 8) value = extended(value, dst.size, false);
  load(dst.slot, value);
  notePointer(dst.slot, location);
}

void ThreadWriter::binary(Operator op, RegisterPart dst, Operand left, Operand right) {
  if (dst.slot == kNoRegister) return;
  const std::uint32_t location = pointedTo(left) != kNowhere ? pointedTo(left) : pointedTo(right);
  emitBinary(op, left, right, source(), dst.slot);
  if (dst.size < 8) emitMove(Opcode::zeroExtend, dst.slot, dst.slot, shiftOf(dst.size));
  notePointer(dst.slot, location);
}

ThreadWriter::Operand ThreadWriter::combined(Operator op, Operand left, Operand right) {
  const Register result = newTemporary();
  emitBinary(op, left, right, source(), result);
  return {.reg = result};
}

ThreadWriter::Operand ThreadWriter::sum(Operand left, Operand right) {
  if (left.isConstant && right.isConstant) return constant(left.value + right.value);
  if (right.isConstant && right.value == 0) return left;
  if (left.isConstant && left.value == 0) return right;
  return combined(Operator::add, left, right);
}

// Memory -------------------------------------------------------------------------------------------------------

void ThreadWriter::noteUse(std::uint32_t location, unsigned size, std::size_t offset) {
  if (location == kNowhere) return;
  LocationUse& use = context_.uses[location];
  if (use.size == 0) {
    use = {size, offset};
  } else if (use.size != size) {
    context_.file.fail(
        offset,
        fmt::format("`{}` is accessed with {} bytes here, and with {} elsewhere: mixed sizes are not supported in "
                    "assembly tests",
                    context_.code.locations[location].name, size, use.size),
        "use registers of one size for each location");
  }
}

// The location that an address is in, as far as the text tells.
std::uint32_t ThreadWriter::locationOf(const AssemblyOperand& place) const {
  std::uint32_t location = place.base ? pointedTo(read(*place.base)) : kNowhere;
  if (location == kNowhere && !place.name.empty()) location = context_.locationNamed(place.name);
  if (location == kNowhere && place.index) location = pointedTo(read(*place.index));
  return location;
}

ThreadWriter::Operand ThreadWriter::addressOf(const AssemblyOperand& place, unsigned size) {
  if (place.writesBack) {
    context_.file.fail(place.offset, "addresses that are written back are not supported",
                       "add to the register in a line of its own");
  }
  Operand address = constant(0);
  if (!place.name.empty()) {
    address = constant(static_cast<std::int64_t>(context_.code.locations[context_.locationNamed(place.name)].address));
  }
  if (place.base) address = sum(read(*place.base), address);
  if (place.index) {
    Operand index = read(*place.index);
    if (place.index->size < 8) index = extended(index, place.index->size, place.extension != "uxtw");
    if (place.shift != 0) index = shifted(index, place.shift);
    address = sum(address, index);
  }
  address = sum(address, constant(place.number));
  noteUse(locationOf(place), size, place.offset);
  if (!address.isConstant) {
    Instruction check;
    check.opcode = Opcode::checkAddress;
    check.a = address.reg;
    check.index = errorOperation(message("access outside all locations"), source());
    emit(check);
  }
  return address;
}

void ThreadWriter::loadFrom(RegisterPart dst, const AssemblyOperand& place, unsigned size, Order order, bool isSigned) {
  emitLoad(dst, Operation::load(0, size, order), addressOf(place, size), isSigned);
}

void ThreadWriter::emitLoad(RegisterPart dst, const Operation& operation, const Operand& address, bool isSigned) {
  Instruction instruction;
  if (dst.slot != kNoRegister) {
    instruction.result = ResultKind::value;
    instruction.dst = dst.slot;
    instruction.shift = isSigned ? shiftOf(operation.size) : std::uint8_t{0};
    notePointer(dst.slot, kNowhere);
  }
  emitOperation(operation.at(source()), &address, nullptr, instruction);
  if (dst.slot != kNoRegister && isSigned && dst.size < 8) {
    emitMove(Opcode::zeroExtend, dst.slot, dst.slot, shiftOf(dst.size));
  }
}

void ThreadWriter::storeTo(const AssemblyOperand& place, Operand value, unsigned size, Order order) {
  const Operand address = addressOf(place, size);
  emitOperation(Operation::store(0, size, order, 0).at(source()), &address, &value, {});
}

// One operation; where dependencies are tracked two, a load-exclusive and a store-exclusive that succeeds for certain. What is
// written may be known before what is read, so models let what depends on the one go ahead of the other.
void ThreadWriter::update(RegisterPart dst, const AssemblyOperand& place, RmwOp op, Operand operand, unsigned size, Order order,
                          bool hidesRead) {
  const Operand address = addressOf(place, size);
  const Register old = newTemporary();
  Instruction readsOld;
  readsOld.result = ResultKind::value;
  readsOld.dst = old;
  Label inHalves, done;
  jump(Opcode::jumpIfTracked, inHalves);
  emitOperation(Operation::update(0, size, order, op, 0).at(source()), &address, &operand, readsOld);
  jump(Opcode::jump, done);
  bind(inHalves);
  Operation read = Operation::loadExclusive(0, size, order).at(source());
  read.hidesRead = hidesRead && dst.slot == kNoRegister;
  emitHalf(read, &address, nullptr, readsOld);
  const Operand written = updated(op, {.reg = old}, operand, size);
  // A seq_cst read with an acq_rel write is known by that as one instruction (models/armv8.cat).
  const Order writeOrder = order == Order::seq_cst ? Order::acq_rel : order;
  emitHalf(Operation::storeExclusive(0, size, writeOrder, 0).at(source()), &address, &written, {});
  load(reservation_, constant(0));
  reserved_ = {.isKnown = true, .location = {}};
  bind(done);
  if (dst.slot == kNoRegister) return;
  load(dst.slot, {.reg = old});
  notePointer(dst.slot, kNowhere);
}

void ThreadWriter::emitHalf(const Operation& operation, const Operand* address, const Operand* operand,
                            Instruction instruction) {
  code_.halves.push_back(static_cast<std::uint32_t>(code_.operations.size()));
  emitOperation(operation, address, operand, instruction);
}

// What is written over the old value.
ThreadWriter::Operand ThreadWriter::updated(RmwOp op, Operand old, Operand operand, unsigned size) {
  switch (op) {
    case RmwOp::exchange: return operand;
    case RmwOp::add: return combined(Operator::add, old, operand);
    case RmwOp::sub: return combined(Operator::sub, old, operand);
    case RmwOp::bitAnd: return combined(Operator::bitAnd, old, operand);
    case RmwOp::bitOr: return combined(Operator::bitOr, old, operand);
    case RmwOp::bitXor: return combined(Operator::bitXor, old, operand);
    case RmwOp::nand: return complement(combined(Operator::bitAnd, old, operand));
    case RmwOp::max:
    case RmwOp::min:
    case RmwOp::umax:
    case RmwOp::umin: break;
  }
  // Without a branch: old - (old - operand) is the operand.
  const bool larger = op == RmwOp::max || op == RmwOp::umax;
  const bool isSigned = op == RmwOp::max || op == RmwOp::min;
  const Operand left = extended(old, size, true), right = extended(operand, size, true);
  const Comparison worse =
      larger ? (isSigned ? Comparison::less : Comparison::below) : (isSigned ? Comparison::greater : Comparison::above);
  const Operand difference = combined(Operator::sub, left, right);
  return combined(Operator::sub, left, combined(Operator::mul, difference, truth(worse, left, right)));
}

ThreadWriter::Operand ThreadWriter::compareAndSwap(RegisterPart expected, const AssemblyOperand& place, Operand desired,
                                                   unsigned size, Order order, bool hidesRead) {
  const Operand address = addressOf(place, size);
  const Register success = newTemporary();
  Register compared = expected.slot;
  if (compared == kNoRegister) {
    compared = newTemporary();
    load(compared, constant(0));
  } else {
    notePointer(compared, kNowhere);
  }
  Instruction instruction;
  instruction.result = ResultKind::exchange;
  instruction.dst = success;
  instruction.c = compared;
  instruction.flags = kExpectedFromC;
  const Order failure = order == Order::release ? Order::relaxed : order == Order::acq_rel ? Order::acquire : order;
  Operation operation = Operation::cas(0, size, order, failure, 0, 0).at(source());
  operation.hidesRead = hidesRead && expected.slot == kNoRegister;
  const bool mayDepend = expected.slot != kNoRegister && !hasConstant(compared);
  const Register before = newTemporary();
  emitMove(Opcode::zeroExtend, before, compared, shiftOf(size));
  emitOperation(operation, &address, &desired, instruction);
  if (expected.slot != kNoRegister) chooseSource(compared, success, before, mayDepend);
  code_.selects = true;
  return {.reg = success};
}

// Does the text so far put nothing but constants there?
bool ThreadWriter::hasConstant(Register reg) const {
  for (std::uint32_t pc = begin_; pc < here(); ++pc) {
    const Instruction& in = code_.instructions[pc];
    if (in.opcode == Opcode::constant || in.opcode == Opcode::wideConstant) continue;
    const std::vector<std::uint16_t> writes = effectOf(in).writes;
    if (std::ranges::find(writes, reg) != writes.end()) return false;
  }
  return true;
}

// A compare-and-swap that succeeds leaves the same number in its register, whether it puts there what it has read or leaves what
// was there, once that was found equal. A machine may do either, so what depends on the register depends on the read, or on what
// was there before; then the read has only picked it. Where what was there depends on nothing, the second allows more.
void ThreadWriter::chooseSource(Register compared, Register success, Register before, bool mayDepend) {
  Label tracked, done;
  jump(Opcode::jumpIfTracked, tracked);
  jump(Opcode::jump, done);
  bind(tracked);
  if (mayDepend) {
    Instruction choice;
    choice.result = ResultKind::value;
    choice.dst = newTemporary();
    emitOperation(Operation::choose(2).at(source()), nullptr, nullptr, choice);
    jump(Opcode::jumpIfNotZero, done, choice.dst);
  }
  emit({.opcode = Opcode::select, .dst = compared, .a = before, .b = compared, .c = success});
  bind(done);
}

void ThreadWriter::loadExclusive(RegisterPart dst, const AssemblyOperand& place, unsigned size, Order order, bool isSigned) {
  const Operand address = addressOf(place, size);
  reserved_ = {.isKnown = true, .location = locationOf(place)};
  load(reservation_, address);
  emitLoad(dst, Operation::loadExclusive(0, size, order), address, isSigned);
}

// Does the reservation cover the place? Yes, no, or only a run can tell. Elements of arrays are not told apart here.
ThreadWriter::Covers ThreadWriter::covers(const AssemblyOperand& place) const {
  if (!reserved_.isKnown) return Covers::perhaps;
  if (!reserved_.location) return Covers::no;
  const std::uint32_t location = locationOf(place);
  if (location == kNowhere || *reserved_.location == kNowhere) return Covers::perhaps;
  if (location != *reserved_.location) return Covers::no;
  return context_.code.locations[location].isArray ? Covers::perhaps : Covers::yes;
}

// A choice whether it succeeds. A failure is always possible, so it depends on nothing; a success without a reservation ends the
// execution. That the address decides over that orders nothing more: what follows the store comes after its address anyway.
ThreadWriter::Operand ThreadWriter::storeExclusive(const AssemblyOperand& place, Operand value, unsigned size, Order order) {
  const Operand address = addressOf(place, size);
  if (covers(place) == Covers::no) {
    reserved_ = {.isKnown = true, .location = {}};
    load(reservation_, constant(0));
    return constant(1);
  }
  const Register status = newTemporary();
  Instruction choice;
  choice.result = ResultKind::value;
  choice.dst = status;
  Operation success = Operation::choose(2).at(source());
  success.mayFailSpuriously = covers(place) == Covers::yes;  // otherwise it may have to
  emitOperation(success, nullptr, nullptr, choice);
  Label failed, reserved;
  jump(Opcode::jumpIfNotZero, failed, status);
  jump(Opcode::jumpIfNotZero, reserved, inRegister(combined(Operator::equal, {.reg = reservation_}, address)));
  emitReady(Operation::block(0).at(source()));
  bind(reserved);
  Instruction store;
  if (code_.statusIsDependency) {
    store.result = ResultKind::zero;
    store.dst = newTemporary();
  }
  emitOperation(Operation::storeExclusive(0, size, order, 0).at(source()), &address, &value, store);
  if (code_.statusIsDependency) emitBinary(Operator::bitOr, {.reg = status}, {.reg = store.dst}, source(), status);
  bind(failed);
  reserved_ = {.isKnown = true, .location = {}};
  load(reservation_, constant(0));
  if (hasLoops_) {
    const Register succeeded = newTemporary();
    emitMove(Opcode::isZero, succeeded, status);
    emitBinary(Operator::bitOr, {.reg = stored_}, {.reg = succeeded}, source(), stored_);
  }
  return {.reg = status};
}

void ThreadWriter::fence(Order order) { emitReady(Operation::fence(order).at(source())); }
void ThreadWriter::fence(MachineFence machine) { emitReady(Operation::fence(machine).at(source())); }

// Control ------------------------------------------------------------------------------------------------------

void ThreadWriter::setFlags(Operand left, Operand right) {
  load(flagLeft_, left);
  load(flagRight_, right);
}

void ThreadWriter::compare(Operand left, Operand right, unsigned size) {
  setFlags(extended(left, size, true), extended(right, size, true));
}

// 1 or 0. As numbers without a sign, those that were extended by their sign are in the right order once the highest bit is
// turned round.
ThreadWriter::Operand ThreadWriter::truth(Comparison comparison, Operand left, Operand right) {
  if (isUnsigned(comparison)) {
    constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::min();
    left = combined(Operator::bitXor, left, constant(highest));
    right = combined(Operator::bitXor, right, constant(highest));
  }
  return combined(operatorOf(comparison), left, right);
}

void ThreadWriter::select(RegisterPart dst, Comparison comparison, Operand left, Operand right) {
  if (dst.slot == kNoRegister) return;
  const Register holds = inRegister(truth(comparison, {.reg = flagLeft_}, {.reg = flagRight_}));
  const Register first = inRegister(left), second = inRegister(right);
  emit({.opcode = Opcode::select, .dst = dst.slot, .a = first, .b = second, .c = holds});
  if (dst.size < 8) emitMove(Opcode::zeroExtend, dst.slot, dst.slot, shiftOf(dst.size));
  notePointer(dst.slot, kNowhere);
  code_.selects = true;
}

void ThreadWriter::branch(Comparison comparison, const std::string& label) {
  branchIf(comparison, {.reg = flagLeft_}, {.reg = flagRight_}, label);
}

void ThreadWriter::branchIf(Comparison comparison, Operand left, Operand right, const std::string& label) {
  const Register holds = inRegister(truth(comparison, left, right));
  Label& target = labelNamed(label);
  if (!target.isBound()) return jump(Opcode::jumpIfNotZero, target, holds);
  Label goesOn;
  jump(Opcode::jumpIfZero, goesOn, holds);
  jumpBack(target, label);
  bind(goesOn);
}

void ThreadWriter::jumpTo(const std::string& label) {
  Label& target = labelNamed(label);
  if (target.isBound()) return jumpBack(target, label);
  jump(Opcode::jump, target);
}

}  // namespace heddle::litmus
