// Allocations: their begin and their end.
//
// The begin of a life is an entry of a table and costs no shadow: the cells of a new block are empty. Its end is a
// write to every byte: it must not race, and it empties the cells, so that the table is asked again and knows that the
// life is over.
//
// Functions are called often. When a frame ends in the segment in which it began, everything that the log has on it is
// dropped: undoing the segment never has to bring it back.

#include <algorithm>
#include <cstring>

#include "memory/memory.h"

namespace heddle::memory {

// ---- Heap.

Address Memory::allocate(std::size_t size, std::size_t alignment, AllocationKind kind, std::uint32_t source,
                         std::uint32_t tag) {
  const Address address = allocations_.placeBlock(thread_, size, alignment);
  if (address == 0) {
    fail(FaultKind::outOfMemory, 0, {0, size, source, true});
    return 0;
  }
  const Block block{{address, size, kind, thread_, true, source, tag}, epochBits(thread_, index_), 0, 0};
  record(EntryKind::allocate, address, 0, source).side = log_.addBlock(block);
  allocations_.pushBlock(thread_, block);
  return address;
}

Outcome Memory::free(Address address, AllocationKind kind, std::uint32_t source) {
  if (address == 0) return Outcome::ok;
  Access access{address, 0, source, true, kMayBeAtomic};
  Block* block = allocations_.blockAt(address);
  if (block == nullptr) return fail(FaultKind::invalidFree, address, access);
  access.size = block->size;
  if (!block->live) {
    fail(FaultKind::doubleFree, address, access);
    fault_.other = endOf(*block);
    return Outcome::fault;
  }
  const Outcome begun = judgeAlike([&] { return isBegun(*block) ? Outcome::ok : failBegin(*block, address, access); });
  if (begun != Outcome::ok) return begun;
  if (block->kind != kind) {
    fail(FaultKind::mismatchedFree, address, access);
    fault_.other = beginOf(*block);
    return Outcome::fault;
  }
  if (!freesAreOpen_) {
    if (const Outcome outcome = checkEnd(*block, access); outcome != Outcome::ok) return outcome;
  }
  record(EntryKind::free, address, 0, source);
  if (!freesAreOpen_) endLife(*block, source);
  block->live = false;
  block->endEpoch = epochBits(thread_, index_);
  block->endSource = source;
  allocations_.forgetCached();
  return Outcome::ok;
}

std::size_t Memory::sizeOfNew(Address address) {
  const Block* const block = allocations_.blockAt(address);
  return block != nullptr && block->live && block->epoch == epochBits(thread_, index_) ? block->size : 0;
}

std::uint32_t Memory::epochOfBlock(Address address) const {
  const Place place = allocations_.place(address);
  return place.block != nullptr && place.block->isHeap() ? place.block->epoch : 0;
}

std::vector<Allocation> Memory::liveHeap() const {
  std::vector<Allocation> live;
  for (unsigned t = 0; t < kThreads; ++t) {
    for (const Block& block : allocations_.of(static_cast<ThreadId>(t)).heap) {
      if (block.live && block.isHeap()) live.push_back(block);
    }
  }
  return live;
}

// ---- The end of a life.

// A granule that was not touched at all, or only plainly and before this point.
inline Memory::Quick Memory::quickEnd(const Cell& cell) const {
  if (cell.write == 0 && cell.read == 0) return Quick::done;
  if ((cell.write & ~kEpochMask) != kInitialised || !isOrdered(cell.write)) return Quick::slow;
  return cell.read == 0 || isOrdered(cell.read) ? Quick::record : Quick::slow;
}

Outcome Memory::checkEnd(const Block& block, const Access& access) {
  if (lives_ == nullptr) return judgeAlike([&] { return checkGranules(block, access); });
  const Lane* const view = std::exchange(view_, lives_);
  const Outcome outcome = checkGranules(block, access);
  view_ = view;
  if (outcome == Outcome::fault && fault_.kind == FaultKind::race) fault_.kind = FaultKind::unorderedEnd;
  return outcome;
}

Outcome Memory::checkGranules(const Block& block, const Access& access) {
  const Address end = block.address + block.size;
  for (Address granule = granuleOf(block.address); granule < end; granule += kGranule) {
    const Cell& cell = shadow_.cell(granule);
    if (quickEnd(cell) != Quick::slow) continue;
    const Outcome outcome = check(granule, bytesIn(granule, block.address, block.size), access);
    if (outcome != Outcome::ok) return outcome;
  }
  return Outcome::ok;
}

void Memory::endLife(const Block& block, std::uint32_t source) {
  if (!shown_.empty()) hideShown();
  const Address end = block.address + block.size;
  for (Address granule = granuleOf(block.address); granule < end;) {
    Address stop = granule;
    while (stop < end && !(shadow_.cell(stop).write & kSide)) stop += kGranule;
    if (stop != granule) {
      endRun(granule, static_cast<std::uint32_t>((stop - granule) / kGranule), source);
      granule = stop;
    } else {
      Entry& entry = record(EntryKind::end, granule, kAllBytes, source);
      entry.write = entry.read = entry.side = 0;
      entry.bytes = *reinterpret_cast<std::uint32_t*>(granule);
      exchange(entry);
      granule += kGranule;
    }
  }
}

void Memory::endRun(Address granule, std::uint32_t count, std::uint32_t source) {
  Cell* const cells = &shadow_.cell(granule);
  const auto isEmpty = [](const Cell& cell) { return cell.write == 0 && cell.read == 0; };
  if (std::all_of(cells, cells + count, isEmpty)) return;
  Entry& entry = record(EntryKind::ends, granule, kAllBytes, source);
  entry.read = count;
  entry.side = log_.addCells(cells, count);
  std::fill_n(cells, count, Cell{});
}

// ---- Frames.

namespace {

// A frame as the log has it, and back.
Block blockOf(const Frame& frame) {
  Block block;
  block.address = frame.base;
  block.size = frame.end - frame.base;
  block.live = frame.inner;
  block.source = frame.source;
  block.tag = frame.plainAgain;
  return block;
}

Frame frameOf(const Block& block, std::uint32_t variables) {
  return {block.address, block.address + block.size, variables, block.source, block.tag, block.live, kNoSegment, 0};
}

}  // namespace

Address Memory::pushFrame(std::size_t size, std::uint32_t source, const FramePlace& where) {
  const Address base = allocations_.placeFrame(thread_, size, where.alignment, where.gap);
  if (base == 0) {
    fail(FaultKind::outOfMemory, 0, {0, size, source, true});
    return 0;
  }
  openSegment();
  const Allocations::Thread& owner = allocations_.of(thread_);
  if (base + size > owner.frameHigh) {
    Entry& entry = record(EntryKind::high, base, 0, source);
    entry.read = static_cast<std::uint32_t>(owner.frameHigh - framesOf(thread_));
    entry.write = static_cast<std::uint32_t>(base + size - framesOf(thread_));
  }
  const Frame frame{base, base + size, owner.liveVariables, source, 0, where.inner, segment_, log_.entryTop()};
  const Block block = blockOf(frame);
  record(EntryKind::push, base, 0, source).side = log_.addBlock(block);
  allocations_.pushFrame(thread_, frame);
  return base;
}

void Memory::defineVariable(Address address, std::size_t size, std::uint32_t tag) {
  const std::uint32_t source = allocations_.of(thread_).frames.back().source;
  const Block block{{address, size, AllocationKind::frame, thread_, true, source, tag}, epochBits(thread_, index_), 0, 0};
  record(EntryKind::variable, address, 0, source).side = log_.addBlock(block);
  allocations_.pushVariable(thread_, block);
}

Outcome Memory::popFrame(Address base, std::uint32_t source) {
  Allocations::Thread& owner = allocations_.of(thread_);
  std::uint32_t variables = owner.liveVariables;
  for (std::size_t i = owner.frames.size(); i-- > 0 && owner.frames[i].base >= base;) {
    for (; variables > owner.frames[i].variables; --variables) {
      const Block& variable = owner.variables[variables - 1];
      const Access access{variable.address, variable.size, source, true, kMayBeAtomic};
      if (const Outcome outcome = checkEnd(variable, access); outcome != Outcome::ok) return outcome;
    }
  }
  while (!owner.frames.empty() && owner.frames.back().base >= base) {
    const Frame frame = owner.frames.back();
    if (isForgettable(frame)) {
      forgetFrame(frame);
    } else {
      endFrame(frame, source);
    }
    allocations_.popFrame(thread_);
  }
  return Outcome::ok;
}

void Memory::endFrame(const Frame& frame, std::uint32_t source) {
  const Allocations::Thread& owner = allocations_.of(thread_);
  if (hasAtomics(frame)) {
    Entry& entry = record(EntryKind::floor, frame.base, 0, source);
    entry.read = static_cast<std::uint32_t>(owner.frameFloor - framesOf(thread_));
    entry.write = static_cast<std::uint32_t>(std::max(owner.frameFloor, frame.end) - framesOf(thread_));
    allocations_.setFloor(thread_, framesOf(thread_) + entry.write);
  }
  for (std::uint32_t i = frame.variables; i < owner.liveVariables; ++i) endLife(owner.variables[i], source);
  Entry& entry = record(EntryKind::pop, frame.base, 0, source);
  entry.side = log_.addBlock(blockOf(frame));
  entry.read = owner.liveVariables - frame.variables;
  for (std::uint32_t i = frame.variables; i < owner.liveVariables; ++i) log_.addBlock(owner.variables[i]);
}

// Has the frame had atomic locations?
bool Memory::hasAtomics(const Frame& frame) const {
  if (frame.plainAgain != 0) return true;
  const Allocations::Thread& owner = allocations_.of(thread_);
  for (std::uint32_t i = frame.variables; i < owner.liveVariables; ++i) {
    const Block& variable = owner.variables[i];
    if (!mayHaveAtomics(variable.address, variable.size)) continue;
    for (Address at = granuleOf(variable.address); at < variable.address + variable.size; at += kGranule) {
      if (shadow_.atomicsOf(at).location != 0) return true;
    }
  }
  return false;
}

// Looking through the log must not cost more than what the frame itself has written there.
bool Memory::isForgettable(const Frame& frame) const {
  if (frame.segment == kNoSegment || frame.segment != segment_ || log_.entryTop() - frame.entry > 64 + (frame.end - frame.base))
    return false;
  for (std::uint32_t i = frame.entry; i < log_.entryTop(); ++i) {
    const Entry& entry = log_.entry(i);
    const bool atomic = entry.is() == EntryKind::flag || entry.is() == EntryKind::forget;
    if (atomic && isInFrames(entry, frame)) return false;
  }
  return true;
}

// Is the entry about the frame, or one that was above it?
bool Memory::isInFrames(const Entry& entry, const Frame& frame) const {
  const Address address = entry.address();
  return address >= frame.base && address < framesOf(thread_) + kFramesSize && entry.is() != EntryKind::high &&
         entry.is() != EntryKind::floor;
}

void Memory::forgetFrame(const Frame& frame) {
  const Allocations::Thread& owner = allocations_.of(thread_);
  for (std::uint32_t i = frame.variables; i < owner.liveVariables; ++i) {
    const Block& variable = owner.variables[i];
    for (Address at = granuleOf(variable.address); at < variable.address + variable.size; at += kGranule) {
      Cell old{0, 0};
      std::uint32_t side = 0;
      shadow_.exchange(at, old, side);
      if (side != 0) shadow_.release(side);
    }
  }
  // Undoing an older segment brings back an older frame here, with its bytes as they are now.
  for (std::uint32_t i = log_.entryTop(); i-- > frame.entry;) {
    const Entry& entry = log_.entry(i);
    if (!isInFrames(entry, frame)) continue;
    if (entry.is() == EntryKind::write) *reinterpret_cast<std::uint32_t*>(entry.address()) = entry.bytes;
    if (entry.is() == EntryKind::byte)
      *reinterpret_cast<std::uint8_t*>(entry.address()) = static_cast<std::uint8_t>(entry.bytes);
  }
  const std::uint32_t firstBlock = log_.entry(frame.entry).side;
  std::uint32_t top = frame.entry;
  bool keepsBlocks = false;
  for (std::uint32_t i = frame.entry; i < log_.entryTop(); ++i) {
    const Entry& entry = log_.entry(i);
    if (isInFrames(entry, frame)) {
      releaseOwned(entry);
    } else {
      keepsBlocks |= entry.is() == EntryKind::allocate || entry.is() == EntryKind::tls;
      log_.entry(top++) = entry;
    }
  }
  log_.dropEntries(top);
  if (!keepsBlocks) log_.dropBlocks(firstBlock);
}

Address Memory::newestFrame(Address address) const {
  const std::vector<Frame>& frames = allocations_.of(thread_).frames;
  const bool isIn = !frames.empty() && address >= frames.back().base && address < frames.back().end;
  return isIn ? frames.back().base : 0;
}

Address Memory::endOfInnerFrames(Address base) const {
  const std::vector<Frame>& frames = allocations_.of(thread_).frames;
  auto above =
      std::upper_bound(frames.begin(), frames.end(), base, [](Address a, const Frame& frame) { return a < frame.base; });
  while (above != frames.end() && above->inner) ++above;
  return above != frames.end() ? above->base : frameTop();
}

Outcome Memory::endVariable(Address address, std::uint32_t source) {
  Block* const variable = allocations_.variableAt(thread_, address);
  if (variable == nullptr || !variable->live) return Outcome::ok;
  const Access access{variable->address, variable->size, source, true, kMayBeAtomic};
  if (const Outcome outcome = checkEnd(*variable, access); outcome != Outcome::ok) return outcome;
  endLife(*variable, source);
  record(EntryKind::life, address, 0, source).side = log_.addBlock(*variable);
  variable->live = false;
  allocations_.forgetCached();
  return Outcome::ok;
}

// ---- Thread-local variables.

void Memory::defineTls(std::span<const std::byte> image, std::uint32_t source) {
  if (image.empty()) return;
  if (image.size() > kTlsSize / 2) throw LimitError("the program's thread_local variables are too large (over 32 MB)");
  Allocations::Thread& owner = allocations_.of(thread_);
  const Address address = tlsOf(thread_);
  record(EntryKind::tls, address, 0, source).side = log_.addBlock(owner.tls);
  owner.tls = {{address, image.size(), AllocationKind::tls, thread_, true, source, 0}, epochBits(thread_, index_), 0, 0};
  owner.tlsPeak = std::max(owner.tlsPeak, address + image.size());
  allocations_.forgetCached();
  recordWrites({address, image.size(), source, true});
  std::memcpy(reinterpret_cast<void*>(address), image.data(), image.size());
}

Outcome Memory::endTls(std::uint32_t source) {
  Block& tls = allocations_.of(thread_).tls;
  if (!tls.live) return Outcome::ok;
  const Access access{tls.address, tls.size, source, true, kMayBeAtomic};
  if (const Outcome outcome = checkEnd(tls, access); outcome != Outcome::ok) return outcome;
  endLife(tls, source);
  record(EntryKind::tls, tls.address, 0, source).side = log_.addBlock(tls);
  tls.live = false;
  allocations_.forgetCached();
  return Outcome::ok;
}

// ---- Undoing and redoing all that.

void Memory::undoLife(Entry& entry, ThreadId thread) {
  Allocations::Thread& owner = allocations_.of(thread);
  switch (entry.is()) {
    case EntryKind::allocate: allocations_.popBlock(thread); break;
    case EntryKind::free: allocations_.blockAt(entry.address())->live = true; break;
    case EntryKind::push: allocations_.popFrame(thread); break;
    case EntryKind::variable: allocations_.popVariable(thread); break;
    case EntryKind::pop: {
      allocations_.pushFrame(thread, frameOf(log_.block(entry.side), owner.liveVariables));
      for (std::uint32_t i = 1; i <= entry.read; ++i) allocations_.pushVariable(thread, log_.block(entry.side + i));
      break;
    }
    case EntryKind::floor: allocations_.setFloor(thread, framesOf(thread) + entry.read); break;
    case EntryKind::high: owner.frameHigh = framesOf(thread) + entry.read; break;
    case EntryKind::tls: exchangeBlock(owner.tls, entry); break;
    case EntryKind::life: exchangeBlock(*allocations_.variableAt(thread, entry.address()), entry); break;
    default: break;
  }
}

void Memory::exchangeBlock(Block& block, const Entry& entry) {
  std::swap(block, log_.block(entry.side));
  allocations_.forgetCached();
}

void Memory::redoLife(Entry& entry, const Segment& segment) {
  const ThreadId thread = segment.thread;
  Allocations::Thread& owner = allocations_.of(thread);
  switch (entry.is()) {
    case EntryKind::allocate: allocations_.pushBlock(thread, log_.block(entry.side)); break;
    case EntryKind::free: {
      Block& block = *allocations_.blockAt(entry.address());
      block.live = false;
      block.endEpoch = epochBits(thread, segment.index);
      block.endSource = entry.source;
      allocations_.forgetCached();
      break;
    }
    case EntryKind::push: allocations_.pushFrame(thread, frameOf(log_.block(entry.side), owner.liveVariables)); break;
    case EntryKind::variable: allocations_.pushVariable(thread, log_.block(entry.side)); break;
    case EntryKind::pop: allocations_.popFrame(thread); break;
    case EntryKind::floor: allocations_.setFloor(thread, framesOf(thread) + entry.write); break;
    case EntryKind::high: owner.frameHigh = framesOf(thread) + entry.write; break;
    case EntryKind::tls: exchangeBlock(owner.tls, entry); break;
    case EntryKind::life: exchangeBlock(*allocations_.variableAt(thread, entry.address()), entry); break;
    default: break;
  }
}

}  // namespace heddle::memory
