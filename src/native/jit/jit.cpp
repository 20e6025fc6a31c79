#include "native/jit/jit.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/ExecutionEngine/JITLink/EHFrameSupport.h>
#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/StandardInstrumentations.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <set>
#include <stdexcept>
#include <unordered_set>

#include "native/compile/link.h"
#include "native/instrument/globals.h"
#include "native/instrument/hook_condition.h"
#include "native/jit/cold.h"
#include "native/jit/computation.h"
#include "native/jit/debug_object.h"
#include "native/jit/image_memory.h"
#include "native/jit/later_functions.h"
#include "native/jit/visible_variables.h"
#include "native/pipeline.h"
#include "runtime/call_targets.h"
#include "runtime/hook_names.h"

// The unwinder of libgcc.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier): these are names of the run-time
void __register_frame(void* begin);
void __deregister_frame(void* begin);
const void* _Unwind_Find_FDE(void* address, void* bases);
// NOLINTEND(bugprone-reserved-identifier)
}

namespace heddle::native {
namespace {

class Stopwatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

[[noreturn]] void fail(const std::string& why) {
  throw InputError(fmt::format("error: the program cannot be linked: {}", why));
}

// ---- Functions that code generation calls on its own account: copying of private memory, arithmetic on wide integers,
// mathematical functions behind intrinsics, the unwinder. Atomics are not among them: they are all hooks by now.

const std::unordered_set<std::string>& runtimeHelpers() {
  static const std::unordered_set<std::string> kHelpers = [] {
    std::unordered_set<std::string> names = {"sincos", "sincosf", "sincosl", "exp10", "exp10f", "exp10l"};
#define HANDLE_LIBCALL(code, name) static_cast<const char*>(name),
    for (const char* name : {
#include <llvm/IR/RuntimeLibcalls.def>
         })
      if (name && std::strncmp(name, "__atomic_", 9) != 0 && std::strncmp(name, "__sync_", 7) != 0) names.insert(name);
    return names;
  }();
  return kHelpers;
}

// ---- Before optimisation

// What the front end and earlier passes promised about functions was true before the checks were put into them.
void dropPromises(llvm::Function& function) {
  for (const auto kind : {llvm::Attribute::MustProgress, llvm::Attribute::WillReturn, llvm::Attribute::NoSync,
                          llvm::Attribute::NoFree, llvm::Attribute::Memory, llvm::Attribute::Speculatable})
    function.removeFnAttr(kind);
}

// A reference is dereferenceable only if the program is right; loads must not move before the check that it is.
llvm::AttributeMask speculation() {
  llvm::AttributeMask mask;
  mask.addAttribute(llvm::Attribute::Dereferenceable);
  mask.addAttribute(llvm::Attribute::DereferenceableOrNull);
  return mask;
}

bool mustProgress(const llvm::MDNode& loop) {
  return std::any_of(loop.op_begin() + 1, loop.op_end(), [](const llvm::MDOperand& operand) {
    const auto* node = llvm::dyn_cast_or_null<llvm::MDNode>(operand.get());
    const auto* name = node && node->getNumOperands() ? llvm::dyn_cast<llvm::MDString>(node->getOperand(0)) : nullptr;
    return name && name->getString() == "llvm.loop.mustprogress";
  });
}

void dropPromisesOfCode(llvm::Function& function) {
  dropPromises(function);
  const llvm::AttributeMask mask = speculation();
  for (llvm::Argument& argument : function.args()) argument.removeAttrs(mask);
  function.removeRetAttrs(mask);
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (const llvm::MDNode* loop = instruction.getMetadata(llvm::LLVMContext::MD_loop); loop && mustProgress(*loop))
      instruction.setMetadata(llvm::LLVMContext::MD_loop, nullptr);
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call || llvm::isa<llvm::IntrinsicInst>(call)) continue;
    for (unsigned i = 0; i < call->arg_size(); ++i) call->removeParamAttrs(i, mask);
    call->removeRetAttrs(mask);
    const llvm::Function* callee = call->getCalledFunction();
    if (callee && callee->isDeclaration()) continue;
    for (const auto kind :
         {llvm::Attribute::WillReturn, llvm::Attribute::NoSync, llvm::Attribute::NoFree, llvm::Attribute::Memory})
      call->removeFnAttr(kind);
  }
}

