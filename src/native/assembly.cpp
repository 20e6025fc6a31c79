#include "native/assembly.h"

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
  llvm::Value* argument = nullptr;  // an input, or the address of a memory operand
  llvm::Type* pointee = nullptr;    // of a memory operand
  int output = -1;                  // which of the results it is
  std::string code;                 // its constraint, without modifiers
};

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
      if (!constraint.Codes.empty()) operand.code = constraint.Codes.front();
      if (constraint.isIndirect) {
        operand.argument = call_.getArgOperand(argument);
        operand.pointee = call_.getParamElementType(argument);
        ++argument;
      } else if (constraint.Type == llvm::InlineAsm::isOutput) {
        operand.output = static_cast<int>(results_.size());
        results_.push_back(nullptr);
      } else {
        operand.argument = call_.getArgOperand(argument++);
        // An input in the same register as an output, written as its number.
        const unsigned tied = !operand.code.empty() && std::isdigit(static_cast<unsigned char>(operand.code[0]))
                                  ? static_cast<unsigned>(std::stoul(operand.code))
                                  : static_cast<unsigned>(operands_.size());
        if (tied < operands_.size()) operands_[tied].argument = operand.argument;
      }
      operands_.push_back(operand);
    }
    for (const Operand& operand : operands_) {
      if (operand.output >= 0) results_[static_cast<std::size_t>(operand.output)] = operand.argument;
    }
    return true;
  }

  // $1, ${1:b}, or ($1)
  Operand* operandOf(std::string text) {
    if (text.size() > 2 && text.front() == '(' && text.back() == ')') text = text.substr(1, text.size() - 2);
    if (text.size() < 2 || text[0] != '$') return nullptr;
    const std::size_t at = text[1] == '{' ? 2 : 1;
    if (at >= text.size() || !std::isdigit(static_cast<unsigned char>(text[at]))) return nullptr;
    const std::size_t number = std::stoul(text.substr(at));
    return number < operands_.size() ? &operands_[number] : nullptr;
  }

  // The address of a memory operand.
  llvm::Value* addressOf(const std::string& text) {
    const Operand* operand = operandOf(text);
    if (!operand || !operand->argument || !operand->argument->getType()->isPointerTy()) return nullptr;
    return operand->pointee || text.front() == '(' ? operand->argument : nullptr;
  }

  // The value of a register or immediate operand, as an integer of `type`.
  llvm::Value* valueOf(const std::string& text, llvm::IntegerType* type) {
    if (text.size() > 2 && text[0] == '$' && text[1] == '$') {
      const std::string digits = text.substr(2);
      char* end = nullptr;
      const long long number = std::strtoll(digits.c_str(), &end, 0);
      return *end == 0 ? llvm::ConstantInt::getSigned(type, number) : nullptr;
    }
    const Operand* operand = operandOf(text);
    return operand && operand->argument && !operand->pointee ? toInteger(operand->argument, type) : nullptr;
  }

  llvm::Value* toInteger(llvm::Value* value, llvm::IntegerType* type) {
    if (value->getType()->isPointerTy()) value = builder_.CreatePtrToInt(value, builder_.getInt64Ty());
    if (!value->getType()->isIntegerTy()) return nullptr;
    return builder_.CreateZExtOrTrunc(value, type);
  }

  bool setResult(const Operand& operand, llvm::Value* value) {
    if (operand.output < 0) return false;
    llvm::Type* type = call_.getType();
    if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) type = record->getElementType(static_cast<unsigned>(operand.output));
    if (type->isPointerTy()) {
      value = builder_.CreateIntToPtr(value, type);
    } else if (type->isIntegerTy()) {
      value = builder_.CreateZExtOrTrunc(value, type);
    } else {
      return false;
    }
    results_[static_cast<std::size_t>(operand.output)] = value;
    return true;
  }

  // The width of an operation: by the mnemonic's suffix, and else by the operands.
  llvm::IntegerType* widthOf(const Statement& statement, const std::string& root) {
    const std::string suffix = statement.mnemonic.substr(root.size());
    if (suffix == "b") return builder_.getInt8Ty();
    if (suffix == "w") return builder_.getInt16Ty();
    if (suffix == "l") return builder_.getInt32Ty();
    if (suffix == "q") return builder_.getInt64Ty();
    if (!suffix.empty()) return nullptr;
    for (const std::string& text : statement.operands) {
      const Operand* operand = operandOf(text);
      llvm::Type* type = !operand ? nullptr : operand->pointee ? operand->pointee : operand->argument ? operand->argument->getType() : nullptr;
      if (type && text.front() != '(' && type->isIntegerTy()) return llvm::cast<llvm::IntegerType>(type);
      if (type && text.front() != '(' && type->isPointerTy()) return builder_.getInt64Ty();
    }
    return nullptr;
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
    Operand* target = operandOf(register_);
    llvm::Value* value = valueOf(register_, type_);
    return target && value && setResult(*target, update(BinOp::Xchg, value));
  }

  bool lowerExchangeAdd(const Statement& statement) {
    if (!split(statement, "xadd", false)) return false;
    Operand* target = operandOf(register_);
    llvm::Value* value = valueOf(register_, type_);
    if (!target || !value) return false;
    llvm::Value* old = update(BinOp::Add, value);
    setFlags(builder_.CreateAdd(old, value));
    return setResult(*target, old);
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
    ins_.failIf(builder_, builder_.CreateICmpUGE(index, llvm::ConstantInt::get(type_, width)), ErrorKind::unsupported,
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
    const auto accumulator = std::find_if(operands_.begin(), operands_.end(), [](const Operand& operand) {
      return (operand.code == "{ax}" || operand.code == "{eax}" || operand.code == "{rax}" || operand.code == "{al}") &&
             operand.argument && !operand.pointee;
    });
    llvm::Value* desired = valueOf(register_, type_);
    llvm::Value* expected = accumulator == operands_.end() ? nullptr : toInteger(accumulator->argument, type_);
    if (!desired || !expected) return false;
    llvm::Value* pair = builder_.CreateAtomicCmpXchg(address_, expected, desired, alignment(), kSeqCst, kSeqCst);
    zero_ = builder_.CreateExtractValue(pair, 1);
    sign_ = carry_ = nullptr;
    llvm::Value* old = builder_.CreateExtractValue(pair, 0);
    for (const Operand& operand : operands_) {
      if (operand.output >= 0 && operand.code == accumulator->code && !setResult(operand, old)) return false;
    }
    return true;
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

  bool lowerSet(const std::string& condition, const std::string& target) {
    llvm::Value* value = flag(condition);
    Operand* operand = operandOf(target);
    if (!value || !operand) return false;
    if (operand->output >= 0) return setResult(*operand, value);
    if (!operand->pointee || !operand->pointee->isIntegerTy()) return false;
    builder_.CreateStore(builder_.CreateZExt(value, operand->pointee), operand->argument);
    return true;
  }

  // Outputs that are flags ("=@ccz"), and the results as the call's value.
  bool finish() {
    for (const Operand& operand : operands_) {
      if (operand.output < 0 || !operand.code.starts_with("{@cc")) continue;
      llvm::Value* value = flag(operand.code.substr(4, operand.code.size() - 5));
      if (!value || !setResult(operand, value)) return false;
    }
    if (std::find(results_.begin(), results_.end(), nullptr) != results_.end()) return false;
    if (results_.size() == 1) {
      call_.replaceAllUsesWith(results_[0]);
    } else if (!results_.empty()) {
      llvm::Value* all = llvm::PoisonValue::get(call_.getType());
      for (unsigned i = 0; i < results_.size(); ++i) all = builder_.CreateInsertValue(all, results_[i], i);
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
  std::vector<llvm::Value*> results_;
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
