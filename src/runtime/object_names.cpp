#include "runtime/object_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "memory/layout.h"

namespace heddle::runtime {
namespace {

using memory::AllocationKind;

constexpr std::uint32_t kPlaced = std::uint32_t{1} << 31;  // the index of a type, not of a variable

std::string hex(Value value) { return fmt::format("{:#x}", value); }

std::string plusBytes(std::int64_t offset) {
  if (offset == 0) return "";
  const std::int64_t distance = offset < 0 ? -offset : offset;
  return fmt::format(" {} {} byte{}", offset < 0 ? '-' : '+', distance, distance == 1 ? "" : "s");
}

// How a program speaks of a member of a class of the standard library: not at all, but for the counts of a shared_ptr.
std::string publicName(const std::string& member) {
  if (member.starts_with("._M_use_count")) return ".use_count";
  return member.starts_with("._M_weak_count") ? ".weak_count" : "";
}

std::int64_t signExtend(Value value, unsigned size) {
  const unsigned unused = 64 - 8 * std::min(size, 8U);
  return static_cast<std::int64_t>(value << unused) >> unused;
}

std::string character(Value value) {
  const auto c = static_cast<char>(value);
  if (c == '\n') return "'\\n'";
  if (c == '\'' || c == '\\') return fmt::format("'\\{}'", c);
  return c >= ' ' && c <= '~' ? fmt::format("'{}'", c) : std::to_string(signExtend(value, 1));
}

std::string scalarValue(const Type& type, unsigned size, Value value) {
  if (type.isBool && value <= 1) return value ? "true" : "false";
  if (type.isFloat && size == 8) return fmt::format("{}", std::bit_cast<double>(value));
  if (type.isFloat && size == 4) return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(value)));
  if (type.isChar && size == 1) return character(value);
  return type.isSigned ? std::to_string(signExtend(value, size)) : std::to_string(truncate(value, size));
}

// Is there a scalar or a pointer with just these bytes?
bool fits(const ProgramInfo& info, std::uint32_t index, std::uint64_t offset, std::uint64_t size) {
  const Type& type = info.types[index];
  if (type.kind == Type::Kind::record)
    return std::any_of(type.members.begin(), type.members.end(), [&](const Type::Member& member) {
      return offset >= member.offset && fits(info, member.type, offset - member.offset, size);
    });
  if (type.kind != Type::Kind::array) return offset == 0 && size == type.size;
  const std::uint64_t element = info.types[type.element].size;
  return element != 0 && offset < type.size && fits(info, type.element, offset % element, size);
}

// Does a byte of a type belong to a value? To one of several that share it, perhaps, as in a union.
bool hasByte(const ProgramInfo& info, std::uint32_t type, std::uint64_t offset) {
  const Type& at = info.types[type];
  if (at.kind == Type::Kind::array) {
    const std::uint64_t size = info.types[at.element].size;
    return size == 0 || hasByte(info, at.element, offset % size);
  }
  if (at.kind != Type::Kind::record || at.members.empty()) return true;
  return std::ranges::any_of(at.members, [&](const Type::Member& member) {
    return offset >= member.offset && offset - member.offset < info.types[member.type].size &&
           hasByte(info, member.type, offset - member.offset);
  });
}

// The member that an access of `size` bytes lies in, or the only one that it touches. Of the members of a union, which
// all begin together, the first that has a part just like that.
const Type::Member* memberAt(const ProgramInfo& info, const Type& record, std::uint64_t offset, std::uint64_t size) {
  const Type::Member* around = nullptr;
  const Type::Member* touched = nullptr;
  unsigned count = 0;
  for (const Type::Member& member : record.members) {
    const std::uint64_t end = member.offset + info.types[member.type].size;
    if (offset >= end || offset + size <= member.offset) continue;
    touched = &member;
    ++count;
    if (offset < member.offset || offset + size > end) continue;
    if (fits(info, member.type, offset - member.offset, size)) return &member;
    if (!around) around = &member;
  }
  if (around) return around;
  return count == 1 && offset >= touched->offset ? touched : nullptr;
}