void markInvariant(llvm::GlobalVariable& variable) {
  for (llvm::User* user : variable.users())
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user))
      load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load->getContext(), {}));
}

llvm::Constant* constantAddress(llvm::LLVMContext& context, void* address) {
  auto* number = llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), reinterpret_cast<std::uintptr_t>(address));
  return llvm::ConstantExpr::getIntToPtr(number, llvm::PointerType::get(context, 0));
}

// The runtime's variables are too far away for the code to reach relative to itself; their addresses are constants.
void fixRuntimeVariables(llvm::Module& module, const JitOptions& options) {
  for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module.globals())) {
    if (!variable.isDeclaration() || !variable.getName().starts_with("heddle_")) continue;
    const auto found = options.host.find(variable.getName().str());
    if (found == options.host.end()) continue;
    // A function runs in one thread from its beginning to its end: to the code, the block is always at the same place.
    if (variable.getName() == runtime::hook_names::heddle_tls) markInvariant(variable);
    variable.replaceAllUsesWith(constantAddress(module.getContext(), found->second));
    variable.eraseFromParent();
  }
}

// Functions are for different machines to LLVM if their attributes differ in the least, and to set up a machine takes it as
// long as to generate code for a function of a hundred instructions. Those that are for the plainest machine are made to
// say so in the same words. The width of vectors matters to others only.
void unifyMachine(llvm::Function& function) {
  constexpr const char* kPlainest = "+cmov,+cx16,+cx8,+fxsr,+mmx,+sse,+sse2,+x87";
  constexpr const char* kWithFlushes =
      "+clflushopt,+clwb,+cmov,+cx16,+cx8,+fxsr,+mmx,+sse,+sse2,+x87";  // no flush is left by now
  const llvm::Attribute features = function.getFnAttribute("target-features");
  const llvm::StringRef has = features.isValid() ? features.getValueAsString() : kPlainest;
  if (has != kPlainest && has != kWithFlushes) return;
  const llvm::Attribute cpu = function.getFnAttribute("target-cpu");
  if (cpu.isValid() && cpu.getValueAsString() != "x86-64") return;
  function.addFnAttr("target-cpu", "x86-64");
  function.addFnAttr("tune-cpu", "generic");
  function.addFnAttr("target-features", kPlainest);
  function.addFnAttr("min-legal-vector-width", "0");
}

void prepare(llvm::Module& module, const JitOptions& options) {
  if (options.debugged) {
    showVariables(module);
  } else {
    llvm::StripDebugInfo(module);
  }
  fixRuntimeVariables(module, options);
  std::set<std::string> keep(options.keep.begin(), options.keep.end());
  keep.insert(kStartSymbol);
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) {
      function.setDSOLocal(false);  // it may be anywhere: calls go through a stub
      continue;
    }
    dropPromisesOfCode(function);
    unifyMachine(function);
    function.setComdat(nullptr);
    function.setSection("");
    function.setUWTableKind(llvm::UWTableKind::Async);
    if (keep.count(function.getName().str())) {
      function.setLinkage(llvm::GlobalValue::ExternalLinkage);
      continue;
    }
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    // A model of memcpy is checked code; where code generation says memcpy it means the real one.
    if (runtimeHelpers().count(function.getName().str())) function.setName("model." + function.getName());
  }
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.isDeclaration()) variable.setDSOLocal(false);
}

// ---- Optimisation and code generation

std::unique_ptr<llvm::TargetMachine> targetMachine(llvm::Module& module) {
  static const bool initialised = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  static_cast<void>(initialised);
  std::string message;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(module.getTargetTriple(), message);
  if (!target) throw InputError("error: no code can be generated for " + module.getTargetTriple() + ": " + message);
  llvm::TargetOptions options;
  options.TrapUnreachable = true;
  options.NoTrapAfterNoreturn = true;
  // Position-independent: what is outside the image is reached through tables and stubs that the linker puts into it.
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(module.getTargetTriple(), "x86-64", "", options,
                                                                           llvm::Reloc::PIC_, llvm::CodeModel::Small,
                                                                           llvm::CodeGenOptLevel::Default, /*JIT=*/true));
  module.setDataLayout(machine->createDataLayout());
  if (module.getPICLevel() == llvm::PICLevel::NotPIC) module.setPICLevel(llvm::PICLevel::BigPIC);
  return machine;
}

