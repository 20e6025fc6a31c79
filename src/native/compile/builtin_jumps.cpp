#include "native/compile/builtin_jumps.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <setjmp.h>

#include <vector>

namespace heddle::native {
namespace {

std::vector<llvm::CallInst*> callsOf(llvm::Module& module, llvm::Intrinsic::ID intrinsic) {
  std::vector<llvm::CallInst*> calls;
  llvm::Function* const function = module.getFunction(llvm::Intrinsic::getName(intrinsic));
  if (!function) return calls;
  for (llvm::User* user : function->users()) {
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) calls.push_back(call);
  }
  return calls;
}

// clang also puts the address of the frame into the buffer, right before the call. Nobody reads it.
void dropFrameAddress(llvm::CallInst& call) {
  std::vector<llvm::StoreInst*> stores;
  for (llvm::Instruction& instruction : *call.getParent()) {
    auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    const auto* const value = store ? llvm::dyn_cast<llvm::IntrinsicInst>(store->getValueOperand()) : nullptr;
    if (value && value->getIntrinsicID() == llvm::Intrinsic::frameaddress) stores.push_back(store);
  }
  for (llvm::StoreInst* store : stores) {
    auto* const frame = llvm::cast<llvm::Instruction>(store->getValueOperand());
    if (store->getPointerOperand() != call.getArgOperand(0) || !frame->hasOneUse()) continue;
    store->eraseFromParent();
    frame->eraseFromParent();
  }
}

void lowerSet(llvm::CallInst& call, llvm::FunctionCallee setJump) {
  dropFrameAddress(call);
  llvm::BasicBlock& entry = call.getFunction()->getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.begin());
  llvm::AllocaInst* const kept = builder.CreateAlloca(builder.getInt8Ty(), builder.getInt64(sizeof(jmp_buf)));
  kept->setAlignment(llvm::Align(alignof(jmp_buf)));
  builder.SetInsertPoint(&call);
  builder.CreateStore(kept, call.getArgOperand(0));
  llvm::CallInst* const set = builder.CreateCall(setJump, {kept});
  set->addFnAttr(llvm::Attribute::ReturnsTwice);
  call.replaceAllUsesWith(set);
  call.eraseFromParent();
}

void lowerJump(llvm::CallInst& call, llvm::FunctionCallee jump) {
  llvm::IRBuilder<> builder(&call);
  llvm::Value* const kept = builder.CreateLoad(builder.getPtrTy(), call.getArgOperand(0));
  builder.CreateCall(jump, {kept, builder.getInt32(1)});
  call.eraseFromParent();
}

}  // namespace

void lowerBuiltinJumps(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* const pointer = llvm::PointerType::getUnqual(context);
  llvm::Type* const number = llvm::Type::getInt32Ty(context);
  for (llvm::CallInst* call : callsOf(module, llvm::Intrinsic::eh_sjlj_setjmp))
    lowerSet(*call, module.getOrInsertFunction("_setjmp", number, pointer));
  for (llvm::CallInst* call : callsOf(module, llvm::Intrinsic::eh_sjlj_longjmp))
    lowerJump(*call, module.getOrInsertFunction("longjmp", llvm::Type::getVoidTy(context), pointer, number));
}

}  // namespace heddle::native
