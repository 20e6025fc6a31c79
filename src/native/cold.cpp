#include "native/cold.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace heddle::native {
namespace {

// A thread, or the program, is over as it should be.
bool ends(const llvm::BasicBlock& block) {
  return std::any_of(block.begin(), block.end(), [](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    return callee && (callee->getName() == "heddle_end_program" || callee->getName() == "heddle_end_thread" ||
                      callee->getName() == "exit");
  });
}

class ColdCode {
 public:
  explicit ColdCode(llvm::Module& module) : module_(module) {}

  void mark() {
    for (llvm::Function& function : module_) {
      if (function.isDeclaration()) continue;
      findColdBlocks(function);
      const bool endsWell = std::any_of(function.begin(), function.end(), ends);
      if (function.hasFnAttribute(llvm::Attribute::Cold) || (function.doesNotReturn() && !endsWell)) add(function);
    }
    for (bool again = true; again;) {
      again = false;
      for (llvm::Function& function : module_)
        if (!function.isDeclaration() && function.hasLocalLinkage() && !isCold(function) && isUsedByColdOnly(function)) {
          add(function);
          again = true;
        }
      for (llvm::GlobalVariable& variable : module_.globals())
        if (!cold_.count(&variable) && !variable.use_empty() && isUsedByColdOnly(variable)) {
          cold_.insert(&variable);
          again = true;
        }
    }
  }

 private:
  bool isCold(const llvm::Value& value) const { return cold_.count(&value) != 0; }
  void add(llvm::Function& function) {
    function.addFnAttr(llvm::Attribute::Cold);
    cold_.insert(&function);
  }

  // Those from which every way leads to a failure or out of the function by an exception.
  void findColdBlocks(const llvm::Function& function) {
    for (bool again = true; again;) {
      again = false;
      for (const llvm::BasicBlock& block : function) {
        if (cold_.count(&block)) continue;
        const llvm::Instruction& last = *block.getTerminator();
        bool cold = false;
        if (last.getNumSuccessors() == 0)
          cold = !llvm::isa<llvm::ReturnInst>(last) && !ends(block);
        else
          cold = std::all_of(llvm::succ_begin(&block), llvm::succ_end(&block),
                             [&](const llvm::BasicBlock* next) { return isCold(*next); });
        if (!cold) continue;
        cold_.insert(&block);
        again = true;
      }
    }
  }

  bool isColdUse(const llvm::User& user) const {
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&user))
      return isCold(*instruction->getParent()) || isCold(*instruction->getFunction());
    if (llvm::isa<llvm::GlobalValue>(user)) return isCold(user);
    return isUsedByColdOnly(user);  // a constant: a part of a virtual table, say
  }

  bool isUsedByColdOnly(const llvm::Value& value) const {
    return !value.use_empty() &&
           std::all_of(value.user_begin(), value.user_end(), [&](const llvm::User* user) { return isColdUse(*user); });
  }

  llvm::Module& module_;
  std::unordered_set<const llvm::Value*> cold_;  // functions, blocks, variables
};

}  // namespace

void markCold(llvm::Module& module) { ColdCode(module).mark(); }

}  // namespace heddle::native