// Is one member all there is to the record?
bool hasOneMember(const ProgramInfo& info, const Type& record) {
  return record.kind == Type::Kind::record && record.members.size() == 1 &&
         info.types[record.members[0].type].size == record.size;
}

// Memory that says nothing about what is in it.
bool isRaw(const ProgramInfo& info, std::uint32_t index) {
  const Type& type = info.types[index];
  if (type.kind == Type::Kind::array) return isRaw(info, type.element);
  return index == 0 || (type.kind == Type::Kind::scalar && type.size == 1 && !type.isBool);
}

// The array at the end of a record that goes on as far as there is memory: items[], items[0], and, in C, items[1].
const Type::Member* flexibleArray(const ProgramInfo& info, const Type& record, bool ofOne) {
  if (record.kind != Type::Kind::record || record.members.empty()) return nullptr;
  const Type::Member& last = record.members.back();
  const Type& type = info.types[last.type];
  const bool flexible = type.kind == Type::Kind::array && (type.count == 0 || (type.count == 1 && ofOne));
  return flexible && record.members.size() > 1 && info.types[type.element].size != 0 ? &last : nullptr;
}

// Is it a union, or has it no members at all?
bool overlap(const ProgramInfo& info, const Type& record) {
  std::uint64_t end = 0;
  for (const Type::Member& member : record.members) {
    if (member.offset < end) return true;
    end = member.offset + info.types[member.type].size;
  }
  return record.members.empty();
}

}  // namespace

unsigned ObjectNames::number(Address address, std::uint32_t what, const std::string& name) const {
  const auto [entry, isNew] = numbers_.try_emplace({address, what}, 0U);
  if (isNew) entry->second = ++counts_[name];
  return entry->second;
}

void ObjectNames::place(const PlacedObject& placed, Object& object) const {
  const Type& type = info_.types[placed.type];
  object.name = fmt::format("{}#{}", type.name, number(placed.address, kPlaced | placed.type, type.name));
  object.suffix.clear();
  object.type = placed.type;
  object.size = type.size;
  object.offset = static_cast<std::int64_t>(object.address - placed.address);
  object.array = false;
}

// How objects of a type lie in a block of the heap.
void ObjectNames::layOut(AllocationKind kind, Object& object) const {
  const Type& type = info_.types[object.type];
  if (type.size == 0 || flexibleArray(info_, type, kind == AllocationKind::malloc && object.size > type.size)) return;
  // new[] of a class with a destructor puts the number of elements in front of them.
  constexpr std::uint64_t kCookie = sizeof(Value);
  if (kind == AllocationKind::newArray && type.kind == Type::Kind::record && object.size >= kCookie + type.size) {
    Value count = 0;
    std::memcpy(&count, reinterpret_cast<const void*>(object.address - static_cast<Address>(object.offset)), kCookie);
    if (count * type.size == object.size - kCookie) {
      object.size -= kCookie;
      object.offset -= static_cast<std::int64_t>(kCookie);
      object.array = count > 1;
      return;
    }
  }
  object.array = object.size >= 2 * type.size && object.size % type.size == 0;
}

ObjectNames::Object ObjectNames::threadLocal(const memory::Allocation& block, std::uint64_t offset) const {
  Object object;
  object.suffix = fmt::format(" (thread {})", block.thread);
  for (const std::uint32_t index : info_.threadLocals) {
    const Variable& variable = info_.variables[index];
    if (offset < variable.offset || offset >= variable.offset + variable.size) continue;
    object.name = variable.name;
    object.type = variable.type;
    object.size = variable.size;
    object.offset = static_cast<std::int64_t>(offset - variable.offset);
    return object;
  }
  object.name = "thread_local storage";
  object.size = block.size;
  object.offset = static_cast<std::int64_t>(offset);
  return object;
}

