#include "native/loops/effects.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include "native/compile/link.h"
#include "native/instrument/globals.h"
#include "native/instrument/host_functions.h"
#include "native/instrument/local_variables.h"
#include "native/instrument/shared_state.h"
#include "native/loops/annotation_calls.h"
#include "runtime/hook_names.h"

namespace heddle::native {
namespace {

namespace hook = runtime::hook_names;

constexpr unsigned kMaxDepth = 4;  // of calls that are looked into

bool isEffectFree(const llvm::Function& function, const BuildOptions& options, unsigned depth);

bool isEffectFreeCall(const llvm::CallBase& call, const BuildOptions& options, unsigned depth) {
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    return intrinsic->doesNotAccessMemory() || intrinsic->isAssumeLikeIntrinsic() ||
           intrinsic->getIntrinsicID() == llvm::Intrinsic::x86_sse2_pause;
  }
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee) return false;
  if (callee->isDeclaration()) {
    return call.doesNotReturn() || isPureHostFunction(callee->getName()) || callee->getName() == hook::heddle_warn_hook ||
           callee->getName() == hook::heddle_yield || llvm::is_contained(options.pure, callee->getName());
  }
  if (isSleep(call)) return true;  // it moves the thread's clock, and nobody looks at that here
  return depth < kMaxDepth && isEffectFree(*callee, options, depth + 1);
}

// What a call of a library model does to a mutex, if that is all it does.
Effect effectOnMutex(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee || !callee->hasFnAttribute(kLibraryAttribute) || !llvm::isa<llvm::CallInst>(call)) return Effect::certain;
  return llvm::StringSwitch<Effect>(callee->getName())
      .Cases("pthread_mutex_trylock", "pthread_mutex_timedlock", "pthread_mutex_clocklock", Effect::ifReturnsZero)
      .Cases("mtx_trylock", "mtx_timedlock", "pthread_spin_trylock", Effect::ifReturnsZero)
      .Cases("pthread_rwlock_tryrdlock", "pthread_rwlock_timedrdlock", "pthread_rwlock_clockrdlock", Effect::ifReturnsZero)
      .Cases("pthread_rwlock_trywrlock", "pthread_rwlock_timedwrlock", "pthread_rwlock_clockwrlock", Effect::ifReturnsZero)
      .Cases("pthread_mutex_lock", "mtx_lock", Effect::lock)
      .Cases("pthread_mutex_unlock", "mtx_unlock", Effect::unlock)
      .Default(Effect::certain);
}

// Does the call lead into the program's own code, known or not, and come back from it?
bool callsProgram(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (call.isInlineAsm() || llvm::isa<llvm::CallBrInst>(call)) return false;
  return !callee || !(callee->isDeclaration() || callee->hasFnAttribute(kLibraryAttribute));
}

// Is what it writes never what it has read?
bool alwaysChanges(const llvm::AtomicRMWInst& rmw) {
  const auto* operand = llvm::dyn_cast<llvm::ConstantInt>(rmw.getValOperand());
  if (!operand || operand->isZero()) return false;
  const llvm::AtomicRMWInst::BinOp operation = rmw.getOperation();
  return operation == llvm::AtomicRMWInst::Add || operation == llvm::AtomicRMWInst::Sub ||
         operation == llvm::AtomicRMWInst::Xor;
}

// What a plain load or store is to other threads.
enum class PlainAccess : std::uint8_t {
  silent,      // they cannot take part in it, or it would be an error
  maybeEvent,  // an event if its bytes turn out to be raced for, or are durable
  event,
};

PlainAccess plainAccess(const llvm::Instruction& access, const llvm::Value& address, const BuildOptions& options) {
  const bool isEvent = options.volatileRelaxed && access.isVolatile();
  if (options.races && !options.crashes && !isEvent) return PlainAccess::silent;
  const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(&address, 0));
  if (variable && !mayEscape(*variable)) return PlainAccess::silent;
  return isEvent ? PlainAccess::event : PlainAccess::maybeEvent;
}

Effect effectOfPlain(const llvm::StoreInst& store, const BuildOptions& options) {
  switch (plainAccess(store, *store.getPointerOperand(), options)) {
    case PlainAccess::silent: return Effect::ifChanges;
    case PlainAccess::maybeEvent: return Effect::ifRaced;
    case PlainAccess::event: break;
  }
  return Effect::certain;
}

Effect effectAt(const llvm::Instruction& instruction, const BuildOptions& options, unsigned depth) {
  if (isAnnotation(instruction)) return Effect::none;
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    if (isEffectFreeCall(*call, options, depth)) return Effect::none;
    return callsProgram(*call) ? Effect::unknown : effectOnMutex(*call);
  }
  if (llvm::isa<llvm::AtomicCmpXchgInst>(instruction)) return Effect::ifSucceeds;
  if (const auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return alwaysChanges(*rmw) ? Effect::certain : Effect::ifChanges;
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    if (isRuntimeVariable(store->getPointerOperand())) return Effect::none;
    if (store->isAtomic()) return Effect::ifNew;
    return effectOfPlain(*store, options);
  }
  const bool reads = llvm::isa<llvm::LoadInst, llvm::FenceInst>(instruction);
  return reads || !instruction.mayWriteToMemory() ? Effect::none : Effect::certain;
}

// A function that can be called in a spin loop: straight to its end, without a store.
bool isEffectFree(const llvm::Function& function, const BuildOptions& options, unsigned depth) {
  if (function.size() > 8) return false;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (effectAt(instruction, options, depth) != Effect::none) return false;
  }
  return true;
}

}  // namespace

Effect effectOf(const llvm::Instruction& instruction, const BuildOptions& options) { return effectAt(instruction, options, 0); }

bool readsShared(const llvm::Instruction& instruction, const BuildOptions& options) {
  if (llvm::isa<llvm::AtomicCmpXchgInst, llvm::AtomicRMWInst>(instruction)) return true;
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const Effect effect = effectOnMutex(*call);
    return effect == Effect::lock || effect == Effect::ifReturnsZero;
  }
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  if (!load || isRuntimeVariable(load->getPointerOperand()) || load->hasMetadata(kOwnAccess)) return false;
  if (load->isAtomic()) return true;
  return plainAccess(*load, *load->getPointerOperand(), options) != PlainAccess::silent;
}

}  // namespace heddle::native
