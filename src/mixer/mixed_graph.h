// The execution graph of a program with mixed-size accesses: rf and co on bytes, events that are whole accesses.
//
// Memory is cut into lines of 16 bytes, which no access crosses. The bytes of a line that all accesses so far treat
// alike form a cell; an access that covers only a part of a cell splits it, for good. Of one cell every access covers
// all or nothing. A consistent graph orders two writes in the same way on all bytes they share and lets a read see all
// or nothing of a write on bytes that all the writes concerned share, so rf and co are the same on every byte of a
// cell, and are kept for cells. The coherence order of a word, a partial order, is the orders of its cells.
//
//     line   | 0 1 2 3 | 4 5 | 6 7 | 8 ...        lockref: one cell for the lock, one for the count
//     cells  |    A    |  B  |  C  |
//     order       w1     w2    w2                 the writes of each cell, oldest first; the initial write comes before
//                 w3     w3    w4
//
// Everything that outlives a step and names bytes (the sources of a read, places in co that wait to be tried, places of
// events that a revisit has set aside) does so by a set of bytes, not by a cell, so a split changes none of it.
//
// Threads, program order and clocks are those of the trail (graph/trail.h); of an Event the reads-from and coherence links
// are not used, and its location is its line.
#pragma once

#include <array>
#include <span>
#include <unordered_map>
#include <vector>

#include "graph/execution_view.h"

namespace heddle::mixer {

using LineId = std::uint32_t;
using Bytes = std::uint16_t;  // a set of bytes of a line, a bit for each

inline constexpr unsigned kLineBytes = 16;

// A write, and the bytes that a read takes from it. The initial write has the id of its line.
struct ByteSource {
  EventId write;
  Bytes bytes;
};

// Where a write stands in the orders of some bytes: behind so many others.
struct BytePlace {
  Bytes bytes;
  std::uint32_t position;
};

// What there is to know about an event besides its Event.
struct ByteAccess {
  EventId opener = kNone;         // of the part of its thread that it is in (thread_parts.h)
  std::uint32_t firstReader = 0;  // write: the first link of its readers, or 0
  Bytes bytes = 0;                // read, write
  std::uint8_t offset = 0, size = 0;
  std::uint8_t sourceCount = 0;  // read
  bool waits = false;            // write: of a transaction that is not over, and so in no order yet
  Wide data = 0;                 // read, write: the value at its place in the line

  bool overlaps(const ByteAccess& other) const { return (bytes & other.bytes) != 0; }
};

struct ByteCell {
  Bytes bytes = 0;
  std::uint32_t users = 0;     // live accesses that cover it
  std::vector<EventId> order;  // its writes, oldest first, without the initial one
};

struct Line {
  Address base = 0;
  Wide initial = 0;
  Bytes known = 0;     // that are in cells
  bool plain = false;  // some access to it has been a plain one
  std::vector<ByteCell> cells;
};

class MixedGraph final : public ExecutionView {
 public:
  static constexpr std::uint32_t kMaxEvents = 1u << 18;

  MixedGraph(unsigned threads, unsigned views, Program& program);

  const ByteAccess& access(EventId id) const { return accesses_[id]; }
  // Are both accesses of some byte?
  bool overlap(EventId a, EventId b) const {
    return events_[a].location == events_[b].location && accesses_[a].overlaps(accesses_[b]);
  }

  const Line& line(LineId id) const { return lines_[id]; }
  Line& line(LineId id) { return lines_[id]; }
  LineId lines() const { return static_cast<LineId>(lines_.size()); }
  // The line of a byte that some access has used, or 0.
  LineId findLine(Address address) const;
  static Bytes bytesOf(unsigned offset, unsigned size) { return static_cast<Bytes>(((1u << size) - 1) << offset); }

  // A new event at the end of its thread and of the insertion order, with its porf clock.
  EventId append(ThreadId thread, EventKind kind, EventClass cls);
  void removeNewest();

  // Makes an event an access of these bytes: finds its line, and splits cells as needed.
  void occupy(EventId id, Address address, unsigned size);
  void leave(EventId id);

  // The value of a write; what a read finds in its sources.
  void setValue(EventId write, Value value);
  Wide dataAt(EventId write, LineId line) const { return isInitial(write) ? lines_[line].initial : accesses_[write].data; }

