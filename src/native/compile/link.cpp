// Models are found by an index of the symbols they define (symbol_index.h). One that is needed is read lazily: the linker asks for
// the bodies it takes, and only for these.
//
// A later model may need more of an earlier one. It is then read and linked again; what is already there is not linked
// twice, because everything in a model is made visible to the linker under a name of its own, its static functions and
// variables too. In the end these are static again.
#include "native/compile/link.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/raw_ostream.h>
#include <pthread.h>

#include <optional>
#include <set>
#include <vector>

#include "native/compile/asked_results.h"
#include "native/compile/builtin_jumps.h"
#include "native/compile/symbol_index.h"
#include "native/pipeline.h"

namespace heddle::native {

namespace {

// The linker reports through the context. Errors only: that flags of modules differ is of no interest.
struct LinkErrors : llvm::DiagnosticHandler {
  explicit LinkErrors(std::string& collected) : text(collected) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() != llvm::DS_Error) return true;
    llvm::raw_string_ostream stream(text);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    return true;
  }
  std::string& text;
};

// Inline definitions that are not meant to be emitted, because another file has the real one. If that is a model, it
// counts; otherwise this one is all there is. Of a variable (a virtual table of the compiled library, mostly) only one
// may exist.
void settleInlineDefinitions(llvm::Module& program, std::span<const LibrarySymbol> symbols) {
  for (llvm::Function& function : program) {
    if (!function.hasAvailableExternallyLinkage()) continue;
    if (findSymbol(symbols, function.getName()))
      function.deleteBody();
    else
      function.setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
  }
  for (llvm::GlobalVariable& variable : program.globals()) {
    if (!variable.hasAvailableExternallyLinkage()) continue;
    variable.setInitializer(nullptr);
    variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
  }
}

std::set<std::size_t> neededModels(const llvm::Module& program, std::span<const LibrarySymbol> symbols) {
  std::set<std::size_t> result;
  for (const llvm::GlobalValue& value : program.global_values()) {
    if (!value.isDeclaration()) continue;
    // What a model would call if another one were there.
    if (value.hasExternalWeakLinkage() && value.getName().starts_with("heddle_")) continue;
    if (const LibrarySymbol* symbol = findSymbol(symbols, value.getName())) result.insert(symbol->model);
  }
  return result;
}

// Adds the names that stand for static ones to `statics`.
std::unique_ptr<llvm::Module> readModel(const EmbeddedFile& model, llvm::LLVMContext& context, std::set<std::string>& statics) {
  std::unique_ptr<llvm::Module> module = valueOf(llvm::getLazyBitcodeModule(bufferOf(model), context, true), model);
  for (llvm::GlobalValue& value : module->global_values()) {
    if (!value.hasLocalLinkage()) continue;
    value.setName(fmt::format("{}.{}", std::string_view(model.name), std::string_view(value.getName())));
    value.setLinkage(llvm::GlobalValue::ExternalLinkage);
    statics.insert(value.getName().str());
  }
  for (llvm::Function& function : *module)
    if (!function.isDeclaration()) function.addFnAttr(kLibraryAttribute);
  return module;
}

// Lists of the whole program, to which a module contributes once: initialisers, and what must not be removed.
void dropLists(llvm::Module& module) {
  for (const char* name : {"llvm.global_ctors", "llvm.global_dtors", "llvm.used", "llvm.compiler.used"})
    if (llvm::GlobalVariable* list = module.getGlobalVariable(name)) list->eraseFromParent();
}

// If nobody asks which thread came last to a barrier, the order of arrival is not worth exploring (pthread_barrier.cpp). A test
// for failure does not ask.
void chooseBarriers(llvm::Module& program) {
  llvm::Function* const wait = program.getFunction("pthread_barrier_wait");
  if (!wait || !wait->isDeclaration()) return;
  const std::vector<llvm::User*> users(wait->user_begin(), wait->user_end());  // before copies are made
  for (const llvm::User* user : users) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    if (!call || call->getCalledOperand() != wait || asksWhich(*call, 0, PTHREAD_BARRIER_SERIAL_THREAD)) return;
  }
  wait->setName("heddle_barrier_meet");
}

// If nobody tries to take a read-write lock, its readers need not be in an order (pthread_rwlock.cpp).
void chooseReadWriteLocks(llvm::Module& program) {
  for (const char* attempt : {"tryrdlock", "trywrlock", "timedrdlock", "timedwrlock", "clockrdlock", "clockwrlock"})
    if (program.getFunction(fmt::format("pthread_rwlock_{}", attempt))) return;
  for (const char* name : {"rdlock", "wrlock", "unlock"}) {
    llvm::Function* const function = program.getFunction(fmt::format("pthread_rwlock_{}", name));
    if (function && !function->isDeclaration()) return;
  }
  for (const char* name : {"rdlock", "wrlock", "unlock"})
    if (llvm::Function* const function = program.getFunction(fmt::format("pthread_rwlock_{}", name)))
      function->setName(fmt::format("heddle_rwlock_{}", name));
}

