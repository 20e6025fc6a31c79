// Debug locations as indices into ProgramInfo::sources.
//
// Every hook call carries such an index, so that a report can say where. A place in inlined code refers to the place it was
// inlined into (Source::caller), and so on up to the function that the code is in now.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "runtime/program_info.h"

namespace llvm {
class CallBase;
class DILocation;
class DIScope;
class DISubprogram;
class Function;
class Instruction;
class Module;
}  // namespace llvm

namespace heddle::native {

class SourceTable {
 public:
  // Puts the "unknown" entry 0 into the table, and remembers which functions are library models: to be called before
  // anything is inlined.
  SourceTable(const llvm::Module& module, runtime::ProgramInfo& info);

  // The place of an instruction; of one that has none, that of its neighbours or of its function.
  std::uint32_t of(const llvm::Instruction& instruction);
  std::uint32_t of(const llvm::Function& function);
  std::uint32_t of(const llvm::DILocation* location);
  // The place of a call of a library function, which is named there.
  std::uint32_t ofLibraryCall(const llvm::CallBase& call);
  // What is accessed at a place, before anything is inlined.
  void setMember(const llvm::DILocation& location, runtime::Source::Member member);
  void setVolatile(std::uint32_t index) { info_.sources[index].isVolatile = true; }

  const runtime::Source& operator[](std::uint32_t index) const { return info_.sources[index]; }

  // Is the place, and every place that it was inlined into, in a library?
  bool isLibrary(std::uint32_t index) const;

  // The first place on its way up that is not in a library; itself if there is none. And "file:line" of that.
  std::uint32_t shown(std::uint32_t index) const;
  std::string text(std::uint32_t index) const;

 private:
  std::uint32_t add(runtime::Source source);
  runtime::Source at(const llvm::DIScope& scope, const llvm::DISubprogram* function, unsigned line);
  struct FunctionNames {
    std::string full;   // demangled
    std::string brief;  // "std::vector::push_back"
  };
  const FunctionNames& namesOf(const llvm::DISubprogram* function);

  runtime::ProgramInfo& info_;
  const std::string directory_;  // the current one
  std::unordered_set<const llvm::DISubprogram*> models_;
  std::unordered_map<const llvm::DISubprogram*, FunctionNames> functions_;
  std::unordered_set<std::string> units_;  // the files that were compiled, other than those of library models
  std::unordered_map<const llvm::DILocation*, std::uint32_t> byLocation_;
  using Spot = std::tuple<const llvm::DIScope*, unsigned, unsigned>;  // line and column
  static Spot spotOf(const llvm::DILocation& location);
  std::map<Spot, runtime::Source::Member> members_;
  std::map<std::tuple<std::string, unsigned, unsigned, unsigned, std::string, std::uint32_t, std::string>, std::uint32_t>
      known_;
};

}  // namespace heddle::native
