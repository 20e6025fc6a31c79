// Clocks: sets of events that are closed under program order, one small number a thread.
//
// Lane t of a clock holds the index (counted from 1) of the last event of thread t in the set, 0 for none.
// A clock is an array of 16-bit lanes, padded to whole 16-byte chunks, so that every operation is one or
// two SSE2 instructions a chunk. How many chunks a run uses depends on its number of threads and is fixed
// for the run; the operations take it as an argument and a loop over it costs nothing when it is 1.
#pragma once

#include <emmintrin.h>

#include <cstdint>

namespace heddle {

using Lane = std::uint16_t;

inline constexpr unsigned kLanesPerChunk = 8;
inline constexpr Lane kNever = 0x7fff;  // larger than every index: SSE2 compares 16-bit lanes as signed

namespace clock {

inline __m128i load(const Lane* clock, unsigned chunk) {
  return _mm_load_si128(reinterpret_cast<const __m128i*>(clock) + chunk);
}
inline void store(Lane* clock, unsigned chunk, __m128i lanes) {
  _mm_store_si128(reinterpret_cast<__m128i*>(clock) + chunk, lanes);
}

inline void copy(Lane* to, const Lane* from, unsigned chunks) {
  for (unsigned i = 0; i < chunks; ++i) store(to, i, load(from, i));
}
inline void fill(Lane* to, Lane lane, unsigned chunks) {
  for (unsigned i = 0; i < chunks; ++i) store(to, i, _mm_set1_epi16(static_cast<short>(lane)));
}
inline void join(Lane* to, const Lane* from, unsigned chunks) {
  for (unsigned i = 0; i < chunks; ++i) store(to, i, _mm_max_epi16(load(to, i), load(from, i)));
}

// Is some lane of `a` at least that of `b`?
inline bool someAtLeast(const Lane* a, const Lane* b, unsigned chunks) {
  for (unsigned i = 0; i < chunks; ++i) {
    if (_mm_movemask_epi8(_mm_cmpgt_epi16(load(b, i), load(a, i))) != 0xffff) return true;
  }
  return false;
}
// Is some lane of `a` greater than that of `b`?
inline bool someGreater(const Lane* a, const Lane* b, unsigned chunks) {
  for (unsigned i = 0; i < chunks; ++i) {
    if (_mm_movemask_epi8(_mm_cmpgt_epi16(load(a, i), load(b, i))) != 0) return true;
  }
  return false;
}

}  // namespace clock
}  // namespace heddle
