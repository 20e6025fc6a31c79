#include "native/instrument/assembly.h"

#include <fmt/format.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "native/compile/link.h"
#include "native/instrument/assembly_text.h"
#include "native/instrument/processor_intrinsics.h"

namespace heddle::native {
namespace {

using llvm::AtomicOrdering;
using BinOp = llvm::AtomicRMWInst::BinOp;

constexpr AtomicOrdering kSeqCst = AtomicOrdering::SequentiallyConsistent;

// An operand of the assembly as its constraint declares it.
struct Operand {
  llvm::Value* address = nullptr;  // of a memory operand, and
  llvm::Type* pointee = nullptr;   // its type
  std::size_t location = 0;        // otherwise: where its value is, a register or a constant
  llvm::Type* type = nullptr;      // of that value
  int output = -1;                 // which of the results it is
  bool scratch = false;            // a register that no constraint asks for
  std::string code;                // its constraint, without modifiers
};

// What an operand in the text is about: all of a register, or a part of it.
struct Reference {
  const Operand* operand = nullptr;
  unsigned bits = 0;  // as the text says, or 0
  bool high = false;  // the second byte

  explicit operator bool() const { return operand != nullptr; }
};

class Assembly {
 public:
  Assembly(Instrumentation& instrumentation, llvm::CallInst& call)
      : ins_(instrumentation), call_(call), assembly_(llvm::cast<llvm::InlineAsm>(call.getCalledOperand())), builder_(&call) {}

  // False if the code is none of the idioms; nothing has been changed then.
  bool lower() {
    const llvm::Instruction* const before = call_.getPrevNode();
    const llvm::BasicBlock* const block = call_.getParent();
    if (readConstraints() && lowerAll() && finish()) return true;
    while (call_.getParent() == block && call_.getPrevNode() != before) call_.getPrevNode()->eraseFromParent();
    return false;
  }

  // Does the code use no memory, neither by an operand nor in its text?
  bool isRegisterOnly() const {
    const auto isIndirect = [](const llvm::InlineAsm::ConstraintInfo& constraint) { return constraint.isIndirect; };
    const std::vector<Statement> statements = parseAssembly(assembly_->getAsmString());
    return llvm::none_of(assembly_->ParseConstraints(), isIndirect) &&
           llvm::all_of(statements, [](const Statement& statement) { return native::isRegisterOnly(statement); });
  }

 private:
  bool lowerAll() {
    return llvm::all_of(parseAssembly(assembly_->getAsmString()),
                        [&](const Statement& statement) { return !statement.labelled && lower(statement); });
  }

  bool readConstraints() {
    unsigned argument = 0;
    for (const llvm::InlineAsm::ConstraintInfo& constraint : assembly_->ParseConstraints()) {
      if (constraint.Type == llvm::InlineAsm::isClobber) {
        orders_ |= constraint.Codes.front() == "{memory}";
        continue;
      }
      if (constraint.Type == llvm::InlineAsm::isLabel || constraint.isMultipleAlternative) return false;
      Operand operand;
      if (!constraint.Codes.empty()) operand.code = canonicalRegister(constraint.Codes.front());
      if (constraint.isIndirect) {
        operand.address = call_.getArgOperand(argument);
        operand.pointee = call_.getParamElementType(argument);
        ++argument;
      } else if (constraint.Type == llvm::InlineAsm::isOutput) {
        operand.output = static_cast<int>(outputs_++);
        operand.type = typeOfOutput(operand.output);
        operand.location = addLocation(nullptr);
      } else if (!readInput(operand, call_.getArgOperand(argument++))) {
        return false;
      }
      operands_.push_back(operand);
    }
    numbered_ = operands_.size();
    addScratchRegisters();
    return true;
  }

  // Registers that no operand is in may hold a value from one statement to another. What is in them before is unknown.
  void addScratchRegisters() {
    for (const RegisterNames& names : kRegisters) {
      if (llvm::any_of(operands_, [&](const Operand& operand) { return operand.code == names.code; })) continue;
      Operand operand{.location = addLocation(nullptr), .type = builder_.getInt64Ty(), .code = names.code};
      operand.scratch = true;
      operands_.push_back(operand);
    }
  }

