#include "native/instrument/processor_intrinsics.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include "native/compile/link.h"

namespace heddle::native {

using llvm::AtomicOrdering;

bool lowerProcessorIntrinsic(llvm::IntrinsicInst& call) {
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
    case llvm::Intrinsic::x86_sse_sfence: builder.CreateFence(AtomicOrdering::Release); break;
    case llvm::Intrinsic::x86_sse2_pause: break;
    default: return false;
  }
  call.eraseFromParent();
  return true;
}

}  // namespace heddle::native
