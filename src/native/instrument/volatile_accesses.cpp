#include "native/instrument/volatile_accesses.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>

#include "runtime/hooks.h"

namespace heddle::native {
namespace {

class Relaxed {
 public:
  Relaxed(Instrumentation& instrumentation, llvm::Instruction& instruction)
      : ins_(instrumentation),
        layout_(instrumentation.module.getDataLayout()),
        builder_(&instruction),
        source_(builder_.getInt32(instrumentation.sources.of(instruction))) {}

  llvm::IRBuilder<>& builder() { return builder_; }

  // A piece of at most 8 bytes.
  llvm::Value* load(llvm::IRBuilder<>& builder, llvm::Value* address, std::uint64_t size) {
    llvm::Value* word = builder.CreateCall(ins_.hooks.atomicLoad, {address, access(OperationKind::load, size), source_});
    return builder.CreateTrunc(word, builder.getIntNTy(static_cast<unsigned>(8 * size)));
  }
  void store(llvm::IRBuilder<>& builder, llvm::Value* address, llvm::Value* value, std::uint64_t size) {
    llvm::Value* word = builder.CreateZExt(value, builder.getInt64Ty());
    builder.CreateCall(ins_.hooks.atomicStore, {address, word, access(OperationKind::store, size), source_});
  }

  // A whole value, piece by piece.
  llvm::Value* loadValue(llvm::Value* address, llvm::Type* type, std::uint64_t size, std::uint64_t alignment) {
    llvm::IntegerType* whole = builder_.getIntNTy(static_cast<unsigned>(8 * size));
    llvm::Value* result = llvm::ConstantInt::get(whole, 0);
    forPieces(size, alignment, [&](std::uint64_t offset, std::uint64_t piece) {
      llvm::Value* part = builder_.CreateZExt(load(builder_, at(address, offset), piece), whole);
      result = builder_.CreateOr(result, builder_.CreateShl(part, 8 * offset));
    });
    return fromInteger(result, type);
  }
  void storeValue(llvm::Value* address, llvm::Value* value, std::uint64_t size, std::uint64_t alignment) {
    llvm::Value* whole = toInteger(value, size);
    forPieces(size, alignment, [&](std::uint64_t offset, std::uint64_t piece) {
      llvm::Value* part =
          builder_.CreateTrunc(builder_.CreateLShr(whole, 8 * offset), builder_.getIntNTy(static_cast<unsigned>(8 * piece)));
      store(builder_, at(address, offset), part, piece);
    });
  }

  template <typename Body>
  void forPieces(std::uint64_t size, std::uint64_t alignment, Body body) {
    for (std::uint64_t offset = 0; offset < size;) {
      const std::uint64_t piece = std::min({std::uint64_t{8}, alignment, llvm::bit_floor(size - offset)});
      body(offset, piece);
      offset += piece;
    }
  }

  llvm::Value* at(llvm::Value* address, std::uint64_t offset) {
    return offset == 0 ? address : builder_.CreateConstGEP1_64(builder_.getInt8Ty(), address, offset);
  }

 private:
  // Types whose bits are not their bytes (x86's long double) go through the native stack.
  llvm::Value* fromInteger(llvm::Value* value, llvm::Type* type) {
    if (type->isPointerTy()) return builder_.CreateIntToPtr(value, type);
    if (type->isIntegerTy()) return builder_.CreateTrunc(value, type);
    llvm::Value* place = room(value->getType(), type);
    markOwn(*builder_.CreateStore(value, place));
    llvm::LoadInst* result = builder_.CreateLoad(type, place);
    markOwn(*result);
    return result;
  }
  llvm::Value* toInteger(llvm::Value* value, std::uint64_t size) {
    llvm::IntegerType* whole = builder_.getIntNTy(static_cast<unsigned>(8 * size));
    if (value->getType()->isPointerTy()) return builder_.CreatePtrToInt(value, whole);
    if (value->getType()->isIntegerTy()) return builder_.CreateZExt(value, whole);
    llvm::Value* place = room(whole, value->getType());
    markOwn(*builder_.CreateStore(value, place));
    llvm::LoadInst* result = builder_.CreateLoad(whole, place);
    markOwn(*result);
    return result;
  }
  llvm::Value* room(llvm::Type* a, llvm::Type* b) {
    llvm::BasicBlock& entry = builder_.GetInsertBlock()->getParent()->getEntryBlock();
    llvm::Type* larger = layout_.getTypeAllocSize(a) >= layout_.getTypeAllocSize(b) ? a : b;
    llvm::AllocaInst* place = llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(larger);
    place->setAlignment(llvm::Align(16));
    return place;
  }

