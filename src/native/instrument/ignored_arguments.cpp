#include "native/instrument/ignored_arguments.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <vector>

#include "native/compile/link.h"

namespace heddle::native {

namespace {

bool ignoresArgument(const llvm::Function& function) {
  if (function.isDeclaration() || function.isVarArg() || function.arg_size() != 1 || !function.hasAddressTaken()) return false;
  const llvm::Argument& argument = *function.getArg(0);
  return argument.getType()->isPointerTy() &&
         llvm::all_of(argument.users(), [](const llvm::User* user) { return llvm::isa<llvm::ReturnInst>(user); });
}

}  // namespace

void defineIgnoredArguments(llvm::Module& module) {
  llvm::Function* const ignores = module.getFunction("heddle_ignores_argument");
  if (ignores == nullptr || !ignores->isDeclaration()) return;
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module) {
    if (ignoresArgument(function)) functions.push_back(&function);
  }
  ignores->setSubprogram(nullptr);  // of the declaration
  ignores->addFnAttr(kLibraryAttribute);
  ignores->setLinkage(llvm::GlobalValue::InternalLinkage);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", ignores));
  llvm::Value* found = builder.getFalse();
  for (llvm::Function* function : functions) {
    found = builder.CreateOr(found, builder.CreateICmpEQ(ignores->getArg(0), function));
  }
  builder.CreateRet(builder.CreateZExt(found, ignores->getReturnType()));
}

}  // namespace heddle::native