// The program's malloc, printf, memcpy are models: nothing may be concluded from their names.
llvm::TargetLibraryInfoImpl noLibrary(const llvm::Module& module) {
  llvm::TargetLibraryInfoImpl library{llvm::Triple(module.getTargetTriple())};
  library.disableAllFunctions();
  return library;
}

// Of what -O2 does, the part that is worth its time here: the code has been inlined before it was instrumented, its
// calls of hooks leave nothing to vectorise, and what remains is to share and hoist the arithmetic of the checks.
// Measured against -O2: a third of the time, and code that is as fast.
constexpr const char* kPasses = "function("
                                "sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,"
                                "loop-mssa(loop-rotate,licm),loop(indvars),"
                                "gvn,jump-threading,instcombine<no-verify-fixpoint>,"
                                "loop-mssa(licm),adce,simplifycfg<sink-common-insts;hoist-common-insts>,loop-unroll<O2>"
                                ")";

// For programs that do not compute (computation.h): what makes the plain code small.
constexpr const char* kFewPasses = "function(sroa,early-cse<memssa>,simplifycfg)";

// Nothing is gained by making cold code fast, nor the library's functions that have no loop, but much time by not trying
// to.
void leaveColdCode(llvm::Module& module) {
  markCold(module);
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    const bool once = function.hasFnAttribute(kLibraryAttribute) && !hasLoop(function);
    if (!once && !function.hasFnAttribute(llvm::Attribute::Cold)) continue;
    for (const auto kind : {llvm::Attribute::AlwaysInline, llvm::Attribute::OptimizeForSize, llvm::Attribute::MinSize})
      function.removeFnAttr(kind);
    function.addFnAttr(llvm::Attribute::OptimizeNone);
    function.addFnAttr(llvm::Attribute::NoInline);
  }
}

void optimise(llvm::Module& module, llvm::TargetMachine& machine, const char* pipeline) {
  const llvm::TargetLibraryInfoImpl library = noLibrary(module);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassInstrumentationCallbacks callbacks;
  llvm::OptNoneInstrumentation skipped(/*DebugLogging=*/false);
  skipped.registerCallbacks(callbacks);
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });
  llvm::PassBuilder builder(&machine, llvm::PipelineTuningOptions(), std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  llvm::cantFail(builder.parsePassPipeline(passes, pipeline));
  passes.run(module, modules);
}

std::unique_ptr<llvm::MemoryBuffer> generateCode(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  passes.add(new llvm::TargetLibraryInfoWrapperPass(noLibrary(module)));
  llvm::MCContext* context = nullptr;
  if (machine.addPassesToEmitMC(passes, context, stream)) throw std::logic_error("no code can be generated");
  passes.run(module);
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(object), /*RequiresNullTerminator=*/false);
}

// ---- Names outside

class Resolver {
 public:
  Resolver(const llvm::Module& module, const JitOptions& options) {
    for (const llvm::Function& function : module)
      if (function.isDeclaration() && !function.isIntrinsic() && !function.use_empty()) declare(function, options);
    for (const llvm::GlobalVariable& variable : module.globals())
      if (variable.isDeclaration() && !variable.use_empty()) declare(variable, options);
    if (missing_.empty()) return;
    std::string text = "error: the program uses what it does not define and heddle does not model:";
    for (const std::string& name : missing_) text += fmt::format("\n  {}", llvm::demangle(name));
    throw InputError(text);
  }

  // The address of a name in the object: what the program declared, or a helper that code generation brought in.
  void* operator()(const std::string& name) const {
    if (const auto found = declared_.find(name); found != declared_.end()) return found->second;
    return runtimeHelpers().count(name) ? dlsym(RTLD_DEFAULT, name.c_str()) : nullptr;
  }

 private:
  void declare(const llvm::GlobalValue& value, const JitOptions& options) {
    std::string name = value.getName().str();
    if (name.starts_with('\1')) name.erase(0, 1);  // an assembler name, to be taken as it is
    if (const auto found = options.host.find(name); found != options.host.end()) {
      declared_[name] = found->second;
    } else if (options.allowed && options.allowed(name)) {
      declared_[name] = dlsym(RTLD_DEFAULT, name.c_str());
      if (llvm::isa<llvm::Function>(value)) runtime::callTargets().add(reinterpret_cast<Address>(declared_[name]));
    }
    if (!declared_[name]) missing_.insert(name);
  }

