#include "litmus/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

namespace heddle::litmus {

namespace {

using Word = std::int64_t;

// Word 0 of a state.
std::uint32_t pcOf(Word word) { return static_cast<std::uint32_t>(word); }
std::uint32_t roundsOf(Word word) { return static_cast<std::uint32_t>(static_cast<std::uint64_t>(word) >> 32); }
Word pack(std::uint32_t rounds, std::uint32_t pc) { return static_cast<Word>(std::uint64_t{rounds} << 32 | pc); }

// Blocks are a multiple of four words, most of them just four: cheaper inline than by a call of memcpy.
inline void copyBlock(Word* to, const Word* from, std::uint32_t words) {
  const Word* const end = from + words;
  do {
    std::memcpy(to, from, 4 * sizeof(Word));
    from += 4;
    to += 4;
  } while (from != end);
}

Word extend(Value value, unsigned shift) { return static_cast<Word>(value << shift) >> shift; }

Word wrap(std::uint64_t value) { return static_cast<Word>(value); }
std::uint64_t bits(Word value) { return static_cast<std::uint64_t>(value); }

// What becomes of dependencies.
enum class Flow : std::uint8_t { nothing, fresh, fromOne, fromTwo, dividing, branch, select };
constexpr Flow flowOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::ready:
    case Opcode::patched:
    case Opcode::checkAddress:  // an address that is wrong ends the thread
    case Opcode::jumpIfTracked:
    case Opcode::jump:
    case Opcode::loop: return Flow::nothing;
    case Opcode::constant:
    case Opcode::wideConstant: return Flow::fresh;
    case Opcode::copy:
    case Opcode::signExtend:
    case Opcode::zeroExtend:
    case Opcode::toBool:
    case Opcode::isZero:
    case Opcode::elementAddress: return Flow::fromOne;
    case Opcode::select: return Flow::select;
    case Opcode::div:
    case Opcode::mod: return Flow::dividing;
    case Opcode::checkPositive:
    case Opcode::jumpIfZero:
    case Opcode::jumpIfNotZero:
    case Opcode::jumpIfEqual:
    case Opcode::jumpIfNotEqual: return Flow::branch;
    default: return Flow::fromTwo;
  }
}

constexpr unsigned kTrackedOperations = 64;

}  // namespace

LitmusProgram::LitmusProgram(std::shared_ptr<const SourceFile> file, Code code, unsigned loopBound)
    : file_(std::move(file)), code_(std::move(code)), loopBound_(loopBound) {
  layOut();
  marks_.resize(65536);  // larger than any block
}

void LitmusProgram::layOut() {
  blocks_.clear();
  initialStates_.clear();
  for (const CompiledThread& thread : code_.threads) {
    const auto offset = static_cast<std::uint32_t>(initialStates_.size());
    const std::uint32_t registers = thread.stateWords - 1;
    const std::uint32_t tracked = registers + 2 + (code_.selects ? registers : 0);
    const std::uint32_t words = tracks_ ? (thread.stateWords + tracked + 3) / 4 * 4 : thread.stateWords;
    blocks_.push_back({offset, words, thread.stateWords});
    initialStates_.push_back(pack(0, thread.entry));
    initialStates_.insert(initialStates_.end(), thread.locals.begin(), thread.locals.end());
    initialStates_.resize(std::size_t{offset} + words);
  }
  states_ = initialStates_;
}

bool LitmusProgram::trackDependencies() {
  tracks_ = true;
  layOut();
  return true;
}

void LitmusProgram::forgetDependencies() {
  tracks_ = false;
  layOut();
}

std::vector<Operation> LitmusProgram::operations() const {
  std::vector<Operation> operations = code_.operations;
  if (tracks_) return operations;
  for (auto half = code_.halves.rbegin(); half != code_.halves.rend(); ++half) operations.erase(operations.begin() + *half);
  return operations;
}

bool LitmusProgram::hasExclusives() const {
  return std::ranges::any_of(code_.operations, [](const Operation& operation) { return operation.isExclusive; });
}

void LitmusProgram::reset() {
  states_ = initialStates_;  // same size: no allocation
  top_ = 0;
}