  // An input may be in the same register as an output: written as its number, or as the same register by name.
  bool readInput(Operand& operand, llvm::Value* value) {
    operand.type = value->getType();
    llvm::Value* const number = toInteger(value, builder_.getInt64Ty());
    if (!number) return false;
    const bool numbered = !operand.code.empty() && std::isdigit(static_cast<unsigned char>(operand.code[0]));
    const bool named = operand.code.starts_with('{');
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      const Operand& output = operands_[i];
      const bool same = numbered ? std::stoul(operand.code) == i : named && output.code == operand.code;
      if (!same || output.output < 0) continue;
      operand.location = output.location;
      locations_[operand.location] = number;
      return true;
    }
    operand.location = addLocation(number);
    return !numbered;
  }

  std::size_t addLocation(llvm::Value* value) {
    locations_.push_back(value);
    return locations_.size() - 1;
  }

  llvm::Type* typeOfOutput(int output) const {
    auto* const record = llvm::dyn_cast<llvm::StructType>(call_.getType());
    return record ? record->getElementType(static_cast<unsigned>(output)) : call_.getType();
  }

  // $1, ${1:b}, ($1), or the name of a register.
  Reference referenceTo(std::string text) {
    if (text.size() > 2 && text.front() == '(' && text.back() == ')') text = text.substr(1, text.size() - 2);
    if (text.starts_with('%')) return referenceToRegister(text);
    if (text.size() < 2 || text[0] != '$') return {};
    const bool braces = text[1] == '{';
    const std::size_t at = braces ? 2 : 1;
    if (at >= text.size() || !std::isdigit(static_cast<unsigned char>(text[at]))) return {};
    const std::size_t number = std::stoul(text.substr(at));
    if (number >= numbered_) return {};
    Reference reference{.operand = &operands_[number]};
    const std::size_t colon = text.find(':');
    const std::string modifier = braces && colon != std::string::npos ? text.substr(colon + 1, text.size() - colon - 2) : "";
    if (modifier == "b") reference.bits = 8;
    if (modifier == "h") reference.bits = 8, reference.high = true;
    if (modifier == "w") reference.bits = 16;
    if (modifier == "k") reference.bits = 32;
    if (modifier == "q") reference.bits = 64;
    return reference.bits != 0 || modifier.empty() || modifier == "c" ? reference : Reference{};
  }

  Reference referenceToRegister(const std::string& text) {
    for (const RegisterNames& names : kRegisters) {
      const auto* const name = std::find(std::begin(names.names), std::end(names.names), text);
      if (name == std::end(names.names)) continue;
      const auto operand =
          std::find_if(operands_.begin(), operands_.end(), [&](const Operand& o) { return o.code == names.code; });
      const auto which = name - std::begin(names.names);
      return {.operand = &*operand, .bits = which == 4 ? 8u : 64u >> which, .high = which == 4};
    }
    return {};
  }

  // The address of a memory operand, or of `8(register)`.
  llvm::Value* addressOf(const std::string& text) {
    const std::size_t parenthesis = text.find('(');
    const Reference reference = referenceTo(text.substr(parenthesis == std::string::npos ? 0 : parenthesis));
    if (!reference || (reference.bits != 0 && reference.bits != 64)) return nullptr;
    if (reference.operand->pointee) return parenthesis == std::string::npos ? reference.operand->address : nullptr;
    llvm::Value* const number = locations_[reference.operand->location];
    if (parenthesis == std::string::npos || !number || !reference.operand->type->isPointerTy()) return nullptr;
    char* end = nullptr;
    const long offset = std::strtol(text.c_str(), &end, 0);
    if (end != text.c_str() + parenthesis) return nullptr;
    llvm::Value* const base = builder_.CreateIntToPtr(number, reference.operand->type);
    return offset == 0 ? base : builder_.CreateConstGEP1_64(builder_.getInt8Ty(), base, static_cast<std::uint64_t>(offset));
  }

