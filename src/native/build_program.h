// A program, built: compiled, linked with the library models, instrumented, and in memory as native code.
#pragma once

#include <memory>

#include "abi/heddle_inputs.h"
#include "memory/memory.h"
#include "native/inputs.h"
#include "native/pipeline.h"
#include "runtime/native_program.h"
#include "runtime/program_info.h"

namespace heddle::native {

class Jit;

class Build {
 public:
  // Puts code and globals into the memory's image. Throws InputError.
  Build(const BuildOptions& options, memory::Memory& memory);
  ~Build();
  Build(const Build&) = delete;
  Build& operator=(const Build&) = delete;

  const runtime::ProgramInfo& info() const { return info_; }
  runtime::NativeProgram::Entry entry(const std::vector<std::string>& arguments) const;
  const std::vector<StepTime>& timing() const { return timing_; }
  // A text that tells the instrumented program from others, if that was asked for.
  const std::string& identity() const { return identity_; }
  // The program before it is instrumented, for processes on other machines; with its identity.
  const std::string& linked() const { return linked_; }
  // Before the program starts: what of its inputs is explored.
  void explore(const heddle_explored_inputs& inputs) const;
  const InputFiles& inputs() const { return inputs_; }
  // Debuggers know the code from now on, if it was built for them.
  void showToDebugger() const;
  // Does the program consist of several tests? (runtime/test_program.h)
  bool hasTests() const { return hasTests_; }
  // Where main is, "a.c:3", if it looks at its arguments; otherwise empty.
  const std::string& argumentsReadAt() const { return argumentsReadAt_; }

 private:
  std::string name_;  // argv[0]
  bool hasTests_ = false;
  std::string argumentsReadAt_;
  InputFiles inputs_;
  std::string identity_;
  std::string linked_;
  std::string recovery_;     // the symbol of what runs after a crash; empty if crashes are not explored
  bool constructs_ = false;  // constructors of globals run before that
  runtime::ProgramInfo info_;
  std::unique_ptr<Jit> jit_;
  std::vector<StepTime> timing_;
};

}  // namespace heddle::native
