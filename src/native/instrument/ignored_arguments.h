// Which functions make no use of their argument, but to return it.
//
// Threads that run the same function are alike (runtime/alike_threads.cpp) if they are given the same argument, or if it does not
// matter what they are given. Many programs number their threads though none of them looks at its number. That
// cannot be seen while a program runs, so the model of pthread_create asks heddle_ignores_argument, which compares the function's
// address with those of all functions that ignore their argument.
#pragma once

namespace llvm {
class Module;
}

namespace heddle::native {

// Gives heddle_ignores_argument its body, if the program declares it. After prepare, which finds out what is used.
void defineIgnoredArguments(llvm::Module& module);

}  // namespace heddle::native