  // The value of a register or immediate operand, as an integer of `type`.
  llvm::Value* valueOf(const std::string& text, llvm::IntegerType* type) {
    if (text.size() > 2 && text[0] == '$' && text[1] == '$') {
      const std::string digits = text.substr(2);
      char* end = nullptr;
      const unsigned long long number = std::strtoull(digits.c_str(), &end, 0);
      return *end == 0 ? llvm::ConstantInt::get(type, llvm::APInt(64, number).zextOrTrunc(type->getBitWidth())) : nullptr;
    }
    const Reference reference = referenceTo(text);
    if (!reference || text.front() == '(' || reference.operand->pointee) return nullptr;
    if (reference.bits != 0 && reference.bits != type->getBitWidth()) return nullptr;
    llvm::Value* value = locations_[reference.operand->location];
    if (!value) return nullptr;
    if (reference.high) value = builder_.CreateLShr(value, 8);
    return builder_.CreateTrunc(value, type);
  }

  llvm::Value* toInteger(llvm::Value* value, llvm::IntegerType* type) {
    if (value->getType()->isPointerTy()) value = builder_.CreatePtrToInt(value, builder_.getInt64Ty());
    if (value->getType()->isFloatingPointTy() && value->getType()->getScalarSizeInBits() <= 64)
      value = builder_.CreateBitCast(value, builder_.getIntNTy(value->getType()->getScalarSizeInBits()));
    if (!value->getType()->isIntegerTy() || value->getType()->getIntegerBitWidth() > 64) return nullptr;
    return builder_.CreateZExtOrTrunc(value, type);
  }

  // Writes a register. One or two bytes leave the others as they are, four clear the upper half. Only outputs and scratch
  // registers are written.
  bool setRegister(const Reference& reference, llvm::Value* value) {
    const unsigned bits = value->getType()->getIntegerBitWidth();
    if (!reference || reference.operand->pointee || (reference.bits != 0 && reference.bits != bits)) return false;
    llvm::Value*& whole = locations_[reference.operand->location];
    const bool written = std::any_of(operands_.begin(), operands_.end(), [&](const Operand& operand) {
      return (operand.output >= 0 || operand.scratch) && operand.location == reference.operand->location;
    });
    if (!written) return false;
    llvm::Value* part = builder_.CreateZExt(value, builder_.getInt64Ty());
    if (bits < 32) {
      if (!whole && (reference.high || !hasWidth(reference.operand->type, bits))) return false;  // the rest is anything
      const unsigned shift = reference.high ? 8 : 0;
      const std::uint64_t mask = ((std::uint64_t{1} << bits) - 1) << shift;
      if (shift != 0) part = builder_.CreateShl(part, shift);
      if (whole) part = builder_.CreateOr(builder_.CreateAnd(whole, ~mask), part);
    }
    whole = part;
    copies_.erase(reference.operand->location);
    return true;
  }

  // The whole of a register, if that is what the text says.
  const Operand* wholeRegister(const std::string& text) {
    const Reference reference = referenceTo(text);
    const bool whole =
        reference && text.front() != '(' && !reference.operand->pointee && (reference.bits == 64 || reference.bits == 0);
    return whole ? reference.operand : nullptr;
  }

  static bool hasWidth(const llvm::Type* type, unsigned bits) {
    return type->isIntegerTy() && type->getIntegerBitWidth() <= bits;
  }

  // The width of an operation: by the mnemonic's suffix, and else by the operands.
  llvm::IntegerType* widthOf(const Statement& statement, const std::string& root) {
    const std::string suffix = statement.mnemonic.substr(root.size());
    if (suffix == "b") return builder_.getInt8Ty();
    if (suffix == "w") return builder_.getInt16Ty();
    if (suffix == "l") return builder_.getInt32Ty();
    if (suffix == "q") return builder_.getInt64Ty();
    if (!suffix.empty()) return nullptr;
    // A register says how wide it is; only without one does the memory operand.
    llvm::IntegerType* width = nullptr;
    for (const std::string& text : statement.operands) {
      const Reference reference = referenceTo(text);
      if (!reference || text.front() == '(' || (width && reference.operand->pointee)) continue;
      if (reference.bits != 0) return builder_.getIntNTy(reference.bits);
      llvm::Type* const type = reference.operand->pointee ? reference.operand->pointee : reference.operand->type;
      const bool constant = !reference.operand->pointee && isConstant(*reference.operand);
      if (type->isPointerTy()) {
        width = builder_.getInt64Ty();
      } else if (type->isIntegerTy() && !constant) {
        width = llvm::cast<llvm::IntegerType>(type);
      }
    }
    return width;
  }