  std::unordered_map<std::string, void*> declared_;
  std::set<std::string> missing_;
};

// ---- Linking

using FinalizedAllocation = llvm::jitlink::JITLinkMemoryManager::FinalizedAlloc;

using Symbols = std::unordered_map<std::string, void*>;
using Lookup = std::function<void*(const std::string& name)>;

struct Linked {
  void* frames = nullptr;     // the .eh_frame section
  void* firstCode = nullptr;  // some address in the code
  FinalizedAllocation allocation;
  std::unordered_map<std::string, std::uint64_t> sections;  // where they are
  std::string error;
};

class LinkContext : public llvm::jitlink::JITLinkContext {
 public:
  LinkContext(llvm::jitlink::JITLinkMemoryManager& memory, const Lookup& outside, Symbols& symbols, Linked& result)
      : JITLinkContext(nullptr), memory_(memory), outside_(outside), symbols_(symbols), result_(result) {}

  llvm::jitlink::JITLinkMemoryManager& getMemoryManager() override { return memory_; }
  void notifyFailed(llvm::Error error) override { result_.error = llvm::toString(std::move(error)); }

  void lookup(const LookupMap& names, std::unique_ptr<llvm::jitlink::JITLinkAsyncLookupContinuation> then) override {
    llvm::jitlink::AsyncLookupResult found;
    std::string missing;
    for (const auto& [name, flags] : names) {
      void* address = outside_(name.str());
      if (address)
        found[name] = {llvm::orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
      else
        missing += " " + name.str();
    }
    if (missing.empty())
      then->run(std::move(found));
    else
      then->run(llvm::make_error<llvm::StringError>("undefined:" + missing, llvm::inconvertibleErrorCode()));
  }

  llvm::Error notifyResolved(llvm::jitlink::LinkGraph& graph) override {
    for (llvm::jitlink::Section& section : graph.sections()) {
      const llvm::jitlink::SectionRange range(section);
      if (!range.empty()) result_.sections[section.getName().str()] = range.getStart().getValue();
    }
    for (llvm::jitlink::Symbol* symbol : graph.defined_symbols()) {
      if (!symbol->hasName()) continue;
      void* const address = symbol->getAddress().toPtr<void*>();
      if (symbol->getScope() != llvm::jitlink::Scope::Local) symbols_[symbol->getName().str()] = address;
      if (!symbol->isCallable()) continue;
      result_.firstCode = address;
      runtime::callTargets().add(reinterpret_cast<Address>(address));
    }
    return llvm::Error::success();
  }

  void notifyFinalized(FinalizedAllocation allocation) override { result_.allocation = std::move(allocation); }

  llvm::Error modifyPassConfig(llvm::jitlink::LinkGraph& graph, llvm::jitlink::PassConfiguration& config) override {
    config.PostFixupPasses.push_back(llvm::jitlink::createEHFrameRecorderPass(
        graph.getTargetTriple(), [this](llvm::orc::ExecutorAddr begin, std::size_t size) {
          if (size) result_.frames = begin.toPtr<void*>();
        }));
    return llvm::Error::success();
  }

 private:
  llvm::jitlink::JITLinkMemoryManager& memory_;
  const Lookup& outside_;
  Symbols& symbols_;
  Linked& result_;
};

}  // namespace

struct Jit::Parts {
  // In this order, so that the module goes before its context, and the bodies of functions before the module.
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<llvm::TargetMachine> machine;
  llvm::Constant* epoch = nullptr;  // the address of heddle_epoch, if there is one
  std::optional<Resolver> resolver;
  ImageMemory memory;
  std::unique_ptr<LaterFunctions> later;
  Symbols symbols;  // of the module
  std::vector<Linked> linked;
  std::unique_ptr<DebugObject> debugObject;  // of code for a debugger
  JitTimes times;

  ~Parts() {
    for (Linked& part : linked) {
      if (part.frames) __deregister_frame(part.frames);
      if (part.allocation) llvm::cantFail(memory.deallocate(std::move(part.allocation)));
    }
  }

  void generateAtOnce(const JitOptions& options) {
    improve(*module, computes(*module));
    resolver.emplace(*module, options);
    generate(*module, symbols);
    machine.reset(), module.reset(), context.reset();
  }

