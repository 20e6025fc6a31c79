#include "native/build_program.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBufferRef.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stdexcept>

#include "native/compile/compile.h"
#include "native/compile/link.h"
#include "native/disk_folder.h"
#include "native/instrument/atomic_functions.h"
#include "native/instrument/globals.h"
#include "native/instrument/host_functions.h"
#include "native/instrument_program.h"
#include "native/jit/jit.h"
#include "native/reserved_names.h"
#include "runtime/hook_names.h"
#include "runtime/symbols.h"
#include "runtime/test_program.h"
#include "util/fingerprint.h"

namespace heddle::native {

namespace {

namespace hook = runtime::hook_names;

// Runs a step and notes how long it took.
template <typename Step>
auto timed(std::vector<StepTime>& timing, const char* name, Step step) {
  const auto start = std::chrono::steady_clock::now();
  const auto note = [&] {
    timing.push_back({name, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()});
  };
  if constexpr (std::is_void_v<decltype(step())>) {
    step();
    note();
  } else {
    auto result = step();
    note();
    return result;
  }
}

// Spurious wake-ups of a wait that are explored one after the other, at least; as many as loops may go round, if that is more.
constexpr unsigned kWakeupsInARow = 2;

// What the library models and the runtime itself may do, besides the atomic operations of the code.
void addRuntimeOperations(const llvm::Module& module, std::vector<Operation>& operations) {
  if (hasTransactions(module)) operations.push_back(Operation::endOfLife(0, 0));
  if (module.getFunction(hook::heddle_take)) operations.push_back(Operation::take(0, LockOp::join));
  if (module.getFunction(hook::heddle_leave_reading)) operations.push_back(Operation::leaveReading(0));
  if (module.getFunction(hook::heddle_kernel_fence)) {
    for (const EventTag tag : {EventTag::mb, EventTag::rmb, EventTag::wmb, EventTag::barrier})
      operations.push_back(Operation::fence(tag));
  }
  if (module.getFunction(hook::heddle_atomic_noreturn)) {
    operations.push_back(Operation::update(0, 4, Order::relaxed, RmwOp::add, 0));
  }
  if (module.getFunction("heddle_atomic_update_if")) {
    for (const Order order : {Order::relaxed, Order::seq_cst})
      operations.push_back(Operation::updateIf(0, 4, order, RmwOp::add, 0, Comparison::notEqual, 0));
  }
  operations.push_back(Operation::take(0, LockOp::hold));
  operations.push_back(Operation::unlock(0));
  operations.push_back(Operation::tryTake(0, LockOp::hold));
  operations.push_back(Operation::store(0, 4, Order::plain, 0));
}

// Does the program consist of tests? What they are run by is its main, unless it has one.
bool takeTests(llvm::Module& module) {
  llvm::Function* const tests = module.getFunction(runtime::kTestMain);
  if (!tests || tests->isDeclaration()) return false;
  const llvm::Function* const main = module.getFunction("main");
  if (!main || main->isDeclaration()) {
    if (main) return false;  // somebody calls main, which is not ours to define
    tests->setName("main");
    tests->setLinkage(llvm::GlobalValue::ExternalLinkage);
  }
  return true;
}

// Is the parameter used for more than a copy of its own, which nobody reads?
bool isRead(const llvm::Argument& parameter) {
  return std::ranges::any_of(parameter.users(), [&](const llvm::User* user) {
    const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user);
    const auto* const copy = store ? llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand()) : nullptr;
    return !copy || std::ranges::any_of(copy->users(), [&](const llvm::User* other) { return other != store; });
  });
}

std::string placeOfReadArguments(const llvm::Module& module) {
  const llvm::Function* const main = module.getFunction("main");
  if (!main || main->isDeclaration() || std::ranges::none_of(main->args(), isRead)) return "";
  const llvm::DISubprogram* const place = main->getSubprogram();
  return place ? fmt::format("{}:{}", place->getFilename().str(), place->getLine()) : "main";
}

