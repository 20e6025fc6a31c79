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
// As in graph/graph.h events are only added and taken away at the ends of threads, an event's id is its place in the
// insertion order, and what a revisit deletes is unlinked and linked back in the opposite order.
#pragma once

#include <array>
#include <span>
#include <unordered_map>
#include <vector>

#include "graph/arena.h"
#include "graph/clock.h"
#include "graph/event.h"
#include "graph/graph.h"

namespace heddle {

using LineId = std::uint32_t;
using Bytes = std::uint16_t;  // a set of bytes of a line, a bit for each

inline constexpr unsigned kLineBytes = 16;

// A write, and the bytes that a read takes from it. The initial write has the id of its line.
struct Source {
  EventId write;
  Bytes bytes;
};

// Where a write stands in the orders of some bytes: behind so many others.
struct Place {
  Bytes bytes;
  std::uint32_t position;
};

struct MixedEvent {
  EventId poPrev, poNext;
  EventId orderPrev, orderNext;
  EventId opener;  // of the segment of its thread that it is in (segments.h)
  LineId line;     // 0: not an access
  Bytes bytes;
  std::uint8_t offset, size;
  Mark mark;  // the thread, paused at this event's operation
  ThreadId thread;
  std::uint16_t index;  // in the thread, from 1
  EventKind kind;
  EventClass cls;
  bool rmw;                   // part of a successful read-modify-write
  bool nonMaximal;            // a spurious failure, a choice but the first
  std::uint8_t sourceCount;   // read
  std::uint32_t firstReader;  // write: the first link of its readers, or 0
  std::uint32_t partner;      // spawn, join: the other thread
  std::uint32_t choices;      // choice: how many values
  Value value;                // as the program knows it
  Wide data;                  // read, write: the value at its place in the line

  bool isRead() const { return kind == EventKind::read; }
  bool isWrite() const { return kind == EventKind::write; }
};

struct Cell {
  Bytes bytes = 0;
  std::uint32_t users = 0;     // live accesses that cover it
  std::vector<EventId> order;  // its writes, oldest first, without the initial one
};

struct Line {
  Address base = 0;
  Wide initial = 0;
  Bytes known = 0;     // that are in cells
  bool plain = false;  // some access to it has been a plain one
  std::vector<Cell> cells;
};

class MixedGraph {
 public:
  static constexpr std::uint32_t kMaxEvents = 1u << 18;

  MixedGraph(unsigned threads, unsigned views, Program& program);

  MixedEvent& operator[](EventId id) { return events_[id]; }
  const MixedEvent& operator[](EventId id) const { return events_[id]; }
  Operation& operation(EventId id) { return operations_[id - kFirstEvent]; }
  const Operation& operation(EventId id) const { return operations_[id - kFirstEvent]; }

  unsigned threads() const { return threads_; }
  unsigned chunks() const { return chunks_; }
  // Clocks and views, numbered and kept as in Graph.
  Lane* porf(EventId id) { return clocks_ + std::size_t{id} * stride_; }
  const Lane* porf(EventId id) const { return clocks_ + std::size_t{id} * stride_; }
  Lane* observers(EventId id) { return porf(id) + lanes_; }
  const Lane* observers(EventId id) const { return porf(id) + lanes_; }
  Lane* view(EventId id, std::size_t offset) { return porf(id) + offset; }
  const Lane* view(EventId id, std::size_t offset) const { return porf(id) + offset; }
  bool inPrefix(const Lane* clock, EventId id) const { return clock[events_[id].thread] >= events_[id].index; }
  // Does a view contain the write or one of its readers?
  bool observed(const Lane* view, EventId write) const { return clock::someAtLeast(view, observers(write), chunks_); }

  const Line& line(LineId id) const { return lines_[id]; }
  Line& line(LineId id) { return lines_[id]; }
  LineId lines() const { return static_cast<LineId>(lines_.size()); }
  // The line of a byte that some access has used, or 0.
  LineId findLine(Address address) const;
  static Bytes bytesOf(unsigned offset, unsigned size) { return static_cast<Bytes>(((1u << size) - 1) << offset); }

  EventId last(ThreadId thread) const { return last_[thread]; }
  EventId first(ThreadId thread) const { return first_[thread]; }
  EventId joinOf(ThreadId thread) const { return joinedBy_[thread]; }
  EventId newest() const { return newest_; }
  EventId top() const { return top_; }

