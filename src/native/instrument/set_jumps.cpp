#include "native/instrument/set_jumps.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace heddle::native {

bool isSetJump(const llvm::Function& function) {
  return function.isDeclaration() && function.arg_size() != 0 &&
         llvm::StringSwitch<bool>(function.getName())
             .Cases("setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", true)
             .Default(false);
}

bool isSetJump(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee && isSetJump(*callee);
}

bool callsSetJump(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && isSetJump(*call);
  });
}

}  // namespace heddle::native