// What runs after a crash.
std::string recoveryOf(const llvm::Module& module) {
  for (const char* const name : kRecoverySymbols) {
    const llvm::Function* const function = module.getFunction(name);
    if (!function || function->isDeclaration()) continue;
    if (function->arg_size() != 0) throw InputError(fmt::format("error: {} must take no arguments", name));
    return name;
  }
  throw InputError(
      "error: --persistency needs a function `void heddle_recovery(void)`, which runs after the crash and asserts what must be "
      "there (in C++: extern \"C\")");
}

std::string bitcodeOf(const llvm::Module& module) {
  std::string bitcode;
  llvm::raw_string_ostream out(bitcode);
  llvm::WriteBitcodeToFile(module, out);
  out.flush();
  return bitcode;
}

// What travels: first whether the program consists of tests.
constexpr char kTests = 't', kProgram = 'p';

CompiledProgram programThatTravelled(const std::string& text) {
  CompiledProgram program{.context = std::make_unique<llvm::LLVMContext>(), .module = nullptr, .inputs = {}};
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(llvm::StringRef(text).substr(1), "program"), *program.context);
  if (!module) throw InputError("heddle: the program from rank 0 cannot be read: " + llvm::toString(module.takeError()));
  program.module = std::move(*module);
  return program;
}

// Code that is not valid may crash LLVM, or be translated to anything.
void verify(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (llvm::verifyModule(module, &stream)) throw std::logic_error("the instrumented program is not valid: " + text);
}

}  // namespace

Build::Build(const BuildOptions& options, memory::Memory& memory) {
  if (!options.files.empty()) name_ = std::filesystem::path(options.files.front()).stem().string();
  CompiledProgram program = timed(
      timing_, "compile", [&] { return options.linked.empty() ? compile(options) : programThatTravelled(options.linked); });
  inputs_ = std::move(program.inputs);
  if (options.linked.empty()) {
    refuseReservedNames(*program.module);
    hasTests_ = takeTests(*program.module);
    if (!hasTests_) argumentsReadAt_ = placeOfReadArguments(*program.module);
    makeAtomicFunctions(*program.module);
    timed(timing_, "link", [&] {
      declareStart(*program.module);
      linkLibrary(*program.module);
    });
  } else {
    hasTests_ = options.linked.front() == kTests;
  }
  if (options.identity && options.linked.empty()) {
    // What is read may have another order of what has no name. A program has one identity, here and where it travels to.
    linked_ = (hasTests_ ? kTests : kProgram) + bitcodeOf(*program.module);
    CompiledProgram read = programThatTravelled(linked_);
    program.module = std::move(read.module);
    program.context = std::move(read.context);
  }
  BuildOptions code = options;
  if (hasTransactions(*program.module)) {
    if (!options.races && !options.racesJudged) throw InputError("error: --races off is not for programs with transactions");
    code.races = false;  // plain accesses may be events (runtime/program_modes.h)
    code.racesJudged = true;
  }
  info_ = timed(timing_, "instrument", [&] { return instrument(*program.module, code); });
  addRuntimeOperations(*program.module, info_.operations);
  if (options.verified) verify(*program.module);
  info_.marksWrites = program.module->getFunction(hook::heddle_begin_marking) != nullptr;
  info_.notifiesOne = program.module->getFunction(hook::heddle_notify_one) != nullptr;
  if (options.identity) identity_ = util::fingerprint(bitcodeOf(*program.module));
  const auto allowed = [&](const std::string& name) {
    return isHostSymbol(name) || std::find(options.pure.begin(), options.pure.end(), name) != options.pure.end();
  };
  JitOptions jit{.host = {}, .allowed = allowed, .keep = {}, .debugged = options.debugged};
  if (options.crashes) recovery_ = recoveryOf(*program.module);
  if (!recovery_.empty()) {
    jit.keep.push_back(recovery_);
    const llvm::Function* const constructors = program.module->getFunction(kConstructorsSymbol);
    constructs_ = constructors != nullptr && constructors->hasExternalLinkage();
    if (constructs_) jit.keep.push_back(kConstructorsSymbol);
  }
  for (const auto& [name, symbol] : runtime::runtimeSymbols()) jit.host.emplace(name, symbol.address);
  jit_ = std::make_unique<Jit>(std::move(program.context), std::move(program.module), jit);
  timing_.push_back({"optimise", jit_->times().optimisation});
  timing_.push_back({"generate code", jit_->times().codeGeneration + jit_->times().linking});
  if (void* const wakeups = jit_->address("heddle_spurious_wakeups")) {
    info_.wakeups = options.spuriousWakeups ? std::max(kWakeupsInARow, static_cast<unsigned>(options.unroll)) : 0;
    *static_cast<int*>(wakeups) = static_cast<int>(info_.wakeups);
  }
  if (void* const disk = jit_->address("heddle_disk")) {
    const bool areMapped = options.crashes && options.disk.block_size == 0;
    heddle_disk_options files = options.disk;
    if (!areMapped) {
      fillDisk(options.diskFolder, *static_cast<heddle_disk_image*>(disk),
               static_cast<std::uint32_t*>(jit_->address("heddle_file_sizes")), files);
    }
    *static_cast<heddle_disk_options*>(jit_->address("heddle_file_options")) = files;
    *static_cast<int*>(jit_->address("heddle_files_are_mapped")) = areMapped;
  }
  if (void* const mapped = jit_->address("heddle_mapped"); mapped && options.crashes && options.disk.block_size == 0) {
    fillMapped(options.diskFolder, static_cast<heddle_mapped_file*>(mapped),
               static_cast<std::uint32_t*>(jit_->address("heddle_mapped_sizes")));
  }
  for (const std::uint32_t index : info_.globals) {
    const runtime::Variable& variable = info_.variables[index];
    if (void* const address = jit_->address(variable.symbol)) {
      // What is explored is written later, and stays: the program does not write it.
      const bool isConstant = variable.constant || variable.symbol == "heddle_inputs";
      memory.defineGlobal(reinterpret_cast<Address>(address), variable.size, isConstant, index);
    }
  }
}