// Where an exception may be owned by more than its handler, the end of a handler is the model's to look at
// (cxx_exception_ptr.cpp).
void chooseHandlerEnd(llvm::Module& program) {
  llvm::Function* const end = program.getFunction("__cxa_end_catch");
  if (!end || !program.getNamedValue("heddle_shared_exceptions")) return;
  llvm::FunctionCallee own = program.getOrInsertFunction("heddle_end_handler", end->getFunctionType());
  end->replaceAllUsesWith(own.getCallee());
  end->eraseFromParent();
}

// Do only main and what runs before it call the function?
bool isOnlyCalledByMain(const llvm::Function& function) {
  return llvm::all_of(function.users(), [&](const llvm::User* user) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    if (!call || call->getCalledOperand() != &function) return false;
    const llvm::Function& caller = *call->getFunction();
    return caller.getName() == "main" || caller.getSection() == ".text.startup";
  });
}

// If the main thread alone registers what is to be done at the exit, and exits, nobody needs a lock (cxx_atexit.cpp).
void chooseExit(llvm::Module& program) {
  for (const char* name : {"pthread_exit", "thrd_exit"})
    if (program.getFunction(name)) return;
  bool registers = false;
  for (const char* name : {kExit, "quick_exit", "atexit", "at_quick_exit", "on_exit", "__cxa_atexit"}) {
    const llvm::Function* const function = program.getFunction(name);
    if (function && !isOnlyCalledByMain(*function)) return;
    registers |= function && name != kExit;
  }
  llvm::Function* const exit = program.getFunction(kExit);
  if (exit && exit->isDeclaration()) exit->setName(registers ? kSimpleExit : kBareExit);
}

// The counter is read by an intrinsic or in assembly, which are looked at later (assembly.h): that the function is declared is
// all that is needed here.
bool readsCycleCounter(const llvm::Module& program) {
  for (const char* name : {"llvm.x86.rdtsc", "llvm.x86.rdtscp", "llvm.readcyclecounter", "llvm.readsteadycounter"})
    if (program.getFunction(name)) return true;
  const auto reads = [](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const auto* assembly = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
    return assembly && llvm::StringRef(assembly->getAsmString()).contains_insensitive("rdtsc");
  };
  return llvm::any_of(program,
                      [&](const llvm::Function& function) { return llvm::any_of(llvm::instructions(function), reads); });
}

void chooseCycleCounter(llvm::Module& program) {
  if (!readsCycleCounter(program)) return;
  program.getOrInsertFunction(kCycleCounter, llvm::FunctionType::get(llvm::Type::getInt64Ty(program.getContext()), false));
}

void linkNeeded(llvm::Module& program, std::span<const EmbeddedFile> models, std::span<const LibrarySymbol> symbols) {
  std::set<std::size_t> linked;
  std::set<std::string> statics;
  std::optional<llvm::Linker> linker;
  lowerBuiltinJumps(program);
  chooseBarriers(program);
  chooseReadWriteLocks(program);
  chooseExit(program);
  chooseCycleCounter(program);
  while (true) {
    chooseHandlerEnd(program);
    settleInlineDefinitions(program, symbols);
    const std::set<std::size_t> needed = neededModels(program, symbols);
    if (needed.empty()) break;
    if (!linker) linker.emplace(program);
    for (const std::size_t number : needed) {
      std::unique_ptr<llvm::Module> module = readModel(models[number], program.getContext(), statics);
      if (!linked.insert(number).second) dropLists(*module);
      linkModule(*linker, std::move(module), true);
    }
  }
  for (const std::string& name : statics)
    if (llvm::GlobalValue* value = program.getNamedValue(name)) value->setLinkage(llvm::GlobalValue::InternalLinkage);
  // Headers (heddle/heddle.h, overlay/bits) call primitives directly; such a call is one into the library all the same.
  for (llvm::Function& function : program)
    if (function.isDeclaration() && function.getName().starts_with("heddle_")) function.addFnAttr(kLibraryAttribute);
}

}  // namespace

void linkModule(llvm::Linker& linker, std::unique_ptr<llvm::Module> module, bool onlyNeeded) {
  llvm::LLVMContext& context = module->getContext();
  const std::string name = module->getModuleIdentifier();
  std::string errors;
  auto previous = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<LinkErrors>(errors));
  const unsigned flags = onlyNeeded ? llvm::Linker::LinkOnlyNeeded : llvm::Linker::None;
  const bool failed = linker.linkInModule(std::move(module), flags);
  context.setDiagnosticHandler(std::move(previous));
  if (failed) throw InputError(fmt::format("{}: {}", name, errors));
}

void linkLibrary(llvm::Module& program) { linkNeeded(program, libraryModules(), librarySymbols()); }

void linkLibrary(llvm::Module& program, std::span<const EmbeddedFile> models) {
  linkNeeded(program, models, definedSymbols(models));
}

}  // namespace heddle::native
