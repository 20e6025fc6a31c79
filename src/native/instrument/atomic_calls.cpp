#include "native/instrument/atomic_calls.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <charconv>
#include <functional>
#include <optional>
#include <vector>

#include "native/compile/link.h"

namespace heddle::native {
namespace {

using llvm::AtomicOrdering;
using BinOp = llvm::AtomicRMWInst::BinOp;

// The memory orders of C, as numbers.
AtomicOrdering orderOf(std::uint64_t number) {
  switch (number) {
    case 0: return AtomicOrdering::Monotonic;
    case 1:
    case 2: return AtomicOrdering::Acquire;
    case 3: return AtomicOrdering::Release;
    case 4: return AtomicOrdering::AcquireRelease;
    default: return AtomicOrdering::SequentiallyConsistent;
  }
}

AtomicOrdering forLoad(AtomicOrdering order) {
  if (order == AtomicOrdering::Release) return AtomicOrdering::Monotonic;
  return order == AtomicOrdering::AcquireRelease ? AtomicOrdering::Acquire : order;
}

AtomicOrdering forStore(AtomicOrdering order) {
  if (order == AtomicOrdering::Acquire) return AtomicOrdering::Monotonic;
  return order == AtomicOrdering::AcquireRelease ? AtomicOrdering::Release : order;
}

// A call by its name: what it does, and on how many bytes (0: the first argument says).
struct Kind {
  enum class Operation { load, store, exchange, compareExchange, fetch, isLockFree } operation;
  BinOp arithmetic = BinOp::Xchg;
  bool resultIsNew = false;  // __atomic_add_fetch
  unsigned size = 0;
};

std::optional<BinOp> arithmeticOf(llvm::StringRef name) {
  if (name == "add") return BinOp::Add;
  if (name == "sub") return BinOp::Sub;
  if (name == "and") return BinOp::And;
  if (name == "or") return BinOp::Or;
  if (name == "xor") return BinOp::Xor;
  if (name == "nand") return BinOp::Nand;
  return std::nullopt;
}

std::optional<Kind> kindOf(llvm::StringRef name) {
  using Operation = Kind::Operation;
  if (!name.consume_front("__atomic_")) return std::nullopt;
  if (name == "is_lock_free") return Kind{Operation::isLockFree};
  Kind kind{Operation::load};
  for (const unsigned size : {16U, 8U, 4U, 2U, 1U}) {
    if (!name.consume_back("_" + std::to_string(size))) continue;
    kind.size = size;
    break;
  }
  if (name == "load") return kind;
  kind.operation = Operation::store;
  if (name == "store") return kind;
  kind.operation = Operation::exchange;
  if (name == "exchange") return kind;
  kind.operation = Operation::compareExchange;
  if (name == "compare_exchange") return kind;
  kind.operation = Operation::fetch;
  kind.resultIsNew = name.consume_back("_fetch");
  if (!kind.resultIsNew && !name.consume_front("fetch_")) return std::nullopt;
  const std::optional<BinOp> arithmetic = arithmeticOf(name);
  if (!arithmetic || kind.size == 0) return std::nullopt;
  kind.arithmetic = *arithmetic;
  return kind;
}

class AtomicCall {
 public:
  AtomicCall(Instrumentation& instrumentation, llvm::CallInst& call, const Kind& kind)
      : ins_(instrumentation), call_(call), kind_(kind), builder_(&call), generic_(kind.size == 0) {}

  // Leaves the call to the library (locked_atomics.cpp) if it is of a size that needs a lock.
  void expand() {
    std::uint64_t size = kind_.size;
    if (generic_) {
      const auto* known = llvm::dyn_cast<llvm::ConstantInt>(call_.getArgOperand(0));
      size = known ? known->getZExtValue() : 0;
    }
    const bool lockFree = size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
    if (kind_.operation == Kind::Operation::isLockFree) return finish(builder_.getInt1(lockFree));
    if (!lockFree) return;
    type_ = builder_.getIntNTy(static_cast<unsigned>(8 * size));
    alignment_ = llvm::Align(size);
    address_ = argument(0);
    switch (kind_.operation) {
      case Kind::Operation::load: return expandLoad();
      case Kind::Operation::store: return expandStore();
      case Kind::Operation::compareExchange: return expandCompareExchange();
      default: return expandUpdate();
    }
  }

 private:
  llvm::Value* argument(unsigned index) { return call_.getArgOperand(index + (generic_ ? 1 : 0)); }

  // The generic calls take and return values by reference to ordinary memory.
  llvm::Value* operand(unsigned index) {
    if (!generic_) return builder_.CreateZExtOrTrunc(argument(index), type_);
    return builder_.CreateAlignedLoad(type_, argument(index), llvm::Align(1));
  }

  void expandLoad() {
    llvm::Value* loaded = forOrder(argument(generic_ ? 2 : 1), [&](llvm::IRBuilder<>& builder, AtomicOrdering order) {
      llvm::LoadInst* load = builder.CreateAlignedLoad(type_, address_, alignment_);
      load->setAtomic(forLoad(order));
      return load;
    });
    if (!generic_) return finish(loaded);
    builder_.CreateAlignedStore(loaded, argument(1), llvm::Align(1));
    finish(nullptr);
  }

  void expandStore() {
    llvm::Value* value = operand(1);
    forOrder(argument(2), [&](llvm::IRBuilder<>& builder, AtomicOrdering order) -> llvm::Value* {
      builder.CreateAlignedStore(value, address_, alignment_)->setAtomic(forStore(order));
      return nullptr;
    });
    finish(nullptr);
  }