bool ObjectNames::find(Address address, Object& object) const {
  const memory::Allocation* allocation = memory_.find(address);
  if (!allocation) return false;
  const std::uint64_t offset = address - allocation->address;  // wraps around for what lies before it
  if (allocation->kind == AllocationKind::tls) {
    object = threadLocal(*allocation, offset);
    object.address = address;
    return true;
  }
  const Variable& variable = info_.variables[allocation->tag < info_.variables.size() ? allocation->tag : 0];
  object.type = variable.type;
  object.size = allocation->size;
  object.offset = static_cast<std::int64_t>(offset);
  object.address = address;
  const bool behind = info_.types[object.type].size <= offset && offset < object.size;  // the first of the type
  switch (allocation->kind) {
    case AllocationKind::malloc:
    case AllocationKind::newScalar:
    case AllocationKind::newArray:
    case AllocationKind::mapping:
    case AllocationKind::persistent:
      layOut(allocation->kind, object);
      if (isRaw(info_, object.type) || (behind && !object.array)) {
        if (const PlacedObject* placed = placed_.find(address)) return place(*placed, object), true;
      }
      object.name = variable.name.empty() ? "block" : variable.name;
      object.name += fmt::format("#{}", number(allocation->address, allocation->tag, object.name));
      break;
    case AllocationKind::frame:
      object.name = variable.name.empty() ? "a local variable" : variable.name;
      if (allocation->thread != 0) object.suffix = fmt::format(" (thread {})", allocation->thread);
      break;
    default: object.name = variable.name.empty() ? "a global variable" : variable.name;
  }
  // A buffer with room for one object is called what it is called; of several, each is an object.
  const PlacedObject* placed = isRaw(info_, object.type) ? placed_.find(address) : nullptr;
  if (placed && object.size >= 2 * info_.types[placed->type].size) place(*placed, object);
  return true;
}

// Walks from the object down to the part that is accessed. It ends at a scalar, at the wanted type, or where the access
// covers more than one part. With no size and no type to go by, it ends at the outermost part that begins at the
// address.
ObjectNames::Part ObjectNames::part(const Object& object, unsigned size, std::uint32_t wanted) const {
  Part at{"", object.type, object.offset};
  const auto stepTo = [&](std::uint64_t elementSize) {
    const auto length = static_cast<std::int64_t>(elementSize);
    const std::int64_t index = at.offset >= 0 ? at.offset / length : -((length - 1 - at.offset) / length);
    at.path += fmt::format("[{}]", index);
    at.offset -= index * length;
  };
  if (object.array) stepTo(info_.types[at.type].size);
  std::vector<std::uint32_t> around;  // the types of what the part is in
  while (true) {
    // A buffer that holds an object, if it is not the object that holds the buffer.
    if (at.offset >= 0 && info_.types[at.type].kind == Type::Kind::array && isRaw(info_, at.type)) {
      const PlacedObject* placed = placed_.find(object.address);
      const bool begins = placed && placed->address == object.address - static_cast<Address>(at.offset);
      if (begins && std::ranges::find(around, placed->type) == around.end()) at.type = placed->type;
    }
    around.push_back(at.type);
    const Type& type = info_.types[at.type];
    if (at.offset == 0) {
      if (wanted != 0 ? at.type == wanted : size == 0) return at;
      const bool unlimited = type.kind == Type::Kind::array && type.count == 0;
      if (!unlimited && size >= type.size && !fits(info_, at.type, 0, size) && !hasOneMember(info_, type)) return at;
    }
    if (type.kind == Type::Kind::array && info_.types[type.element].size != 0) {
      const std::uint64_t elementSize = info_.types[type.element].size;
      if (at.offset >= 0 && static_cast<std::uint64_t>(at.offset) % elementSize + size > elementSize) return at;
      stepTo(elementSize);
      at.type = type.element;
    } else if (type.kind == Type::Kind::record && at.offset >= 0) {
      const Type::Member* member = memberAt(info_, type, static_cast<std::uint64_t>(at.offset), std::max(size, 1U));
      const Type::Member* last = flexibleArray(info_, type, object.size > type.size && !object.array);
      if (!member && last && at.offset >= static_cast<std::int64_t>(last->offset)) member = last;
      if (!member) return at;
      if (!member->transparent) at.path += "." + member->name;
      at.offset -= static_cast<std::int64_t>(member->offset);
      at.type = member->type;
    } else {
      return at;
    }
  }
}

