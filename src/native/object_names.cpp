#include "native/object_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace heddle::native {
namespace {

using memory::AllocationKind;

constexpr Address kFirstPage = 4096;

std::string hex(Value value) {
  return fmt::format("{:#x}", value);
}

std::string plusBytes(std::int64_t offset) {
  if (offset == 0) return "";
  const std::int64_t distance = offset < 0 ? -offset : offset;
  return fmt::format(" {} {} byte{}", offset < 0 ? '-' : '+', distance, distance == 1 ? "" : "s");
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

unsigned ObjectNames::number(const memory::Allocation& allocation) const {
  const auto [entry, isNew] = numbers_.try_emplace({allocation.address, allocation.tag}, 0U);
  if (isNew) entry->second = ++counts_[allocation.tag];
  return entry->second;
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
    return true;
  }
  const Variable& variable = info_.variables[allocation->tag < info_.variables.size() ? allocation->tag : 0];
  object.type = variable.type;
  object.size = allocation->size;
  object.offset = static_cast<std::int64_t>(offset);
  switch (allocation->kind) {
    case AllocationKind::malloc:
    case AllocationKind::newScalar:
    case AllocationKind::newArray:
      object.heap = true;
      object.name = fmt::format("{}#{}", variable.name.empty() ? "block" : variable.name, number(*allocation));
      break;
    case AllocationKind::frame:
      object.name = variable.name.empty() ? "a local variable" : variable.name;
      if (allocation->thread != 0) object.suffix = fmt::format(" (thread {})", allocation->thread);
      break;
    default: object.name = variable.name.empty() ? "a global variable" : variable.name;
  }
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
  const std::uint64_t whole = info_.types[at.type].size;
  if (object.heap && whole != 0 && object.size >= 2 * whole) stepTo(whole);
  while (true) {
    const Type& type = info_.types[at.type];
    if (at.offset == 0) {
      if (wanted != 0 ? at.type == wanted : size == 0) return at;
      if (size >= type.size && !fits(info_, at.type, 0, size)) return at;
    }
    if (type.kind == Type::Kind::array && info_.types[type.element].size != 0) {
      const std::uint64_t elementSize = info_.types[type.element].size;
      if (at.offset >= 0 && static_cast<std::uint64_t>(at.offset) % elementSize + size > elementSize) return at;
      stepTo(elementSize);
      at.type = type.element;
    } else if (type.kind == Type::Kind::record && at.offset >= 0) {
      const Type::Member* member = memberAt(info_, type, static_cast<std::uint64_t>(at.offset), std::max(size, 1U));
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
  return object.name + part.path + (opaque ? "" : plusBytes(part.offset)) + object.suffix;
}

memory::Range ObjectNames::scalarAt(Address address) const {
  const memory::Allocation* const allocation = memory_.find(address);
  if (!allocation) return {};
  Object object;
  if (allocation->kind == AllocationKind::tls) {
    object = threadLocal(*allocation, address - allocation->address);
  } else {
    object.type = info_.variables[allocation->tag < info_.variables.size() ? allocation->tag : 0].type;
    object.size = allocation->size;
    object.offset = static_cast<std::int64_t>(address - allocation->address);
    object.heap = allocation->kind <= AllocationKind::newArray;
  }
  const Part at = part(object, 1, 0);
  const Type& type = info_.types[at.type];
  const bool scalar = type.kind == Type::Kind::scalar || type.kind == Type::Kind::pointer;
  const bool inside = at.offset >= 0 && static_cast<std::uint64_t>(at.offset) < type.size;
  if (!scalar || !inside || !std::has_single_bit(type.size) || type.size > 8) return {};
  return {address - static_cast<Address>(at.offset), type.size};
}

std::string ObjectNames::name(Address address, unsigned size) const {
  if (address == 0) return "null";
  Object object;
  if (find(address, object)) return describe(object, part(object, size, 0));
  return address < kFirstPage ? "null" + plusBytes(static_cast<std::int64_t>(address)) : hex(address);
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

std::string ObjectNames::pointer(Value value, std::uint32_t target) const {
  if (value == 0) return "null";
  Object object;
  if (!find(value, object)) return hex(value);
  Part at = part(object, 0, target);
  if (target != 0 && (at.type != target || at.offset != 0)) at = part(object, 0, 0);
  return "&" + describe(object, at);
}

// Of a structure in one word: {1, &node}.
std::string ObjectNames::recordValue(const Type& record, Value value) const {
  std::string text;
  for (const Type::Member& member : record.members) {
    const Type& type = info_.types[member.type];
    if (type.size == 0) continue;  // it may be behind the last byte
    if (member.offset + type.size > sizeof value) return std::to_string(value);
    text += (text.empty() ? "" : ", ") + valueOf(type, static_cast<unsigned>(type.size), value >> (8 * member.offset));
  }
  return "{" + text + "}";
}

std::string ObjectNames::valueOf(const Type& type, unsigned size, Value value) const {
  value = truncate(value, size);
  if (type.kind == Type::Kind::pointer && size == 8) return pointer(value, type.element);
  // An integer with an address in it (a tagged pointer, say), and memory without a type.
  if (size == 8 && memory::isProgramMemory(value) && !type.isFloat) return pointer(value, 0);
  if (type.kind == Type::Kind::scalar && (type.size == size || type.size == 0)) return scalarValue(type, size, value);
  if (type.kind == Type::Kind::record && type.size == size && type.members.size() == 1)
    return valueOf(info_.types[type.members[0].type], size, value);
  if (type.kind == Type::Kind::record && type.size == size && !overlap(info_, type)) return recordValue(type, value);
  return std::to_string(value);
}

std::string ObjectNames::value(Address address, unsigned size, Value value) const {
  Object object;
  const bool known = find(address, object);
  return valueOf(info_.types[known ? part(object, size, 0).type : 0], size, value);
}

}  // namespace heddle::native
