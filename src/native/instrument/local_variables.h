// How the address of a local variable is used.
//
// The uses are local if each of them is a load, a store, a memset or a copy at a constant offset within the variable. Then no
// other code ever sees the address, and what happens to each byte of the variable can be read off the function.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace llvm {
class AllocaInst;
class CallBase;
class DataLayout;
class Function;
class Instruction;
class LoadInst;
class Type;
class Value;
}  // namespace llvm

namespace heddle::native {

struct LocalUse {
  // copyFrom: memcpy out of the variable; life: it begins or ends, which localUses leaves out
  enum class Kind : std::uint8_t { load, store, set, copyFrom, copyTo, life };
  Kind kind = Kind::load;
  llvm::Instruction* instruction = nullptr;
  std::uint64_t offset = 0, size = 0;
  bool atomic = false;

  bool writes() const { return kind == Kind::store || kind == Kind::set || kind == Kind::copyTo; }
  std::uint64_t end() const { return offset + size; }
};

// Nothing if some use is not local. `address` is a variable of `size` bytes.
std::optional<std::vector<LocalUse>> localUses(llvm::Value& address, std::uint64_t size, const llvm::DataLayout& layout);
// Of a variable whose size is known; nothing for others. Calls that `mayBeLeftOut` are no use.
using CallTest = bool (*)(const llvm::CallBase&);
std::optional<std::vector<LocalUse>> localUses(llvm::AllocaInst& variable, CallTest mayBeLeftOut = nullptr);
// A call that sleeps, for as long as a variable says. Of the variable, that makes no difference to anybody.
bool isSleep(const llvm::CallBase& call);

// Are all uses plain loads and stores? An atomic access is an event even if no other thread can take part in it.
bool isPrivate(llvm::Value& address, std::uint64_t size, const llvm::DataLayout& layout);
bool isPrivate(llvm::AllocaInst& variable, CallTest mayBeLeftOut = nullptr);

// The markers of where the variable begins and ends to live.
std::vector<llvm::Instruction*> lifetimeMarkers(const llvm::AllocaInst& variable);
bool marksBegin(const llvm::Instruction& marker);

// May a pointer to the variable stay behind, in memory or in code that is not known, where its life ends?
bool mayEscape(const llvm::AllocaInst& variable);

// The variable that an address with a known offset is in, and the offset; null for others.
const llvm::AllocaInst* variableAt(const llvm::Value& address, const llvm::DataLayout& layout, std::int64_t& offset);

// A scalar part of a type.
struct Leaf {
  llvm::Type* type = nullptr;
  std::uint64_t offset = 0;
};

// The scalar parts of a type, in order; nothing if there are more than `limit`.
std::optional<std::vector<Leaf>> leavesOf(llvm::Type* type, std::size_t limit, const llvm::DataLayout& layout);

// Is the value that is loaded at `offset` from an object of type `type` only handed on, as bytes? That is how clang passes
// structures in registers, and how characters are copied; it is no use of the value.
bool isBytewiseCopy(const llvm::LoadInst& load, std::uint64_t offset, llvm::Type* type);
// Once functions have been inlined it cannot be seen any more that a load was of that kind, so the loads of arguments and results
// are marked before.
void markPassedStructures(llvm::Function& function);

// Is the load the first half of an assignment to a bit field, which reads the bits around it to write them back?
bool isBitFieldUpdate(const llvm::LoadInst& load);

}  // namespace heddle::native
