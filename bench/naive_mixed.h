// TruSt_MSA: mixed sizes the naive way, for comparison only (Mixer, section 7.1).
//
// An access of several bytes is explored as as many accesses of one byte, by the ordinary explorer. What that
// finds is too much: the bytes of an access may be torn apart, and a read-modify-write of several bytes is reads
// followed by writes. Each full execution is therefore put together again and judged as a whole at the end, and most
// are thrown away.
//
// Not for rc11 with seq_cst accesses, where the bytes of one access could be ordered by psc in a way that the whole
// is not.
#pragma once

#include "explore/explorer.h"

namespace heddle::bench {

struct NaiveResult {
  std::uint64_t explored = 0;    // full executions of bytes
  std::uint64_t consistent = 0;  // of which so many are executions
  explore::Statistics statistics;
};

NaiveResult exploreNaively(Program& program, const model::CompiledModel& model);

}  // namespace heddle::bench
