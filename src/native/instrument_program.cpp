#include "native/instrument_program.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <set>
#include <string>
#include <vector>

#include "native/compile/coroutines.h"
#include "native/compile/link.h"
#include "native/compile/simplify.h"
#include "native/instrument/accesses.h"
#include "native/instrument/assembly.h"
#include "native/instrument/atomic_calls.h"
#include "native/instrument/atomics.h"
#include "native/instrument/dependencies.h"
#include "native/instrument/externals.h"
#include "native/instrument/frames.h"
#include "native/instrument/globals.h"
#include "native/instrument/ignored_arguments.h"
#include "native/instrument/indirect_calls.h"
#include "native/instrument/language_errors.h"
#include "native/instrument/order_changes.h"
#include "native/instrument/prepare.h"
#include "native/instrument/shared_state.h"
#include "native/loops/loops.h"
#include "native/loops/wait_loops.h"
#include "native/names/macro_parts.h"
#include "runtime/hook_names.h"

namespace heddle::native {
namespace {

bool isLibrary(const llvm::Function& function) {
  return function.hasFnAttribute(kLibraryAttribute) || (function.isDeclaration() && !function.isIntrinsic());
}

// What a call allocates can be told as long as the code is as clang made it; it travels with the call.
bool isAllocation(llvm::StringRef name) {
  return name.starts_with("_Znw") || name.starts_with("_Zna") || name == "malloc" || name == "calloc" || name == "realloc" ||
         name == "aligned_alloc" || name == "posix_memalign" || name == "memalign" || name == "reallocarray" ||
         name == "strdup" || name == "strndup";
}

void noteHeapTypes(Instrumentation& instrumentation) {
  llvm::LLVMContext& context = instrumentation.module.getContext();
  for (llvm::Function& function : instrumentation.module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || !isAllocation(callee->getName())) continue;
      const std::uint32_t type = instrumentation.names.heapType(*call);
      if (type == 0) continue;
      call->addFnAttr(llvm::Attribute::get(context, kHeapType, std::to_string(type)));
    }
  }
}

// std::atomic's functions are the accesses that their calls say.
bool isAtomicCall(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee && call.arg_size() != 0 && callee->getName().contains("atomic") &&
         call.getArgOperand(0)->getType()->isPointerTy();
}

// What the program's own accesses through pointers say about the objects there, as long as the code is as clang made it.
void noteMembers(Instrumentation& instrumentation) {
  struct Unknown {
    const llvm::DILocation* place;
    const llvm::Value* address;
    std::uint64_t size;
  };
  std::vector<Unknown> unknown;
  const auto note = [&](const llvm::DILocation* place, const llvm::Value* address, std::uint64_t size, bool again) {
    runtime::Source::Member member = instrumentation.names.member(*address, again);
    member.size = static_cast<std::uint32_t>(size);
    if (member.object != 0) {
      instrumentation.sources.setMember(*place, member);
    } else if (!again && llvm::isa<llvm::GEPOperator>(address)) {
      unknown.push_back({place, address, size});
    }
  };
  const llvm::DataLayout& layout = instrumentation.module.getDataLayout();
  for (llvm::Function& function : instrumentation.module) {
    if (function.isDeclaration() || isLibrary(function) ||
        instrumentation.sources.isLibrary(instrumentation.sources.of(function)))
      continue;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      const llvm::DILocation* place = instruction.getDebugLoc().get();
      if (!place) continue;
      const llvm::Value* address = llvm::getLoadStorePointerOperand(&instruction);
      if (address) note(place, address, layout.getTypeStoreSize(llvm::getLoadStoreType(&instruction)), false);
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && isAtomicCall(*call))
        note(place, call->getArgOperand(0), 1, false);
    }
  }
  for (const Unknown& access : unknown) note(access.place, access.address, access.size, true);
}

std::uint32_t heapTypeOf(const llvm::CallBase& call) {
  std::uint32_t type = 0;
  const llvm::Attribute attribute = call.getFnAttr(kHeapType);
  return attribute.isValid() && !attribute.getValueAsString().getAsInteger(10, type) ? type : 0;
}

// The hooks that are called by then have a place of their own.
bool isHook(const Instrumentation& instrumentation, const llvm::Function& function) {
  Hooks hooks = instrumentation.hooks;
  return &function == hooks.fail.getCallee() || &function == hooks.spin.getCallee() ||
         &function == hooks.spinOnMutex.getCallee();
}

bool isCallOfCode(const Instrumentation& instrumentation, const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return !call.isInlineAsm() && !(callee && (callee->isIntrinsic() || isHook(instrumentation, *callee)));
}

bool isLibraryCode(Instrumentation& instrumentation, const llvm::Function& function) {
  return isLibrary(function) || instrumentation.sources.isLibrary(instrumentation.sources.of(function));
}

// Does the call lead, or perhaps lead, from the program's own code into a library?
bool entersLibrary(Instrumentation& instrumentation, const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!isCallOfCode(instrumentation, call)) return false;
  return (!callee || isLibraryCode(instrumentation, *callee)) &&
         !instrumentation.sources.isLibrary(instrumentation.sources.of(call));
}

// Does the call lead, or perhaps lead, from a library into the program's own code, which may call a library in turn?
bool callsBack(Instrumentation& instrumentation, const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return isCallOfCode(instrumentation, call) && (!callee || !isLibraryCode(instrumentation, *callee));
}

