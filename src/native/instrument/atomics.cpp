#include "native/instrument/atomics.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include <optional>
#include <vector>

#include "native/instrument/attempt_marks.h"
#include "runtime/hooks.h"

namespace heddle::native {
namespace {

Order orderOf(llvm::AtomicOrdering order) {
  switch (order) {
    case llvm::AtomicOrdering::Acquire: return Order::acquire;
    case llvm::AtomicOrdering::Release: return Order::release;
    case llvm::AtomicOrdering::AcquireRelease: return Order::acq_rel;
    case llvm::AtomicOrdering::SequentiallyConsistent: return Order::seq_cst;
    default: return Order::relaxed;
  }
}

using BinOp = llvm::AtomicRMWInst::BinOp;

std::optional<RmwOp> rmwOf(BinOp operation) {
  switch (operation) {
    case BinOp::Xchg: return RmwOp::exchange;
    case BinOp::Add: return RmwOp::add;
    case BinOp::Sub: return RmwOp::sub;
    case BinOp::And: return RmwOp::bitAnd;
    case BinOp::Nand: return RmwOp::nand;
    case BinOp::Or: return RmwOp::bitOr;
    case BinOp::Xor: return RmwOp::bitXor;
    case BinOp::Max: return RmwOp::max;
    case BinOp::Min: return RmwOp::min;
    case BinOp::UMax: return RmwOp::umax;
    case BinOp::UMin: return RmwOp::umin;
    default: return std::nullopt;
  }
}

class Atomics {
 public:
  Atomics(Instrumentation& instrumentation, llvm::Function& function)
      : ins_(instrumentation), function_(function), layout_(instrumentation.module.getDataLayout()) {}

  void lower() {
    std::vector<llvm::Instruction*> atomics;
    for (llvm::Instruction& instruction : llvm::instructions(function_)) {
      if (instruction.isAtomic()) atomics.push_back(&instruction);
    }
    for (llvm::Instruction* atomic : atomics) lower(*atomic);
  }

