// The log: what each segment changed, so that it can be taken back and done again.
//
// Two stacks. A segment is a stretch of entries, and knows the segment of the same thread before it:
//
//     segments   | t0 | t1 | t0 | t2 | ...        entries  | .. | .... | | ...
//     a thread's position is its last segment that is not undone
//
// An entry says what a granule was before the segment's first access to it. Undoing a write exchanges the entry with
// what is there now, so that the entry then says how to redo it. What does not fit into an entry (a block, a frame, many
// cells) is in two more stacks. An undone segment keeps its place until the log is truncated below it.
#pragma once

#include <cstdint>
#include <cstring>

#include "graph/arena.h"
#include "graph/graph.h"
#include "memory/allocations.h"
#include "memory/shadow.h"

namespace heddle::memory {

enum class EntryKind : std::uint8_t {
  read,      // the bytes of `mask`: the thread's last read was `read`
  write,     // a whole granule: its cell, side record and bytes
  end,       // the same, when its life ends
  ends,      // the same for `read` granules in a row that have no side records; their cells are in the stack of cells
  byte,      // one byte: its slot (`side` is its clock) and value
  flag,      // an atomic location of `mask` bytes: this thread has made it one
  forget,    // an atomic location of `mask` bytes that is plain again; `write` and `side` are those who made it one
  allocate,  // a heap block; `side` is in the stack of blocks
  free,      // a heap block, by its address
  push,      // a frame; base and end are in the stack of blocks
  variable,  // a local variable; in the stack of blocks
  pop,       // a frame and its `read` variables; in the stack of blocks
  floor,     // frames with atomic locations are popped: from offset `read` to `write`
  high,      // frames went further than before in this execution: from offset `read` to `write`
  tls,       // the thread's thread_locals begin or end; in the stack of blocks, as they were
  life,      // a variable of a frame that is there ends; in the stack of blocks, as it was
};

struct Entry {
  std::uint64_t offset : 48;  // of the address, in program memory
  std::uint64_t kind : 8;
  std::uint64_t mask : 8;
  std::uint32_t source;
  std::uint32_t write, read;
  std::uint32_t side;
  std::uint32_t bytes;

  Address address() const { return kBase + offset; }
  EntryKind is() const { return static_cast<EntryKind>(kind); }
};
static_assert(sizeof(Entry) == 32);

// How high the other stacks are.
struct Heights {
  std::uint32_t entries = 0, blocks = 0, cells = 0;
};

struct Segment {
  Heights start;
  std::uint32_t previous;  // of the same thread
  Lane index;
  std::uint8_t thread;
  enum class State : std::uint8_t { done, undone, owning } state;  // owning: undone, and some entry holds a side record

  bool isUndone() const { return state != State::done; }
};
static_assert(sizeof(Segment) == 20);

class Log {
 public:
  Log() : segments_(kMaxSegments), entries_(kMaxEntries), blocks_(kMaxBlocks), cells_(kMaxEntries) {}

  std::uint32_t open(ThreadId thread, Lane index, std::uint32_t previous) {
    const std::uint32_t id = segmentTop_++;
    if (id >= kMaxSegments - 1) throw LimitError("an execution is too long (over 60 million steps)");
    segments_[id] = {heights_, previous, index, static_cast<std::uint8_t>(thread), Segment::State::done};
    return id;
  }
  Entry& add(EntryKind kind, Address address, unsigned mask, std::uint32_t source) {
    if (heights_.entries >= kMaxEntries - 1) throw LimitError("an execution writes too much memory (over 250 million words)");
    Entry& entry = entries_[heights_.entries++];
    entry.offset = (address - kBase) & (kSize - 1);
    entry.kind = static_cast<std::uint8_t>(kind);
    entry.mask = static_cast<std::uint8_t>(mask);
    entry.source = source;
    return entry;
  }
  std::uint32_t addBlock(const Block& block) {
    if (heights_.blocks >= kMaxBlocks - 1) throw LimitError("an execution has too many allocations (over 60 million)");
    blocks_[heights_.blocks] = block;
    return heights_.blocks++;
  }
  std::uint32_t addCells(const Cell* cells, std::uint32_t count) {
    if (count >= kMaxEntries - heights_.cells) throw LimitError("an execution frees too much memory (over 250 million words)");
    std::memcpy(&cells_[heights_.cells], cells, count * sizeof(Cell));
    heights_.cells += count;
    return heights_.cells - count;
  }

  Segment& segment(std::uint32_t id) { return segments_[id]; }
  const Segment& segment(std::uint32_t id) const { return segments_[id]; }
  Entry& entry(std::uint32_t i) { return entries_[i]; }
  const Entry& entry(std::uint32_t i) const { return entries_[i]; }
  Block& block(std::uint32_t i) { return blocks_[i]; }
  Cell* cells(std::uint32_t i) { return &cells_[i]; }

  std::uint32_t top() const { return segmentTop_; }
  std::uint32_t entryTop() const { return heights_.entries; }
  std::uint32_t endOf(std::uint32_t id) const {
    return id + 1 == segmentTop_ ? heights_.entries : segments_[id + 1].start.entries;
  }

  // Drops a segment and all newer ones, or the newest entries of the one that is open.
  void drop(std::uint32_t id) {
    segmentTop_ = id;
    heights_ = segments_[id].start;
  }
  void dropEntries(std::uint32_t top) { heights_.entries = top; }
  void dropBlocks(std::uint32_t top) { heights_.blocks = top; }

  void clear() {
    segmentTop_ = 1;
    heights_ = {};
  }

 private:
  static constexpr std::uint32_t kMaxSegments = 1u << 26, kMaxEntries = 1u << 28, kMaxBlocks = 1u << 26;
  Arena<Segment> segments_;
  Arena<Entry> entries_;
  Arena<Block> blocks_;
  Arena<Cell> cells_;
  Heights heights_;
  std::uint32_t segmentTop_ = 1;
};

}  // namespace heddle::memory
