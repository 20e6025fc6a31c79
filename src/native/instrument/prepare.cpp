#include "native/instrument/prepare.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Inliner.h>
#include <llvm/Transforms/IPO/Internalize.h>
#include <llvm/Transforms/IPO/ModuleInliner.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>
#include <set>
#include <vector>

#include "native/compile/link.h"
#include "native/compile/simplify.h"
#include "native/instrument/control_flow.h"
#include "native/instrument/dangling_uses.h"
#include "native/instrument/globals.h"
#include "native/instrument/local_variables.h"
#include "native/instrument/padded_atomics.h"
#include "native/instrument/pointer_phis.h"
#include "native/instrument/set_jumps.h"
#include "native/instrument/uninitialised.h"

namespace heddle::native {
namespace {

// The analyses that LLVM's passes need.
struct Analyses {
  Analyses() {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(callGraphs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, callGraphs, modules);
  }
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraphs;
  llvm::ModuleAnalysisManager modules;
};

const llvm::AttributeMask& functionPromises() {
  static const llvm::AttributeMask kMask = [] {
    llvm::AttributeMask mask;
    for (const auto kind :
         {llvm::Attribute::Memory, llvm::Attribute::NoFree, llvm::Attribute::NoSync, llvm::Attribute::WillReturn,
          llvm::Attribute::MustProgress, llvm::Attribute::Speculatable, llvm::Attribute::NoRecurse, llvm::Attribute::NoCallback,
          llvm::Attribute::AllocKind, llvm::Attribute::AllocSize, llvm::Attribute::StackProtectStrong}) {
      mask.addAttribute(kind);
    }
    mask.addAttribute("alloc-family");
    return mask;
  }();
  return kMask;
}

const llvm::AttributeMask& valuePromises() {
  static const llvm::AttributeMask kMask = [] {
    llvm::AttributeMask mask;
    for (const auto kind :
         {llvm::Attribute::NoUndef, llvm::Attribute::NonNull, llvm::Attribute::Dereferenceable,
          llvm::Attribute::DereferenceableOrNull, llvm::Attribute::NoAlias, llvm::Attribute::NoCapture,
          llvm::Attribute::ReadNone, llvm::Attribute::ReadOnly, llvm::Attribute::WriteOnly, llvm::Attribute::Returned,
          llvm::Attribute::NoFree, llvm::Attribute::Range, llvm::Attribute::Writable, llvm::Attribute::DeadOnUnwind}) {
      mask.addAttribute(kind);
    }
    return mask;
  }();
  return kMask;
}

llvm::AttributeList withoutPromises(llvm::LLVMContext& context, llvm::AttributeList attributes, std::size_t parameters) {
  attributes = attributes.removeFnAttributes(context, functionPromises());
  attributes = attributes.removeRetAttributes(context, valuePromises());
  for (unsigned i = 0; i < parameters; ++i) attributes = attributes.removeParamAttributes(context, i, valuePromises());
  return attributes;
}

void dropPromises(llvm::Instruction& instruction) {
  llvm::LLVMContext& context = instruction.getContext();
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    if (!llvm::isa<llvm::IntrinsicInst>(call)) {
      call->setAttributes(withoutPromises(context, call->getAttributes(), call->arg_size()));
    }
  } else if (auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    element->setNoWrapFlags(llvm::GEPNoWrapFlags::none());
  }
  if (!llvm::isa<llvm::DbgInfoIntrinsic>(instruction)) {
    instruction.dropUnknownNonDebugMetadata({context.getMDKindID(kOwnAccess), llvm::LLVMContext::MD_prof,
                                             llvm::LLVMContext::MD_loop, llvm::LLVMContext::MD_nontemporal});
  }
}

// std::atomic and its kin: once inlined, their memory orders are constants.
bool isAtomicMember(const llvm::Function& function) {
  const llvm::StringRef name = function.getName();
  return (name.starts_with("_ZNSt") || name.starts_with("_ZNKSt") || name.starts_with("_ZNVSt") ||
          name.starts_with("_ZNVKSt") || name.starts_with("_ZSt")) &&
         name.contains("atomic") && !function.hasFnAttribute(kLibraryAttribute);
}

// A call of a library model from the program stays a call, so that it can be given its place in the program.
void setLibraryCallsInlinable(llvm::Module& module, bool inlinable) {
  for (llvm::Function& function : module) {
    if (function.hasFnAttribute(kLibraryAttribute)) continue;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || !callee->hasFnAttribute(kLibraryAttribute)) continue;
      if (inlinable) {
        call->removeFnAttr(llvm::Attribute::NoInline);
      } else {
        call->setIsNoInline();
      }
    }
  }
}

