#include "util/fingerprint.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace heddle::util {

std::string fingerprint(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace heddle::util
