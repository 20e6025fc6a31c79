#include "native/instrument/externals.h"

#include <fmt/format.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <set>

#include "native/instrument/host_functions.h"

namespace heddle::native {
namespace {

bool isAllowed(const Instrumentation& instrumentation, const llvm::GlobalValue& value) {
  const llvm::StringRef name = value.getName();
  const std::vector<std::string>& pure = instrumentation.options.pure;
  if (name.starts_with("heddle_") || name.starts_with("llvm.") || isHostSymbol(name)) return true;
  return std::find(pure.begin(), pure.end(), name) != pure.end() ||
         std::find(pure.begin(), pure.end(), llvm::demangle(name.str())) != pure.end();
}

// Instructions that refer to the value, directly or in a constant: calls of it first.
std::vector<const llvm::Instruction*> usesOf(const llvm::Value& value) {
  std::vector<const llvm::Instruction*> uses;
  std::set<const llvm::Value*> seen;
  std::vector<const llvm::Value*> work = {&value};
  while (!work.empty()) {
    const llvm::Value* next = work.back();
    work.pop_back();
    for (const llvm::User* user : next->users()) {
      if (!seen.insert(user).second) continue;
      if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user)) {
        uses.push_back(instruction);
      } else {
        work.push_back(user);
      }
    }
  }
  std::stable_partition(uses.begin(), uses.end(), [](const llvm::Instruction* use) { return llvm::isa<llvm::CallBase>(use); });
  return uses;
}

// Where the program uses a value: in its own code if possible, and else where its own code calls the code that does.
std::string placeOfUse(SourceTable& sources, const llvm::Value& value) {
  std::string first;
  std::set<const llvm::Value*> seen = {&value};
  std::vector<const llvm::Value*> level = {&value};
  while (!level.empty()) {
    std::vector<const llvm::Value*> callers;
    for (const llvm::Value* used : level) {
      for (const llvm::Instruction* use : usesOf(*used)) {
        const std::uint32_t source = sources.of(*use);
        if (first.empty() && source != 0) first = sources.text(source);
        if (source != 0 && !sources.isLibrary(source)) return sources.text(source);
        if (seen.insert(use->getFunction()).second) callers.push_back(use->getFunction());
      }
    }
    level = std::move(callers);
  }
  return first;
}

// Does heddle know what the intrinsic does to memory, or that it does nothing to it?
bool isKnownIntrinsic(const llvm::IntrinsicInst& call) {
  if (call.doesNotAccessMemory() || llvm::isa<llvm::MemIntrinsic, llvm::DbgInfoIntrinsic>(call)) return true;
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::vastart:
    case llvm::Intrinsic::vaend:
    case llvm::Intrinsic::vacopy:
    case llvm::Intrinsic::stacksave:
    case llvm::Intrinsic::stackrestore:
    case llvm::Intrinsic::lifetime_start:
    case llvm::Intrinsic::lifetime_end:
    case llvm::Intrinsic::sideeffect:
    case llvm::Intrinsic::var_annotation:
    case llvm::Intrinsic::ptr_annotation:
    case llvm::Intrinsic::annotation:
    case llvm::Intrinsic::eh_typeid_for:
    case llvm::Intrinsic::objectsize:
    case llvm::Intrinsic::is_constant:
    case llvm::Intrinsic::frameaddress:
    case llvm::Intrinsic::returnaddress:
    case llvm::Intrinsic::threadlocal_address:
    case llvm::Intrinsic::get_rounding:
    case llvm::Intrinsic::x86_sse2_pause: return true;
    default: return call.getCalledFunction()->getName().starts_with("llvm.experimental.constrained.");
  }
}

// Intrinsics that read or write memory behind heddle's back, or tell the time: one line for each kind.
void listUnknownIntrinsics(Instrumentation& instrumentation, std::vector<std::string>& lines) {
  std::set<const llvm::Function*> seen;
  for (const llvm::Function& function : instrumentation.module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!call || isKnownIntrinsic(*call) || !seen.insert(call->getCalledFunction()).second) continue;
      lines.push_back(fmt::format("{}: error: the compiler's intrinsic {} is not modelled",
                                  instrumentation.sources.text(instrumentation.sources.of(*call)),
                                  call->getCalledFunction()->getName().str()));
    }
  }
}

}  // namespace

void rejectUnknownExternals(Instrumentation& instrumentation, std::vector<std::string> lines) {
  if (!instrumentation.module.getModuleInlineAsm().empty()) {
    lines.push_back("error: assembly outside of functions is not supported");
  }
  listUnknownIntrinsics(instrumentation, lines);
  for (const llvm::GlobalValue& value : instrumentation.module.global_values()) {
    if (!value.isDeclaration() || value.use_empty() || isAllowed(instrumentation, value)) continue;
    std::string place = placeOfUse(instrumentation.sources, value);
    if (!place.empty()) place += ": ";
    const std::string name = llvm::demangle(value.getName().str());
    if (llvm::isa<llvm::Function>(value)) {
      lines.push_back(fmt::format("{}error: {} is not modelled; if it only computes a value from its arguments, pass --pure {}",
                                  place, name, value.getName().str()));
    } else {
      lines.push_back(fmt::format("{}error: the external variable {} is not modelled", place, name));
    }
  }
  if (lines.empty()) return;
  std::sort(lines.begin(), lines.end());
  throw InputError(fmt::format("{}", fmt::join(lines, "\n")));
}

}  // namespace heddle::native
