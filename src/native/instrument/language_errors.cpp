#include "native/instrument/language_errors.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

#include <vector>

#include "native/compile/link.h"

namespace heddle::native {

using runtime::ErrorKind;

namespace {

class Checks {
 public:
  Checks(Instrumentation& instrumentation, llvm::Function& function)
      : ins_(instrumentation),
        function_(function),
        undefinedBehaviour_(instrumentation.options.undefinedBehaviour && !function.hasFnAttribute(kLibraryAttribute)) {}

  void add() {
    std::vector<llvm::Instruction*> instructions;
    for (llvm::Instruction& instruction : llvm::instructions(function_)) instructions.push_back(&instruction);
    for (llvm::Instruction* instruction : instructions) visit(*instruction);
    for (llvm::Instruction* instruction : dropped_) {
      llvm::Value* condition = instruction->getOperand(0);
      instruction->eraseFromParent();
      // A condition that is only assumed is not evaluated.
      llvm::RecursivelyDeleteTriviallyDeadInstructions(condition);
    }
  }

 private:
  void visit(llvm::Instruction& instruction) {
    if (llvm::isa<llvm::UnreachableInst>(instruction)) return visitUnreachable(instruction);
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) return visitIntrinsic(*call);
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return visitCall(*call);
    if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
      if (operation->getType()->isIntegerTy()) visitArithmetic(*operation);
    } else if (undefinedBehaviour_) {
      visitConversionOrAccess(instruction);
    }
  }

  void fail(llvm::Instruction& before, llvm::Value* condition, ErrorKind kind, const std::string& message) {
    llvm::IRBuilder<> builder(&before);
    ins_.failIf(builder, condition, kind, message, ins_.sources.of(before));
  }