  // Is it an immediate in the text?
  bool isConstant(const Operand& operand) const {
    return operand.output < 0 && locations_[operand.location] && llvm::isa<llvm::ConstantInt>(locations_[operand.location]) &&
           operand.code.find_first_of("iInNJKLMZe") != std::string::npos;
  }

  bool fence(AtomicOrdering order) {
    builder_.CreateFence(order);
    return true;
  }

  bool lowerStoreFence() {
    emitFlush(ins_, builder_, llvm::Constant::getNullValue(builder_.getPtrTy()), Flush::wait);
    return fence(AtomicOrdering::Release);
  }

  // Assemblers that do not know the newer ones are given a prefix and an older instruction: 0x66 and clflush is clflushopt, 0x66 and
  // xsaveopt is clwb.
  bool lowerFlush(const Statement& statement) {
    if (statement.operands.size() != 1) return false;
    if (statement.mnemonic == ".byte") return !std::exchange(prefixed_, statement.operands[0] == "0x66") && prefixed_;
    const bool prefixed = std::exchange(prefixed_, false);
    const bool hasName = statement.mnemonic == "clflushopt" || statement.mnemonic == "clwb";
    llvm::Value* const address = addressOf(statement.operands[0]);
    if (!address || (prefixed && hasName) || (!prefixed && statement.mnemonic == "xsaveopt")) return false;
    emitFlush(ins_, builder_, address, prefixed || hasName ? Flush::lineLater : Flush::line);
    return true;
  }

  // A locked addition of 0 to the thread's own stack, as kernels and runtimes write a full fence.
  static bool isStackBarrier(const Statement& statement) {
    const std::string& name = statement.mnemonic;
    return (name.starts_with("add") || name.starts_with("or")) && statement.operands.size() == 2 &&
           statement.operands[0] == "$$0" && statement.operands[1].ends_with("(%rsp)");
  }

  bool lower(const Statement& statement) {
    const std::string& name = statement.mnemonic;
    if (name == "nop" || name == "pause" || name.starts_with("prefetch")) return true;
    if (name == "rdtsc" || name == "rdtscp") return lowerCycleCounter(name == "rdtscp");
    if (name == "cpuid") return lowerProcessorId();
    if (name.starts_with("movnti")) return lowerStreamingMove(statement);
    if (name.starts_with("mov")) return lowerMove(statement);
    if (name == "mfence") return fence(kSeqCst);
    if (name == "lfence") return fence(AtomicOrdering::Acquire);
    if (name == "sfence") return lowerStoreFence();
    if (name == "clflush" || name == "clflushopt" || name == "clwb" || name == "xsaveopt" || name == ".byte")
      return lowerFlush(statement);
    if (name.starts_with("set") && statement.operands.size() == 1) return lowerSet(name.substr(3), statement.operands[0]);
    if (name.starts_with("xchg")) return lowerExchange(statement);
    if (!statement.locked) return lowerArithmetic(statement);
    if (isStackBarrier(statement)) return fence(kSeqCst);
    if (name == "cmpxchg16b") return lowerPairExchange(statement, 64);
    if (name == "cmpxchg8b") return lowerPairExchange(statement, 32);
    if (name.starts_with("cmpxchg")) return lowerCompareExchange(statement);
    if (name.starts_with("xadd")) return lowerExchangeAdd(statement);
    static constexpr std::pair<const char*, BinOp> kUnary[] = {{"inc", BinOp::Add}, {"dec", BinOp::Sub}, {"not", BinOp::Xor}};
    static constexpr std::pair<const char*, BinOp> kBinary[] = {
        {"add", BinOp::Add}, {"sub", BinOp::Sub}, {"and", BinOp::And}, {"or", BinOp::Or}, {"xor", BinOp::Xor}};
    static constexpr const char* kBits[] = {"bts", "btr", "btc"};
    for (const auto& [root, operation] : kUnary) {
      if (name.starts_with(root)) return lowerUnary(statement, root, operation);
    }
    for (const auto& [root, operation] : kBinary) {
      if (name.starts_with(root)) return lowerBinary(statement, root, operation);
    }
    for (const char* root : kBits) {
      if (name.starts_with(root)) return lowerBit(statement, root);
    }
    return false;
  }

