// Eight lanes of a clock at once: what of graph/clock.h depends on the processor.
//
// A clock is aligned to 16 bytes, so its chunks are. Lanes are compared as signed numbers, which is what SSE2
// has; indices stay below 2^15. PortableChunk says in plain C++ what each operation is. Another processor gets a class of its
// own here, or does with that one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace heddle {

using Lane = std::uint16_t;
inline constexpr unsigned kLanesPerChunk = 8;

class PortableChunk {
 public:
  static PortableChunk load(const Lane* clock, unsigned index) {
    PortableChunk chunk;
    std::copy_n(clock + std::size_t{index} * kLanesPerChunk, kLanesPerChunk, chunk.lanes_.begin());
    return chunk;
  }
  static PortableChunk all(Lane lane) {
    PortableChunk chunk;
    chunk.lanes_.fill(lane);
    return chunk;
  }
  void store(Lane* clock, unsigned index) const { std::ranges::copy(lanes_, clock + std::size_t{index} * kLanesPerChunk); }

  static PortableChunk max(PortableChunk a, const PortableChunk& b) {
    for (std::size_t i = 0; i < kLanesPerChunk; ++i) {
      if (isGreater(b.lanes_[i], a.lanes_[i])) a.lanes_[i] = b.lanes_[i];
    }
    return a;
  }
  static bool someGreater(const PortableChunk& a, const PortableChunk& b) {
    return !std::ranges::equal(a.lanes_, b.lanes_, [](Lane x, Lane y) { return !isGreater(x, y); });
  }
  static bool allGreater(const PortableChunk& a, const PortableChunk& b) {
    return std::ranges::equal(a.lanes_, b.lanes_, isGreater);
  }

 private:
  static bool isGreater(Lane a, Lane b) { return static_cast<std::int16_t>(a) > static_cast<std::int16_t>(b); }

  std::array<Lane, kLanesPerChunk> lanes_;
};

#ifdef __SSE2__

class Sse2Chunk {
 public:
  static Sse2Chunk load(const Lane* clock, unsigned index) {
    return _mm_load_si128(reinterpret_cast<const __m128i*>(clock) + index);
  }
  static Sse2Chunk all(Lane lane) { return _mm_set1_epi16(static_cast<short>(lane)); }
  void store(Lane* clock, unsigned index) const { _mm_store_si128(reinterpret_cast<__m128i*>(clock) + index, lanes_); }

  static Sse2Chunk max(Sse2Chunk a, Sse2Chunk b) { return _mm_max_epi16(a.lanes_, b.lanes_); }
  static bool someGreater(Sse2Chunk a, Sse2Chunk b) { return greater(a, b) != 0; }
  static bool allGreater(Sse2Chunk a, Sse2Chunk b) { return greater(a, b) == 0xffff; }

 private:
  Sse2Chunk(__m128i lanes) : lanes_(lanes) {}
  static int greater(Sse2Chunk a, Sse2Chunk b) { return _mm_movemask_epi8(_mm_cmpgt_epi16(a.lanes_, b.lanes_)); }

  __m128i lanes_;
};
using Chunk = Sse2Chunk;

#else

using Chunk = PortableChunk;

#endif

}  // namespace heddle
