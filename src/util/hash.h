// Hashes for tables: one value after the other is mixed in. For what is written to files see fingerprint.h.
#pragma once

#include <cstdint>

namespace heddle::util {

// An odd number without a pattern: 2^64 divided by the golden ratio (Knuth, The Art of Computer Programming, 6.4).
inline constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;

constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * kSpread;
  return hash ^ hash >> 29;
}

}  // namespace heddle::util