// Most of the time the next instruction is a ready-made operation already.
[[gnu::always_inline]] inline void LitmusProgram::advanceIn(Word* block, ThreadId thread, Operation& next) {
  const Instruction& in = code_.instructions[pcOf(block[0])];
  if (in.opcode == Opcode::ready) {
    next = code_.operations[in.index];
    return;
  }
  const std::uint32_t masks = blocks_[thread].masks;
  if (!tracks_) {
    next = interpret<Tracking::off>(block, masks);
  } else {
    next = code_.selects ? interpret<Tracking::withPicks>(block, masks) : interpret<Tracking::on>(block, masks);
  }
}

Operation LitmusProgram::advance(ThreadId thread) {
  Operation next;
  advanceIn(state(thread), thread, next);
  return next;
}

// The same for what has picked registers. A select does both at once: before it is done, as it may write what it reads.
void LitmusProgram::followPicks(const Instruction& in, Word* depends, std::uint32_t masks, const Word* regs) {
  Word* const picks = picksOf(depends, masks);
  Word& control = depends[masks - 1];
  switch (flowOf(in.opcode)) {
    case Flow::nothing:
      if (in.opcode == Opcode::patched && (in.flags & kAddressFromB) != 0) control |= picks[in.b];
      break;
    case Flow::fresh: picks[in.dst] = 0; break;
    case Flow::fromOne: picks[in.dst] = picks[in.a]; break;
    case Flow::fromTwo: picks[in.dst] = picks[in.a] | ((in.flags & kImmediate) != 0 ? 0 : picks[in.b]); break;
    case Flow::dividing:
      control |= picks[in.b];
      picks[in.dst] = picks[in.a] | picks[in.b];
      break;
    case Flow::branch: control |= picks[in.a]; break;
    case Flow::select: {
      const std::uint16_t chosen = regs[in.c] != 0 ? in.a : in.b;
      const Word pick = picks[chosen] | depends[in.c] | picks[in.c];
      depends[in.dst] = depends[chosen];
      picks[in.dst] = pick;
      break;
    }
  }
}

