// The last step: ordinary optimisation of the instrumented module, code generation, and linking into the image.
//
// Code and data come to lie in [kImage, kImage + kImageSize) of src/memory/layout.h, at addresses that depend on the
// module only. That memory must be mapped (memory::Memory does), and there can be one Jit at a time. Static
// initialisers do not run here: heddle_start does that. Exceptions unwind through the code as through any other.
//
// External names resolve against the host symbols that are given, then against the names that are allowed, in the
// process itself, and against the run-time helpers that code generation may call. Any other name is an InputError.
// Variables of the runtime whose names begin with heddle_ become constant addresses in the code.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace heddle::native {

struct JitOptions {
  // A module with more instructions than this has most of its functions generated when they are called (later_functions.h).
  std::size_t atOnce = 5'000;
  std::unordered_map<std::string, void*> host;      // hooks, primitives, runtime variables
  std::function<bool(const std::string&)> allowed;  // is it a symbol of the process that the program may use as it is?
  std::vector<std::string> keep;                    // functions whose addresses will be asked for, besides heddle_start
  bool debugged = false;                            // plain code with debug information, for showToDebugger
};

struct JitTimes {
  double optimisation = 0;  // seconds
  double codeGeneration = 0;
  double linking = 0;
};

class Jit {
 public:
  Jit(std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> module, const JitOptions& options);
  ~Jit();
  Jit(const Jit&) = delete;
  Jit& operator=(const Jit&) = delete;

  // Of a global, or of a function in JitOptions::keep; null if the program has no such symbol.
  void* address(const std::string& symbol) const;
  const JitTimes& times() const;
  // Debuggers know the code from now on, if it was made for them.
  void showToDebugger();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace heddle::native