// A load whose value is not used may still race or be out of bounds, but LLVM would delete it, unless it is volatile. So
// the loads that are not from local variables are made volatile for a while.
constexpr const char* kPinned = "heddle.pinned";

void unpinLoads(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (!instruction.hasMetadata(kPinned)) continue;
    llvm::cast<llvm::LoadInst>(instruction).setVolatile(false);
    instruction.setMetadata(kPinned, nullptr);
  }
}

void pinLoads(llvm::Function& function) {
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    std::int64_t offset = 0;
    if (!load || load->isVolatile() || variableAt(*load->getPointerOperand(), layout, offset)) continue;
    load->setVolatile(true);
    load->setMetadata(kPinned, llvm::MDNode::get(function.getContext(), {}));
  }
}

// Is the address that of a local variable in which nothing but plain memory can be: no atomic access to it, and nobody else
// who has the address?
bool isPlain(const llvm::Value& address) {
  return llvm::all_of(address.uses(), [](const llvm::Use& use) {
    const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    if (llvm::isa<llvm::GetElementPtrInst>(user)) return isPlain(*user);
    if (llvm::isa<llvm::LoadInst>(user) || user->isLifetimeStartOrEnd()) return !user->isAtomic();
    if (llvm::isa<llvm::StoreInst>(user))
      return !user->isAtomic() && use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex();
    if (llvm::isa<llvm::MemIntrinsic>(user)) return true;
    const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    return call && call->isArgOperand(&use) && call->isByValArgument(call->getArgOperandNo(&use));
  });
}

// An argument that is passed by value in memory is copied by the code generator, which checks nothing. If the original is
// not plain memory of the caller's own already, it is copied to some here.
void copyByValueArguments(llvm::Function& function) {
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  std::vector<std::pair<llvm::CallBase*, unsigned>> arguments;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    for (unsigned i = 0; call && i < call->arg_size(); ++i) {
      if (!call->isByValArgument(i)) continue;
      const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(call->getArgOperand(i));
      if (!variable || !isPlain(*variable)) arguments.emplace_back(call, i);
    }
  }
  for (const auto& [call, i] : arguments) {
    llvm::Type* type = call->getParamByValType(i);
    llvm::IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().begin());
    llvm::AllocaInst* copy = builder.CreateAlloca(type);
    copy->setAlignment(std::max(copy->getAlign(), call->getParamAlign(i).valueOrOne()));
    builder.SetInsertPoint(call);
    builder.CreateMemCpy(copy, copy->getAlign(), call->getArgOperand(i), llvm::Align(1), layout.getTypeAllocSize(type));
    call->setArgOperand(i, copy);
  }
}

// The variable of a handler: catch (int e).
bool isCaught(const llvm::Instruction& begin) {
  return llvm::any_of(*begin.getParent(), [](const llvm::Instruction& instruction) {
    const llvm::Function* callee = calleeOf(instruction);
    return callee && callee->getName() == "__cxa_begin_catch";
  });
}

// Does the variable end before its function does, so that its lives have to be followed? Only the program's own ones are,
// and only those that a pointer may be used for afterwards. Variables of a function's outermost block live as long as its frame.
bool endsInside(const llvm::AllocaInst& variable, Instrumentation& instrumentation) {
  const std::vector<llvm::Instruction*> markers = lifetimeMarkers(variable);
  const auto begin = llvm::find_if(markers, [](const llvm::Instruction* marker) { return marksBegin(*marker); });
  const bool both = begin != markers.end() && llvm::any_of(markers, [](const auto* m) { return !marksBegin(*m); });
  if (!both || !variable.isStaticAlloca() || !(*begin)->getDebugLoc()) return false;
  // A variable of an inlined function of a system header, too, is not the program's own.
  if (instrumentation.info.sources[instrumentation.sources.of(**begin)].library) return false;
  // To the debug information variables of handlers and of conditions are of the block around.
  if (instrumentation.names.isOfOutermostBlock(variable) && !isCaught(**begin) && !mayBeginAgain(variable)) return false;
  return mayEscape(variable) || mayBeUsedAfterEnd(variable);
}

// The line of the label that the block begins with, if it does.
std::optional<unsigned> labelLine(llvm::BasicBlock& block) {
  for (llvm::Instruction& instruction : block) {
    for (llvm::DbgRecord& record : instruction.getDbgRecordRange()) {
      if (const auto* label = llvm::dyn_cast<llvm::DbgLabelRecord>(&record)) return label->getLabel()->getLine();
    }
  }
  return std::nullopt;
}

