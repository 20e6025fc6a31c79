#include "native/jit/round_counter.h"

#include <llvm/Analysis/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <set>

namespace heddle::native {
namespace {

// Plain code takes for so many rounds about as long as it takes to optimise a function.
constexpr std::uint64_t kMany = 20'000;

llvm::Constant* pointer(llvm::LLVMContext& context, const void* to) {
  auto* const number = llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), reinterpret_cast<std::uint64_t>(to));
  return llvm::ConstantExpr::getIntToPtr(number, llvm::PointerType::getUnqual(context));
}

// Returns the new count.
llvm::Value* addOne(llvm::IRBuilder<>& builder, llvm::Constant* counter) {
  llvm::Value* const old = builder.CreateLoad(builder.getInt64Ty(), counter);
  llvm::Value* const next = builder.CreateAdd(old, builder.getInt64(1));
  builder.CreateStore(next, counter);
  return next;
}

std::set<llvm::BasicBlock*> loopHeaders(const llvm::Function& function) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>> edges;
  llvm::FindFunctionBackedges(function, edges);
  std::set<llvm::BasicBlock*> headers;
  for (const auto& [from, to] : edges) headers.insert(const_cast<llvm::BasicBlock*>(to));
  return headers;
}

}  // namespace

void countRounds(llvm::Function& function, std::uint64_t* counter, void (*askForBetter)(std::uint32_t), std::uint32_t number) {
  llvm::LLVMContext& context = function.getContext();
  llvm::Constant* const count = pointer(context, counter);
  for (llvm::BasicBlock* header : loopHeaders(function)) {
    llvm::IRBuilder<> builder(header, header->getFirstInsertionPt());
    addOne(builder, count);
  }
  llvm::Instruction* const first = &*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  llvm::IRBuilder<> builder(first);
  llvm::Value* const many = builder.CreateICmpUGT(addOne(builder, count), builder.getInt64(kMany));
  builder.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(many, first->getIterator(), /*Unreachable=*/false));
  auto* const type = llvm::FunctionType::get(builder.getVoidTy(), {builder.getInt32Ty()}, /*isVarArg=*/false);
  builder.CreateCall(type, pointer(context, reinterpret_cast<const void*>(askForBetter)), {builder.getInt32(number)})
      ->setDoesNotThrow();
}

}  // namespace heddle::native
