// Calls through pointers go to functions of the program only.
#pragma once

namespace llvm {
class Function;
}

namespace heddle::native {

struct Instrumentation;

// Puts a check before each such call (heddle_check_callee).
void checkIndirectCalls(Instrumentation& instrumentation, llvm::Function& function);

}  // namespace heddle::native
