// The integer types of the litmus dialect.
//
// All arithmetic is done on 64-bit signed integers. A type matters where a value is stored: in a local
// variable, in a location, or by a cast. There the value is cut to the type's width and extended again, by
// sign for signed types.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "program/operation.h"

namespace heddle::litmus {

struct Type {
  std::uint8_t size = 4;
  bool isSigned = true;
  bool atomic = false;
  bool boolean = false;  // storing turns any value but 0 into 1
  bool mutex = false;
  bool isVoid = false;

  bool operator==(const Type&) const = default;

  std::int64_t convert(std::int64_t value) const {
    if (boolean) return value != 0;
    return isSigned ? signExtend(static_cast<Value>(value))
                    : static_cast<std::int64_t>(truncate(static_cast<Value>(value), size));
  }

  // What a read of this type makes of the bytes in memory.
  std::int64_t fromMemory(Value value) const {
    return isSigned ? signExtend(value) : static_cast<std::int64_t>(truncate(value, size));
  }

  // Every value of this type is also one of `other`, so that storing it there needs no conversion.
  bool fitsIn(const Type& other) const {
    if (boolean) return true;
    if (other.boolean) return false;
    if (other.size == 8) return true;  // the same 64 bits
    return isSigned == other.isSigned ? size <= other.size : !isSigned && size < other.size;
  }

 private:
  std::int64_t signExtend(Value value) const {
    const unsigned shift = 64 - 8U * size;
    return static_cast<std::int64_t>(value << shift) >> shift;
  }
};

constexpr Type kInt{};
constexpr Type kWide{.size = 8};
constexpr Type kBool{.size = 1, .isSigned = false, .boolean = true};
constexpr Type kVoid{.isVoid = true};

// A type that is one word: int32_t, atomic_long, size_t, mutex, ... Not the words that combine (unsigned,
// long), which the parser puts together.
std::optional<Type> namedType(std::string_view word);

// Does a type begin with this word?
bool beginsType(std::string_view word);

}  // namespace heddle::litmus