  void expandUpdate() {
    const bool isExchange = kind_.operation == Kind::Operation::exchange;
    llvm::Value* value = operand(1);
    const BinOp operation = isExchange ? BinOp::Xchg : kind_.arithmetic;
    llvm::Value* old = forOrder(argument(generic_ ? 3 : 2), [&](llvm::IRBuilder<>& builder, AtomicOrdering order) {
      return builder.CreateAtomicRMW(operation, address_, value, alignment_, order);
    });
    if (generic_) {
      builder_.CreateAlignedStore(old, argument(2), llvm::Align(1));
      return finish(nullptr);
    }
    finish(kind_.resultIsNew ? apply(old, value) : old);
  }

  llvm::Value* apply(llvm::Value* old, llvm::Value* value) {
    switch (kind_.arithmetic) {
      case BinOp::Add: return builder_.CreateAdd(old, value);
      case BinOp::Sub: return builder_.CreateSub(old, value);
      case BinOp::And: return builder_.CreateAnd(old, value);
      case BinOp::Or: return builder_.CreateOr(old, value);
      case BinOp::Xor: return builder_.CreateXor(old, value);
      default: return builder_.CreateNot(builder_.CreateAnd(old, value));
    }
  }

  void expandCompareExchange() {
    llvm::Value* place = argument(1);
    llvm::Value* expected = builder_.CreateAlignedLoad(type_, place, llvm::Align(1));
    llvm::Value* desired = operand(2);
    // The failure order is taken as given only where it is a constant: both at once would be a choice of 36.
    const auto* failure = llvm::dyn_cast<llvm::ConstantInt>(argument(4));
    llvm::Value* pair = forOrder(argument(3), [&](llvm::IRBuilder<>& builder, AtomicOrdering order) {
      const AtomicOrdering failed =
          failure ? forLoad(orderOf(failure->getZExtValue())) : llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(order);
      return builder.CreateAtomicCmpXchg(address_, expected, desired, alignment_, order, failed);
    });
    llvm::Value* success = builder_.CreateExtractValue(pair, 1);
    llvm::Instruction* end = llvm::SplitBlockAndInsertIfThen(builder_.CreateNot(success), call_.getIterator(), false);
    end->setDebugLoc(call_.getDebugLoc());
    llvm::IRBuilder<> failing(end);
    failing.SetCurrentDebugLocation(call_.getDebugLoc());
    failing.CreateAlignedStore(failing.CreateExtractValue(pair, 0), place, llvm::Align(1));
    builder_.SetInsertPoint(&call_);
    finish(success);
  }

  using Make = std::function<llvm::Value*(llvm::IRBuilder<>&, AtomicOrdering)>;

  // One instruction if the order is a constant, and else one for each order, in a switch.
  llvm::Value* forOrder(llvm::Value* order, const Make& make) {
    if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(order)) return make(builder_, orderOf(known->getZExtValue()));
    llvm::BasicBlock* head = call_.getParent();
    llvm::BasicBlock* tail = llvm::SplitBlock(head, &call_);
    llvm::LLVMContext& context = call_.getContext();
    head->getTerminator()->eraseFromParent();
    llvm::PHINode* result = nullptr;
    llvm::SwitchInst* choice = nullptr;
    for (const std::uint64_t number : {5, 0, 1, 2, 3, 4}) {
      auto* block = llvm::BasicBlock::Create(context, "", tail->getParent(), tail);
      llvm::IRBuilder<> builder(block);
      builder.SetCurrentDebugLocation(call_.getDebugLoc());
      llvm::Value* value = make(builder, orderOf(number));
      builder.CreateBr(tail);
      if (!choice) {
        choice = llvm::SwitchInst::Create(order, block, 5, head);
        choice->setDebugLoc(call_.getDebugLoc());
        if (value) result = llvm::PHINode::Create(value->getType(), 6, "", tail->begin());
      } else {
        choice->addCase(llvm::ConstantInt::get(llvm::cast<llvm::IntegerType>(order->getType()), number), block);
      }
      if (result) result->addIncoming(value, block);
    }
    builder_.SetInsertPoint(&call_);
    return result;
  }

  void finish(llvm::Value* result) {
    if (!call_.getType()->isVoidTy()) {
      llvm::Value* value =
          result ? builder_.CreateZExtOrTrunc(result, call_.getType()) : llvm::Constant::getNullValue(call_.getType());
      call_.replaceAllUsesWith(value);
    }
    call_.eraseFromParent();
  }

  Instrumentation& ins_;
  llvm::CallInst& call_;
  const Kind kind_;
  llvm::IRBuilder<> builder_;
  const bool generic_;
  llvm::IntegerType* type_ = nullptr;
  llvm::Align alignment_;
  llvm::Value* address_ = nullptr;
};

}  // namespace

void expandAtomicCalls(Instrumentation& instrumentation, llvm::Function& function) {
  std::vector<std::pair<llvm::CallBase*, Kind>> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !(callee->isDeclaration() || callee->hasFnAttribute(kLibraryAttribute))) continue;
    if (const std::optional<Kind> kind = kindOf(callee->getName())) calls.emplace_back(call, *kind);
  }
  for (const auto& [call, kind] : calls) {
    auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(call);  // none of them throws
    AtomicCall(instrumentation, invoke ? *llvm::changeToCall(invoke) : *llvm::cast<llvm::CallInst>(call), kind).expand();
  }
}

}  // namespace heddle::native
