// What plain memory knows about a byte, for tests: the shadow as the definitions would have it, however it is written
// down.
#pragma once

#include <cstddef>
#include <map>

#include "memory/memory.h"

namespace heddle::memory {

class MemoryInspector {
 public:
  explicit MemoryInspector(const Memory& memory) : memory_(memory) {}

  Slot slot(Address address) const { return memory_.shadow_.byteAt(address); }
  std::map<unsigned, unsigned> reads(Address address) const {
    std::map<unsigned, unsigned> found;
    const Slot at = slot(address);
    for (unsigned t = 0; t < kThreads; ++t) {
      if (const Lane index = memory_.shadow_.lastRead(at, static_cast<ThreadId>(t)); index != 0) found[t] = index;
    }
    return found;
  }
  const Cell& cell(Address address) const { return memory_.shadow_.cell(address); }
  bool isUninitialised(Address address) const { return memory_.isUninitialised(address); }
  std::size_t entries() const { return memory_.log_.entryTop(); }

  // Records that are in use beside cells: all given back when everything is undone and forgotten.
  std::size_t records() const {
    return memory_.shadow_.sides() + memory_.shadow_.clocks().used() + memory_.shadow_.coverings().used() +
           memory_.locations_.used();
  }

 private:
  const Memory& memory_;
};

}  // namespace heddle::memory
