// Objects in memory that has no type of its own: a pool of bytes, a buffer, what a void* points to.
//
// Nothing is noted when an object is made. But the accesses of an execution are in the log of plain memory, each with its
// place in the source, and code that accesses a member of an object says what object that is (Source::member): where a
// constructor has written this->next, there is a Node. So it is found out, when there is something to name.
#pragma once

#include <cstdint>
#include <map>

#include "memory/memory.h"
#include "runtime/program_info.h"

namespace heddle::runtime {

struct PlacedObject {
  Address address = 0;
  std::uint32_t type = 0;  // into ProgramInfo::types
};

class PlacedObjects {
 public:
  // Both must outlive this.
  PlacedObjects(const ProgramInfo& info, const memory::Memory& memory) : info_(info), memory_(memory) {}

  // The largest object that the address is in; null if there is none.
  const PlacedObject* find(Address address) const;

  // An access that is not in the log, as it failed.
  void note(Address address, std::uint32_t source) const;
  void forgetNotes() const {
    failed_.clear();
    collected_ = 0;
  }

 private:
  void collect() const;
  void add(Address address, std::uint32_t source, bool exact) const;

  const ProgramInfo& info_;
  const memory::Memory& memory_;
  mutable std::map<Address, std::uint32_t> failed_;
  mutable std::uint64_t collected_ = 0;                  // Memory::changes() then
  mutable std::map<Address, std::uint32_t> candidates_;  // the largest type at each address
  mutable std::map<Address, PlacedObject> objects_;      // without those that are within others
};

}  // namespace heddle::runtime
