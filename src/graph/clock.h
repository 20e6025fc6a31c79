// Clocks: sets of events that are closed under program order, one small number a thread.
//
// Lane t of a clock holds the index (counted from 1) of the last event of thread t in the set, 0 for none.
// A clock is an array of 16-bit lanes, padded to whole 16-byte chunks, so that every operation is one or
// two instructions a chunk (arch/chunk.h). How many chunks a run uses depends on its number of threads and is fixed
// for the run. Mostly it is one, so each operation does the first chunk without a question.
#pragma once

#include "graph/arch/chunk.h"

namespace heddle {

inline constexpr Lane kNever = 0x7fff;  // larger than every index: lanes are compared as signed numbers

// Tests name the chunk; all others have the one of the processor.
namespace clock {

template <class Chunk = heddle::Chunk>
inline void copy(Lane* to, const Lane* from, unsigned chunks) {
  Chunk::load(from, 0).store(to, 0);
  for (unsigned i = 1; i < chunks; ++i) Chunk::load(from, i).store(to, i);
}
template <class Chunk = heddle::Chunk>
inline void fill(Lane* to, Lane lane, unsigned chunks) {
  Chunk::all(lane).store(to, 0);
  for (unsigned i = 1; i < chunks; ++i) Chunk::all(lane).store(to, i);
}
template <class Chunk = heddle::Chunk>
inline void join(Lane* to, const Lane* from, unsigned chunks) {
  Chunk::max(Chunk::load(to, 0), Chunk::load(from, 0)).store(to, 0);
  for (unsigned i = 1; i < chunks; ++i) Chunk::max(Chunk::load(to, i), Chunk::load(from, i)).store(to, i);
}
// Both clocks together, into a third.
template <class Chunk = heddle::Chunk>
inline void joined(Lane* to, const Lane* a, const Lane* b, unsigned chunks) {
  Chunk::max(Chunk::load(a, 0), Chunk::load(b, 0)).store(to, 0);
  for (unsigned i = 1; i < chunks; ++i) Chunk::max(Chunk::load(a, i), Chunk::load(b, i)).store(to, i);
}

// Is some lane of `a` at least that of `b`?
template <class Chunk = heddle::Chunk>
inline bool someAtLeast(const Lane* a, const Lane* b, unsigned chunks) {
  if (!Chunk::allGreater(Chunk::load(b, 0), Chunk::load(a, 0))) return true;
  for (unsigned i = 1; i < chunks; ++i) {
    if (!Chunk::allGreater(Chunk::load(b, i), Chunk::load(a, i))) return true;
  }
  return false;
}
// Is some lane of `a` greater than that of `b`?
template <class Chunk = heddle::Chunk>
inline bool someGreater(const Lane* a, const Lane* b, unsigned chunks) {
  if (Chunk::someGreater(Chunk::load(a, 0), Chunk::load(b, 0))) return true;
  for (unsigned i = 1; i < chunks; ++i) {
    if (Chunk::someGreater(Chunk::load(a, i), Chunk::load(b, i))) return true;
  }
  return false;
}

}  // namespace clock
}  // namespace heddle