  // The two operands, one of them in memory. xchg has them in either order, the others have memory last.
  bool split(const Statement& statement, const std::string& root, bool eitherOrder) {
    if (statement.operands.size() != 2) return false;
    type_ = widthOf(statement, root);
    address_ = addressOf(statement.operands[1]);
    register_ = statement.operands[0];
    if (!address_ && eitherOrder) {
      address_ = addressOf(statement.operands[0]);
      register_ = statement.operands[1];
    }
    return type_ && address_;
  }

  llvm::Align alignment() const { return llvm::Align(type_->getBitWidth() / 8); }

  llvm::Value* update(BinOp operation, llvm::Value* value) {
    return builder_.CreateAtomicRMW(operation, address_, value, alignment(), kSeqCst);
  }

  // A load or a store is as ordered as the processor makes it, acquire or release; but if the compiler is not told to keep other
  // accesses where they are, it is relaxed. Between registers it is a copy, also of what is unknown.
  bool lowerMove(const Statement& statement) {
    if (statement.operands.size() != 2) return false;
    const std::string& from = statement.operands[0];
    const std::string& to = statement.operands[1];
    type_ = widthOf(statement, "mov");
    if (!type_) return false;
    if (llvm::Value* const target = addressOf(to)) {
      llvm::Value* const value = valueOf(from, type_);
      if (!value) return false;
      builder_.CreateAlignedStore(value, target, alignment())
          ->setAtomic(orders_ ? AtomicOrdering::Release : AtomicOrdering::Monotonic);
      return true;
    }
    if (llvm::Value* const source = addressOf(from)) {
      llvm::LoadInst* const load = builder_.CreateAlignedLoad(type_, source, alignment());
      load->setAtomic(orders_ ? AtomicOrdering::Acquire : AtomicOrdering::Monotonic);
      return setRegister(referenceTo(to), load);
    }
    if (llvm::Value* const value = valueOf(from, type_)) return setRegister(referenceTo(to), value);
    const Operand* const source = wholeRegister(from);
    const Operand* const target = wholeRegister(to);
    if (!source || !target || type_ != builder_.getInt64Ty() || !target->scratch) return false;
    locations_[target->location] = nullptr;
    copies_[target->location] = source->location;
    return true;
  }

  // A store from a register, and a flush of its line that a fence waits for, as the intrinsic is (processor_intrinsics.h).
  bool lowerStreamingMove(const Statement& statement) {
    if (!split(statement, "movnti", false)) return false;
    llvm::Value* const value = valueOf(register_, type_);
    if (!value) return false;
    builder_.CreateAlignedStore(value, address_, alignment())
        ->setAtomic(orders_ ? AtomicOrdering::Release : AtomicOrdering::Monotonic);
    emitFlush(ins_, builder_, address_, Flush::lineLater);
    return true;
  }

  // The thread's clock, in nanoseconds: a processor of 1 GHz.
  bool lowerCycleCounter(bool withProcessor) {
    llvm::Value* const cycles = builder_.CreateCall(ins_.module.getFunction(kCycleCounter));
    llvm::Value* const high = builder_.CreateLShr(cycles, 32);
    return setRegister(referenceToRegister("%eax"), builder_.CreateTrunc(cycles, builder_.getInt32Ty())) &&
           setRegister(referenceToRegister("%edx"), builder_.CreateTrunc(high, builder_.getInt32Ty())) &&
           (!withProcessor || setRegister(referenceToRegister("%ecx"), builder_.getInt32(0)));
  }

  // A processor that says nothing of itself, so that programs do without what not every processor has.
  bool lowerProcessorId() {
    builder_.CreateCall(ins_.hooks.warn, {ins_.text("cpuid gave 0 for everything; no other answer was explored")});
    if (orders_) builder_.CreateFence(kSeqCst);
    return llvm::all_of(llvm::ArrayRef{"%eax", "%ebx", "%ecx", "%edx"}, [&](const char* name) {
      const Reference target = referenceToRegister(name);
      const bool onlyInput = target.operand->output < 0 && !target.operand->scratch;
      return onlyInput || setRegister(target, builder_.getInt32(0));
    });
  }