  llvm::Value* access(OperationKind kind, std::uint64_t size) {
    Operation operation;
    operation.kind = kind;
    operation.size = static_cast<std::uint8_t>(size);
    ins_.noteOperation(operation);
    const auto relaxed = static_cast<unsigned>(Order::relaxed);
    return builder_.getInt32(runtime::packAccess(relaxed, relaxed, static_cast<unsigned>(size), 0, false));
  }

  Instrumentation& ins_;
  const llvm::DataLayout& layout_;
  llvm::IRBuilder<> builder_;
  llvm::Value* source_;
};

// for (i = from; i != to; i += step) body(i), in front of the instruction.
template <typename Body>
void makeLoop(llvm::Instruction& before, llvm::Value* from, llvm::Value* to, std::uint64_t step, Body body) {
  llvm::BasicBlock* head = before.getParent();
  llvm::BasicBlock* tail = llvm::SplitBlock(head, &before);
  auto* round = llvm::BasicBlock::Create(before.getContext(), "", head->getParent(), tail);
  head->getTerminator()->eraseFromParent();
  llvm::IRBuilder<> builder(head);
  builder.SetCurrentDebugLocation(before.getDebugLoc());
  builder.CreateCondBr(builder.CreateICmpNE(from, to), round, tail);
  builder.SetInsertPoint(round);
  llvm::PHINode* index = builder.CreatePHI(builder.getInt64Ty(), 2);
  index->addIncoming(from, head);
  body(builder, index);
  llvm::Value* next = builder.CreateAdd(index, builder.getInt64(step));
  index->addIncoming(next, builder.GetInsertBlock());
  builder.CreateCondBr(builder.CreateICmpNE(next, to), round, tail);
}

}  // namespace

void lowerAsRelaxed(Instrumentation& instrumentation, const Access& access) {
  Relaxed relaxed(instrumentation, *access.instruction);
  // The operands are the instruction's now: others may have been replaced since the access was described.
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(access.instruction)) {
    relaxed.storeValue(store->getPointerOperand(), store->getValueOperand(), access.size, access.alignment);
  } else {
    auto* load = llvm::cast<llvm::LoadInst>(access.instruction);
    load->replaceAllUsesWith(relaxed.loadValue(load->getPointerOperand(), load->getType(), access.size, access.alignment));
  }
  access.instruction->eraseFromParent();
}

void lowerAsRelaxed(Instrumentation& instrumentation, llvm::MemIntrinsic& range) {
  Relaxed relaxed(instrumentation, range);
  llvm::IRBuilder<>& builder = relaxed.builder();
  llvm::Value* length = builder.CreateZExtOrTrunc(range.getLength(), builder.getInt64Ty());
  auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&range);
  std::uint64_t step = std::min<std::uint64_t>(8, range.getDestAlign().valueOrOne().value());
  if (copy) step = std::min(step, copy->getSourceAlign().valueOrOne().value());
  // Pieces first, then the bytes that are left.
  llvm::Value* pieces = builder.CreateAnd(length, builder.getInt64(~(step - 1)));
  const auto body = [&](std::uint64_t size) {
    return [&, size](llvm::IRBuilder<>& inside, llvm::Value* index) {
      llvm::Value* value = nullptr;
      if (copy) {
        value = relaxed.load(inside, inside.CreatePtrAdd(copy->getRawSource(), index), size);
      } else {
        auto* type = inside.getIntNTy(static_cast<unsigned>(8 * size));
        llvm::Value* byte = inside.CreateZExt(llvm::cast<llvm::MemSetInst>(range).getValue(), type);
        value = inside.CreateMul(byte, llvm::ConstantInt::get(type, 0x0101'0101'0101'0101 & (~0ULL >> (64 - 8 * size))));
      }
      relaxed.store(inside, inside.CreatePtrAdd(range.getRawDest(), index), value, size);
    };
  };
  makeLoop(range, builder.getInt64(0), pieces, step, body(step));
  if (step != 1) makeLoop(range, pieces, length, 1, body(1));
  range.eraseFromParent();
}

}  // namespace heddle::native
