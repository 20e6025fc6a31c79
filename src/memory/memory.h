// Plain memory: the program's own bytes, with a shadow that knows who touched them, and a log that can take it back.
//
// In a program without data races a plain read has one legal value, that of the write that happens before it last. So
// plain accesses are not events of the graph: they run on real memory, and the shadow tells whether the program
// deserves that: for each byte, the epoch of its last plain write and of each thread's last plain read since (shadow.h
// has the drawing).
//
// An epoch is (thread, index): an access of thread t after its k-th event has epoch (t, k + 1), and happens before a
// point of thread u iff u's happens-before clock there has t at k + 1 or more.
//
// Segments. What a thread does between two of its events is a segment. Its accesses have one epoch, and nothing else
// runs meanwhile, so only a segment's first access to a granule is checked and logged; that is why instrumented code
// may skip the call when a cell already holds the current epoch. So an epoch must not be used for two segments of which
// only one may be undone: `enter` gets a higher index each time along a thread. A segment is undone and redone as a
// whole. Of two conflicting accesses the later one's segment is in the porf-suffix of the earlier one's, so whatever
// set of segments a revisit deletes, on each byte the deleted accesses come after the kept ones (reads aside, which
// commute), and undoing them newest first is right.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "graph/clock.h"
#include "memory/allocations.h"
#include "memory/layout.h"
#include "memory/log.h"
#include "memory/shadow.h"

namespace heddle::memory {

// What instrumented code compares with: the write half (or, for reads, either half) of a cell that was accessed in the
// current segment and is initialised, alive, and not atomic.
using Epoch = std::uint32_t;

using SegmentId = std::uint32_t;
inline constexpr SegmentId kNoSegment = 0;  // before a thread's first

enum class FaultKind : std::uint8_t {
  none,
  race,            // `other` is the earlier access
  uninitialised,   // a read of bytes that were never written
  outOfBounds,     // in a redzone, or past an allocation
  useAfterFree,    // `other` is the free
  deadFrame,       // a local variable that has ended with its block or function, or a thread_local with its thread
  nullPointer,     // the first page
  wildPointer,     // no allocation at all
  readOnly,        // a write to a constant
  invalidFree,     // not the start of an allocation
  doubleFree,      // `other` is the first free
  mismatchedFree,  // new with free, new[] with delete, ...
  unorderedEnd,    // of a life: `other` may come after it (allowRaces)
  toldApart,       // an access that tells threads apart that should be alike (knowAlike)
  outOfMemory,
};

// An access as a fault report shows it.
struct AccessInfo {
  ThreadId thread = 0;
  bool write = false;
  bool free = false;        // the end of the allocation's life
  bool allocation = false;  // its begin
  std::uint32_t source = 0;
  Lane index = 0;  // of the thread's next event; 0 if that is not known
};

struct Fault {
  FaultKind kind = FaultKind::none;
  Address address = 0;   // the first offending byte
  std::size_t size = 0;  // of the access
  bool write = false;
  AccessInfo other;
  Address start = 0;  // of the access
};

enum class Outcome : std::uint8_t {
  ok,
  atomic,  // the range touches an atomic location; nothing was recorded. See atomicParts.
  fault,   // see fault()
};

struct Range {
  Address address = 0;
  std::size_t size = 0;
};

struct AtomicPart {
  Address address = 0;
  unsigned size = 0;
};

class Memory {
 public:
  // Maps program memory and its shadow. There can be only one at a time.
  Memory();
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // Everything back to the state after the constructor and the defineGlobal calls, with the bytes of the image
  // restored.
  void reset();

  // Races are no errors of the program (`--races off`). The caller makes plain accesses to atomic locations events, and to
  // whatever else has outcome FaultKind::race (racy_bytes.h). Then happens-before is not all that orders the begin and the
  // end of a life with an access: so does po | rf. `order`: what is before the segment entered last in either, whenever
  // Memory is called.
  void allowRaces(const Lane* order) { lives_ = order; }
  // Whether an access comes before the end of a heap block's life is judged by others, when the execution is complete: `free` ends
  // nothing here, and the accesses are what accessesTo says.
  void leaveFreesOpen() { freesAreOpen_ = true; }