 private:
  void lower(llvm::Instruction& atomic) {
    llvm::IRBuilder<> builder(&atomic);
    source_ = builder.getInt32(ins_.sources.of(atomic));
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&atomic)) {
      finish(*load, lowerLoad(builder, *load));
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&atomic)) {
      lowerStore(builder, *store);
      store->eraseFromParent();
    } else if (auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&atomic)) {
      finish(*rmw, lowerRmw(builder, *rmw));
    } else if (auto* cas = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&atomic)) {
      finish(*cas, lowerCas(builder, *cas));
    } else if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&atomic)) {
      lowerFence(builder, *fence);
      fence->eraseFromParent();
    }
  }

  static void finish(llvm::Instruction& atomic, llvm::Value* result) {
    if (result) atomic.replaceAllUsesWith(result);
    if (!result) atomic.replaceAllUsesWith(llvm::PoisonValue::get(atomic.getType()));
    atomic.eraseFromParent();
  }

  unsigned sizeOf(llvm::Type* type) const { return static_cast<unsigned>(layout_.getTypeStoreSize(type)); }

  // False, and a failure in the code, for what the engine has no events for.
  bool isSupported(llvm::IRBuilder<>& builder, llvm::Value* address, llvm::Type* type) {
    const unsigned size = sizeOf(type);
    if (size == 1 || size == 2 || size == 4 || size == 8 || size == 16) {
      checkPlace(builder, address, size);
      return true;
    }
    ins_.fail(builder, runtime::ErrorKind::unsupported, "an atomic access of " + std::to_string(size) + " bytes",
              static_cast<std::uint32_t>(source_->getZExtValue()));
    return false;
  }

  // The machine makes an access atomic that lies within an aligned block of 16 bytes, at whatever address.
  void checkPlace(llvm::IRBuilder<>& builder, llvm::Value* address, unsigned size) {
    constexpr unsigned kBlock = 16;
    if (address->getPointerAlignment(layout_).value() >= size) return;
    llvm::Value* offset =
        builder.CreateAnd(builder.CreatePtrToInt(address, builder.getInt64Ty()), builder.getInt64(kBlock - 1));
    llvm::Value* crosses = builder.CreateICmpUGT(offset, builder.getInt64(kBlock - size));
    llvm::IRBuilder<> inside(ins_.unlikely(builder, crosses, true));
    inside.SetCurrentDebugLocation(builder.getCurrentDebugLocation());
    inside.CreateCall(ins_.hooks.atomicCrosses, {address, inside.getInt64(size), source_})->setDoesNotReturn();
  }

  llvm::ConstantInt* access(OperationKind kind, unsigned size, Order order, Order failureOrder = Order::relaxed,
                            RmwOp rmw = RmwOp::exchange, bool weak = false) {
    Operation operation;
    operation.kind = kind;
    operation.size = static_cast<std::uint8_t>(size);
    operation.order = order;
    operation.failureOrder = failureOrder;
    operation.rmw = rmw;
    operation.mayFailSpuriously = weak;
    ins_.noteOperation(operation);
    const std::uint32_t packed = runtime::packAccess(static_cast<unsigned>(order), static_cast<unsigned>(failureOrder), size,
                                                     static_cast<unsigned>(rmw), weak);
    return llvm::ConstantInt::get(ins_.module.getContext(), llvm::APInt(32, packed));
  }

  // What loops have found out about an access.
  static std::uint32_t marksOf(const llvm::Instruction& atomic) {
    return (isMarkedGuard(atomic) ? runtime::kGuardAccess : 0) | (isMarkedInVain(atomic) ? runtime::kBlindAccess : 0);
  }
  static llvm::ConstantInt* with(llvm::ConstantInt* access, std::uint32_t marks) {
    if (marks == 0) return access;
    return llvm::ConstantInt::get(access->getContext(), llvm::APInt(32, access->getZExtValue() | marks));
  }

  // A value as an integer of its size, and back.
  llvm::Value* toInteger(llvm::IRBuilder<>& builder, llvm::Value* value) {
    llvm::Type* type = value->getType();
    if (type->isPointerTy()) return builder.CreatePtrToInt(value, layout_.getIntPtrType(type));
    return builder.CreateBitCast(value, builder.getIntNTy(static_cast<unsigned>(layout_.getTypeSizeInBits(type))));
  }
  llvm::Value* fromInteger(llvm::IRBuilder<>& builder, llvm::Value* integer, llvm::Type* type) {
    return type->isPointerTy() ? builder.CreateIntToPtr(integer, type) : builder.CreateBitCast(integer, type);
  }
  llvm::Value* toWord(llvm::IRBuilder<>& builder, llvm::Value* value) {
    return builder.CreateZExt(toInteger(builder, value), builder.getInt64Ty());
  }
  llvm::Value* fromWord(llvm::IRBuilder<>& builder, llvm::Value* word, llvm::Type* type) {
    auto* integer = builder.getIntNTy(static_cast<unsigned>(layout_.getTypeSizeInBits(type)));
    return fromInteger(builder, builder.CreateTrunc(word, integer), type);
  }

  // Room for a value of 16 bytes on the native stack.
  llvm::Value* room(llvm::Type* type) {
    llvm::BasicBlock& entry = function_.getEntryBlock();
    llvm::IRBuilder<> builder(&entry, entry.begin());
    llvm::AllocaInst* variable = builder.CreateAlloca(type);
    variable->setAlignment(llvm::Align(16));
    return variable;
  }
  llvm::Value* spill(llvm::IRBuilder<>& builder, llvm::Value* value) {
    llvm::Value* place = room(value->getType());
    builder.CreateStore(value, place);
    return place;
  }

  llvm::Value* lowerLoad(llvm::IRBuilder<>& builder, llvm::LoadInst& load) {
    llvm::Type* type = load.getType();
    if (!isSupported(builder, load.getPointerOperand(), type)) return nullptr;
    llvm::Value* how = with(access(OperationKind::load, sizeOf(type), orderOf(load.getOrdering())), marksOf(load));
    if (sizeOf(type) == 16) {
      llvm::Value* result = room(type);
      builder.CreateCall(ins_.hooks.atomicLoad16, {load.getPointerOperand(), result, how, source_});
      return builder.CreateLoad(type, result);
    }
    return fromWord(builder, builder.CreateCall(ins_.hooks.atomicLoad, {load.getPointerOperand(), how, source_}), type);
  }

  void lowerStore(llvm::IRBuilder<>& builder, llvm::StoreInst& store) {
    llvm::Value* value = store.getValueOperand();
    llvm::Type* type = value->getType();
    if (!isSupported(builder, store.getPointerOperand(), type)) return;
    const RedoneStore mark = markedStore(store);
    llvm::ConstantInt* how =
        with(access(OperationKind::store, sizeOf(type), orderOf(store.getOrdering())),
             (mark.redone ? runtime::kRedoneAccess : 0) | (mark.mayBeRepeated ? runtime::kRepeatedAccess : 0) | marksOf(store));
    if (sizeOf(type) == 16) {
      builder.CreateCall(ins_.hooks.atomicStore16, {store.getPointerOperand(), spill(builder, value), how, source_});
    } else {
      builder.CreateCall(ins_.hooks.atomicStore, {store.getPointerOperand(), toWord(builder, value), how, source_});
    }
  }

  llvm::Value* lowerRmw(llvm::IRBuilder<>& builder, llvm::AtomicRMWInst& rmw) {
    llvm::Type* type = rmw.getType();
    if (!isSupported(builder, rmw.getPointerOperand(), type)) return nullptr;
    const unsigned size = sizeOf(type);
    const Order order = orderOf(rmw.getOrdering());
    const std::optional<RmwOp> operation = rmwOf(rmw.getOperation());
    if (!operation || (size == 16 && *operation != RmwOp::exchange)) return lowerRmwAsLoop(builder, rmw);
    if (const std::optional<MarkedAttempt> attempt = markedAttempt(rmw))
      return lowerAttempt(builder, rmw, *operation, *attempt);
    llvm::ConstantInt* how = with(access(OperationKind::rmw, size, order, Order::relaxed, *operation),
                                  (rmw.use_empty() ? runtime::kBlindAccess : 0) | marksOf(rmw));
    if (size == 16) {
      llvm::Value* old = room(type);
      builder.CreateCall(ins_.hooks.atomicExchange16,
                         {rmw.getPointerOperand(), spill(builder, rmw.getValOperand()), old, how, source_});
      return builder.CreateLoad(type, old);
    }
    llvm::Value* word =
        builder.CreateCall(ins_.hooks.atomicRmw, {rmw.getPointerOperand(), toWord(builder, rmw.getValOperand()), how, source_});
    return fromWord(builder, word, type);
  }

  // Waits instead of failing (loops/attempts.h).
  llvm::Value* lowerAttempt(llvm::IRBuilder<>& builder, llvm::AtomicRMWInst& rmw, RmwOp operation,
                            const MarkedAttempt& attempt) {
    llvm::Value* how = access(OperationKind::cas, sizeOf(rmw.getType()), orderOf(rmw.getOrdering()), Order::relaxed, operation);
    llvm::Value* result =
        builder.CreateCall(ins_.hooks.atomicAttempt,
                           {rmw.getPointerOperand(), toWord(builder, rmw.getValOperand()), builder.getInt64(attempt.expected),
                            builder.getInt32(static_cast<std::uint32_t>(attempt.comparison)), how, source_});
    llvm::Value* failed = builder.CreateICmpEQ(builder.CreateExtractValue(result, 1), builder.getInt64(0));
    llvm::IRBuilder<> waits(ins_.unlikely(builder, failed, true));
    waits.SetCurrentDebugLocation(builder.getCurrentDebugLocation());
    llvm::Value* begin = waits.CreateLoad(waits.getInt32Ty(), &markedBegin(*rmw.getFunction(), attempt.loop));
    waits.CreateCall(ins_.hooks.spin, {source_, begin});
    return fromWord(builder, builder.CreateExtractValue(result, 0), rmw.getType());
  }

  // The loop goes round when the location has changed between the load and the compare-exchange. That is a spin loop
  // without effect (loops.h), so instead of going round it waits: the load will have read the newer value in another
  // execution.
  llvm::Value* lowerRmwAsLoop(llvm::IRBuilder<>& builder, llvm::AtomicRMWInst& rmw) {
    llvm::Type* type = rmw.getType();
    llvm::Value* begin = builder.CreateCall(ins_.hooks.position, {});
    llvm::LoadInst* load = builder.CreateLoad(type, rmw.getPointerOperand());
    load->setAtomic(llvm::AtomicOrdering::Monotonic);
    llvm::Value* old = lowerLoad(builder, *load);
    load->eraseFromParent();
    llvm::Value* desired = llvm::buildAtomicRMWValue(rmw.getOperation(), builder, old, rmw.getValOperand());
    const Order order = orderOf(rmw.getOrdering());
    const Order failureOrder = orderOf(llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(rmw.getOrdering()));
    llvm::Value* success = compareExchange(builder, rmw.getPointerOperand(), toInteger(builder, old),
                                           toInteger(builder, desired), order, failureOrder, false, 0)
                               .second;
    const auto source = static_cast<std::uint32_t>(source_->getZExtValue());
    ins_.info.loops.push_back({.source = source, .kind = runtime::LoopKind::effectFree, .inSource = false});
    llvm::IRBuilder<> waits(ins_.unlikely(builder, builder.CreateNot(success), true));
    waits.SetCurrentDebugLocation(builder.getCurrentDebugLocation());
    waits.CreateCall(ins_.hooks.spin, {source_, begin});
    return old;
  }

  // {the old value, whether it was exchanged} of integers.
  std::pair<llvm::Value*, llvm::Value*> compareExchange(llvm::IRBuilder<>& builder, llvm::Value* address, llvm::Value* expected,
                                                        llvm::Value* desired, Order order, Order failureOrder, bool weak,
                                                        std::uint32_t marks) {
    llvm::Type* type = expected->getType();
    const unsigned size = sizeOf(type);
    llvm::Value* how = with(access(OperationKind::cas, size, order, failureOrder, RmwOp::exchange, weak), marks);
    if (size == 16) {
      llvm::Value* old = room(type);
      llvm::Value* success = builder.CreateCall(
          ins_.hooks.atomicCas16, {address, spill(builder, expected), spill(builder, desired), old, how, source_});
      return {builder.CreateLoad(type, old), builder.CreateICmpNE(success, builder.getInt64(0))};
    }
    llvm::Value* result =
        builder.CreateCall(ins_.hooks.atomicCas, {address, toWord(builder, expected), toWord(builder, desired), how, source_});
    llvm::Value* old = fromWord(builder, builder.CreateExtractValue(result, 0), type);
    return {old, builder.CreateICmpNE(builder.CreateExtractValue(result, 1), builder.getInt64(0))};
  }

  llvm::Value* lowerCas(llvm::IRBuilder<>& builder, llvm::AtomicCmpXchgInst& cas) {
    llvm::Type* type = cas.getCompareOperand()->getType();
    if (!isSupported(builder, cas.getPointerOperand(), type)) return nullptr;
    const auto [old, success] =
        compareExchange(builder, cas.getPointerOperand(), cas.getCompareOperand(), cas.getNewValOperand(),
                        orderOf(cas.getSuccessOrdering()), orderOf(cas.getFailureOrdering()), cas.isWeak(), marksOf(cas));
    llvm::Value* result = llvm::PoisonValue::get(cas.getType());
    return builder.CreateInsertValue(builder.CreateInsertValue(result, old, 0), success, 1);
  }

  void lowerFence(llvm::IRBuilder<>& builder, llvm::FenceInst& fence) {
    if (fence.getSyncScopeID() == llvm::SyncScope::SingleThread) return;
    const Order order = orderOf(fence.getOrdering());
    ins_.noteOperation(Operation::fence(order));
    builder.CreateCall(ins_.hooks.fence, {builder.getInt32(static_cast<std::uint32_t>(order)), source_});
  }

  Instrumentation& ins_;
  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  llvm::ConstantInt* source_ = nullptr;
};

}  // namespace

void lowerAtomics(Instrumentation& instrumentation, llvm::Function& function) { Atomics(instrumentation, function).lower(); }

}  // namespace heddle::native
