#include "native/loops/marked_rounds.h"

#include <llvm/IR/Instructions.h>

#include "native/instrument/access_hook.h"
#include "native/loops/loop_causes.h"

namespace heddle::native {
namespace {

// Bit by bit. Null for types that cannot be compared at once.
llvm::Value* differ(llvm::IRBuilder<>& builder, llvm::Value* a, llvm::Value* b) {
  llvm::Type* const type = a->getType();
  if (type->isFloatingPointTy()) {
    auto* bits = builder.getIntNTy(static_cast<unsigned>(type->getPrimitiveSizeInBits()));
    a = builder.CreateBitCast(a, bits);
    b = builder.CreateBitCast(b, bits);
  } else if (!type->isIntegerTy() && !type->isPointerTy()) {
    return nullptr;
  }
  return builder.CreateICmpNE(a, b);
}

void orInto(llvm::IRBuilder<>& builder, llvm::Value* variable, llvm::Value* condition) {
  builder.CreateStore(builder.CreateOr(builder.CreateLoad(builder.getInt1Ty(), variable), condition), variable);
}

}  // namespace

MarkedRound::MarkedRound(Instrumentation& instrumentation, const MarkedLoop& loop, llvm::BasicBlock& header,
                         std::uint32_t source)
    : ins_(instrumentation), loop_(loop), header_(header), source_(source) {
  llvm::IRBuilder<> builder(&header, header.getFirstInsertionPt());
  builder.SetCurrentDebugLocation(header.getTerminator()->getDebugLoc());
  vain_ = makeVariable(builder.getInt1Ty());
  unclear_ = makeVariable(builder.getInt1Ty());
  began_ = makeVariable(builder.getInt32Ty());
  builder.CreateCall(ins_.hooks.beginRound, {builder.getInt32(source)});
  builder.CreateStore(builder.getFalse(), vain_);
  builder.CreateStore(builder.getFalse(), unclear_);
  builder.CreateStore(builder.CreateCall(ins_.hooks.position, {}), began_);
  for (llvm::CallInst* mark : loop.marks) {
    llvm::IRBuilder<> before(mark);
    orInto(before, vain_, before.CreateIsNull(mark->getArgOperand(0)));
  }
  for (llvm::Instruction* instruction : loop.unclear) watch(*instruction);
}

llvm::AllocaInst* MarkedRound::makeVariable(llvm::Type* type) const {
  llvm::BasicBlock& entry = header_.getParent()->getEntryBlock();
  return llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
}

void MarkedRound::watch(llvm::Instruction& instruction) const {
  llvm::IRBuilder<> builder(&instruction);
  builder.SetCurrentDebugLocation(instruction.getDebugLoc());
  llvm::Value* changes = builder.getTrue();
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      store && store->getValueOperand()->getType()->isSingleValueType()) {
    llvm::Type* const type = store->getValueOperand()->getType();
    if (type->isIntegerTy() || type->isPointerTy() || type->isFloatingPointTy()) {
      llvm::LoadInst* old = builder.CreateAlignedLoad(type, store->getPointerOperand(), store->getAlign());
      markOwn(*old);
      builder.SetInsertPoint(store->getNextNode());
      changes = differ(builder, old, store->getValueOperand());
    }
  }
  orInto(builder, unclear_, changes);
}

void MarkedRound::end(llvm::IRBuilder<>& builder) const {
  const auto valueAfter = [edge = builder.GetInsertBlock()](llvm::PHINode* value) {
    return value->getIncomingValueForBlock(edge);
  };
  llvm::SmallVector<std::pair<llvm::PHINode*, llvm::Value*>, 4> carried, reread;
  for (llvm::PHINode* value : loop_.carried) carried.emplace_back(value, valueAfter(value));
  for (llvm::PHINode* value : loop_.reread) reread.emplace_back(value, valueAfter(value));
  llvm::Instruction* const place = ins_.unlikely(builder, builder.CreateLoad(builder.getInt1Ty(), vain_), false);
  llvm::IRBuilder<> ending(place);
  ending.SetCurrentDebugLocation(builder.getCurrentDebugLocation());
  llvm::Value* changed = llvm::ConstantPointerNull::get(ending.getPtrTy());
  llvm::Value* unclear = ending.CreateLoad(ending.getInt1Ty(), unclear_);
  for (const auto& [value, next] : carried) {
    if (next == value) continue;
    llvm::Value* const differs = differ(ending, value, next);
    if (!differs) unclear = ending.getTrue();
    if (differs) changed = ending.CreateSelect(differs, ins_.text(nameOf(*value)), changed);
  }
  for (const auto& [value, next] : reread) {
    llvm::Value* const differs = differ(ending, value, next);
    unclear = differs ? ending.CreateOr(unclear, differs) : ending.getTrue();
  }
  llvm::Value* const mark = ending.getInt32(ins_.sources.of(*loop_.marks.front()));
  ending.CreateCall(ins_.hooks.endRound,
                    {ending.getInt32(source_), mark, ending.CreateLoad(ending.getInt32Ty(), began_), changed,
                     ending.CreateZExt(unclear, ending.getInt32Ty()), ending.getInt32(loop_.rewrites ? 1 : 0)});
}

}  // namespace heddle::native