  // A global of the program, with the bytes it has now; it is accessible and happens before everything.
  void defineGlobal(Address address, std::size_t size, bool constant, std::uint32_t tag);

  // ---- Running a thread. `index` is that of its next event; `view` its happens-before clock, valid until the next
  // enter. A segment that has no effect leaves nothing in the log.
  void enter(ThreadId thread, std::uint16_t index, const Lane* view);
  Epoch epoch() const { return epoch_; }  // of the segment entered last
  // Alike threads (explore/symmetry.cpp). The view that the segment was entered with lacks what their parent has done between their
  // starts, or what some of them have done of which others are not joined; `all` has it, null: so has the view. An access that is
  // ordered by `all` only is FaultKind::toldApart, unless it is to a heap block that was allocated at this epoch: that is what the
  // parent has made for the thread.
  void knowAlike(const Lane* all, std::uint32_t gifts) { all_ = all, gifts_ = gifts; }
  // Has the current segment allocated the heap block that begins here? Then its size, or else 0.
  std::size_t sizeOfNew(Address address);
  // The epoch at which the heap block that an address is in was allocated, or 0. The block may have been freed.
  std::uint32_t epochOfBlock(Address address) const;
  SegmentId openSegment();   // the one entered last; it is in the log from now on
  bool hasAccessed() const;  // has it read or written anything, or freed it?
  // Is what the current thread has written after event number `index` what it was then, and was it so at these events,
  // of which the later ones come first? Except for these bytes, and for what is in frames that are gone.
  // `start`: of the segment after that event, what came before this moment does not count.
  struct Moment {
    std::uint32_t entries = 0;  // in the log of the segment
    std::uint64_t bytes = 0;    // a hash of what these were about, and of what was there
  };
  bool isUnchangedSince(Lane index, std::span<const Lane> looks, std::span<const Range> except, const Moment& start) const;
  Moment moment() const;  // of the segment entered last

  // What of it is not what it was, if anything. Of frames only those that there still are count.
  struct Change {
    Address address;       // 0: memory was allocated or freed, or an atomic location became plain
    std::uint32_t source;  // of the write
    bool isLocal;          // the byte is in a frame of the thread: nobody may look at it any more
  };
  std::optional<Change> changeSince(Lane index) const;

  // Grows whenever anything is recorded or taken back.
  std::uint64_t changes() const { return changes_; }

  // Takes back what the current segment has done since `entries` was its height.
  std::uint32_t height() const { return log_.entryTop(); }
  void takeBack(std::uint32_t entries);

  // ---- Plain accesses of the current thread. `write` logs the old bytes: the caller stores afterwards. Outcomes other
  // than `ok` leave everything as it was. `reading` is 0 or some of:
  static constexpr unsigned kMayBeUninitialised = 1;  // reading is no use of the value, as for the rest of a bit field's word
  static constexpr unsigned kMayBeAtomic = 2;         // the caller has checked the read against the events: see saveBytes
  Outcome read(Address address, std::size_t size, std::uint32_t source, unsigned reading = 0);
  Outcome write(Address address, std::size_t size, std::uint32_t source);
  // Both check, and do it. Uninitialised bytes may be copied, and stay so: copying is no use of them.
  Outcome copy(Address to, Address from, std::size_t size, std::uint32_t source, unsigned reading = 0);  // memmove
  Outcome set(Address to, int byte, std::size_t size, std::uint32_t source);                             // memset

  // Are all these bytes part of objects that are alive? Neither checks for races nor records anything.
  Outcome checkAlive(Address address, std::size_t size, std::uint32_t source);

  const Fault& fault() const { return fault_; }
  // The segment in which the current thread wrote this byte, if nobody has written it plainly since; or kNoSegment.
  SegmentId ownWriter(Address address) const;
  // Is this a byte that has been read, and that nothing can ever change?
  bool isKnownConstant(Address address) const { return (shadow_.cell(address).write & kConstant) != 0; }
  // The atomic locations that a range overlaps; and whether there may be any.
  std::vector<AtomicPart> atomicParts(Address address, std::size_t size) const;
  bool mayHaveAtomics(Address address, std::size_t size) const;

