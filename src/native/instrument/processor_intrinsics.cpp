#include "native/instrument/processor_intrinsics.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include "native/compile/link.h"
#include "runtime/hook_names.h"

namespace heddle::native {

namespace hook = runtime::hook_names;

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

namespace {

// Does the program look at the status of an abort, or only whether there is one?
bool asksForStatus(const llvm::CallInst& begin) {
  return !llvm::all_of(begin.users(), [](const llvm::User* user) {
    const auto* const compare = llvm::dyn_cast<llvm::ICmpInst>(user);
    const auto* const with = compare ? llvm::dyn_cast<llvm::ConstantInt>(compare->getOperand(1)) : nullptr;
    return with && compare->isEquality() && with->isMinusOne();
  });
}

}  // namespace

bool lowerProcessorIntrinsic(Instrumentation& instrumentation, llvm::IntrinsicInst& call) {
  llvm::IRBuilder<> builder(&call);
  const auto runtime = [&](const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments) {
    llvm::SmallVector<llvm::Type*> types;
    for (llvm::Value* argument : arguments) types.push_back(argument->getType());
    llvm::FunctionCallee callee = call.getModule()->getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
    return builder.CreateCall(callee, arguments);
  };
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
    case llvm::Intrinsic::x86_xbegin: {
      const unsigned aborts = !instrumentation.options.spuriousWakeups ? 0 : asksForStatus(call) ? 2 : 1;
      call.replaceAllUsesWith(runtime(hook::heddle_begin_hardware, builder.getInt32Ty(), builder.getInt32(aborts)));
      break;
    }
    case llvm::Intrinsic::x86_xend: runtime(hook::heddle_end_hardware, builder.getVoidTy(), {}); break;
    case llvm::Intrinsic::x86_xabort:
      runtime(hook::heddle_abort_hardware, builder.getVoidTy(),
              builder.CreateZExt(call.getArgOperand(0), builder.getInt32Ty()));
      break;
    case llvm::Intrinsic::x86_xtest:
      call.replaceAllUsesWith(runtime(hook::heddle_in_hardware, builder.getInt32Ty(), {}));
      break;
    default: return false;
  }
  call.eraseFromParent();
  return true;
}

}  // namespace heddle::native
