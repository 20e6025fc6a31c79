// Values of 16 bytes. The explorer's values are words, so each value of 16 bytes has a number, in the order in which they
// are first seen; they are never forgotten.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <map>
#include <vector>

#include "program/operation.h"

namespace heddle::runtime {

class WideValues {
 public:
  using Bytes = std::array<std::byte, 16>;

  Value numberOf(const void* wide) {
    Bytes bytes;
    std::memcpy(bytes.data(), wide, sizeof bytes);
    const auto [it, added] = numbers_.emplace(bytes, values_.size());
    if (added) values_.push_back(bytes);
    return it->second;
  }

  const Bytes& operator[](Value number) const { return values_[number]; }

 private:
  std::vector<Bytes> values_;
  std::map<Bytes, Value> numbers_;
};

}  // namespace heddle::runtime
