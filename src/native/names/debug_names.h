// Names for objects, from the debug info: which variable, what type, which members at which offsets.
//
// Fills ProgramInfo::types and ::variables as they are asked for, each once. Names are those of the source as a person
// would say them: no namespaces unless two globals would have the same name, no std::atomic<T>::_M_i, no names of base
// classes and anonymous unions, `f()::x` for what lives in a function. Nothing is kept of the module: indices stay good
// when instructions and debug info are gone.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "native/names/debug_types.h"
#include "runtime/program_info.h"

namespace llvm {
class AllocaInst;
class CallBase;
class DILocalVariable;
class DIType;
class GlobalVariable;
class Module;
class StructType;
class Type;
class Value;
}  // namespace llvm

namespace heddle::native {

class DebugNames {
 public:
  // Puts the "unknown" entries 0 into the tables.
  DebugNames(const llvm::Module& module, runtime::ProgramInfo& info);

  // Indices into ProgramInfo::variables.
  std::uint32_t global(const llvm::GlobalVariable& variable);
  std::uint32_t local(const llvm::AllocaInst& variable);
  // Is it declared in the outermost block of the function that it is in now?
  static bool isOfOutermostBlock(const llvm::AllocaInst& variable);
  // What a call of malloc, operator new and the like allocates: by !heapallocsite, by the allocator's type, or by the
  // type of the variable, member, parameter or result that the pointer goes to. 0 if the debug info does not tell.
  std::uint32_t heapType(const llvm::CallBase& call);

  // What an access to the address is to: a member of an object behind a pointer. Of one that is reached by a cast, the type
  // is known when another access has shown it; or, `byName`, if the code calls it as the debug info does. `size` is for the
  // caller to say.
  runtime::Source::Member member(const llvm::Value& address, bool byName);

  // An index into ProgramInfo::types. Typedefs, const and the like stand for what is behind them.
  std::uint32_t type(const llvm::DIType* type);

  // `next` has taken the place of `old`, which is going to be erased.
  void replaced(const llvm::GlobalVariable& old, const llvm::GlobalVariable& next);

 private:
  std::uint32_t add(runtime::Variable variable);
  std::uint32_t recordNamed(const llvm::StructType& type) const;
  void makeUnique(std::uint32_t index, const std::string& fullName, const std::string& file);

  runtime::ProgramInfo& info_;
  DebugTypes types_;
  std::unordered_map<const llvm::GlobalVariable*, std::uint32_t> globals_;
  std::unordered_map<const llvm::DILocalVariable*, std::uint32_t> locals_;
  std::unordered_map<std::string, std::uint32_t> temporaries_;    // locals without debug info, by function and size
  std::unordered_map<std::uint32_t, std::uint32_t> heapTypes_;    // by type
  std::unordered_map<const llvm::Type*, std::uint32_t> records_;  // the types of the debug info, by those of the code
  struct Named {
    std::uint32_t variable;
    std::string fullName, file;
  };
  std::unordered_map<std::string, Named> names_;  // globals, by their short names
};

}  // namespace heddle::native
