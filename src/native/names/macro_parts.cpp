#include "native/names/macro_parts.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "native/compile/link.h"

namespace heddle::native {

namespace {

// An atomic access, or a call that may be one.
bool mayBeAtomic(const llvm::Instruction& instruction) {
  if (instruction.isAtomic()) return true;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call) return false;
  const llvm::Function* callee = call->getCalledFunction();
  return call->isInlineAsm() || (callee && callee->getName().contains("atomic"));
}

}  // namespace

void numberMacroParts(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.hasFnAttribute(kLibraryAttribute)) continue;
    llvm::DenseMap<const llvm::DILocation*, unsigned> parts;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      const llvm::DILocation* const place = instruction.getDebugLoc().get();
      if (!place || !mayBeAtomic(instruction)) continue;
      const unsigned part = parts[place]++;
      if (part != 0) instruction.setDebugLoc(place->cloneWithDiscriminator(part));
    }
  }
}

}  // namespace heddle::native