  // A new event at the end of its thread and of the insertion order, with its porf clock.
  EventId append(ThreadId thread, EventKind kind, EventClass cls);
  void removeNewest();

  // Makes an event an access of these bytes: finds its line, and splits cells as needed.
  void occupy(EventId id, Address address, unsigned size);
  void leave(EventId id);

  // The value of a write; what a read finds in its sources.
  void setValue(EventId write, Value value);
  Wide dataAt(EventId write, LineId line) const {
    return isInitial(write) ? lines_[line].initial : events_[write].data;
  }

  std::span<const Source> sources(EventId read) const {
    return {&sources_[std::size_t{read} * kLineBytes], events_[read].sourceCount};
  }
  // Connects a read: its value and its porf clock follow.
  void setSources(EventId read, std::span<const Source> sources);
  void unsetSources(EventId read);
  EventId sourceOf(EventId read, Bytes cell) const;

  // Calls visit with every read that takes one of these bytes from the write (an initial one has its line's id).
  template <class F>
  void forEachReader(EventId write, Bytes bytes, F&& visit) const {
    for (std::uint32_t link = events_[write].firstReader; link != 0; link = links_[link].next) {
      if ((sources_[link].bytes & bytes) != 0) visit(static_cast<EventId>(link / kLineBytes));
    }
  }

  // Calls visit with every cell that an access covers.
  template <class F>
  void forEachCell(EventId id, F&& visit) const {
    const MixedEvent& event = events_[id];
    for (const Cell& cell : lines_[event.line].cells) {
      if ((cell.bytes & event.bytes) != 0) visit(cell);
    }
  }

  // How many writes of the cell come before what stands behind this one; 0 for the initial write.
  static std::uint32_t positionAfter(const Cell& cell, EventId write) {
    for (std::size_t i = cell.order.size(); i > 0; --i) {
      if (cell.order[i - 1] == write) return static_cast<std::uint32_t>(i);
    }
    return 0;
  }
  // The write that follows in the cell, or kNone.
  static EventId next(const Cell& cell, EventId write) {
    const std::uint32_t position = positionAfter(cell, write);
    return position < cell.order.size() ? cell.order[position] : kNone;
  }

  void place(EventId write, std::span<const Place> places);
  void unplace(EventId write);

  // Takes the last event of its thread out of the graph, and puts it back in the opposite order.
  void detach(EventId id);
  void reattach(EventId id);

  void setStart(ThreadId child, EventId spawn) { last_[child] = spawn, ++threadChanges_; }
  void setJoin(ThreadId child, EventId join) { joinedBy_[child] = join, ++threadChanges_; }
  // Counts changes to the spawns and joins of the graph.
  std::uint64_t threadChanges() const { return threadChanges_; }

  // The end of the coherence order of some bytes: the value that a thread which knows everything would read.
  Wide lastData(LineId line) const;
  Value valueOf(Wide data, unsigned offset, unsigned size) const;

  // Checks that all lists agree with each other (debug builds, and tests).
  void checkInvariants() const;

 private:
  struct Link {
    std::uint32_t prev, next;
  };

  void leaveThread(const MixedEvent& event);
  void enter(EventId id);
  void linkReader(EventId read);
  void unlinkReader(EventId read);
  LineId lineOf(Address address);
  void splitCells(Line& line, Bytes bytes);
  void refreshInitial(Line& line, const Cell& cell);

  unsigned threads_;
  unsigned chunks_;
  std::size_t lanes_, stride_;
  Program& program_;
  Arena<MixedEvent> events_;
  Arena<Operation> operations_;
  Arena<Source> sources_;  // 16 for each event
  Arena<Link> links_;      // of each source, in the list of its write's readers
  Arena<Lane> clockArena_;
  Lane* clocks_;
  EventId top_ = kFirstEvent;
  EventId newest_ = kNone;
  std::vector<EventId> first_, last_, joinedBy_;
  std::uint64_t threadChanges_ = 0;
  std::vector<Line> lines_;
  std::unordered_map<Address, LineId> byAddress_;
  std::vector<Place> detachedPlaces_;
  std::vector<Wide> detachedInitials_;
};

// The bytes of a set, all ones.
Wide onesOf(Bytes bytes);

// What a lock has read (graph/lock_order.h): all of its word, as nothing else is that long and there.
inline EventId lockSource(const MixedGraph& graph, EventId read) { return graph.sources(read).front().write; }

}  // namespace heddle
