#include "native/instrument/externals.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>

#include <algorithm>
#include <set>

#include "native/compile/definitions.h"
#include "native/compile/link.h"
#include "native/instrument/host_functions.h"
#include "native/instrument/set_jumps.h"

namespace heddle::native {
namespace {

bool isAllowed(const Instrumentation& instrumentation, const llvm::GlobalValue& value) {
  const llvm::StringRef name = value.getName();
  const std::vector<std::string>& pure = instrumentation.options.pure;
  if (name.starts_with("heddle_") || name.starts_with("llvm.") || isHostSymbol(name)) return true;
  if (const auto* function = llvm::dyn_cast<llvm::Function>(&value); function && isSetJump(*function)) return true;
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
  // It leads to return addresses, which are on the native stack and not the program's.
  if (call.getIntrinsicID() == llvm::Intrinsic::frameaddress) return false;
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
    case llvm::Intrinsic::returnaddress:
    case llvm::Intrinsic::threadlocal_address:
    case llvm::Intrinsic::get_rounding:
    case llvm::Intrinsic::x86_sse2_pause: return true;
    default: return call.getCalledFunction()->getName().starts_with("llvm.experimental.constrained.");
  }
}

// Intrinsics that read or write memory behind heddle's back.
void stopAtUnknownIntrinsics(Instrumentation& instrumentation) {
  std::vector<llvm::CallBase*> unknown;
  for (llvm::Function& function : instrumentation.module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (call && !isKnownIntrinsic(*call)) unknown.push_back(call);
    }
  }
  for (llvm::CallBase* call : unknown) {
    instrumentation.stopInsteadOf(
        *call, fmt::format("the compiler's intrinsic {} is not modelled", call->getCalledFunction()->getName().str()));
  }
}

// Is it the system's: declared in one of its headers, or known to the system's libraries?
bool isOfSystem(const llvm::GlobalValue& value) {
  const auto* function = llvm::dyn_cast<llvm::Function>(&value);
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&value);
  if (function && function->hasFnAttribute(kSystemAttribute)) return true;
  if (variable && variable->hasAttribute(kSystemAttribute)) return true;
  return dlsym(RTLD_DEFAULT, value.getName().str().c_str()) != nullptr;
}

// May it be that the function computes a value from its arguments, and does nothing else? Of the system's functions those that its
// headers declare so, and those of numbers with fractions; of others those that have numbers and give one.
bool mayBePure(const llvm::Function& function) {
  const auto isNumber = [](const llvm::Type* type) { return type->isIntegerTy() || type->isFloatingPointTy(); };
  const llvm::FunctionType* const type = function.getFunctionType();
  const bool ofNumbers = isNumber(type->getReturnType()) && type->getNumParams() > 0 && llvm::all_of(type->params(), isNumber);
  if (!isOfSystem(function)) return ofNumbers;
  return function.onlyReadsMemory() || (ofNumbers && type->getParamType(0)->isFloatingPointTy());
}

// What to do about a function that is not modelled.
std::string stubAdvice(const llvm::Function& function) {
  std::string text = "define a stub of it in the program, between `#ifdef __HEDDLE__` and `#endif`";
  if (mayBePure(function)) {
    text += fmt::format(", or pass --pure {} if it only computes a value from its arguments", function.getName().str());
  }
  return text;
}

// Gives the function a body that stops the program, as a library model does: at the place of the program's call.
void defineAsStop(Instrumentation& instrumentation, llvm::Function& function) {
  const std::string message =
      fmt::format("{} is not modelled: {}", llvm::demangle(function.getName().str()), stubAdvice(function));
  function.removeFnAttrs(llvm::AttributeMask(function.getAttributes().getFnAttrs()));
  function.addFnAttr(kLibraryAttribute);
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  function.setVisibility(llvm::GlobalValue::DefaultVisibility);
  function.setSubprogram(nullptr);  // that of a declaration
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(function.getContext(), "", &function));
  instrumentation.fail(builder, runtime::ErrorKind::unsupported, message, 0);
  builder.CreateUnreachable();
}

// What to call a variable; the tables of a class stand for the class.
std::string nameOf(const llvm::GlobalVariable& variable) {
  const std::string name = llvm::demangle(variable.getName().str());
  llvm::StringRef rest = name;
  if (rest.consume_front("vtable for ") || rest.consume_front("VTT for ") || rest.consume_front("typeinfo for "))
    return rest.str();
  return "the variable " + name;
}

// Code that uses the address of the variable stops there. False if the variable is part of another one's initial value, so that
// anybody may come to have its address, or if a handler is for what it says.
bool stopAtUses(Instrumentation& instrumentation, llvm::GlobalVariable& variable) {
  llvm::convertUsersOfConstantsToInstructions({&variable});
  variable.removeDeadConstantUsers();
  const auto isCode = [](const llvm::User* user) {
    return llvm::isa<llvm::Instruction>(user) && !llvm::isa<llvm::LandingPadInst>(user);
  };
  if (!llvm::all_of(variable.users(), isCode)) return false;
  std::set<llvm::Instruction*> places;
  for (const llvm::Use& use : variable.uses()) {
    auto* instruction = llvm::cast<llvm::Instruction>(use.getUser());
    auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction);
    places.insert(phi ? phi->getIncomingBlock(use)->getTerminator() : instruction);
  }
  const std::string message = nameOf(variable) + " is not modelled";
  for (llvm::Instruction* place : places) {
    llvm::IRBuilder<> builder(place);
    instrumentation.fail(builder, runtime::ErrorKind::unsupported, message, instrumentation.sources.of(*place));
  }
  variable.replaceAllUsesWith(llvm::Constant::getNullValue(variable.getType()));
  return true;
}

std::string advice(const Instrumentation& instrumentation, const llvm::GlobalValue& value) {
  const std::string file = definingFile(instrumentation.options, value.getName().str());
  return file.empty() ? "add the file that defines it" : fmt::format("add {}, which defines it", file);
}

}  // namespace

void settleExternals(Instrumentation& instrumentation) {
  std::vector<std::string> lines;
  if (!instrumentation.module.getModuleInlineAsm().empty()) {
    lines.push_back("error: assembly outside of functions is not supported");
  }
  stopAtUnknownIntrinsics(instrumentation);
  std::vector<llvm::GlobalValue*> unknown;
  for (llvm::GlobalValue& value : instrumentation.module.global_values()) {
    if (value.isDeclaration() && !value.use_empty() && !isAllowed(instrumentation, value)) unknown.push_back(&value);
  }
  for (llvm::GlobalValue* value : unknown) {
    auto* function = llvm::dyn_cast<llvm::Function>(value);
    auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(value);
    const bool ofSystem = isOfSystem(*value);
    if (function && ofSystem) {
      defineAsStop(instrumentation, *function);
    } else if (!variable || !ofSystem || !stopAtUses(instrumentation, *variable)) {
      std::string place = placeOfUse(instrumentation.sources, *value);
      if (!place.empty()) place += ": ";
      lines.push_back(fmt::format(
          "{}error: {} {}", place, llvm::demangle(value->getName().str()),
          ofSystem ? "is a variable that is not modelled" : "is declared but not defined: " + advice(instrumentation, *value)));
    }
  }
  if (lines.empty()) return;
  std::sort(lines.begin(), lines.end());
  throw InputError(fmt::format("{}", fmt::join(lines, "\n")));
}

}  // namespace heddle::native
