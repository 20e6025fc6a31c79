#include "native/instrument/processor_intrinsics.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include "native/compile/link.h"

namespace heddle::native {

using llvm::AtomicOrdering;

void emitFlush(Instrumentation& instrumentation, llvm::IRBuilder<>& builder, llvm::Value* address, Flush what) {
  if (!instrumentation.options.crashes) return;
  builder.CreateCall(instrumentation.hooks.flush, {address, builder.getInt32(static_cast<unsigned>(what))});
}

void lowerStreaming(Instrumentation& instrumentation, llvm::StoreInst& store) {
  if (!store.hasMetadata(llvm::LLVMContext::MD_nontemporal)) return;
  store.setMetadata(llvm::LLVMContext::MD_nontemporal, nullptr);
  llvm::IRBuilder<> builder(store.getNextNode());
  builder.SetCurrentDebugLocation(store.getDebugLoc());
  emitFlush(instrumentation, builder, store.getPointerOperand(), Flush::lineLater);
}

bool lowerProcessorIntrinsic(Instrumentation& instrumentation, llvm::IntrinsicInst& call) {
  llvm::IRBuilder<> builder(&call);
  const auto cycles = [&] { return builder.CreateCall(call.getModule()->getFunction(kCycleCounter)); };
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::readcyclecounter:
    case llvm::Intrinsic::readsteadycounter:
    case llvm::Intrinsic::x86_rdtsc: call.replaceAllUsesWith(cycles()); break;
    case llvm::Intrinsic::x86_rdtscp: {
      llvm::Value* const none = llvm::Constant::getNullValue(call.getType());
      call.replaceAllUsesWith(builder.CreateInsertValue(none, cycles(), 0));
      break;
    }
    case llvm::Intrinsic::x86_sse2_mfence: builder.CreateFence(AtomicOrdering::SequentiallyConsistent); break;
    case llvm::Intrinsic::x86_sse2_lfence: builder.CreateFence(AtomicOrdering::Acquire); break;
    case llvm::Intrinsic::x86_sse_sfence:
      builder.CreateFence(AtomicOrdering::Release);
      emitFlush(instrumentation, builder, llvm::Constant::getNullValue(builder.getPtrTy()), Flush::wait);
      break;
    case llvm::Intrinsic::x86_sse2_clflush: emitFlush(instrumentation, builder, call.getArgOperand(0), Flush::line); break;
    case llvm::Intrinsic::x86_clflushopt:
    case llvm::Intrinsic::x86_clwb: emitFlush(instrumentation, builder, call.getArgOperand(0), Flush::lineLater); break;
    case llvm::Intrinsic::x86_sse2_pause: break;
    default: return false;
  }
  call.eraseFromParent();
  return true;
}

}  // namespace heddle::native