  // ---- An atomic access of the current thread is about to become an event. Checks it against plain accesses (race,
  // bounds, life, initialisation) and makes the bytes an atomic location, if they are not one already. From then on
  // plain accesses to them have outcome `atomic`, and what they contained is the value before the first event.
  // `size` is 1, 2, 4, 8 or 16. A location that overlaps another one in part is accepted: the engine decides.
  // Where races are no errors, whether the bytes are initialised is the caller's to judge.
  Outcome atomic(Address address, unsigned size, bool write, std::uint32_t source, bool mayBeUninitialised = false);
  // Is an address that was part of an atomic location certainly so still? The end of its life empties its cell.
  bool isStillAtomic(Address address) const {
    return isProgramMemory(address) && (shadow_.cell(address).write & (kAtomic | kSplit | kConstant)) != 0;
  }
  // Was nothing ever written plainly to one of these bytes?
  bool isUninitialised(Address address, std::size_t size) const;
  // The bytes as they were before they became atomic, or as they are.
  Value initialValue(Address address, unsigned size) const;
  void initialBytes(Address address, std::span<std::byte> bytes) const;
  // The caller is about to put into the real bytes what a plain access to an atomic location should find there. They
  // are the initial value again when the segment is over.
  void saveBytes(Address address, std::size_t size) { shown_.push_back({address, size}); }
  bool showsBytes() const { return !shown_.empty(); }
  // Re-initialisation: the bytes, and all of every location that overlaps them, are plain again with their initial
  // value; then these bytes are written plainly. The caller has checked that every event on them happens before this
  // point, and stores afterwards. Where locations overlap (see atomicParts), makes all of them plain before it stores.
  Outcome makePlain(Address address, unsigned size, std::uint32_t source);

  // ---- Allocation by the current thread. 0 and a fault if there is no room. Redzones all around.
  Address allocate(std::size_t size, std::size_t alignment, AllocationKind kind, std::uint32_t source, std::uint32_t tag);
  // `free` is a write to the whole block: it races with the accesses that do not happen before it. The events on atomic
  // locations in the block (atomicParts) are the caller's to check.
  Outcome free(Address address, AllocationKind kind, std::uint32_t source);
  // The plain accesses to some bytes that are not undone, and that a view does not have: one at least of each segment that has some.
  std::vector<AccessInfo> accessesTo(Address address, std::size_t size, const Lane* before) const;
  // Does what may fail once more, with more before the current point than the segment was entered with.
  template <class Action>
  auto withView(const Lane* view, Action action) {
    const Lane* const before = std::exchange(view_, view);
    const auto result = action();
    view_ = before;
    return result;
  }
  // Local variables: space for a whole function, then each variable in it; popping ends the life of everything from
  // that frame on, and races like `free`. The caller leaves redzones between the variables.
  Address pushFrame(std::size_t size, std::uint32_t source, const FramePlace& where = {});
  void defineVariable(Address address, std::size_t size, std::uint32_t tag);
  // The addresses of a frame that has had atomic locations in it are not used again in this execution (the top stays
  // where it is): the graph knows locations by their addresses.
  Outcome popFrame(Address base, std::uint32_t source);
  // A variable of a block may end before the frame that it is in.
  Outcome endVariable(Address address, std::uint32_t source);
  // The base of the current thread's newest frame, if the address is in it, or 0. And where do the frames begin that are
  // above the frame at `base` and the inner ones on top of it?
  Address newestFrame(Address address) const;
  Address endOfInnerFrames(Address base) const;
  bool hasFrames() const { return !allocations_.of(thread_).frames.empty(); }
  // Of the current thread: below it are the frames that there are, at or above it the ones to come.
  Address frameTop() const { return allocations_.frameTop(thread_); }
  // The current thread's thread_locals, at tlsOf(thread), with these initial bytes (a write of this thread).
  void defineTls(std::span<const std::byte> image, std::uint32_t source = 0);
  // They end, and race like `free`.
  Outcome endTls(std::uint32_t source);

  // The allocation that an address is in or next to (its redzones), or nullptr.
  const Allocation* find(Address address) const { return allocations_.find(address); }
  // All heap allocations that are alive, oldest first of each thread.
  std::vector<Allocation> liveHeap() const;