template <LitmusProgram::Tracking kTracking>
Operation LitmusProgram::interpret(Word* block, std::uint32_t masks) {
  Word* const regs = block + 1;
  Word* const depends = block + masks;
  Word& control = depends[masks - 1];
  constexpr bool kTracks = kTracking != Tracking::off;
  const Instruction* const code = code_.instructions.data();
  std::uint32_t rounds = roundsOf(block[0]);
  std::uint32_t pc = pcOf(block[0]);
  for (;; ++pc) {
    const Instruction& in = code[pc];
    const auto immediate = static_cast<std::int32_t>(in.index);
    const auto right = [&]() -> Word { return (in.flags & kImmediate) != 0 ? immediate : regs[in.b]; };
    if constexpr (kTracks) {
      switch (flowOf(in.opcode)) {
        case Flow::nothing: break;
        case Flow::fresh: depends[in.dst] = 0; break;
        case Flow::fromOne: depends[in.dst] = depends[in.a]; break;
        case Flow::fromTwo: depends[in.dst] = depends[in.a] | ((in.flags & kImmediate) != 0 ? 0 : depends[in.b]); break;
        case Flow::dividing:
          control |= depends[in.b];  // by 0 there is nothing
          depends[in.dst] = depends[in.a] | depends[in.b];
          break;
        case Flow::branch: control |= depends[in.a]; break;
        case Flow::select: break;
      }
    }
    if constexpr (kTracking == Tracking::withPicks) followPicks(in, depends, masks, regs);
    // The operation is where the thread pauses, so that resume finds it again.
    const auto pause = [&]() -> const Operation& {
      block[0] = pack(rounds, pc);
      return code_.operations[in.index];
    };
    switch (in.opcode) {
      case Opcode::ready: return pause();
      case Opcode::patched: {
        Operation operation = pause();
        if ((in.flags & kOperandFromA) != 0) operation.setOperand(truncate(bits(regs[in.a]), operation.size));
        if ((in.flags & kAddressFromB) != 0) operation.address = bits(regs[in.b]);
        if ((in.flags & kExpectedFromC) != 0) operation.setExpected(truncate(bits(regs[in.c]), operation.size));
        if ((in.flags & kChoicesFromA) != 0) operation.setChoices(bits(regs[in.a]));
        return operation;
      }
      case Opcode::constant: regs[in.dst] = immediate; break;
      case Opcode::wideConstant: regs[in.dst] = code_.constants[in.index]; break;
      case Opcode::copy: regs[in.dst] = regs[in.a]; break;
      case Opcode::signExtend: regs[in.dst] = extend(bits(regs[in.a]), in.shift); break;
      case Opcode::zeroExtend: regs[in.dst] = wrap(bits(regs[in.a]) << in.shift >> in.shift); break;
      case Opcode::toBool: regs[in.dst] = regs[in.a] != 0; break;
      case Opcode::isZero: regs[in.dst] = regs[in.a] == 0; break;
      case Opcode::add: regs[in.dst] = wrap(bits(regs[in.a]) + bits(right())); break;
      case Opcode::sub: regs[in.dst] = wrap(bits(regs[in.a]) - bits(right())); break;
      case Opcode::mul: regs[in.dst] = wrap(bits(regs[in.a]) * bits(right())); break;
      case Opcode::bitAnd: regs[in.dst] = regs[in.a] & right(); break;
      case Opcode::bitOr: regs[in.dst] = regs[in.a] | right(); break;
      case Opcode::bitXor: regs[in.dst] = regs[in.a] ^ right(); break;
      case Opcode::shiftLeft: regs[in.dst] = wrap(bits(regs[in.a]) << (right() & 63)); break;
      case Opcode::shiftRight: regs[in.dst] = regs[in.a] >> (right() & 63); break;
      case Opcode::equal: regs[in.dst] = regs[in.a] == right(); break;
      case Opcode::notEqual: regs[in.dst] = regs[in.a] != right(); break;
      case Opcode::less: regs[in.dst] = regs[in.a] < right(); break;
      case Opcode::lessEqual: regs[in.dst] = regs[in.a] <= right(); break;
      case Opcode::greater: regs[in.dst] = regs[in.a] > right(); break;
      case Opcode::greaterEqual: regs[in.dst] = regs[in.a] >= right(); break;
      case Opcode::div: {
        const Word divisor = regs[in.b];
        if (divisor == 0) return pause();
        regs[in.dst] = divisor == -1 ? wrap(0 - bits(regs[in.a])) : regs[in.a] / divisor;
        break;
      }
      case Opcode::mod: {
        const Word divisor = regs[in.b];
        if (divisor == 0) return pause();
        regs[in.dst] = divisor == -1 ? 0 : regs[in.a] % divisor;
        break;
      }
      case Opcode::select: regs[in.dst] = regs[in.c] != 0 ? regs[in.a] : regs[in.b]; break;
      case Opcode::elementAddress: {
        const ArrayView& array = code_.arrays[in.index];
        const std::uint64_t index = bits(regs[in.a]);
        if (index >= array.count) {
          block[0] = pack(rounds, pc);
          return code_.operations[array.outOfBounds];
        }
        regs[in.dst] = wrap(array.address + index * array.size);
        break;
      }
      case Opcode::checkPositive:
        if (regs[in.a] <= 0) return pause();
        break;
      case Opcode::checkAddress:
        if (!isInLocation(bits(regs[in.a]))) return pause();
        break;
      case Opcode::jump: pc = in.index - 1; break;
      case Opcode::loop:
        if (++rounds > loopBound_) failLoop(pc);
        pc = in.index - 1;
        break;
      case Opcode::jumpIfTracked:
        if constexpr (kTracks) pc = in.index - 1;
        break;
      case Opcode::jumpIfZero:
        if (regs[in.a] == 0) pc = in.index - 1;
        break;
      case Opcode::jumpIfNotZero:
        if (regs[in.a] != 0) pc = in.index - 1;
        break;
      case Opcode::jumpIfEqual:
        if (regs[in.a] == static_cast<std::int16_t>(in.c)) pc = in.index - 1;
        break;
      case Opcode::jumpIfNotEqual:
        if (regs[in.a] != static_cast<std::int16_t>(in.c)) pc = in.index - 1;
        break;
    }
  }
}

