// Programs as the instrumentation leaves them, and questions about the hooks that they call.
#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <string>
#include <vector>

#include "native/compile/link.h"
#include "native/instrument/globals.h"
#include "native/instrument_program.h"
#include "runtime/error.h"
#include "unit/native_compile_helpers.h"

namespace heddle::native {

struct Instrumented {
  CompiledProgram program;
  runtime::ProgramInfo info;

  const llvm::Module& module() const { return *program.module; }

  // Calls of a function in the body of another; "" for all bodies.
  std::vector<const llvm::CallBase*> calls(const std::string& callee, const std::string& caller = "") const {
    std::vector<const llvm::CallBase*> found;
    for (const llvm::Function& function : module()) {
      if (!caller.empty() && function.getName() != caller) continue;
      if (caller.empty() && function.hasFnAttribute(kLibraryAttribute)) continue;
      for (const llvm::Instruction& instruction : llvm::instructions(function)) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        const llvm::Function* target = call ? call->getCalledFunction() : nullptr;
        if (target && target->getName() == callee) found.push_back(call);
      }
    }
    return found;
  }
  std::size_t count(const std::string& callee, const std::string& caller = "") const { return calls(callee, caller).size(); }

  static std::uint64_t number(const llvm::CallBase& call, unsigned argument) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(argument));
    return constant ? constant->getZExtValue() : ~std::uint64_t{0};
  }

  // Calls of heddle_fail with an error's kind, outside of the library.
  std::size_t failures(runtime::ErrorKind kind, const std::string& caller = "") const {
    const auto all = calls("heddle_fail", caller);
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const llvm::CallBase* call) {
      return number(*call, 0) == static_cast<std::uint64_t>(kind);
    }));
  }

  const runtime::Source& source(const llvm::CallBase& call, unsigned argument) const {
    return info.sources.at(number(call, argument));
  }

  // Loops of the program's own code.
  std::vector<runtime::Loop> loops() const {
    std::vector<runtime::Loop> found;
    for (const runtime::Loop& loop : info.loops) {
      if (!info.sources.at(loop.source).library) found.push_back(loop);
    }
    return found;
  }
};

class InstrumentTest : public CompileTest {
 protected:
  Instrumented build(const std::string& name, const std::string& text, BuildOptions options = {}) const {
    Instrumented result;
    write(name, text);
    BuildOptions build = optionsFor({name});
    build.undefinedBehaviour = options.undefinedBehaviour;
    result.program = compile(build);
    llvm::Module& module = *result.program.module;
    declareStart(module);
    linkLibrary(module);
    result.info = instrument(module, options);
    expectVerified(module);
    return result;
  }
  Instrumented c(const std::string& text, const BuildOptions& options = {}) const { return build("a.c", text, options); }
  Instrumented cxx(const std::string& text, const BuildOptions& options = {}) const { return build("a.cpp", text, options); }

  std::string inputError(const std::string& name, const std::string& text, const BuildOptions& options = {}) const {
    try {
      build(name, text, options);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
};

}  // namespace heddle::native