  // Where the program has accessed memory in this execution, as far as the log tells: visit(address, source, exact). The
  // address is that of the granule unless it is exact.
  template <class F>
  void forEachAccess(F visit) const {
    for (unsigned thread = 0; thread < threads_; ++thread) {
      for (SegmentId id = position_[thread]; id != kNoSegment; id = log_.segment(id).previous) {
        for (std::uint32_t i = log_.segment(id).start.entries; i < log_.endOf(id); ++i) {
          const Entry& entry = log_.entry(i);
          const EntryKind kind = entry.is();
          const bool exact = kind == EntryKind::byte || kind == EntryKind::flag;
          if (exact || kind == EntryKind::read || kind == EntryKind::write) visit(entry.address(), entry.source, exact);
        }
      }
    }
  }

  // Calls visit with the address of each global that is no constant, and with the bytes that it was defined with.
  template <class F>
  void forEachImage(F visit) const {
    for (const SavedGlobal& saved : savedGlobals_) visit(saved.address, std::span<const std::byte>(saved.bytes));
  }

  // What defineGlobal was told, without constants.
  std::vector<Allocation> globals() const;

  // ---- Going back. The position of a thread is its last segment. `moveTo` takes several threads to positions they had
  // before, undoing and redoing segments in the right order; the threads that are not named stay.
  struct Target {
    ThreadId thread;
    SegmentId position;
  };
  SegmentId position(ThreadId thread) const { return position_[thread]; }
  void moveTo(std::span<const Target> targets);
  bool isLive(SegmentId segment) const {  // in the log, and not undone
    return segment != kNoSegment && segment < log_.top() && !log_.segment(segment).isUndone();
  }
  // The log as a stack: forgets the segments that are newer than `top`, as far as they are undone, for good.
  std::size_t logTop() const { return log_.top(); }
  void truncate(std::size_t top);

 private:
  friend class MemoryInspector;  // tests look inside

  struct Access {
    Address address;
    std::size_t size;
    std::uint32_t source;
    bool write;
    unsigned reading = 0;
    bool atomic = false;  // needs an initialised location even if it writes
  };
  enum class Quick : std::uint8_t { done, record, slow };

  // Is an access with this epoch before the current point?
  bool isOrdered(std::uint32_t half) const {
    const ThreadId thread = threadOf(half);
    return thread == thread_ || view_[thread] >= indexOf(half);
  }
  bool isBegun(const Block& block) const {
    return isOrdered(block.epoch) || (lives_ != nullptr && lives_[threadOf(block.epoch)] >= indexOf(block.epoch));
  }
  bool isCurrent(std::uint32_t write) const {
    return (write & kEpochMask) == (epoch_ & kEpochMask) && (write & (kInitialised | kUninitialised)) != 0;
  }
  int unorderedReader(const Slot& slot) const;

  // Checking and recording (access.cpp).
  Quick quickRead(const Cell& cell) const;
  Quick quickWrite(Address granule, const Cell& cell) const;
  void quickRecordRead(Address granule, Cell& cell, std::uint32_t source);
  void quickRecordWrite(Address granule, Cell& cell, std::uint32_t source);
  bool isRepeated(Address address, std::size_t size, bool write) const;
  Outcome readSlowly(const Access& access);
  Outcome writeSlowly(const Access& access);
  Outcome checkRange(const Access& access);
  Outcome checkRangeOnce(const Access& access);
  template <class Check>
  Outcome judgeAlike(Check check);
  Outcome check(Address granule, unsigned mask, const Access& access);
  Outcome checkSlot(const Slot& slot, Address address, const Access& access);
  Outcome checkUnknown(const Slot& slot, Address address, const Access& access);
  Outcome checkReads(const Slot& slot, Address address, const Access& access);
  void recordReads(const Access& access);
  void recordWrites(const Access& access);
  void recordRead(Address granule, unsigned mask, std::uint32_t source);
  void recordReadOf(Slot& slot, Address granule, unsigned mask, std::uint32_t source);
  void recordWrite(Address granule, unsigned mask, std::uint32_t source);
  bool mayReplace(Address granule) const;
  bool isConstant(Address granule, unsigned mask) const;
  bool isReadByEvents(const Slot& slot, const Access& access) const {
    return lives_ != nullptr && (slot.write & kAtomic) && !access.atomic && !access.write;
  }
  bool isUninitialised(Address address) const;
  bool noteUninitialised(Address from, std::size_t size);
  void spreadUninitialised(Address to, std::size_t size);

