// Names of addresses and words for values, at run time, for traces and messages.
//
//   global         queue.head, arr[3].x, Stack::top
//   thread_local   x (thread 1)
//   local          main()::x; of another thread than the main one: worker()::node.next (thread 2)
//   heap           Node#1.next; int#2[3] where the block has room for several
//   unknown type   the object that was made there, if the program has shown which (placed_objects.h): Node#2.next;
//                  otherwise block#3 + 8 bytes
//   no object      0x7f1200000010
//
// Heap objects are numbered, for each type, in the order in which they are first mentioned: the numbers of a trace are
// small, and the same address has the same name as long as this object lives. Freed memory is not used again, so a name
// is never that of another object. An address beside an object is named after it: arr[10], arr[-1], x + 4 bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "memory/memory.h"
#include "runtime/placed_objects.h"
#include "runtime/program_info.h"

namespace heddle::runtime {

class ObjectNames {
 public:
  // Finds objects in `memory`, whose allocations have indices into info.variables as tags. Both must outlive this.
  ObjectNames(const ProgramInfo& info, const memory::Memory& memory) : info_(info), memory_(memory), placed_(info, memory) {}

  // An access failed; it may tell what is there.
  void note(Address address, std::uint32_t source) const { placed_.note(address, source); }

  // Names are as if nothing had been named yet: the report of an execution does not depend on those that were seen before.
  void forgetMentions() const {
    placed_.forgetNotes();
    numbers_.clear();
    counts_.clear();
  }

  // What an access of `size` bytes at `address` touches; 0 if the size is not known.
  std::string name(Address address, unsigned size) const;
  // The same where sizes are mixed: word[0:3] for the first four bytes of a larger word.
  std::string nameOfBytes(Address address, unsigned size) const;

  // The scalar that a byte is in; of size 0 where no type is known.
  memory::Range scalarAt(Address address) const;
  // The first byte of a range that is uninitialised, unless nobody has to write it: what lies between the members of a structure, if
  // some of those are in the range, too.
  std::optional<Address> uninitialisedMember(Address address, std::size_t size) const;

  // A value of the type that is at the address: true, 'a', -1, 1.5, null, &node.next, {1, 2}. Numbers where no type is
  // known.
  std::string value(Address address, unsigned size, Value value) const;
  // The same of 16 bytes.
  std::string wideValue(Address address, const std::array<std::byte, 16>& bytes) const;

 private:
  using Words = std::array<Value, 2>;  // the bytes of a value, the rest zero

  struct Object {
    std::string name;    // of the object as a whole
    std::string suffix;  // " (thread 1)"
    std::uint32_t type = 0;
    std::uint64_t size = 0;
    std::int64_t offset = 0;  // of the address; not within the size for an address beside the object
    Address address = 0;      // of what is to be named
    bool array = false;       // of objects of the type, as many as there is room for
  };
  struct Part {
    std::string path;
    std::uint32_t type = 0;
    std::int64_t offset = 0;  // what is left of it
  };

  bool find(Address address, Object& object) const;
  Object threadLocal(const memory::Allocation& block, std::uint64_t offset) const;
  void place(const PlacedObject& placed, Object& object) const;
  void layOut(memory::AllocationKind kind, Object& object) const;
  unsigned number(Address address, std::uint32_t what, const std::string& name) const;
  Part part(const Object& object, unsigned size, std::uint32_t wanted) const;
  Object objectAt(Address address) const;
  bool isHole(Address address) const;
  std::string describe(const Object& object, const Part& part) const;
  std::string pointer(Value value, std::uint32_t target) const;
  bool pointsTo(Value value, std::uint32_t target, std::string& name) const;
  std::string tagged(Value value, std::uint32_t target) const;
  std::string valueOf(const Type& type, unsigned size, const Words& value) const;
  std::string recordValue(const Type& record, const Words& value) const;

  const ProgramInfo& info_;
  const memory::Memory& memory_;
  PlacedObjects placed_;
  // First mentions: heap objects by address and type, and how many there are of each name.
  mutable std::map<std::pair<Address, std::uint32_t>, unsigned> numbers_;
  mutable std::unordered_map<std::string, unsigned> counts_;
};

}  // namespace heddle::runtime