[[gnu::always_inline]] inline void LitmusProgram::resumeIn(Word* block, ThreadId thread, Result result) {
  Word* const regs = block + 1;
  const Instruction& in = code_.instructions[pcOf(block[0])];
  if (in.result == ResultKind::value) {
    regs[in.dst] = extend(result.value, in.shift);
  } else if (in.result == ResultKind::cas || in.result == ResultKind::exchange) {
    if (!result.success || in.result == ResultKind::exchange) regs[in.c] = extend(result.value, in.shift);
    if (in.dst != kNoRegister) regs[in.dst] = result.success;
  } else if (in.result == ResultKind::zero) {
    regs[in.dst] = 0;
  }
  if (tracks_) noteResult(block, blocks_[thread].masks, in, result);
  ++block[0];  // the pc is the low half, and never at its end
}

void LitmusProgram::resume(ThreadId thread, Result result) { resumeIn(state(thread), thread, result); }

void LitmusProgram::proceed(ThreadId thread, Result result, Operation& next) {
  Word* const block = state(thread);
  resumeIn(block, thread, result);
  advanceIn(block, thread, next);
}

void LitmusProgram::proceedFrom(Mark mark, ThreadId thread, Result result, Operation& next) {
  Word* const block = state(thread);
  copyBlock(block, marks_.data() + mark, blocks_[thread].words);
  resumeIn(block, thread, result);
  advanceIn(block, thread, next);
}

// What has been read is in a register now. If a read-modify-write is a loop that tries until nothing has come in between,
// everything after it depends on how it ended.
void LitmusProgram::noteResult(Word* block, std::uint32_t masks, const Instruction& in, const Result& result) {
  Word* const depends = block + masks;
  Word& control = depends[masks - 1];
  Word& count = depends[masks];
  const Operation& operation = code_.operations[in.index];
  const bool reads = in.result == ResultKind::zero || operation.kind == OperationKind::load ||
                     operation.kind == OperationKind::rmw || operation.kind == OperationKind::cas ||
                     operation.kind == OperationKind::lock || operation.kind == OperationKind::choose;
  if (reads && count >= Word{kTrackedOperations}) {
    throw LitmusError(file_->name, fmt::format("a thread has more than {} operations, of which dependencies are to be known",
                                               kTrackedOperations));
  }
  const Word self = reads ? wrap(std::uint64_t{1} << count) : 0;
  ++count;
  if (in.result == ResultKind::value || in.result == ResultKind::zero) depends[in.dst] = self;
  if (in.result == ResultKind::cas || in.result == ResultKind::exchange) {
    if (!result.success || in.result == ResultKind::exchange) depends[in.c] = self;
    if (in.dst != kNoRegister) depends[in.dst] = self;
  }
  if (code_.selects) {  // what comes from memory is not picked
    Word* const picks = picksOf(depends, masks);
    if (in.result != ResultKind::none && in.dst != kNoRegister) picks[in.dst] = 0;
    if (in.result == ResultKind::exchange || (in.result == ResultKind::cas && !result.success)) picks[in.c] = 0;
  }
  const bool updates = operation.kind != OperationKind::load && operation.kind != OperationKind::choose &&
                       operation.kind != OperationKind::store;
  if (updates && code_.updatesAreLoops) control |= self;
}

void LitmusProgram::dependencies(ThreadId thread, Dependencies& result) const {
  std::vector<std::uint32_t> deciding;
  dependencies(thread, result, deciding);
  result.data.insert(result.data.end(), deciding.begin(), deciding.end());
}

void LitmusProgram::dependencies(ThreadId thread, Dependencies& result, std::vector<std::uint32_t>& deciding) const {
  const Block& block = blocks_[thread];
  const Word* const state = states_.data() + block.offset;
  const Word* const depends = state + block.masks;
  const Instruction& in = code_.instructions[pcOf(state[0])];
  const auto list = [](Word mask, std::vector<std::uint32_t>& numbers) {
    numbers.clear();
    for (std::uint64_t rest = bits(mask); rest != 0; rest &= rest - 1) {
      numbers.push_back(static_cast<std::uint32_t>(std::countr_zero(rest)));
    }
  };
  const bool patched = in.opcode == Opcode::patched;
  const auto flagged = [&](unsigned flag, std::uint16_t reg) { return patched && (in.flags & flag) != 0 ? depends[reg] : 0; };
  const auto picked = [&](unsigned flag, std::uint16_t reg) {
    return code_.selects && patched && (in.flags & flag) != 0 ? picksOf(depends, block.masks)[reg] : 0;
  };
  list(flagged(kAddressFromB, in.b) | flagged(kChoicesFromA, in.a), result.address);
  const Word data = flagged(kOperandFromA, in.a);
  const Word decides = picked(kOperandFromA, in.a) | picked(kExpectedFromC, in.c) | flagged(kExpectedFromC, in.c);
  list(data, result.data);
  list(decides & ~data, deciding);
  list(depends[block.masks - 1], result.control);
}