  // Atomic locations (atomic.cpp).
  struct Location {
    Address address = 0;
    unsigned size = 0;
    std::uint32_t maker = 0;   // the epoch of one that made it atomic
    std::uint32_t makers = 0;  // a ReadClock of all, none of them after another; or none if there is one only
  };
  Quick quickAtomic(Address address, unsigned size, bool write) const;
  std::uint32_t findLocation(Address address, unsigned size) const;
  bool isMade(const Location& location) const;
  void addMaker(Address address, unsigned size, ThreadId thread, Lane index);
  void removeMaker(Address address, unsigned size, ThreadId thread);
  std::uint32_t createLocation(Address address, unsigned size);
  void removeLocation(std::uint32_t id);
  void forget(Entry& entry, std::uint32_t id);
  void cover(Address granule, unsigned mask, std::uint32_t location);
  void uncover(Address granule, std::uint32_t location);
  void hideShown();
  static unsigned bytesIn(Address granule, Address address, std::size_t size);

  // Lives (lives.cpp).
  Quick quickEnd(const Cell& cell) const;
  Outcome checkEnd(const Block& block, const Access& access);
  Outcome checkGranules(const Block& block, const Access& access);
  void endLife(const Block& block, std::uint32_t source);
  void endRun(Address granule, std::uint32_t count, std::uint32_t source);
  std::uint64_t hashOfWrites(SegmentId segment, std::uint32_t entries) const;
  bool isInGoneFrame(Address address) const { return address >= frameTop() && address - framesOf(thread_) < kFramesSize; }
  void endFrame(const Frame& frame, std::uint32_t source);
  bool hasAtomics(const Frame& frame) const;
  bool isForgettable(const Frame& frame) const;
  bool isInFrames(const Entry& entry, const Frame& frame) const;
  void forgetFrame(const Frame& frame);
  void exchangeBlock(Block& block, const Entry& entry);
  void undoLife(Entry& entry, ThreadId thread);
  void redoLife(Entry& entry, const Segment& segment);

  Entry& record(EntryKind kind, Address address, unsigned mask, std::uint32_t source);

  // Going back (undo.cpp).
  void moveAll(std::span<const Target> targets);
  void undo(SegmentId id);
  void redo(SegmentId id);
  void undoEntry(Entry& entry, Segment& segment);
  void redoEntry(Entry& entry, const Segment& segment);
  void exchange(Entry& entry);
  void exchangeSides(Entry& entry);
  void exchangeCells(const Entry& entry);
  void exchangeByte(Entry& entry);
  void setLastRead(const Entry& entry, ThreadId thread, Lane index);
  void releaseOwned(SegmentId id);
  void releaseOwned(const Entry& entry);

  // Faults (faults.cpp).
  Outcome fail(FaultKind kind, Address address, const Access& access);
  Outcome failBegin(const Block& block, Address address, const Access& access);
  Outcome failRace(Address address, const Access& access, std::uint32_t half, bool write);
  Outcome failPlace(const Place& place, Address address, const Access& access);
  static AccessInfo beginOf(const Block& block);
  static AccessInfo endOf(const Block& block);
  AccessInfo findAccess(std::uint32_t half, Address address, bool write) const;

  Shadow shadow_;
  Allocations allocations_;
  Log log_;
  Pool<Location> locations_;
  Fault fault_;

  // The open segment.
  ThreadId thread_ = 0;
  Lane index_ = 0;
  Epoch epoch_ = 0;
  const Lane* view_ = nullptr;
  const Lane* lives_ = nullptr;  // see allowRaces
  const Lane* all_ = nullptr;    // see knowAlike
  std::uint32_t gifts_ = 0;      // likewise
  bool freesAreOpen_ = false;    // see leaveFreesOpen
  SegmentId segment_ = kNoSegment;

  std::uint64_t changes_ = 1;
  unsigned threads_ = 1;  // one more than the highest that has run
  std::array<SegmentId, kThreads> position_{};
  std::vector<SegmentId> toUndo_, toRedo_;
  std::vector<bool> uninitialised_;                     // of the bytes being copied
  std::vector<std::pair<Address, std::size_t>> shown_;  // saveBytes in this segment