  std::span<const ByteSource> sources(EventId read) const {
    return {&sources_[std::size_t{read} * kLineBytes], accesses_[read].sourceCount};
  }
  // Connects a read: its value and its porf clock follow.
  void setSources(EventId read, std::span<const ByteSource> sources);
  void unsetSources(EventId read);
  EventId sourceOf(EventId read, Bytes cell) const;
  // The writes but the initial one that a read reads from.
  template <class F>
  void forEachSource(EventId read, F&& visit) const {
    for (const ByteSource& source : sources(read)) {
      if (!isInitial(source.write)) visit(source.write);
    }
  }

  // Calls visit with every read that takes one of these bytes from the write (an initial one has its line's id).
  template <class F>
  void forEachReader(EventId write, Bytes bytes, F&& visit) const {
    for (std::uint32_t link = accesses_[write].firstReader; link != 0; link = links_[link].next) {
      if ((sources_[link].bytes & bytes) != 0) visit(static_cast<EventId>(link / kLineBytes));
    }
  }

  // Calls visit with every cell that an access covers.
  template <class F>
  void forEachCell(EventId id, F&& visit) const {
    const Bytes bytes = accesses_[id].bytes;
    for (const ByteCell& cell : lines_[events_[id].location].cells) {
      if ((cell.bytes & bytes) != 0) visit(cell);
    }
  }

  // How many writes of the cell come before what stands behind this one; 0 for the initial write.
  static std::uint32_t positionAfter(const ByteCell& cell, EventId write) {
    for (std::size_t i = cell.order.size(); i > 0; --i) {
      if (cell.order[i - 1] == write) return static_cast<std::uint32_t>(i);
    }
    return 0;
  }
  // The write that follows in the cell, or kNone.
  static EventId next(const ByteCell& cell, EventId write) {
    const std::uint32_t position = positionAfter(cell, write);
    return position < cell.order.size() ? cell.order[position] : kNone;
  }

  void setWaiting(EventId write, bool waits) { accesses_[write].waits = waits; }
  void place(EventId write, std::span<const BytePlace> places);
  void unplace(EventId write);

  // Takes the last event of its thread out of the graph, and puts it back in the opposite order.
  void detach(EventId id);
  void reattach(EventId id);

  // The end of the coherence order of some bytes: the value that a thread which knows everything would read.
  Wide lastData(LineId line) const;
  Value valueOf(Wide data, unsigned offset, unsigned size) const;

  // The answers to ExecutionView; the other graph has the same list.
  bool hasMixedSizes() const override { return true; }
  std::vector<BytesFrom> sourcesOf(EventId read) const override;
  std::vector<BytesFrom> predecessorsOf(EventId write) const override;
  std::vector<EventId> writesAfter(EventId read) const override;
  std::vector<CoherenceOrder> coherence() const override;
  std::vector<CoherenceOrder> coherenceOf(ByteRange bytes) const override;
  Value lastValue(ByteRange bytes, Value otherwise) const override;
  std::uint16_t lastBytes(ByteRange bytes, Wide& data) const override;
  EventId conflictingAccess(ByteRange bytes, ThreadId self, bool writes, const Lane* view) const override;
  void checkInvariants() const override;

 private:
  struct Link {
    std::uint32_t prev, next;
  };

  template <class F>
  std::vector<BytesFrom> byByte(EventId id, F&& writeOf) const;
  void linkReader(EventId read);
  void unlinkReader(EventId read);
  LineId lineOf(Address address);
  void splitCells(Line& line, Bytes bytes);
  void refreshInitial(Line& line, const ByteCell& cell);

  Program& program_;
  Arena<ByteAccess> accesses_;
  Arena<ByteSource> sources_;  // 16 for each event
  Arena<Link> links_;          // of each source, in the list of its write's readers
  std::vector<Line> lines_;
  std::unordered_map<Address, LineId> byAddress_;
  std::vector<BytePlace> detachedPlaces_;
  std::vector<Wide> detachedInitials_;
};

// The bytes of a set, all ones.
Wide onesOf(Bytes bytes);

// What a lock has read (graph/lock_order.h): all of its word, as nothing else is that long and there.
inline EventId lockSource(const MixedGraph& graph, EventId read) { return graph.sources(read).front().write; }

}  // namespace heddle::mixer