std::string ObjectNames::describe(const Object& object, const Part& part) const {
  const Type& type = info_.types[part.type];
  // The inside of a mutex is not the program's business; that of an object without a type is counted in bytes.
  const bool opaque = type.kind == Type::Kind::record && type.members.empty() && part.offset >= 0 &&
                      static_cast<std::uint64_t>(part.offset) < type.size;
  if (const std::size_t inside = part.path.find("._M_"); inside != std::string::npos) {
    return object.name + part.path.substr(0, inside) + publicName(part.path.substr(inside)) + object.suffix;
  }
  return object.name + part.path + (opaque ? "" : plusBytes(part.offset)) + object.suffix;
}

// The object that a byte is in, with the type that it was made with.
ObjectNames::Object ObjectNames::objectAt(Address address) const {
  const memory::Allocation* const allocation = memory_.find(address);
  Object object;
  if (!allocation) return object;
  if (allocation->kind == AllocationKind::tls) {
    object = threadLocal(*allocation, address - allocation->address);
  } else {
    object.type = info_.variables[allocation->tag < info_.variables.size() ? allocation->tag : 0].type;
    object.size = allocation->size;
    object.offset = static_cast<std::int64_t>(address - allocation->address);
    // What the program has put into a buffer is another question, which executions answer in different ways.
    const std::uint64_t size = info_.types[object.type].size;
    const bool heap = allocation->kind < AllocationKind::frame;
    object.array = heap && size != 0 && object.size >= 2 * size && object.size % size == 0;
  }
  return object;
}

memory::Range ObjectNames::scalarAt(Address address) const {
  const Part at = part(objectAt(address), 1, 0);
  const Type& type = info_.types[at.type];
  const bool scalar = type.kind == Type::Kind::scalar || type.kind == Type::Kind::pointer;
  const bool inside = at.offset >= 0 && static_cast<std::uint64_t>(at.offset) < type.size;
  if (!scalar || !inside || !std::has_single_bit(type.size) || type.size > 8) return {};
  return {address - static_cast<Address>(at.offset), type.size};
}

// Is the byte in a structure, but in none of its members?
bool ObjectNames::isHole(Address address) const {
  const Object object = objectAt(address);
  const std::uint64_t size = info_.types[object.type].size;
  if (size == 0 || object.offset < 0) return false;
  const auto offset = static_cast<std::uint64_t>(object.offset);
  return (object.array || offset < size) && !hasByte(info_, object.type, offset % size);
}

std::optional<Address> ObjectNames::uninitialisedMember(Address address, std::size_t size) const {
  std::optional<Address> first;
  bool members = false;
  for (Address byte = address; byte < address + size; ++byte) {
    const bool hole = isHole(byte), uninitialised = memory_.isUninitialised(byte, 1);
    if (uninitialised && !hole) return byte;
    if (uninitialised && !first) first = byte;
    members |= !hole;
  }
  return members ? std::nullopt : first;
}

std::string ObjectNames::name(Address address, unsigned size) const {
  if (address == 0) return "null";
  Object object;
  if (find(address, object)) return describe(object, part(object, size, 0));
  return address < memory::kPage ? "null" + plusBytes(static_cast<std::int64_t>(address)) : hex(address);
}

std::string ObjectNames::nameOfBytes(Address address, unsigned size) const {
  Object object;
  if (!find(address, object)) return name(address, size);
  const Part at = part(object, size, 0);
  const auto end = static_cast<std::uint64_t>(at.offset) + size;
  const Type& type = info_.types[at.type];
  const bool opaque = type.kind == Type::Kind::record && type.members.empty();
  if (opaque || at.offset < 0 || size >= type.size || end > type.size) return describe(object, at);
  return fmt::format("{}{}[{}:{}]{}", object.name, at.path, at.offset, end - 1, object.suffix);
}

// Is this the address of an object, or of a part of it? Not if it is in the middle of one.
bool ObjectNames::pointsTo(Value value, std::uint32_t target, std::string& name) const {
  Object object;
  if (!find(value, object)) return false;
  Part at = part(object, 0, target);
  if (target != 0 && (at.type != target || at.offset != 0)) at = part(object, 0, 0);
  name = "&" + describe(object, at);
  return at.offset == 0 && object.offset >= 0 && static_cast<std::uint64_t>(object.offset) < object.size;
}

