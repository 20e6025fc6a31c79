// Events, the nodes of an execution graph.
//
// An event is one 64-byte record; its clocks are kept in a parallel array (trail.h). Events are named by
// their place in the pool, which is also their place in the insertion order <=_G: an event that a backward
// revisit deletes keeps its place, and events that are added afterwards go on top of the pool, so a revisit
// renumbers nothing. Everything else is intrusive doubly-linked lists, undone in reverse:
//
//     insertion order   orderPrev / orderNext   the live events, oldest first
//     program order     poPrev / poNext         poPrev of a spawned thread's first event is the spawn
//     coherence         coPrev / coNext         the writes of a location, the initial one first
//     reads-from        rf, readerPrev / readerNext from firstReader of the write
//     barriers          meetingPrev             what the thread did at barriers before
//
// Where sizes are mixed, coherence and reads-from are kept elsewhere (mixer/mixed_graph.h), and the location is a line.
//
//     | rf          coPrev       | readerPrev  coNext      | readerNext firstReader | priorRead rmwReader |
//     | poPrev                   | poNext                  | orderPrev              | orderNext           |
//     | location                 | mark                    | value                                        |
//     | thread | index           | kind class flags size   | partner                | choices             |
#pragma once

#include <cstdint>

#include "model/event_class.h"
#include "program/program.h"

namespace heddle {

using EventId = std::uint32_t;
using LocationId = std::uint32_t;

inline constexpr EventId kNone = 0;
inline constexpr LocationId kMaxLocations = 1u << 16;
// Initial writes have the ids of their locations; every other event comes after all of them.
inline constexpr EventId kFirstEvent = kMaxLocations;

constexpr bool isInitial(EventId id) { return id < kFirstEvent; }

struct Event {
  // A read uses the first name of each, a write the second, an event at a barrier the third.
  // clang-format off
  union { EventId rf; EventId coPrev; EventId meetingPrev; };
  union { EventId readerPrev; EventId coNext; };
  union { EventId readerNext; EventId firstReader; };
  // clang-format on
  union {
    std::uint32_t priorRead;  // the last-read clock of the location in this thread, before this read
    EventId rmwReader;        // the read of the read-modify-write that reads from this write
  };
  EventId poPrev, poNext;
  EventId orderPrev, orderNext;
  LocationId location;
  Mark mark;  // the thread, paused at this event's operation
  Value value;
  ThreadId thread;
  std::uint16_t index;  // in the thread, from 1
  EventKind kind;
  EventClass cls;         // as program_classes.h numbers it
  bool rmw;               // part of a successful read-modify-write
  bool nonMaximal;        // a write that has revisited a read, a spurious failure, a choice but the first
  std::uint32_t partner;  // spawn, join: the other thread; arrive, depart: the round
  std::uint32_t choices;  // choice: how many values

  bool isRead() const { return kind == EventKind::read; }
  bool isWrite() const { return kind == EventKind::write; }
  bool isPlain() const { return contains(fixedMask(classes::kPlain), cls); }
};
static_assert(sizeof(Event) == 64);

}  // namespace heddle
