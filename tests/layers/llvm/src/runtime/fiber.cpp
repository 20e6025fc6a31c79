// Only src/native knows LLVM.
#include <llvm/IR/Module.h>