// A pointer with something in the bits that it does not need: &node | 1, or &node, tag 0x3. Empty if it is not one.
std::string ObjectNames::tagged(Value value, std::uint32_t target) const {
  constexpr unsigned kAddressBits = 48;
  const Value tag = value >> kAddressBits, address = value & ((Value{1} << kAddressBits) - 1);
  if (!memory::isProgramMemory(address)) return "";
  const bool ofBytes = target != 0 && info_.types[target].size == 1;  // they may be anywhere
  std::string name;
  for (const Value low : {0U, 1U, 3U, 7U, 15U}) {
    if (low == 0 ? tag == 0 : ofBytes || (address & low) == 0) continue;
    if (!pointsTo(address & ~low, target, name)) continue;
    if (low != 0) name += fmt::format(" | {}", address & low);
    return tag == 0 ? name : name + fmt::format(", tag {:#x}", tag);
  }
  return "";
}

std::string ObjectNames::pointer(Value value, std::uint32_t target) const {
  if (value == 0) return "null";
  std::string name;
  if (pointsTo(value, target, name)) return name;
  if (const std::string other = tagged(value, target); !other.empty()) return other;
  return name.empty() ? hex(value) : name;
}

// Of a structure in a word or two: {1, &node}.
std::string ObjectNames::recordValue(const Type& record, const Words& value) const {
  std::string text;
  for (const Type::Member& member : record.members) {
    const Type& type = info_.types[member.type];
    if (type.size == 0) continue;  // it may be behind the last byte
    const std::uint64_t word = member.offset / sizeof(Value), shift = 8 * (member.offset % sizeof(Value));
    if (shift / 8 + type.size > sizeof(Value)) return "";  // it is in both
    text += (text.empty() ? "" : ", ") + valueOf(type, static_cast<unsigned>(type.size), {value[word] >> shift, 0});
  }
  return "{" + text + "}";
}

std::string ObjectNames::valueOf(const Type& type, unsigned size, const Words& value) const {
  const Value first = truncate(value[0], size);
  if (type.kind == Type::Kind::pointer && size == 8) return pointer(first, type.element);
  // An integer with an address in it (a tagged pointer, say), and memory without a type.
  if (size == 8 && !type.isFloat && type.kind != Type::Kind::array) {
    if (memory::isProgramMemory(first)) return pointer(first, 0);
    if (const std::string name = tagged(first, 0); !name.empty()) return name;
  }
  if (type.kind == Type::Kind::scalar && (type.size == size || type.size == 0) && size <= sizeof(Value))
    return scalarValue(type, size, first);
  if (type.kind == Type::Kind::record && type.size == size && type.members.size() == 1)
    return valueOf(info_.types[type.members[0].type], size, value);
  if (type.kind == Type::Kind::record && type.size == size && !overlap(info_, type)) {
    if (std::string text = recordValue(type, value); !text.empty()) return text;
  }
  if (size <= sizeof(Value)) return std::to_string(first);
  // Two words without a type of their own: a pointer and a counter, as a rule.
  if (memory::isProgramMemory(value[0]) || memory::isProgramMemory(value[1]))
    return fmt::format("{{{}, {}}}", valueOf(info_.types[0], 8, {value[0], 0}), valueOf(info_.types[0], 8, {value[1], 0}));
  return fmt::format("{:#x}{:016x}", value[1], value[0]);
}

std::string ObjectNames::value(Address address, unsigned size, Value value) const {
  Object object;
  const bool known = find(address, object);
  return valueOf(info_.types[known ? part(object, size, 0).type : 0], size, {value, 0});
}

std::string ObjectNames::wideValue(Address address, const std::array<std::byte, 16>& bytes) const {
  Words words;
  std::memcpy(words.data(), bytes.data(), sizeof words);
  Object object;
  const bool known = find(address, object);
  return valueOf(info_.types[known ? part(object, sizeof words, 0).type : 0], sizeof words, words);
}

}  // namespace heddle::runtime
