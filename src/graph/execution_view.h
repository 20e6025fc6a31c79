// An execution as those see it who do not build it: observers, reports, the program that is explored.
//
// The trail (graph/trail.h) says which events there are, in which threads, and what precedes what. The questions here are
// those about memory, which a graph of locations and a graph of bytes (mixer/mixed_graph.h) answer each in its own way.
// Where sizes are mixed, one access may have different answers for different bytes; so answers come with byte ranges. In a
// graph of locations there is one range, the location.
#pragma once

#include <vector>

#include "graph/trail.h"

namespace heddle {

class DependencyEdges;

struct ByteRange {
  Address address = 0;
  unsigned size = 0;

  bool operator==(const ByteRange&) const = default;
  bool overlaps(const ByteRange& other) const { return address < other.address + other.size && other.address < address + size; }
};

// Some bytes of an access, and the write that the access reads from there, or that it follows in coherence order. An initial
// write is named as isInitial tells.
struct BytesFrom {
  ByteRange bytes;
  EventId write = kNone;
};

// The writes of some bytes, oldest first, without the initial one.
struct CoherenceOrder {
  std::vector<ByteRange> bytes;  // by address
  EventId initial = kNone;
  std::vector<EventId> writes;
};

class ExecutionView : public Trail {
 public:
  // May accesses overlap without covering the same bytes? Otherwise an access has one source and one place in co, those of
  // its Event.
  virtual bool hasMixedSizes() const = 0;

  // Who a read reads from, by address: as few ranges as possible.
  virtual std::vector<BytesFrom> sourcesOf(EventId read) const = 0;
  // The writes that come right before this one.
  virtual std::vector<BytesFrom> predecessorsOf(EventId write) const = 0;
  // The writes that come after what a read reads from, range by range; so one may come twice.
  virtual std::vector<EventId> writesAfter(EventId read) const = 0;
  virtual std::vector<CoherenceOrder> coherence() const = 0;
  // The same of what has some of these bytes, with all of its bytes.
  virtual std::vector<CoherenceOrder> coherenceOf(ByteRange bytes) const = 0;

  // The value of some bytes at the end of the coherence order; what no event has accessed is as in `otherwise`.
  virtual Value lastValue(ByteRange bytes, Value otherwise) const = 0;
  // The same as bytes, the first one lowest, for a range that accesses use as a unit; with a bit for each byte that the
  // execution says something about. Others are what the program has left there. 16 bytes that are one location are the
  // program's number for them (Program::bytesOfNumber).
  virtual std::uint16_t lastBytes(ByteRange bytes, Wide& data) const = 0;
  // An access of another thread to some bytes that is not in the view and that a plain access of `self` conflicts with; or kNone.
  virtual EventId conflictingAccess(ByteRange bytes, ThreadId self, bool writes, const Lane* view) const = 0;

  // What events depend on; nullptr if it is not kept.
  virtual const DependencyEdges* dependencies() const { return nullptr; }

  // Checks that all lists agree with each other (debug builds, and tests).
  virtual void checkInvariants() const = 0;

 protected:
  using Trail::Trail;
  ~ExecutionView() = default;  // nobody owns a graph by its view
};

}  // namespace heddle
