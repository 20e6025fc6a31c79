#include "native/instrument.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <set>
#include <vector>

#include "native/accesses.h"
#include "native/assembly.h"
#include "native/atomic_calls.h"
#include "native/atomics.h"
#include "native/checks.h"
#include "native/coroutines.h"
#include "native/externals.h"
#include "native/frames.h"
#include "native/globals.h"
#include "native/instrumentation.h"
#include "native/link.h"
#include "native/loops.h"
#include "native/prepare.h"
#include "native/wait_loops.h"

namespace heddle::native {
namespace {

bool isLibrary(const llvm::Function& function) {
  return function.hasFnAttribute(kLibraryAttribute) || (function.isDeclaration() && !function.isIntrinsic());
}

// What a call allocates can be told as long as the code is as clang made it; it travels with the call.
bool isAllocation(llvm::StringRef name) {
  return name.starts_with("_Znw") || name.starts_with("_Zna") || name == "malloc" || name == "calloc" ||
         name == "realloc" || name == "aligned_alloc" || name == "posix_memalign" || name == "memalign" ||
         name == "reallocarray" || name == "strdup" || name == "strndup";
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
      auto* number = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), type);
      call->setMetadata(kHeapType, llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(number)));
    }
  }
}

std::uint32_t heapTypeOf(const llvm::Instruction& call) {
  const llvm::MDNode* node = call.getMetadata(kHeapType);
  if (!node) return 0;
  return static_cast<std::uint32_t>(llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(0))->getZExtValue());
}

// The hooks that are called by then have a place of their own.
bool isHook(const Instrumentation& instrumentation, const llvm::Function& function) {
  Hooks hooks = instrumentation.hooks;
  return &function == hooks.fail.getCallee() || &function == hooks.spin.getCallee() || &function == hooks.spinOnMutex.getCallee();
}

// Does the call lead, or perhaps lead, from the program's own code into a library?
bool entersLibrary(Instrumentation& instrumentation, const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (call.isInlineAsm() || (callee && (callee->isIntrinsic() || isHook(instrumentation, *callee)))) return false;
  const bool libraryCallee = !callee || callee->isDeclaration() || isLibrary(*callee) || instrumentation.sources.isLibrary(instrumentation.sources.of(*callee));
  return libraryCallee && !instrumentation.sources.isLibrary(instrumentation.sources.of(call));
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
      .Case("timespec_get", "timespec_get")
      .Case("_ZNSt6chrono3_V212system_clock3nowEv", "system_clock::now")
      .Case("_ZNSt6chrono3_V212steady_clock3nowEv", "steady_clock::now")
      .Default(nullptr);
}

void warnOfClock(Instrumentation& instrumentation, llvm::IRBuilder<>& builder, const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  const char* const name = callee ? clockName(*callee) : nullptr;
  if (!name || instrumentation.info.sources[instrumentation.sources.of(call)].library) return;
  builder.CreateCall(instrumentation.hooks.warn,
                     {instrumentation.text(std::string(name) +
                                           " gave one fixed sequence of times; no other was explored. To explore others, "
                                           "take values from heddle_choose(n)")});
}

// A call from the program's own code into a library (a model, or a function of a system header that was not inlined) tells
// the runtime where it is made.
void noteCalls(Instrumentation& instrumentation) {
  for (llvm::Function& function : instrumentation.module) {
    if (isLibrary(function)) continue;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (!call) continue;
      llvm::IRBuilder<> builder(call);
      if (entersLibrary(instrumentation, *call)) {
        builder.CreateStore(builder.getInt32(instrumentation.sources.of(*call)), instrumentation.hooks.callSource);
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

ProgramInfo instrument(llvm::Module& module, const BuildOptions& options) {
  ProgramInfo info;
  lowerCoroutines(module);
  removeUnreachable(module);
  DebugNames names(module, info);
  lowerGlobals(module, info, names);
  Instrumentation instrumentation(module, options, info, names);
  noteHeapTypes(instrumentation);
  for (llvm::Function* function : definitions(module)) addChecks(instrumentation, *function);
  dropPromises(module);
  prepare(instrumentation);
  std::vector<std::string> errors;
  for (llvm::Function* function : definitions(module)) {
    lowerAssembly(instrumentation, *function, errors);
    expandAtomicCalls(instrumentation, *function);
  }
  rejectUnknownExternals(instrumentation, std::move(errors));
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
  }
  return info;
}

}  // namespace heddle::native
