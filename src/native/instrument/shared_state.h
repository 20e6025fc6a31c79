// What the steps of the instrumentation share: the module, the tables, and the hooks to call.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <map>
#include <string>

#include "native/names/debug_names.h"
#include "native/names/source_table.h"
#include "native/pipeline.h"
#include "runtime/error.h"
#include "runtime/program_info.h"

namespace heddle::native {

// The hooks (abi/hooks.def), declared in the module. None of them unwinds; they may read and write any memory.
struct Hooks {
  explicit Hooks(llvm::Module& module);

#define HOOK(how, member, result, name, parameters, traits) llvm::FunctionCallee member;
#include "abi/hooks.def"
  llvm::GlobalVariable* epoch;
  llvm::GlobalVariable* callSource;
  llvm::GlobalVariable* heapType;
};

// An object whose extent is known where it is accessed: a global, or a local variable in frame memory.
struct Object {
  std::uint64_t size = 0;
  std::uint32_t variable = 0;  // into ProgramInfo::variables
  bool constant = false;
  llvm::Type* type = nullptr;  // of a local variable
};

struct Instrumentation {
  Instrumentation(llvm::Module& module, const BuildOptions& options, runtime::ProgramInfo& info, DebugNames& names);

  llvm::Module& module;
  const BuildOptions& options;
  runtime::ProgramInfo& info;
  DebugNames& names;
  SourceTable sources;
  Hooks hooks;
  llvm::DenseMap<const llvm::Value*, Object> objects;  // by their addresses

  // A constant string in the module, for heddle_fail; one for each text.
  llvm::Constant* text(const std::string& text);
  // What a hook of a plain access is told about the place: its number. Code of a library that the program calls is told
  // apart by the place of the call.
  llvm::Value* where(llvm::IRBuilder<>& builder, std::uint32_t source);
  // A call of heddle_fail in front of the builder's place. The code behind it stays: it is never reached.
  void fail(llvm::IRBuilder<>& builder, runtime::ErrorKind kind, const std::string& message, std::uint32_t source);
  // The same if `condition` holds; afterwards the builder is where it was.
  void failIf(llvm::IRBuilder<>& builder, llvm::Value* condition, runtime::ErrorKind kind, const std::string& message,
              std::uint32_t source);
  // Stops the program, as not supported, where it would come to this call, which is gone afterwards.
  void stopInsteadOf(llvm::CallBase& call, const std::string& message);
  // A block in front of the builder's place that runs only if `condition` holds, which is unlikely. Returns its last
  // instruction: a branch back, or `unreachable` if the block `leaves` for good.
  llvm::Instruction* unlikely(llvm::IRBuilder<>& builder, llvm::Value* condition, bool leaves = false);

  // Enters an operation into ProgramInfo::operations, unless it is there.
  void noteOperation(const Operation& operation);

 private:
  std::map<std::string, llvm::Constant*> texts_;
};

// An attribute of a call that allocates: the index in ProgramInfo::variables that says what. (Metadata is lost where a call
// is inlined into code with something to clean up.)
inline constexpr const char* kHeapType = "heddle.heap";

// A variable of heddle's own runtime, which the program's code reads and writes only on heddle's behalf.
bool isRuntimeVariable(const llvm::Value* address);

}  // namespace heddle::native