  // On registers, as it is found around the others: what has the result of rdtsc put together, say.
  bool lowerArithmetic(const Statement& statement) {
    using Op = llvm::Instruction::BinaryOps;
    static constexpr std::pair<const char*, Op> kOperations[] = {{"add", Op::Add}, {"sub", Op::Sub}, {"and", Op::And},
                                                                 {"or", Op::Or},   {"xor", Op::Xor}, {"shl", Op::Shl},
                                                                 {"shr", Op::LShr}};
    for (const auto& [root, operation] : kOperations) {
      if (!statement.mnemonic.starts_with(root) || statement.operands.size() != 2) continue;
      llvm::IntegerType* const type = widthOf(statement, root);
      if (!type || type->getBitWidth() < 32) return false;
      llvm::Value* const left = valueOf(statement.operands[1], type);
      llvm::Value* const right = valueOf(statement.operands[0], type);
      const bool shifts = operation == Op::Shl || operation == Op::LShr;
      if (!left || !right || (shifts && !llvm::isa<llvm::ConstantInt>(right))) return false;
      if (shifts && llvm::cast<llvm::ConstantInt>(right)->getZExtValue() >= type->getBitWidth()) return false;
      llvm::Value* const result = builder_.CreateBinOp(operation, left, right);
      zero_ = sign_ = carry_ = nullptr;
      return setRegister(referenceTo(statement.operands[1]), result);
    }
    return false;
  }

  bool lowerExchange(const Statement& statement) {
    if (exchangesRegisters(statement)) return true;
    if (!split(statement, "xchg", true)) return false;
    llvm::Value* value = valueOf(register_, type_);
    return value && setRegister(referenceTo(register_), update(BinOp::Xchg, value));
  }

  // Between registers, one of which may be unknown: as cpuid saves %rbx.
  bool exchangesRegisters(const Statement& statement) {
    const Operand* const a = statement.operands.size() == 2 ? wholeRegister(statement.operands[0]) : nullptr;
    const Operand* const b = a ? wholeRegister(statement.operands[1]) : nullptr;
    if (!b || widthOf(statement, "xchg") != builder_.getInt64Ty()) return false;
    const bool written = (a->output >= 0 || a->scratch) && (b->output >= 0 || b->scratch);
    if (!written || copies_.contains(a->location) || copies_.contains(b->location)) return false;
    std::swap(locations_[a->location], locations_[b->location]);
    return true;
  }

  bool lowerExchangeAdd(const Statement& statement) {
    if (!split(statement, "xadd", false)) return false;
    llvm::Value* value = valueOf(register_, type_);
    if (!value) return false;
    llvm::Value* old = update(BinOp::Add, value);
    setFlags(builder_.CreateAdd(old, value));
    return setRegister(referenceTo(register_), old);
  }

  bool lowerUnary(const Statement& statement, const char* root, BinOp operation) {
    if (statement.operands.size() != 1) return false;
    type_ = widthOf(statement, root);
    address_ = addressOf(statement.operands[0]);
    if (!type_ || !address_) return false;
    llvm::Value* value = operation == BinOp::Xor ? llvm::ConstantInt::getAllOnesValue(type_) : llvm::ConstantInt::get(type_, 1);
    llvm::Value* old = update(operation, value);
    if (operation != BinOp::Xor) setFlags(combine(operation, old, value));
    return true;
  }

  bool lowerBinary(const Statement& statement, const char* root, BinOp operation) {
    if (!split(statement, root, false)) return false;
    llvm::Value* value = valueOf(register_, type_);
    if (!value) return false;
    setFlags(combine(operation, update(operation, value), value));
    return true;
  }

  llvm::Value* combine(BinOp operation, llvm::Value* old, llvm::Value* value) {
    switch (operation) {
      case BinOp::Add: return builder_.CreateAdd(old, value);
      case BinOp::Sub: return builder_.CreateSub(old, value);
      case BinOp::And: return builder_.CreateAnd(old, value);
      case BinOp::Or: return builder_.CreateOr(old, value);
      default: return builder_.CreateXor(old, value);
    }
  }

