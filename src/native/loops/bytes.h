// Which bytes an address names, as far as that can be told without running anything.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <cstdint>

namespace heddle::native {

struct Bytes {
  const llvm::Value* base = nullptr;
  std::int64_t offset = 0;
  std::uint64_t size = 0;

  bool operator==(const Bytes&) const = default;
  bool contains(const Bytes& other) const {
    return base == other.base && offset <= other.offset &&
           offset + static_cast<std::int64_t>(size) >= other.offset + static_cast<std::int64_t>(other.size);
  }
};

// `type`: of what is there. A size of 0 stands for one that is not known.
Bytes bytesAt(const llvm::Value& address, llvm::Type& type, const llvm::Module& module);

// Can they have a byte in common?
bool mayOverlap(const Bytes& a, const Bytes& b);

// A call that allocates memory.
bool isAllocation(const llvm::Value& base);

}  // namespace heddle::native