// In C a jump back does not end the variables that are declared between its target and itself; in C++ it does, and clang
// marks it so for both. A function of C with such a jump keeps its variables.
bool jumpsBackInC(llvm::Function& function) {
  const llvm::DISubprogram* subprogram = function.getSubprogram();
  if (!subprogram || !subprogram->getUnit()) return false;
  const auto language = static_cast<llvm::dwarf::SourceLanguage>(subprogram->getUnit()->getSourceLanguage());
  if (llvm::dwarf::isCPlusPlus(language)) return false;
  return llvm::any_of(function, [](llvm::BasicBlock& block) {
    const std::optional<unsigned> line = labelLine(block);
    return line && llvm::any_of(llvm::predecessors(&block), [&](const llvm::BasicBlock* from) {
             const llvm::DebugLoc& jump = from->getTerminator()->getDebugLoc();
             return !jump || jump.getLine() >= *line;
           });
  });
}

void dropLifetimes(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (instruction.isLifetimeStartOrEnd()) instruction.eraseFromParent();
  }
}

// Keeps the markers of lives that have to be followed, and no others. The inliner, too, marks where a callee's variables live.
void settleLifetimes(llvm::Function& function, Instrumentation& instrumentation) {
  std::set<const llvm::Value*> followed;
  std::vector<llvm::Instruction*> markers;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (instruction.isLifetimeStartOrEnd()) markers.push_back(&instruction);
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable && endsInside(*variable, instrumentation)) followed.insert(variable);
  }
  for (llvm::Instruction* marker : markers) {
    if (!followed.contains(llvm::cast<llvm::IntrinsicInst>(marker)->getArgOperand(1))) marker->eraseFromParent();
  }
}

constexpr const char* kInlineThreshold = "function-inline-threshold";  // LLVM's

// Marks a function that is not to be inlined for the time being.
constexpr const char* kKeptFrame = "heddle-frame";

void releaseFrame(llvm::Function& function) {
  if (!function.hasFnAttribute(kKeptFrame)) return;
  function.removeFnAttr(kKeptFrame);
  function.removeFnAttr(llvm::Attribute::NoInline);
}

// Has it variables that are not its own?
bool hasFrame(llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](llvm::Instruction& instruction) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    return variable && !isPrivate(*variable, isSleep);
  });
}

bool hasAtomics(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function),
                      [](const llvm::Instruction& instruction) { return instruction.isAtomic(); });
}

// A loop gets the operations that it calls, even if the program does not want them inlined: that what a round writes is written anew
// by the next one can be seen only there. Functions that are not small stay what they are. Marks these calls, and tells whether there
// are any.
bool favourLoops(Instrumentation& instrumentation) {
  constexpr unsigned kLargest = 200;  // instructions
  SourceTable& sources = instrumentation.sources;
  const auto isOperation = [&](llvm::Function& function) {
    return function.hasFnAttribute(llvm::Attribute::NoInline) && !function.isDeclaration() &&
           function.getInstructionCount() <= kLargest && hasAtomics(function) && !hasFrame(function) &&
           !function.hasFnAttribute(kLibraryAttribute) && !sources.isLibrary(sources.of(function));
  };
  std::set<const llvm::Function*> operations;
  for (llvm::Function& function : instrumentation.module) {
    if (isOperation(function)) operations.insert(&function);
  }
  bool found = false;
  if (operations.empty()) return found;
  for (llvm::Function& function : instrumentation.module) {
    if (function.isDeclaration()) continue;
    const llvm::DominatorTree dominators(function);
    const llvm::LoopInfo loops(dominators);
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const bool isMeant = call && operations.contains(call->getCalledFunction());
      if (!isMeant || !loops.getLoopFor(call->getParent())) continue;
      call->addFnAttr(llvm::Attribute::AlwaysInline);
      found = true;
    }
  }
  return found;
}