Mark LitmusProgram::mark(ThreadId thread) {
  const Block block = blocks_[thread];
  const std::uint32_t at = top_;
  if (std::size_t{at} + block.words > marks_.size()) [[unlikely]]
    return growAndMark(thread);
  copyBlock(marks_.data() + at, states_.data() + block.offset, block.words);
  top_ = at + block.words;
  return at;
}

void LitmusProgram::rewind(ThreadId thread, Mark mark) {
  const Block block = blocks_[thread];
  copyBlock(states_.data() + block.offset, marks_.data() + mark, block.words);
}

void LitmusProgram::takeBack(ThreadId thread, Mark mark) {
  LitmusProgram::rewind(thread, mark);
  top_ = mark;
}

Mark LitmusProgram::growAndMark(ThreadId thread) {
  if (2 * marks_.size() > 0xffffffffU) throw std::length_error("too many marks");
  marks_.resize(2 * marks_.size());  // doubling makes room for any one block, see the constructor
  return mark(thread);
}

void LitmusProgram::failLoop(std::uint32_t pc) const {
  const auto found = std::find_if(code_.loops.begin(), code_.loops.end(), [&](auto& loop) { return loop.pc == pc; });
  const std::uint32_t offset = found == code_.loops.end() ? 0 : found->offset;
  file_->fail(offset, fmt::format("this loop does not seem to be bounded: more than {} rounds in one run", loopBound_));
}

bool LitmusProgram::isInLocation(Address address) const {
  return std::ranges::any_of(code_.locations, [&](const CompiledLocation& l) { return address - l.address < l.bytes; });
}

Value LitmusProgram::initialValue(Address address, unsigned size) const {
  Value value = 0;
  if (size > sizeof value || address > code_.memory.size() || code_.memory.size() - address < size) return 0;
  std::memcpy(&value, code_.memory.data() + address, size);
  return value;
}

bool LitmusProgram::mayRead(const Operation& begin, Address address, unsigned size) const {
  return std::ranges::any_of(code_.transactions[begin.which()].reads, [&](std::uint32_t read) {
    const CompiledLocation& location = code_.locations[read];
    return address < location.address + location.bytes && location.address < address + size;
  });
}

std::string LitmusProgram::locationName(Address address, unsigned size) const {
  const auto after = std::upper_bound(code_.locations.begin(), code_.locations.end(), address,
                                      [](Address wanted, const CompiledLocation& l) { return wanted < l.address; });
  if (after == code_.locations.begin()) return fmt::format("{:#x}", address);
  const CompiledLocation& location = *(after - 1);
  const std::uint64_t offset = address - location.address;
  if (offset >= location.bytes) return fmt::format("{:#x}", address);
  const unsigned elementSize = location.type.size;
  if (location.isArray && size == elementSize && offset % elementSize == 0) {
    return fmt::format("{}[{}]", location.name, offset / elementSize);
  }
  if (offset == 0 && size >= location.bytes) return location.name;
  if (offset == 0 && !location.isArray && size == elementSize) return location.name;
  // Part of it, or several elements: the first byte and the last.
  return fmt::format("{}[{}:{}]", location.name, offset, offset + size - 1);
}

std::string LitmusProgram::sourceText(std::uint32_t source) const {
  if (source >= code_.sources.size()) return file_->name;
  constexpr std::size_t limit = 160;
  const SourceRange& range = code_.sources[source];
  std::string text;
  bool space = false;
  for (std::size_t at = range.begin; at < range.end && at < file_->text.size(); ++at) {
    const char c = file_->text[at];
    if (static_cast<unsigned char>(c) <= ' ') {
      space = true;
      continue;
    }
    if (space) text += ' ';
    space = false;
    text += c;
    if (text.size() >= limit) {
      text += "...";
      break;
    }
  }
  if (!text.empty() && text.back() == ';') text.pop_back();
  return fmt::format("{}:{}: {}", file_->name, range.line, text);
}

}  // namespace heddle::litmus