  void generateForDebugger(const JitOptions& options) {
    machine->setOptLevel(llvm::CodeGenOptLevel::None);
    bool isDebugInfoBroken = false;
    if (llvm::verifyModule(*module, nullptr, &isDebugInfoBroken)) fail("its code for a debugger is not valid");
    if (isDebugInfoBroken) llvm::StripDebugInfo(*module);  // code generation takes it to be right
    resolver.emplace(*module, options);
    const std::unique_ptr<llvm::MemoryBuffer> object = generateCode(*module, *machine);
    link(*object, symbols);
    debugObject = std::make_unique<DebugObject>(object->getBufferStart(), object->getBufferSize(), linked.back().sections);
  }

  void generateLater(const JitOptions& options) {
    resolver.emplace(*module, options);
    later = std::make_unique<LaterFunctions>(*module, memory, [this](llvm::Function& function, bool optimised) {
      Symbols defined;
      improve(*function.getParent(), optimised);
      generate(*function.getParent(), defined);
      return defined.at(function.getName().str());
    });
    improve(*module, false);
    generate(*module, symbols);
  }

 private:
  void improve(llvm::Module& code, bool well) {
    Stopwatch watch;
    machine->setOptLevel(well ? llvm::CodeGenOptLevel::Default : llvm::CodeGenOptLevel::None);
    if (well && epoch) inlineHookConditions(code, epoch);
    optimise(code, *machine, well ? kPasses : kFewPasses);
    times.optimisation += watch.lap();
  }

  // Generates machine code and links it.
  void generate(llvm::Module& code, Symbols& defined) {
    Stopwatch watch;
    const std::unique_ptr<llvm::MemoryBuffer> object = generateCode(code, *machine);
    times.codeGeneration += watch.lap();
    link(*object, defined);
    times.linking += watch.lap();
  }

  void* outside(const std::string& name) const {
    if (void* const stub = later ? (*later)(name) : nullptr) return stub;
    if (const auto found = symbols.find(name); found != symbols.end()) return found->second;
    return (*resolver)(name);
  }

  void link(const llvm::MemoryBuffer& object, Symbols& defined) {
    auto graph = llvm::jitlink::createLinkGraphFromObject(object.getMemBufferRef());
    if (!graph) fail(llvm::toString(graph.takeError()));
    Linked& part = linked.emplace_back();
    const Lookup lookup = [this](const std::string& name) { return outside(name); };
    llvm::jitlink::link(std::move(*graph), std::make_unique<LinkContext>(memory, lookup, defined, part));
    void* const frames = std::exchange(part.frames, nullptr);  // not yet known to the unwinder
    if (!part.error.empty()) fail(part.error);
    if (!frames) return;
    __register_frame(part.frames = frames);
    // The unwinder sorts its tables at their first use, in memory of its own: not while a thread of the program runs.
    void* bases[3];
    _Unwind_Find_FDE(part.firstCode, bases);
  }
};

Jit::Jit(std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> givenModule, const JitOptions& options)
    : parts_(std::make_unique<Parts>()) {
  Parts& parts = *parts_;
  parts.context = std::move(context);
  parts.module = std::move(givenModule);
  llvm::Module& module = *parts.module;
  Stopwatch watch;
  runtime::callTargets().clear();
  parts.machine = targetMachine(module);
  if (const auto epoch = options.host.find(runtime::hook_names::heddle_epoch); epoch != options.host.end())
    parts.epoch = constantAddress(*parts.context, epoch->second);
  prepare(module, options);
  leaveColdCode(module);
  optimise(module, *parts.machine, "globaldce");
  parts.times.optimisation = watch.lap();
  if (options.debugged)
    parts.generateForDebugger(options);
  else if (module.getInstructionCount() > options.atOnce && module.getModuleInlineAsm().empty())
    parts.generateLater(options);
  else
    parts.generateAtOnce(options);
}

Jit::~Jit() = default;

void* Jit::address(const std::string& symbol) const {
  const auto found = parts_->symbols.find(symbol);
  return found == parts_->symbols.end() ? nullptr : found->second;
}

const JitTimes& Jit::times() const { return parts_->times; }

void Jit::showToDebugger() {
  if (parts_->debugObject) parts_->debugObject->show();
}

}  // namespace heddle::native
