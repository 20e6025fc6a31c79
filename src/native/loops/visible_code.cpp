#include "native/loops/visible_code.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <vector>

#include "native/instrument/host_functions.h"
#include "native/loops/effects.h"
#include "runtime/symbols.h"

namespace heddle::native {
namespace {

// Hooks and primitives that are not in the table count as visible.
bool isSilentDeclaration(const llvm::Function& function, const BuildOptions& options) {
  const llvm::StringRef name = function.getName();
  return runtime::isHookWith(runtime::kSilentHook, name) || isHostSymbol(name) ||
         std::find(options.pure.begin(), options.pure.end(), name) != options.pure.end();
}

}  // namespace

VisibleCode::VisibleCode(const llvm::Module& module, const BuildOptions& options) : options_(options) {
  std::vector<const llvm::Function*> work;
  const auto add = [&](const llvm::Function& function) {
    if (functions_.insert(&function).second) work.push_back(&function);
  };
  // By itself, as long as no function is known to be visible; then whoever calls such a function.
  for (const llvm::Function& function : module) {
    const auto isVisible = [&](const llvm::Instruction& instruction) { return contains(instruction); };
    if (llvm::any_of(llvm::instructions(function), isVisible)) add(function);
  }
  while (!work.empty()) {
    const llvm::Function* visible = work.back();
    work.pop_back();
    for (const llvm::User* user : visible->users()) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
      if (call && call->getCalledFunction() == visible) add(*call->getFunction());
    }
  }
}

bool VisibleCode::contains(const llvm::Instruction& instruction) const {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    if (llvm::isa<llvm::IntrinsicInst>(call)) return false;
    const llvm::Function* callee = call->getCalledFunction();
    if (!callee) return true;
    return callee->isDeclaration() ? !isSilentDeclaration(*callee, options_) : functions_.contains(callee);
  }
  if (instruction.isAtomic() || readsShared(instruction, options_)) return true;
  if (!llvm::isa<llvm::StoreInst>(instruction)) return false;
  const Effect effect = effectOf(instruction, options_);
  return effect == Effect::certain || effect == Effect::ifRaced;
}

}  // namespace heddle::native
