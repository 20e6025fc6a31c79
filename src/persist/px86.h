// Px86: what of non-volatile memory an x86 processor has made durable, by cache lines (Raad, Wickerson, Neiger and Vafeiadis,
// "Persistency Semantics of the Intel-x86 Architecture", POPL 2020; Khyzha and Lahav, "Taming x86-TSO Persistency", POPL 2021).
//
// As published there is a total order of all writes, fences and flushes (tso). Writes of one cache line persist in that order, and
// a flush of a line comes after all earlier writes of that line have persisted, so what is after it in tso persists later. The
// persisted set is closed downwards under that. A graph has no total order, and need not have: the question is whether there is one.
//
//     ob    ppo | rfe | co | rb, with flushes and fences, as far as x86 keeps them in program order (isKept)
//     C     what comes before some write that recovery has found: it was there when the crash came
//     dtpo  from each flush in C of the line of x, and from what was found of any location in the line of x,
//           to the writes of x that were lost
//     ob | dtpo has no cycle
//
// Each pair of dtpo is one that every suitable total order must have: a flush that was there before a lost write would have saved
// it, and a write of the line that persisted cannot come after one that did not. Where there is no cycle any total order that
// contains both has the snapshot. An order of writes that is derived from ob alone, as for other models, is too weak: it
// has no place for the choice between two flushes in different threads.
//
// Flushes order nothing between other events that x86 does not keep anyway. So an execution is consistent or not whatever
// flushes it has, and the memory model, tso, need not know them.
#pragma once

#include <cstdint>
#include <vector>

#include "persist/model.h"
#include "relations/bit_matrix.h"

namespace heddle::persist {

inline constexpr Address kCacheLine = 64;

enum class Granularity : std::uint8_t {
  line,      // writes of one cache line persist in order, as hardware does it
  location,  // only those of one location
};

class Px86 final : public Model {
 public:
  Px86(IsDurable isDurable, Granularity granularity) : isDurable_(std::move(isDurable)), granularity_(granularity) {}

  void begin(const ExecutionView& graph, ThreadId recovery) override;
  bool allows(Snapshot snapshot) override;

 private:
  // What the table of x86's program order tells apart.
  enum class Kind : std::uint8_t { read, write, full, sfence, clwb, clflush, none };

  static Kind kindOf(const ExecutionView& graph, EventId id);
  static bool isKept(Kind earlier, Kind later, bool sameLine);
  void addProgramOrder(const ExecutionView& graph, EventId later);
  void addMemoryOrder(const ExecutionView& graph, EventId id);
  void relate(EventId before, EventId after);
  bool isBefore(EventId before, EventId after) const;
  // Do what is at these bytes and that write persist in order?
  bool persistsInOrder(ByteRange bytes, ByteRange others) const;
  void addSources(Snapshot snapshot, std::size_t to);

  IsDurable isDurable_;
  Granularity granularity_;
  struct Source {
    EventId event = kNone;
    ByteRange bytes;
    bool isThere = false;  // a flush: in C
  };
  std::vector<Source> known_, flushes_;
  std::vector<std::uint32_t> numbers_;  // of events, by id - kFirstEvent
  relations::BitMatrix order_;          // ob+
  relations::BitMatrix leads_;          // from part to part of the snapshot: a piece of a cycle
};

}  // namespace heddle::persist
