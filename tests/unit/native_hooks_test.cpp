// The table of hooks and primitives (abi/hooks.def), and who uses it: the JIT, the instrumentation, the library models.
#include <gtest/gtest.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "memory/memory.h"
#include "native/compile/link.h"
#include "native/instrument/shared_state.h"
#include "program/operation.h"
#include "runtime/error.h"
#include "runtime/hooks.h"
#include "runtime/symbols.h"

namespace heddle::native {

using runtime::isHookWith;
using runtime::runtimeSymbols;

namespace {

std::vector<std::string> names(bool hooks, bool primitives) {
  std::vector<std::string> found;
#define HOOK(how, member, result, name, parameters, traits) \
  if (hooks) found.emplace_back(#name);
#define PRIMITIVE(how, result, name, parameters, traits) \
  if (primitives) found.emplace_back(#name);
#include "abi/hooks.def"
  return found;
}

std::unique_ptr<llvm::Module> read(const EmbeddedFile& model, llvm::LLVMContext& context) {
  const llvm::MemoryBufferRef bitcode({model.contents.data(), model.contents.size()}, {model.name.data(), model.name.size()});
  return llvm::cantFail(llvm::parseBitcodeFile(bitcode, context));
}

TEST(Hooks, EveryNameOfTheTableResolves) {
  std::set<std::string> different;
  for (const std::string& name : names(true, true)) {
    different.insert(name);
    const auto symbol = runtimeSymbols().find(name);
    ASSERT_NE(symbol, runtimeSymbols().end()) << name;
    EXPECT_NE(symbol->second.address, nullptr) << name;
  }
  // Eleven variables, and four functions that take the place of the host's.
  EXPECT_EQ(runtimeSymbols().size(), different.size() + 15);
  for (const char* name :
       {"heddle_epoch", "heddle_tls", "heddle_call_source", "heddle_heap_type", "heddle_control", "heddle_stored_through",
        "heddle_address_dependencies", "heddle_data_dependencies", "heddle_result_dependencies", "heddle_returned_dependencies",
        "heddle_argument_dependencies", "__cxa_begin_catch", "__cxa_end_catch", "__cxa_throw", "__cxa_rethrow"}) {
    EXPECT_TRUE(runtimeSymbols().contains(name)) << name;
  }
}

TEST(Hooks, TheModelsCallWhatThereIs) {
  llvm::LLVMContext context;
  std::set<std::string> defined, declared;
  for (const EmbeddedFile& model : libraryModules()) {
    const auto module = read(model, context);
    for (const llvm::Function& function : *module) {
      if (function.getName().starts_with("heddle_"))
        (function.isDeclaration() ? declared : defined).insert(function.getName().str());
    }
  }
  defined.insert("heddle_ignores_argument");  // by native/instrument/ignored_arguments.h, for each program
  for (const std::string& name : declared) EXPECT_TRUE(defined.contains(name) || runtimeSymbols().contains(name)) << name;
  // And there is nothing that only the table knows. Headers that programs include call these, and the last ones stand for intrinsics
  // (native/instrument/processor_intrinsics.h).
  const std::set<std::string> ofHeaders = {"heddle_wait_notified",   "heddle_end_of_wait",      "heddle_notify",
                                           "heddle_notify_one",      "heddle_depart_or_never",  "heddle_has_met",
                                           "heddle_atomic_noreturn", "heddle_atomic_update_if", "heddle_begin_hardware",
                                           "heddle_end_hardware",    "heddle_abort_hardware",   "heddle_in_hardware"};
  for (const std::string& name : names(false, true)) EXPECT_TRUE(declared.contains(name) || ofHeaders.contains(name)) << name;
}

// What the instrumentation calls has the type that clang gives to the declaration of the same function in a model.
TEST(Hooks, TypesOfTheInstrumentationAreThoseOfClang) {
  llvm::LLVMContext context;
  llvm::Module module("program", context);
  [[maybe_unused]] const Hooks hooks(module);
  for (const std::string& name : names(true, false)) EXPECT_NE(module.getFunction(name), nullptr) << name;
  std::size_t compared = 0;
  for (const EmbeddedFile& model : libraryModules()) {
    const auto other = read(model, context);
    for (const llvm::Function& function : *other) {
      const llvm::Function* const own = module.getFunction(function.getName());
      if (!own) continue;
      EXPECT_EQ(own->getFunctionType(), function.getFunctionType()) << function.getName().str();
      ++compared;
    }
  }
  EXPECT_GE(compared, 2u);
  llvm::Type* const i64 = llvm::Type::getInt64Ty(context);
  EXPECT_EQ(module.getFunction("heddle_atomic_cas")->getReturnType(), llvm::StructType::get(i64, i64));
  EXPECT_TRUE(module.getFunction("heddle_spin")->doesNotReturn());
  EXPECT_TRUE(module.getFunction("heddle_plain_read")->hasFnAttribute(llvm::Attribute::Cold));
  EXPECT_FALSE(module.getFunction("heddle_atomic_load")->hasFnAttribute(llvm::Attribute::Cold));
}

TEST(Hooks, TraitsAreThoseOfTheTable) {
  EXPECT_TRUE(isHookWith(runtime::kSilentHook, "heddle_free"));
  EXPECT_FALSE(isHookWith(runtime::kQuickHook, "heddle_free"));
  EXPECT_TRUE(isHookWith(runtime::kQuickHook, "heddle_copy"));
  EXPECT_FALSE(isHookWith(runtime::kSilentHook, "heddle_lock"));
  EXPECT_FALSE(isHookWith(runtime::kSilentHook | runtime::kQuickHook, "no_such_function"));
}

// One list makes both enumerations, so these numbers need not be compared one by one.
TEST(Kinds, NumbersOfThePlainEnumerationsAreThoseOfTheTypedOnes) {
  EXPECT_EQ(heddle_lock_hold, static_cast<int>(LockOp::hold));
  EXPECT_EQ(heddle_lock_down, static_cast<int>(LockOp::down));
  EXPECT_EQ(heddle_lock_poll, static_cast<int>(LockOp::poll));
  EXPECT_EQ(heddle_heap_newArray, static_cast<int>(memory::AllocationKind::newArray));
  EXPECT_EQ(runtime::errorKinds().back(), runtime::ErrorKind::unsupported);
}

}  // namespace
}  // namespace heddle::native