  // The bit may be outside of the word: then it is in another word, which is not what anybody means here.
  bool lowerBit(const Statement& statement, const std::string& root) {
    if (!split(statement, root, false)) return false;
    llvm::Value* index = valueOf(register_, type_);
    if (!index) return false;
    const unsigned width = type_->getBitWidth();
    ins_.failIf(builder_, builder_.CreateICmpUGE(index, llvm::ConstantInt::get(type_, width)), runtime::ErrorKind::unsupported,
                "a bit operation in assembly that reaches beyond its word", ins_.sources.of(call_));
    llvm::Value* bit = builder_.CreateShl(llvm::ConstantInt::get(type_, 1), index);
    llvm::Value* old = root == "bts"   ? update(BinOp::Or, bit)
                       : root == "btr" ? update(BinOp::And, builder_.CreateNot(bit))
                                       : update(BinOp::Xor, bit);
    carry_ = builder_.CreateIsNotNull(builder_.CreateAnd(old, bit));
    zero_ = sign_ = nullptr;
    return true;
  }

  bool lowerCompareExchange(const Statement& statement) {
    if (!split(statement, "cmpxchg", false)) return false;
    static constexpr const char* kAccumulators[] = {"%rax", "%eax", "%ax", "%al"};
    const std::string accumulator = kAccumulators[3 - llvm::Log2_32(type_->getBitWidth() / 8)];
    llvm::Value* desired = valueOf(register_, type_);
    llvm::Value* expected = valueOf(accumulator, type_);
    if (!desired || !expected) return false;
    llvm::Value* pair = builder_.CreateAtomicCmpXchg(address_, expected, desired, alignment(), kSeqCst, kSeqCst);
    zero_ = builder_.CreateExtractValue(pair, 1);
    sign_ = carry_ = nullptr;
    return setAccumulator(accumulator, builder_.CreateExtractValue(pair, 0));
  }

  // Two registers, or halves of them, as one value; null if one is unknown.
  llvm::Value* pairOf(const char* low, const char* high, unsigned bits) {
    llvm::IntegerType* const half = builder_.getIntNTy(bits);
    llvm::Value* const first = valueOf(low, half);
    llvm::Value* const second = valueOf(high, half);
    if (!first || !second) return nullptr;
    return builder_.CreateOr(builder_.CreateZExt(first, type_), builder_.CreateShl(builder_.CreateZExt(second, type_), bits));
  }

  bool isCopy(const char* copy, const char* original) {
    const auto found = copies_.find(referenceToRegister(copy).operand->location);
    const std::size_t source = referenceToRegister(original).operand->location;
    return found != copies_.end() && found->second == source && !locations_[source];
  }

  // cmpxchg16b and cmpxchg8b. If it would write what it compares with, that may be anything: the result is what is there.
  bool lowerPairExchange(const Statement& statement, unsigned bits) {
    address_ = statement.operands.size() == 1 ? addressOf(statement.operands[0]) : nullptr;
    if (!address_) return false;
    type_ = builder_.getIntNTy(2 * bits);
    const bool wide = bits == 64;
    const char* const low = wide ? "%rax" : "%eax";
    const char* const high = wide ? "%rdx" : "%edx";
    llvm::Value* expected = pairOf(low, high, bits);
    llvm::Value* desired = pairOf(wide ? "%rbx" : "%ebx", wide ? "%rcx" : "%ecx", bits);
    if (isCopy("%rbx", "%rax") && isCopy("%rcx", "%rdx")) expected = desired = llvm::ConstantInt::get(type_, 0);
    if (!expected || !desired) return false;
    llvm::Value* const pair = builder_.CreateAtomicCmpXchg(address_, expected, desired, alignment(), kSeqCst, kSeqCst);
    llvm::Value* const old = builder_.CreateExtractValue(pair, 0);
    zero_ = builder_.CreateExtractValue(pair, 1);
    sign_ = carry_ = nullptr;
    llvm::IntegerType* const half = builder_.getIntNTy(bits);
    return setAccumulator(low, builder_.CreateTrunc(old, half)) &&
           setAccumulator(high, builder_.CreateTrunc(builder_.CreateLShr(old, bits), half));
  }

  // It may be an input only: then it is an output of nobody's, whatever it holds.
  bool setAccumulator(const std::string& name, llvm::Value* value) {
    const Reference target = referenceToRegister(name);
    return (target.operand->output < 0 && !target.operand->scratch) || setRegister(target, value);
  }

  void setFlags(llvm::Value* result) {
    zero_ = builder_.CreateIsNull(result);
    sign_ = builder_.CreateICmpSLT(result, llvm::Constant::getNullValue(result->getType()));
    carry_ = nullptr;
  }

