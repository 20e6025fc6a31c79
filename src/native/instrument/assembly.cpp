#include "native/instrument/assembly.h"

#include <fmt/format.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

namespace heddle::native {
namespace {

using llvm::AtomicOrdering;
using BinOp = llvm::AtomicRMWInst::BinOp;

constexpr AtomicOrdering kSeqCst = AtomicOrdering::SequentiallyConsistent;

std::string trimmed(std::string text) {
  const auto isSpace = [](unsigned char c) { return std::isspace(c) != 0; };
  while (!text.empty() && isSpace(text.back())) text.pop_back();
  text.erase(text.begin(), std::find_if_not(text.begin(), text.end(), isSpace));
  return text;
}

// A statement: its mnemonic and its operands.
struct Statement {
  std::string mnemonic;
  std::vector<std::string> operands;
  bool locked = false;
};

// Statements end at a semicolon or a line's end; `lock` and `rep` may stand on their own.
std::vector<Statement> parse(const std::string& text) {
  std::vector<std::string> lines(1);
  bool comment = false;
  for (const char c : text) {
    if (c == '\n' || (c == ';' && !comment)) {
      lines.emplace_back();
      comment = false;
    } else if (c == '#') {
      comment = true;
    } else if (!comment) {
      lines.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  std::vector<Statement> statements;
  bool locked = false;
  for (std::string line : lines) {
    line = trimmed(line);
    while (!line.empty()) {
      const std::string word = line.substr(0, line.find_first_of(" \t"));
      if (word != "lock" && word != "rep") break;
      locked |= word == "lock";
      line = trimmed(line.substr(word.size()));
    }
    if (line.empty()) continue;
    Statement statement;
    statement.locked = locked;
    locked = false;
    const std::size_t space = std::min(line.find_first_of(" \t"), line.size());
    statement.mnemonic = line.substr(0, space);
    std::string rest = line.substr(space);
    for (std::size_t comma; (comma = rest.find(',')) != std::string::npos; rest = rest.substr(comma + 1)) {
      statement.operands.push_back(trimmed(rest.substr(0, comma)));
    }
    if (rest = trimmed(rest); !rest.empty()) statement.operands.push_back(rest);
    statements.push_back(std::move(statement));
  }
  return statements;
}

// An operand of the assembly as its constraint declares it.
struct Operand {
  llvm::Value* address = nullptr;  // of a memory operand, and
  llvm::Type* pointee = nullptr;   // its type
  std::size_t location = 0;        // otherwise: where its value is, a register or a constant
  llvm::Type* type = nullptr;      // of that value
  int output = -1;                 // which of the results it is
  std::string code;                // its constraint, without modifiers
};

// What an operand in the text is about: all of a register, or a part of it.
struct Reference {
  const Operand* operand = nullptr;
  unsigned bits = 0;  // as the text says, or 0
  bool high = false;  // the second byte

  explicit operator bool() const { return operand != nullptr; }
};

// The names of registers that constraints may ask for: 8 bytes, 4, 2, 1, the second byte.
struct RegisterNames {
  const char* code;
  const char* names[5];
};
constexpr RegisterNames kRegisters[] = {
    {"{ax}", {"%rax", "%eax", "%ax", "%al", "%ah"}}, {"{bx}", {"%rbx", "%ebx", "%bx", "%bl", "%bh"}},
    {"{cx}", {"%rcx", "%ecx", "%cx", "%cl", "%ch"}}, {"{dx}", {"%rdx", "%edx", "%dx", "%dl", "%dh"}},
    {"{si}", {"%rsi", "%esi", "%si", "%sil", ""}},   {"{di}", {"%rdi", "%edi", "%di", "%dil", ""}},
};

// A constraint may name the register by any of its names.
std::string canonical(const std::string& code) {
  for (const RegisterNames& names : kRegisters) {
    for (const char* name : names.names) {
      if (*name != 0 && code == fmt::format("{{{}}}", name + 1)) return names.code;
    }
  }
  return code;
}

class Assembly {
 public:
  Assembly(Instrumentation& instrumentation, llvm::CallInst& call)
      : ins_(instrumentation), call_(call), assembly_(llvm::cast<llvm::InlineAsm>(call.getCalledOperand())), builder_(&call) {}

  // False if the code is none of the idioms; nothing has been changed then, as far as the program can tell.
  bool lower() {
    if (!readConstraints()) return false;
    for (const Statement& statement : parse(assembly_->getAsmString())) {
      if (!lower(statement)) return false;
    }
    return finish();
  }

 private:
  bool readConstraints() {
    unsigned argument = 0;
    for (const llvm::InlineAsm::ConstraintInfo& constraint : assembly_->ParseConstraints()) {
      if (constraint.Type == llvm::InlineAsm::isClobber) continue;
      if (constraint.Type == llvm::InlineAsm::isLabel || constraint.isMultipleAlternative) return false;
      Operand operand;
      if (!constraint.Codes.empty()) operand.code = canonical(constraint.Codes.front());
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
    return true;
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
    if (number >= operands_.size()) return {};
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

  // One that no operand is in holds nothing that is known here.
  Reference referenceToRegister(const std::string& text) {
    for (const RegisterNames& names : kRegisters) {
      const auto* const name = std::find(std::begin(names.names), std::end(names.names), text);
      if (name == std::end(names.names)) continue;
      const auto operand =
          std::find_if(operands_.begin(), operands_.end(), [&](const Operand& o) { return o.code == names.code; });
      if (operand == operands_.end()) return {};
      const auto which = name - std::begin(names.names);
      return {.operand = &*operand, .bits = which == 4 ? 8u : 64u >> which, .high = which == 4};
    }
    return {};
  }

  // The address of a memory operand.
  llvm::Value* addressOf(const std::string& text) {
    const Reference reference = referenceTo(text);
    if (!reference || (reference.bits != 0 && reference.bits != 64)) return nullptr;
    if (reference.operand->pointee) return text.front() == '(' ? nullptr : reference.operand->address;
    llvm::Value* const number = locations_[reference.operand->location];
    if (text.front() != '(' || !number || !reference.operand->type->isPointerTy()) return nullptr;
    return builder_.CreateIntToPtr(number, reference.operand->type);
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
    if (!value->getType()->isIntegerTy()) return nullptr;
    return builder_.CreateZExtOrTrunc(value, type);
  }

  // Writes a register. One or two bytes leave the others as they are, four clear the upper half. Only outputs are written.
  bool setRegister(const Reference& reference, llvm::Value* value) {
    const unsigned bits = value->getType()->getIntegerBitWidth();
    if (!reference || reference.operand->pointee || (reference.bits != 0 && reference.bits != bits)) return false;
    llvm::Value*& whole = locations_[reference.operand->location];
    const bool written = std::any_of(operands_.begin(), operands_.end(), [&](const Operand& operand) {
      return operand.output >= 0 && operand.location == reference.operand->location;
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
    return true;
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

  // A locked addition of 0 to the thread's own stack, as kernels and runtimes write a full fence.
  static bool isStackBarrier(const Statement& statement) {
    const std::string& name = statement.mnemonic;
    return (name.starts_with("add") || name.starts_with("or")) && statement.operands.size() == 2 &&
           statement.operands[0] == "$$0" && statement.operands[1].ends_with("(%rsp)");
  }

  bool lower(const Statement& statement) {
    const std::string& name = statement.mnemonic;
    if (name == "nop" || name == "pause") return true;
    if (name == "mfence") return fence(kSeqCst);
    if (name == "lfence") return fence(AtomicOrdering::Acquire);
    if (name == "sfence") return fence(AtomicOrdering::Release);
    if (name.starts_with("set") && statement.operands.size() == 1) return lowerSet(name.substr(3), statement.operands[0]);
    if (name.starts_with("xchg")) return lowerExchange(statement);
    if (!statement.locked) return false;
    if (isStackBarrier(statement)) return fence(kSeqCst);
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

  bool lowerExchange(const Statement& statement) {
    if (!split(statement, "xchg", true)) return false;
    llvm::Value* value = valueOf(register_, type_);
    return value && setRegister(referenceTo(register_), update(BinOp::Xchg, value));
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
    // The accumulator may be an input only: then it is an output of nobody's, whatever it holds.
    const Reference target = referenceToRegister(accumulator);
    return target.operand->output < 0 || setRegister(target, builder_.CreateExtractValue(pair, 0));
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
  std::vector<llvm::Value*> locations_;  // what registers and constants hold, as 64 bits; null if nobody knows
  std::size_t outputs_ = 0;
  llvm::Value *zero_ = nullptr, *sign_ = nullptr, *carry_ = nullptr;  // the flags, as far as they are known
  llvm::IntegerType* type_ = nullptr;
  llvm::Value* address_ = nullptr;
  std::string register_;
};

// The intrinsics behind _mm_mfence and its like.
bool lowerIntrinsic(llvm::IntrinsicInst& call) {
  llvm::IRBuilder<> builder(&call);
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::x86_sse2_mfence: builder.CreateFence(kSeqCst); break;
    case llvm::Intrinsic::x86_sse2_lfence: builder.CreateFence(AtomicOrdering::Acquire); break;
    case llvm::Intrinsic::x86_sse_sfence: builder.CreateFence(AtomicOrdering::Release); break;
    case llvm::Intrinsic::x86_sse2_pause: break;
    default: return false;
  }
  call.eraseFromParent();
  return true;
}

}  // namespace

void lowerAssembly(Instrumentation& instrumentation, llvm::Function& function, std::vector<std::string>& errors) {
  std::vector<llvm::CallBase*> calls;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (intrinsic && lowerIntrinsic(*intrinsic)) continue;
    if (call && call->isInlineAsm()) calls.push_back(call);
  }
  for (llvm::CallBase* call : calls) {
    auto* plain = llvm::dyn_cast<llvm::CallInst>(call);
    if (plain && Assembly(instrumentation, *plain).lower()) continue;
    const std::string text = llvm::cast<llvm::InlineAsm>(call->getCalledOperand())->getAsmString();
    errors.push_back(fmt::format("{}: error: inline assembly that heddle does not understand: {}",
                                 instrumentation.sources.text(instrumentation.sources.of(*call)), trimmed(text)));
  }
}

}  // namespace heddle::native