  struct SavedGlobal {
    Address address;
    std::vector<std::byte> bytes;  // as it was defined
  };
  std::vector<SavedGlobal> savedGlobals_;
};

inline void Memory::enter(ThreadId thread, std::uint16_t index, const Lane* view) {
  thread_ = thread;
  index_ = index;
  epoch_ = kInitialised | epochBits(thread, index);
  view_ = view;
  if (thread >= threads_) threads_ = thread + 1u;
  segment_ = kNoSegment;
  if (!shown_.empty()) [[unlikely]]
    hideShown();
}

// Does what may find a race. If there is none but for what the view lacks, somebody tells alike threads apart.
template <class Check>
inline Outcome Memory::judgeAlike(Check check) {
  const Outcome outcome = check();
  if (outcome != Outcome::fault || all_ == nullptr || fault_.kind != FaultKind::race) return outcome;
  const Fault found = fault_;
  const Outcome again = withView(all_, check);
  if (again == Outcome::fault || (gifts_ != 0 && epochOfBlock(found.address) == gifts_)) return again;
  fault_ = found;
  fault_.kind = FaultKind::toldApart;
  return Outcome::fault;
}

inline SegmentId Memory::openSegment() {
  if (segment_ == kNoSegment) segment_ = position_[thread_] = log_.open(thread_, index_, position_[thread_]);
  return segment_;
}

inline SegmentId Memory::ownWriter(Address address) const {
  const std::uint32_t write = shadow_.byteAt(address).write;
  if ((write & (kInitialised | kUninitialised)) == 0 || threadOf(write) != thread_) return kNoSegment;
  SegmentId id = position_[thread_];
  while (id != kNoSegment && log_.segment(id).index > indexOf(write)) id = log_.segment(id).previous;
  return id != kNoSegment && log_.segment(id).index == indexOf(write) ? id : kNoSegment;
}

inline bool Memory::hasAccessed() const {
  if (segment_ == kNoSegment) return false;
  for (std::uint32_t i = log_.segment(segment_).start.entries; i < log_.entryTop(); ++i) {
    switch (static_cast<EntryKind>(log_.entry(i).kind)) {
      case EntryKind::read:
      case EntryKind::write:
      case EntryKind::byte:
      case EntryKind::free: return true;
      default: break;
    }
  }
  return false;
}

inline Entry& Memory::record(EntryKind kind, Address address, unsigned mask, std::uint32_t source) {
  openSegment();
  ++changes_;
  return log_.add(kind, address, mask, source);
}

inline bool Memory::mayHaveAtomics(Address address, std::size_t size) const {
  std::uint32_t any = 0;
  for (Address granule = granuleOf(address); granule < address + size; granule += kGranule) {
    any |= shadow_.cell(granule).write;
  }
  return (any & kSide) != 0;
}

inline void Memory::exchange(Entry& entry) {
  const Address granule = entry.address();
  std::swap(entry.bytes, *reinterpret_cast<std::uint32_t*>(granule));
  Cell& cell = shadow_.cell(granule);
  if (((entry.write | cell.write) & kSide) == 0) {
    std::swap(entry.write, cell.write);
    std::swap(entry.read, cell.read);
    entry.side = 0;
  } else {
    exchangeSides(entry);
  }
}

// Most often it is one thread that takes back its newest segments.
inline void Memory::moveTo(std::span<const Target> targets) {
  if (!shown_.empty()) hideShown();
  if (targets.size() == 1) {
    const SegmentId to = targets.front().position;
    SegmentId& at = position_[targets.front().thread];
    for (; at > to; at = log_.segment(at).previous) undo(at);
    if (at == to) return;
  }
  moveAll(targets);
}

inline void Memory::truncate(std::size_t top) {
  SegmentId keep = log_.top();
  for (; keep > top && log_.segment(keep - 1).isUndone(); --keep) {
    if (log_.segment(keep - 1).state == Segment::State::owning) releaseOwned(keep - 1);
  }
  if (keep != log_.top()) log_.drop(keep);
}

}  // namespace heddle::memory
