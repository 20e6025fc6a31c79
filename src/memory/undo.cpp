// Going back and forth: undoing and redoing segments.
//
// Undo goes through the entries newest first, redo oldest first. Reads are set for their own thread only, because
// others may have come and gone in between; all else is in the state in which the segment left or found it, and is
// exchanged with the entry.

#include <algorithm>
#include <functional>

#include "memory/memory.h"

namespace heddle::memory {

// Threads that move together, or forward.
void Memory::moveAll(std::span<const Target> targets) {
  toUndo_.clear();
  toRedo_.clear();
  for (const auto& [thread, to] : targets) {
    // Down from both ends to where the two ways meet. Along a thread, later segments have higher numbers.
    SegmentId from = position_[thread], wanted = to;
    while (from != wanted) {
      SegmentId& higher = from > wanted ? from : wanted;
      (from > wanted ? toUndo_ : toRedo_).push_back(higher);
      higher = log_.segment(higher).previous;
    }
    position_[thread] = to;
  }
  std::sort(toUndo_.begin(), toUndo_.end(), std::greater<>());
  std::sort(toRedo_.begin(), toRedo_.end());
  for (const SegmentId id : toUndo_) undo(id);
  for (const SegmentId id : toRedo_) redo(id);
}

void Memory::releaseOwned(SegmentId id) {
  const std::uint32_t end = log_.endOf(id);
  for (std::uint32_t i = log_.segment(id).start.entries; i < end; ++i) releaseOwned(log_.entry(i));
}

void Memory::takeBack(std::uint32_t entries) {
  if (log_.entryTop() == entries) return;
  Segment& segment = log_.segment(segment_);
  for (std::uint32_t i = log_.entryTop(); i-- > entries;) {
    undoEntry(log_.entry(i), segment);
    releaseOwned(log_.entry(i));
  }
  segment.state = Segment::State::done;
  ++changes_;
  log_.dropEntries(entries);
}

void Memory::undo(SegmentId id) {
  Segment& segment = log_.segment(id);
  segment.state = Segment::State::undone;
  ++changes_;
  for (std::uint32_t i = log_.endOf(id); i-- > segment.start.entries;) undoEntry(log_.entry(i), segment);
}

void Memory::redo(SegmentId id) {
  Segment& segment = log_.segment(id);
  segment.state = Segment::State::done;
  ++changes_;
  const std::uint32_t end = log_.endOf(id);
  for (std::uint32_t i = segment.start.entries; i < end; ++i) redoEntry(log_.entry(i), segment);
}

void Memory::undoEntry(Entry& entry, Segment& segment) {
  const ThreadId thread = segment.thread;
  switch (entry.is()) {
    case EntryKind::read: setLastRead(entry, thread, static_cast<Lane>(entry.read)); break;
    case EntryKind::write:
    case EntryKind::end:
      exchange(entry);
      if (entry.write & kSide) segment.state = Segment::State::owning;
      break;
    case EntryKind::ends: exchangeCells(entry); break;
    case EntryKind::byte: exchangeByte(entry); break;
    case EntryKind::flag: removeMaker(entry.address(), static_cast<unsigned>(entry.mask), thread); break;
    case EntryKind::forget: {
      Location& location = locations_[createLocation(entry.address(), static_cast<unsigned>(entry.mask))];
      location.maker = entry.write;
      location.makers = entry.side;
      if (Frame* frame = allocations_.frameOf(entry.address())) --frame->plainAgain;
      break;
    }
    default: undoLife(entry, thread); break;
  }
}

void Memory::redoEntry(Entry& entry, const Segment& segment) {
  switch (entry.is()) {
    case EntryKind::read: setLastRead(entry, segment.thread, segment.index); break;
    case EntryKind::write:
    case EntryKind::end: exchange(entry); break;
    case EntryKind::ends: exchangeCells(entry); break;
    case EntryKind::byte: exchangeByte(entry); break;
    case EntryKind::flag: addMaker(entry.address(), static_cast<unsigned>(entry.mask), segment.thread, segment.index); break;
    case EntryKind::forget: {
      forget(entry, findLocation(entry.address(), static_cast<unsigned>(entry.mask)));
      if (Frame* frame = allocations_.frameOf(entry.address())) ++frame->plainAgain;
      break;
    }
    default: redoLife(entry, segment); break;
  }
}

void Memory::setLastRead(const Entry& entry, ThreadId thread, Lane index) {
  const Address granule = entry.address();
  Cell& cell = shadow_.cell(granule);
  if (!(cell.write & (kSplit | kSide)) && entry.mask == kAllBytes && (cell.read == 0 || threadOf(cell.read) == thread)) {
    cell.read = index == 0 ? 0 : epochBits(thread, index);
    return;
  }
  if (!(cell.write & kSplit) && entry.mask == kAllBytes) {
    Slot slot = shadow_.whole(granule);
    shadow_.setRead(slot, thread, index);
    shadow_.setWhole(granule, slot);
  } else {
    Side& side = shadow_.split(granule);
    for (unsigned b = 0; b < kGranule; ++b) {
      if (entry.mask >> b & 1) shadow_.setRead(side.bytes[b], thread, index);
    }
  }
  shadow_.merge(granule);
}

void Memory::exchangeSides(Entry& entry) {
  Cell cell{entry.write, entry.read};
  std::uint32_t side = entry.side;
  shadow_.exchange(entry.address(), cell, side);
  entry.write = cell.write;
  entry.read = cell.read;
  entry.side = side;
}

void Memory::exchangeCells(const Entry& entry) {
  Cell* const cells = &shadow_.cell(entry.address());
  std::swap_ranges(cells, cells + entry.read, log_.cells(entry.side));
}

void Memory::exchangeByte(Entry& entry) {
  const Address granule = granuleOf(entry.address());
  Slot& slot = shadow_.split(granule).bytes[entry.address() - granule];
  std::swap(slot.write, entry.write);
  std::swap(slot.read, entry.read);
  std::swap(slot.reads, entry.side);
  auto& byte = *reinterpret_cast<std::uint8_t*>(entry.address());
  const std::uint8_t old = byte;
  byte = static_cast<std::uint8_t>(entry.bytes);
  entry.bytes = old;
  shadow_.merge(granule);
}

// A single byte has nothing to release: the reads after the write that was undone are undone as well.
void Memory::releaseOwned(const Entry& entry) {
  const EntryKind kind = entry.is();
  if ((kind == EntryKind::write || kind == EntryKind::end) && (entry.write & kSide)) shadow_.release(entry.side);
}

}  // namespace heddle::memory