  // Behind a call that does not return, `unreachable` is no claim of the program's.
  static bool isBehindCall(const llvm::Instruction& unreachable) {
    const llvm::Instruction* previous = unreachable.getPrevNonDebugInstruction();
    if (previous) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(previous);
      return call && call->doesNotReturn();
    }
    bool any = false;
    for (const llvm::BasicBlock* block : llvm::predecessors(unreachable.getParent())) {
      const auto* call = llvm::dyn_cast<llvm::InvokeInst>(block->getTerminator());
      if (!call || !call->doesNotReturn() || call->getNormalDest() != unreachable.getParent()) return false;
      any = true;
    }
    return any;
  }

  void visitUnreachable(llvm::Instruction& unreachable) {
    if (isBehindCall(unreachable)) return;
    llvm::IRBuilder<> builder(&unreachable);
    ins_.fail(builder, ErrorKind::unreachable, "", ins_.sources.of(unreachable));
  }

  void visitIntrinsic(llvm::IntrinsicInst& call) {
    switch (call.getIntrinsicID()) {
      case llvm::Intrinsic::assume: dropped_.push_back(&call); break;
      case llvm::Intrinsic::memcpy:
      case llvm::Intrinsic::memcpy_inline: checkOverlap(llvm::cast<llvm::MemCpyInst>(call)); break;
      case llvm::Intrinsic::trap:
      case llvm::Intrinsic::ubsantrap:
      case llvm::Intrinsic::debugtrap: {
        llvm::IRBuilder<> builder(&call);
        ins_.fail(builder, ErrorKind::abort, "a trap instruction", ins_.sources.of(call));
        call.eraseFromParent();
        break;
      }
      case llvm::Intrinsic::launder_invariant_group:
      case llvm::Intrinsic::strip_invariant_group:
        call.replaceAllUsesWith(call.getArgOperand(0));
        call.eraseFromParent();
        break;
      case llvm::Intrinsic::invariant_start:
      case llvm::Intrinsic::invariant_end:
      case llvm::Intrinsic::prefetch:
      case llvm::Intrinsic::experimental_noalias_scope_decl:
        if (call.use_empty()) call.eraseFromParent();
        break;
      default: break;
    }
  }

  // Also in library models, which copy what strcpy and its like are given. That of an object to itself is an assignment.
  void checkOverlap(llvm::MemCpyInst& copy) {
    if (!ins_.options.undefinedBehaviour) return;
    llvm::IRBuilder<> builder(&copy);
    const auto number = [&](llvm::Value* address) { return builder.CreatePtrToInt(address, builder.getInt64Ty()); };
    llvm::Value* const distance = builder.CreateSub(number(copy.getDest()), number(copy.getSource()));
    llvm::Value* const size = builder.CreateZExt(copy.getLength(), builder.getInt64Ty());
    llvm::Value* const below = builder.CreateICmpULT(distance, size);
    llvm::Value* const above = builder.CreateICmpULT(builder.CreateNeg(distance), size);
    fail(copy, builder.CreateAnd(builder.CreateIsNotNull(distance), builder.CreateOr(below, above)),
         ErrorKind::undefinedBehaviour, "a copy between objects that overlap, which only memmove may do");
  }

  void visitCall(llvm::CallBase& call) {
    if (!call.isIndirectCall()) return;
    llvm::Value* callee = call.getCalledOperand();
    llvm::IRBuilder<> builder(&call);
    fail(call, builder.CreateIsNull(callee), ErrorKind::nullPointer, "a call through a null pointer");
  }

  void visitArithmetic(llvm::BinaryOperator& operation) {
    switch (operation.getOpcode()) {
      case llvm::Instruction::SDiv:
      case llvm::Instruction::SRem: visitDivision(operation, true); break;
      case llvm::Instruction::UDiv:
      case llvm::Instruction::URem: visitDivision(operation, false); break;
      case llvm::Instruction::Add:
        if (undefinedBehaviour_ && operation.hasNoSignedWrap()) visitOverflow(operation, llvm::Intrinsic::sadd_with_overflow);
        break;
      case llvm::Instruction::Sub:
        if (undefinedBehaviour_ && operation.hasNoSignedWrap()) visitOverflow(operation, llvm::Intrinsic::ssub_with_overflow);
        break;
      case llvm::Instruction::Mul:
        if (undefinedBehaviour_ && operation.hasNoSignedWrap()) visitOverflow(operation, llvm::Intrinsic::smul_with_overflow);
        break;
      case llvm::Instruction::Shl:
      case llvm::Instruction::LShr:
      case llvm::Instruction::AShr:
        if (undefinedBehaviour_) visitShift(operation);
        break;
      default: break;
    }
  }

  void visitDivision(llvm::BinaryOperator& division, bool isSigned) {
    llvm::Value* divisor = division.getOperand(1);
    llvm::IRBuilder<> builder(&division);
    fail(division, builder.CreateIsNull(divisor), ErrorKind::divisionByZero, "");
    if (!isSigned) return;
    const unsigned bits = division.getType()->getIntegerBitWidth();
    builder.SetInsertPoint(&division);
    llvm::Value* overflow =
        builder.CreateAnd(builder.CreateICmpEQ(divisor, llvm::ConstantInt::getAllOnesValue(division.getType())),
                          builder.CreateICmpEQ(division.getOperand(0), builder.getInt(llvm::APInt::getSignedMinValue(bits))));
    fail(division, overflow, ErrorKind::signedOverflow, "the smallest number divided by -1 does not fit its type");
  }

  void visitOverflow(llvm::BinaryOperator& operation, llvm::Intrinsic::ID checked) {
    llvm::IRBuilder<> builder(&operation);
    llvm::Value* both = builder.CreateBinaryIntrinsic(checked, operation.getOperand(0), operation.getOperand(1));
    const char* const what = operation.getOpcode() == llvm::Instruction::Add   ? "a sum"
                             : operation.getOpcode() == llvm::Instruction::Sub ? "a difference"
                                                                               : "a product";
    fail(operation, builder.CreateExtractValue(both, 1), ErrorKind::signedOverflow,
         std::string(what) + " does not fit its type");
  }

  void visitShift(llvm::BinaryOperator& shift) {
    llvm::IRBuilder<> builder(&shift);
    llvm::Value* amount = shift.getOperand(1);
    llvm::Value* width = llvm::ConstantInt::get(amount->getType(), shift.getType()->getIntegerBitWidth());
    fail(shift, builder.CreateICmpUGE(amount, width), ErrorKind::undefinedBehaviour,
         "a shift by a negative number, or by as much as the operand is wide");
  }

  void visitConversionOrAccess(llvm::Instruction& instruction) {
    if (auto* conversion = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
      const auto opcode = conversion->getOpcode();
      const bool toInteger = opcode == llvm::Instruction::FPToSI || opcode == llvm::Instruction::FPToUI;
      if (toInteger && conversion->getType()->isIntegerTy()) visitFloatToInteger(*conversion);
    } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      checkAlignment(*load, load->getPointerOperand(), load->getAlign());
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      checkAlignment(*store, store->getPointerOperand(), store->getAlign());
    }
  }

  // The numbers that fit are those above the smallest integer minus one and below the largest plus one; both limits are
  // exact as floating-point numbers, except that one below a large integer may round to that integer, which is right too
  // when the comparison is made accordingly.
  void visitFloatToInteger(llvm::CastInst& conversion) {
    llvm::Value* number = conversion.getOperand(0);
    llvm::Type* type = number->getType();
    const bool isSigned = conversion.getOpcode() == llvm::Instruction::FPToSI;
    const unsigned bits = conversion.getType()->getIntegerBitWidth();
    const auto limit = [&](const llvm::APInt& value, bool& exact) {
      llvm::APFloat result(type->getFltSemantics());
      exact = result.convertFromAPInt(value, true, llvm::APFloat::rmTowardZero) == llvm::APFloat::opOK;
      return llvm::ConstantFP::get(type->getContext(), result);
    };
    bool exact = true;
    const llvm::APInt one(bits + 2, 1);
    const llvm::APInt above = one.shl(isSigned ? bits - 1 : bits);
    const llvm::APInt below = isSigned ? -above - 1 : -one;
    llvm::IRBuilder<> builder(&conversion);
    llvm::Constant* lowest = limit(below, exact);
    // Unordered comparisons: a NaN does not fit either.
    llvm::Value* tooLow = exact ? builder.CreateFCmpULE(number, lowest) : builder.CreateFCmpULT(number, lowest);
    llvm::Value* tooHigh = builder.CreateFCmpUGE(number, limit(above, exact));
    fail(conversion, builder.CreateOr(tooLow, tooHigh), ErrorKind::undefinedBehaviour,
         "a floating-point number does not fit the integer type it is converted to");
  }

  void checkAlignment(llvm::Instruction& access, llvm::Value* address, llvm::Align alignment) {
    const llvm::DataLayout& layout = ins_.module.getDataLayout();
    if (alignment.value() == 1 || llvm::getKnownAlignment(address, layout, &access) >= alignment) return;
    llvm::IRBuilder<> builder(&access);
    llvm::Value* low =
        builder.CreateAnd(builder.CreatePtrToInt(address, builder.getInt64Ty()), builder.getInt64(alignment.value() - 1));
    fail(access, builder.CreateIsNotNull(low), ErrorKind::undefinedBehaviour,
         "an address that is not a multiple of " + std::to_string(alignment.value()));
  }

  Instrumentation& ins_;
  llvm::Function& function_;
  const bool undefinedBehaviour_;
  std::vector<llvm::Instruction*> dropped_;
};

}  // namespace

void exposeLanguageErrors(Instrumentation& instrumentation, llvm::Function& function) {
  Checks(instrumentation, function).add();
}

}  // namespace heddle::native
