// Functions that run at most once in an execution, because it fails then, or an exception is thrown.
//
// Formatting the message of a failed assertion is more code than many a program. It is found here so that nobody spends
// time on making it fast: a function is cold if it does not return (and is not one of the ordinary ends of a thread or
// of the program), or if nothing but cold code refers to it, be it by a call or through a virtual table.
#pragma once

namespace llvm {
class Module;
}

namespace heddle::native {

// Gives cold functions LLVM's attribute `cold`. Functions that others can see, but for heddle_start, must be internal.
void markCold(llvm::Module& module);

}  // namespace heddle::native
