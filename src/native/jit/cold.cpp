#include "native/jit/cold.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <initializer_list>
#include <unordered_set>

#include "native/instrument/control_flow.h"
#include "runtime/hook_names.h"

namespace heddle::native {
namespace {

namespace hook = runtime::hook_names;

// The functions in which a thread, or the program, may come to its ordinary end.
class Ends {
 public:
  explicit Ends(const llvm::Module& module) {
    for (const char* name : std::initializer_list<const char*>{hook::heddle_end_program, hook::heddle_end_thread, "exit"})
      if (const llvm::Function* function = module.getFunction(name)) add(*function);
  }
  bool isIn(const llvm::Function& function) const { return functions_.count(&function) != 0; }
  bool isIn(const llvm::BasicBlock& block) const {
    return std::any_of(block.begin(), block.end(), [&](const llvm::Instruction& instruction) {
      const llvm::Function* callee = calleeOf(instruction);
      return callee && isIn(*callee);
    });
  }

 private:
  void add(const llvm::Function& function) {
    if (!functions_.insert(&function).second) return;
    for (const llvm::User* user : function.users())
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user); call && call->getCalledFunction() == &function)
        add(*call->getFunction());
  }

  std::unordered_set<const llvm::Function*> functions_;
};

class ColdCode {
 public:
  explicit ColdCode(llvm::Module& module) : module_(module), ends_(module) {}

  void mark() {
    for (llvm::Function& function : module_) {
      if (function.isDeclaration()) continue;
      findColdBlocks(function);
      const bool fails = function.doesNotReturn() && !ends_.isIn(function);
      if (fails || function.hasFnAttribute(llvm::Attribute::Cold)) add(function);
    }
    for (bool again = true; again;) {
      again = false;
      for (llvm::Function& function : module_)
        if (!function.isDeclaration() && function.hasLocalLinkage() && !isCold(function) && isUsedByColdOnly(function)) {
          add(function);
          again = true;
        }
      for (llvm::GlobalVariable& variable : module_.globals())
        if (!isCold(variable) && !variable.use_empty() && isUsedByColdOnly(variable)) {
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
      for (const llvm::BasicBlock& block : llvm::reverse(function)) {  // mostly successors first
        if (isCold(block)) continue;
        const llvm::Instruction& last = *block.getTerminator();
        bool cold = false;
        if (last.getNumSuccessors() == 0)
          cold = !llvm::isa<llvm::ReturnInst>(last) && !ends_.isIn(block);
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
  const Ends ends_;
  std::unordered_set<const llvm::Value*> cold_;  // functions, blocks, variables
};

}  // namespace

void markCold(llvm::Module& module) { ColdCode(module).mark(); }

}  // namespace heddle::native