  llvm::Value* flag(const std::string& condition) {
    const auto inverse = [&](llvm::Value* value) { return value ? builder_.CreateNot(value) : nullptr; };
    if (condition == "e" || condition == "z") return zero_;
    if (condition == "ne" || condition == "nz") return inverse(zero_);
    if (condition == "s") return sign_;
    if (condition == "ns") return inverse(sign_);
    if (condition == "c" || condition == "b") return carry_;
    if (condition == "nc" || condition == "ae") return inverse(carry_);
    return nullptr;
  }

  // One byte, of a register or of memory.
  bool lowerSet(const std::string& condition, const std::string& target) {
    llvm::Value* value = flag(condition);
    if (!value) return false;
    value = builder_.CreateZExt(value, builder_.getInt8Ty());
    if (llvm::Value* const address = addressOf(target)) {
      builder_.CreateStore(value, address);
      return true;
    }
    const Reference reference = referenceTo(target);
    return target.front() != '(' && setRegister(reference, value);
  }

  // The call's value is that of all outputs; those that are flags are in no register ("=@ccz").
  bool finish() {
    std::vector<llvm::Value*> results;
    for (const Operand& operand : operands_) {
      if (operand.output < 0) continue;
      const bool isFlag = operand.code.starts_with("{@cc");
      llvm::Value* value = isFlag ? flag(operand.code.substr(4, operand.code.size() - 5)) : locations_[operand.location];
      if (!value) return false;
      if (operand.type->isPointerTy()) {
        value = builder_.CreateIntToPtr(value, operand.type);
      } else if (operand.type->isIntegerTy()) {
        value = builder_.CreateZExtOrTrunc(value, operand.type);
      } else if (operand.type->isFloatTy() || operand.type->isDoubleTy()) {
        llvm::Type* const bits = builder_.getIntNTy(operand.type->getScalarSizeInBits());
        value = builder_.CreateBitCast(builder_.CreateZExtOrTrunc(value, bits), operand.type);
      } else {
        return false;
      }
      results.push_back(value);
    }
    if (results.size() == 1) {
      call_.replaceAllUsesWith(results[0]);
    } else if (!results.empty()) {
      llvm::Value* all = llvm::PoisonValue::get(call_.getType());
      for (unsigned i = 0; i < results.size(); ++i) all = builder_.CreateInsertValue(all, results[i], i);
      call_.replaceAllUsesWith(all);
    }
    call_.eraseFromParent();
    return true;
  }

  Instrumentation& ins_;
  llvm::CallInst& call_;
  llvm::InlineAsm* assembly_;
  llvm::IRBuilder<> builder_;
  std::vector<Operand> operands_;
  std::vector<llvm::Value*> locations_;        // what registers and constants hold, as 64 bits; null if nobody knows
  std::map<std::size_t, std::size_t> copies_;  // locations that hold what another, unknown one does
  std::size_t numbered_ = 0;                   // of the operands; scratch registers follow
  std::size_t outputs_ = 0;
  bool prefixed_ = false;                                             // the last statement was 0x66
  bool orders_ = false;                                               // to the compiler it may access any memory
  llvm::Value *zero_ = nullptr, *sign_ = nullptr, *carry_ = nullptr;  // the flags, as far as they are known
  llvm::IntegerType* type_ = nullptr;
  llvm::Value* address_ = nullptr;
  std::string register_;
};

}  // namespace

void lowerAssembly(Instrumentation& instrumentation, llvm::Function& function) {
  std::vector<llvm::CallBase*> calls;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) lowerStreaming(instrumentation, *store);
    if (intrinsic && lowerProcessorIntrinsic(instrumentation, *intrinsic)) continue;
    if (call && call->isInlineAsm()) calls.push_back(call);
  }
  for (llvm::CallBase* call : calls) {
    auto* plain = llvm::dyn_cast<llvm::CallInst>(call);
    if (plain && (Assembly(instrumentation, *plain).lower() || Assembly(instrumentation, *plain).isRegisterOnly())) continue;
    const std::string& text = llvm::cast<llvm::InlineAsm>(call->getCalledOperand())->getAsmString();
    instrumentation.stopInsteadOf(
        *call, fmt::format("inline assembly that heddle does not understand: {}", llvm::StringRef(text).trim().str()));
  }
}

}  // namespace heddle::native