Build::~Build() = default;

void Build::showToDebugger() const { jit_->showToDebugger(); }

void Build::explore(const heddle_explored_inputs& inputs) const {
  if (void* const address = jit_->address("heddle_inputs")) *static_cast<heddle_explored_inputs*>(address) = inputs;
}

runtime::NativeProgram::Entry Build::entry(const std::vector<std::string>& arguments) const {
  runtime::NativeProgram::Entry entry{
      .start = reinterpret_cast<void (*)(int, char**, char**)>(jit_->address(kStartSymbol)),
      .arguments = {name_},
      .tlsImage = info_.tlsImageSymbol.empty() ? nullptr : jit_->address(info_.tlsImageSymbol),
      .recovery = recovery_.empty() ? nullptr : reinterpret_cast<void (*)()>(jit_->address(recovery_)),
      .constructors = constructs_ ? reinterpret_cast<void (*)()>(jit_->address(kConstructorsSymbol)) : nullptr,
      .durable = {},
      .disk = reinterpret_cast<Address>(jit_->address("heddle_disk")),
      .sharedExceptions = jit_->address("heddle_shared_exceptions") != nullptr,
  };
  for (const std::uint32_t index : info_.globals) {
    const runtime::Variable& variable = info_.variables[index];
    void* const address = variable.persistent ? jit_->address(variable.symbol) : nullptr;
    if (address) entry.durable.push_back({reinterpret_cast<Address>(address), variable.size});
  }
  entry.arguments.insert(entry.arguments.end(), arguments.begin(), arguments.end());
  return entry;
}

}  // namespace heddle::native
