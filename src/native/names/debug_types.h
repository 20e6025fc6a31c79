// Types, from the debug info: ProgramInfo::types, filled in as they are asked for.
//
// A type here serves to name the parts of an object, so it is the source's type minus what nobody wants to read:
//   - typedefs, const, volatile, _Atomic stand for what is behind them; an anonymous struct has its typedef's name;
//   - members of base classes, of anonymous unions, and of wrappers such as std::atomic are transparent;
//   - mutexes and their like are records without members: their inside is the library's;
//   - bit fields side by side are one member, named after all of them, as they share the bytes that are accessed;
//   - a library buffer that holds a T is a T, a std::unique_ptr is a pointer.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/program_info.h"

namespace llvm {
class DICompositeType;
class DIDerivedType;
class DIScope;
class DIType;
class DataLayout;
class Module;
}  // namespace llvm

namespace heddle::native {

// What a type is behind typedefs, const, volatile, restrict and _Atomic; null for void. `name`, if given, becomes that
// of the last typedef on the way.
const llvm::DIType* unqualified(const llvm::DIType* type, std::string* name = nullptr);

// What a pointer or reference points to; null for other types and for void*.
const llvm::DIType* pointerTarget(const llvm::DIType* type);

// The n-th template argument, if it is a type.
const llvm::DIType* templateArgument(const llvm::DICompositeType& type, unsigned n);

// "Stack::push()::" for what is declared in there; of namespaces only if they are asked for.
std::string scopePrefix(const llvm::DIScope* scope, bool namespaces);

// A template's name with long arguments left out: "vector<...>".
std::string shortened(const std::string& name);

class DebugTypes {
 public:
  DebugTypes(const llvm::Module& module, runtime::ProgramInfo& info);

  std::uint32_t type(const llvm::DIType* type);
  const llvm::DataLayout& layout() const;
  // The definition of a type that is only declared where it was met.
  const llvm::DIType* definition(const llvm::DIType* type);

 private:
  std::uint32_t add(const llvm::DIType* type, runtime::Type value);
  std::uint32_t composite(const llvm::DICompositeType& type, const std::string& typedefName);
  std::uint32_t array(const llvm::DICompositeType& type);
  std::uint32_t record(const llvm::DICompositeType& type, const std::string& typedefName);
  std::vector<runtime::Type::Member> members(const llvm::DICompositeType& type);
  runtime::Type::Member bitFields(const std::vector<const llvm::DIDerivedType*>& run);
  std::string uniqueName(const llvm::DICompositeType& type, std::uint32_t index, const std::string& typedefName);

  const llvm::Module& module_;
  runtime::ProgramInfo& info_;
  std::unordered_map<const llvm::DIType*, std::uint32_t> types_;
  struct Named {
    std::uint32_t type;
    std::string fullName;
  };
  std::unordered_map<std::string, Named> names_;  // records, by their short names
  bool definitionsKnown_ = false;
  std::unordered_map<std::string, const llvm::DICompositeType*> definitions_;  // by identifier, or else name
};

}  // namespace heddle::native
