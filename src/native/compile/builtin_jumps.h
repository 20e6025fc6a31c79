// __builtin_setjmp and __builtin_longjmp, as calls of _setjmp and longjmp.
//
// Their buffer has five words, which is not enough for what a jump needs here (runtime/primitives/jumps.cpp). So each call of
// __builtin_setjmp gets a jump buffer of its own, a local variable of the function, and the program's buffer has its address:
//
//     if (__builtin_setjmp(buffer) == 0)      ->      jmp_buf kept;  buffer[0] = &kept;  if (_setjmp(kept) == 0)
//     __builtin_longjmp(buffer, 1)            ->      longjmp(buffer[0], 1)
//
// One for each call is enough, though a loop may set several buffers by the same call: the function goes on in the same place with
// any of them, and a local variable that has changed since the first was set has no value that can be relied on. Who jumps to
// a function that has returned uses a variable that is gone, which is an error.
#pragma once

namespace llvm {
class Module;
}

namespace heddle::native {

void lowerBuiltinJumps(llvm::Module& module);

}  // namespace heddle::native