// Local variables become SSA values where that hides nothing, and what follows from it is folded.
class PromotePass : public llvm::PassInfoMixin<PromotePass> {
 public:
  explicit PromotePass(Instrumentation& instrumentation) : instrumentation_(&instrumentation) {}

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    unpinLoads(function);
    loadBeforePhis(function);
    const std::vector<llvm::AllocaInst*> staying = guardUninitialised(*instrumentation_, function);
    pinLoads(function);
    const std::vector<llvm::Instruction*> holds = hold(function, staying);
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
    llvm::SROAPass(llvm::SROAOptions::PreserveCFG).run(function, analyses);
    for (llvm::Instruction* held : holds) held->eraseFromParent();
    simplify(function);
    hideDependencies(function);
    keepFrame(function);
    favourAtomics(function);
    return llvm::PreservedAnalyses::none();
  }

 private:
  // A function of the program with variables in frame memory is not inlined here: they die when it returns, not with the
  // frame of its caller. Nobody can tell if they only say how long to sleep.
  void keepFrame(llvm::Function& function) {
    SourceTable& sources = instrumentation_->sources;
    if (function.hasFnAttribute(llvm::Attribute::AlwaysInline) || sources.isLibrary(sources.of(function))) return;
    releaseFrame(function);
    if (function.hasFnAttribute(llvm::Attribute::NoInline) || !hasFrame(function)) return;
    function.addFnAttr(kKeptFrame);
    function.addFnAttr(llvm::Attribute::NoInline);
  }

  // Operations of concurrent data structures are inlined even if they are not small: a loop that waits for one to succeed
  // can be seen to wait only if its body is all there.
  void favourAtomics(llvm::Function& function) {
    if (hasAtomics(function)) function.addFnAttr(kInlineThreshold, "2000");
  }

  // To LLVM a variable whose address is handed to an unknown function must stay as it is.
  std::vector<llvm::Instruction*> hold(llvm::Function& function, const std::vector<llvm::AllocaInst*>& variables) {
    std::vector<llvm::Instruction*> calls;
    llvm::IRBuilder<> builder(function.getContext());
    const llvm::FunctionCallee holder =
        instrumentation_->module.getOrInsertFunction("heddle.hold", builder.getVoidTy(), builder.getPtrTy());
    for (llvm::AllocaInst* variable : variables) {
      builder.SetInsertPoint(variable->getNextNode());
      calls.push_back(builder.CreateCall(holder, {variable}));
    }
    return calls;
  }

  Instrumentation* instrumentation_;
};

llvm::ModuleInlinerWrapperPass inliner(Instrumentation& instrumentation) {
  llvm::ModuleInlinerWrapperPass inliner(llvm::getInlineParams(2, 0));
  inliner.getPM().addPass(llvm::createCGSCCToFunctionPassAdaptor(PromotePass(instrumentation)));
  return inliner;
}

}  // namespace

void removeUnreachable(llvm::Module& module, bool crashes) {
  Analyses analyses;
  llvm::ModulePassManager passes;
  passes.addPass(llvm::InternalizePass([crashes](const llvm::GlobalValue& value) {
    return value.getName() == "main" || value.getName() == kStartSymbol || value.getName() == kCycleCounter ||
           isCalledAtStart(value) || (crashes && llvm::is_contained(kRecoverySymbols, value.getName()));
  }));
  passes.addPass(llvm::GlobalDCEPass());
  passes.run(module, analyses.modules);
}

void dropPromises(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.setAttributes(withoutPromises(module.getContext(), function.getAttributes(), function.arg_size()));
    function.addFnAttr(llvm::Attribute::NullPointerIsValid);
    function.addFnAttr("no-builtins");
    for (llvm::Instruction& instruction : llvm::instructions(function)) dropPromises(instruction);
  }
}

void prepare(Instrumentation& instrumentation) {
  llvm::Module& module = instrumentation.module;
  for (llvm::Function& function : module) {
    completePaddedAtomics(function);
    copyByValueArguments(function);
    markPassedStructures(function);
  }
  for (llvm::Function& function : module) {
    if (jumpsBackInC(function) || callsSetJump(function)) dropLifetimes(function);
  }
  // Stops LLVM's own passes from executing loads speculatively.
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr(llvm::Attribute::SanitizeThread);
    if (isAtomicMember(function)) {
      function.removeFnAttr(llvm::Attribute::NoInline);
      function.addFnAttr(llvm::Attribute::AlwaysInline);
    }
  }
  setLibraryCallsInlinable(module, false);

  Analyses analyses;
  llvm::ModulePassManager passes;
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(PromotePass(instrumentation)));
  passes.addPass(inliner(instrumentation));
  passes.run(module, analyses.modules);
  if (favourLoops(instrumentation)) inliner(instrumentation).run(module, analyses.modules);

  showDependencies(module);
  setLibraryCallsInlinable(module, true);
  for (llvm::Function& function : module) {
    function.removeFnAttr(llvm::Attribute::SanitizeThread);
    unpinLoads(function);
    releaseFrame(function);
    function.removeFnAttr(kInlineThreshold);
  }
  for (llvm::Function& function : module) settleLifetimes(function, instrumentation);
}

}  // namespace heddle::native