// After the call, the place from which the program called the library is again what it was before it.
void restorePlace(Instrumentation& instrumentation, llvm::CallBase& call) {
  auto* const invoke = llvm::dyn_cast<llvm::InvokeInst>(&call);
  if (call.doesNotReturn() || call.isMustTailCall() || (call.isTerminator() && !invoke)) return;
  llvm::IRBuilder<> builder(&call);
  llvm::Value* place = builder.CreateLoad(builder.getInt32Ty(), instrumentation.hooks.callSource);
  if (invoke) {
    builder.SetInsertPoint(&*llvm::SplitEdge(invoke->getParent(), invoke->getNormalDest())->getFirstInsertionPt());
  } else {
    builder.SetInsertPoint(call.getNextNode());
  }
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  builder.CreateStore(place, instrumentation.hooks.callSource);
}

std::vector<llvm::CallBase*> callsIn(llvm::Function& function) {
  std::vector<llvm::CallBase*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) calls.push_back(call);
  }
  return calls;
}

// Clocks, of which the models give one sequence of times. The library's own code looks at them for timed waits, of which
// both ends are explored; only what the program's own code learns from them is worth a warning.
const char* clockName(const llvm::Function& function) {
  if (!function.hasFnAttribute(kLibraryAttribute)) return nullptr;
  return llvm::StringSwitch<const char*>(function.getName())
      .Case("time", "time")
      .Case("clock", "clock")
      .Case("clock_gettime", "clock_gettime")
      .Case("gettimeofday", "gettimeofday")
      .Case("heddle_cycles", "rdtsc")
      .Case("timespec_get", "timespec_get")
      .Case("_ZNSt6chrono3_V212system_clock3nowEv", "system_clock::now")
      .Case("_ZNSt6chrono3_V212steady_clock3nowEv", "steady_clock::now")
      .Default(nullptr);
}

void warnOfClock(Instrumentation& instrumentation, llvm::IRBuilder<>& builder, const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  const char* const name = callee ? clockName(*callee) : nullptr;
  if (!name || instrumentation.info.sources[instrumentation.sources.of(call)].library) return;
  builder.CreateCall(
      instrumentation.hooks.warn,
      {instrumentation.text(std::string(name) + " gave one fixed sequence of times; no other was explored. To explore others, "
                                                "take values from heddle_choose(n)")});
}

// A call from the program's own code into a library (a model, or a function of a system header that was not inlined) tells
// the runtime where it is made. In a library, the program's code may be called, or inlined.
void noteCalls(Instrumentation& instrumentation) {
  for (llvm::Function& function : instrumentation.module) {
    const bool inLibrary = !function.isDeclaration() && isLibraryCode(instrumentation, function);
    for (llvm::CallBase* call : callsIn(function)) {
      const bool enters = entersLibrary(instrumentation, *call);
      if (inLibrary && (enters || callsBack(instrumentation, *call))) restorePlace(instrumentation, *call);
      llvm::IRBuilder<> builder(call);
      if (enters) {
        builder.CreateStore(builder.getInt32(instrumentation.sources.ofLibraryCall(*call)), instrumentation.hooks.callSource);
        warnOfClock(instrumentation, builder, *call);
      }
      if (const std::uint32_t type = heapTypeOf(*call)) {
        builder.CreateStore(builder.getInt32(type), instrumentation.hooks.heapType);
      }
    }
  }
}

std::vector<llvm::Function*> definitions(llvm::Module& module) {
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module) {
    if (!function.isDeclaration()) functions.push_back(&function);
  }
  return functions;
}

}  // namespace

// Library models say where a thread yields. If nobody wants to know, that should cost nothing, neither in time nor in what is
// found out about loops.
static void dropYields(llvm::Module& module) {
  llvm::Function* const yield = module.getFunction(runtime::hook_names::heddle_yield);
  if (!yield) return;
  while (!yield->use_empty()) llvm::cast<llvm::CallInst>(yield->user_back())->eraseFromParent();
  yield->eraseFromParent();
}

runtime::ProgramInfo instrument(llvm::Module& module, const BuildOptions& options) {
  runtime::ProgramInfo info;
  if (!options.fair) dropYields(module);
  lowerCoroutines(module);
  removeUnreachable(module, options.crashes);
  DebugNames names(module, info);
  lowerGlobals(module, info, names, options.crashes);
  Instrumentation instrumentation(module, options, info, names);
  numberMacroParts(module);
  noteHeapTypes(instrumentation);
  noteMembers(instrumentation);
  for (llvm::Function* function : definitions(module)) exposeLanguageErrors(instrumentation, *function);
  dropPromises(module);
  if (options.dependencies) {
    for (llvm::Function* function : definitions(module)) function->addFnAttr(kKeepsDependencies);
  }
  prepare(instrumentation);
  defineIgnoredArguments(module);
  for (llvm::Function* function : definitions(module)) {
    lowerAssembly(instrumentation, *function);
    expandAtomicCalls(instrumentation, *function);
    changeOrders(instrumentation, *function);
  }
  settleExternals(instrumentation);
  noteCalls(instrumentation);
  const std::set<const llvm::Function*> waiting = waitingFunctions(module);
  const VisibleCode visible(module, options);
  for (llvm::Function* function : definitions(module)) {
    WaitLoops waits(instrumentation, *function, waiting);
    instrumentLoops(instrumentation, visible, *function);
    waits.instrument();
    lowerFrames(instrumentation, *function);
    lowerAtomics(instrumentation, *function);
    lowerAccesses(instrumentation, *function);
    checkIndirectCalls(instrumentation, *function);
  }
  if (options.dependencies) {
    for (llvm::Function* function : definitions(module)) trackDependencies(instrumentation, *function);
    info.tracksDependencies = true;
    info.controlEnds = options.controlEnds;
  }
  return info;
}

}  // namespace heddle::native
