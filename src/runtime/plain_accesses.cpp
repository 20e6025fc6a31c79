// Plain accesses, and the ends of lives, on the fiber of the running thread.
//
// Nearly all run on plain memory (memory/memory.h). But the value of an atomic location is in the graph:
//
//   races are errors   A read takes the co-maximal value, after a check that every write happens before it; a write is an
//                      event, so that later reads find it. Where the graph does not say which write is the co-maximal one
//                      (the rf equivalence), a read is an event, too, which reads from any that may be.
//   `--races off`      Reads and writes are relaxed events. So are those of bytes that are known to be raced for
//                      (memory/racy_bytes.h). What the main thread does while it is alone happens before everything that
//                      others do, so it is none of this.
//
// Native code, of the program or of the host, reads the real bytes. So what an event has read is shown there until the
// segment is over (Memory::saveBytes).
//
// A range (a copy, a fill, what a library function reads) is cut into pieces that are events, and gaps of plain memory. All
// of the source is read before anything is written:
//
//   1. the events that read the source                                     the thread pauses at each
//   2. what they read is shown; the target's pieces get their values; gaps are copied    in one segment
//   3. the events that write the target's pieces                           the thread pauses at each
//
// A thread may go on from a pause more than once, so what it needs later is on its stack, and nothing here owns memory
// across a pause.

#include <alloca.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "runtime/fiber.h"
#include "runtime/native_program.h"

namespace heddle::native {

using memory::AtomicPart;
using memory::Memory;
using memory::Outcome;

namespace {

constexpr std::size_t kMostPieces = 65'535;  // no graph has more locations

// Bytes from somewhere, or one byte repeated.
void put(const void* from, int fill, std::size_t offset, void* to, std::size_t size) {
  if (from) {
    std::memcpy(to, static_cast<const std::byte*>(from) + offset, size);
  } else {
    std::memset(to, fill, size);
  }
}

}  // namespace

// ---- Events that conflict with a plain access.

// Every event on the location that conflicts with a plain access here must happen before it.
void NativeProgram::checkEvents(const AtomicPart& part, bool write, const char* what, std::uint32_t source) {
  if (graph_ != nullptr) {
    if (const EventId racing = racingEvent(*graph_, part, write, view_)) failRace(*graph_, racing, part, what, source);
  } else {
    if (const EventId racing = racingEvent(*mixed_, part, write, view_)) failRace(*mixed_, racing, part, what, source);
  }
}

EventId NativeProgram::racingEvent(const Graph& graph, const AtomicPart& part, bool write, const Lane* view) const {
  const LocationId location = graph.findLocation(part.address, part.size);
  if (location == 0) return kNone;
  EventId racing = kNone;
  const auto look = [&](EventId id) {
    if (!isInitial(id) && graph[id].thread != self_ && !graph.inPrefix(view, id)) racing = id;
  };
  for (EventId w = graph.location(location).coTail; w != kNone && racing == kNone; w = graph[w].coPrev) {
    look(w);
    for (EventId r = graph[w].firstReader; r != kNone && racing == kNone; r = graph[r].readerNext) {
      if (write || graph.operation(r).isAttempt()) look(r);  // an attempt would have written
    }
  }
  return racing;
}

EventId NativeProgram::racingEvent(const MixedGraph& graph, const AtomicPart& part, bool write, const Lane* view) const {
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) {
    const MixedEvent& event = graph[id];
    if (event.line == 0 || event.thread == self_ || !(write || event.isWrite()) || graph.inPrefix(view, id)) continue;
    const Address address = graph.line(event.line).base + event.offset;
    if (address < part.address + part.size && part.address < address + event.size) return id;
  }
  return kNone;
}

template <class AnyGraph>
void NativeProgram::failRace(const AnyGraph& graph, EventId racing, const AtomicPart& part, const char* what,
                             std::uint32_t source) {
  const auto& event = graph[racing];
  const bool plain = graph.operation(racing).order == Order::plain;
  const std::string other = fmt::format("{} {}", plain ? "plain" : "atomic", event.isWrite() ? "write" : "read");
  std::string message = fmt::format("{} of {} and {} {} by thread {} are not ordered", what,
                                    describe(part.address, part.size), plain ? "a" : "an", other, event.thread);
  fail(ErrorKind::dataRace, std::move(message), source,
       {{.thread = event.thread, .source = graph.operation(racing).source, .what = other}});
}

// ---- What the graph says, shown in memory.

// What is in the last write of the location, which happens before the read, as all others do.
void NativeProgram::showPart(const AtomicPart& part) {
  if (mixed_ != nullptr) return showMixed(part);
  const LocationId location = graph_->findLocation(part.address, part.size);
  if (location == 0 || !graph_->isWritten(location)) return;
  memory_.saveBytes(part.address, part.size);
  storeValue(part, (*graph_)[graph_->location(location).coTail].value);
}

// The same byte by byte: those that some event covers.
void NativeProgram::showMixed(const AtomicPart& part) {
  memory_.saveBytes(part.address, part.size);
  for (Address at = part.address; at < part.address + part.size; ++at) {
    const LineId line = mixed_->findLine(at);
    if (line == 0) continue;
    const auto place = static_cast<unsigned>(at % kLineBytes);
    const bool used = std::ranges::any_of(mixed_->line(line).cells, [&](const Cell& cell) {
      return cell.users != 0 && ((cell.bytes >> place) & 1) != 0;
    });
    if (used) *reinterpret_cast<std::uint8_t*>(at) = static_cast<std::uint8_t>(mixed_->lastData(line) >> (8 * place));
  }
}

void NativeProgram::storeValue(const AtomicPart& part, Value value) {
  const void* const bytes = part.size == 16 ? static_cast<const void*>(&wideValues_[value]) : &value;
  std::memcpy(reinterpret_cast<void*>(part.address), bytes, part.size);
}

// ---- Pieces.

// Is the access an event because its bytes are known to be raced for?
bool NativeProgram::isRaced(Address address, std::size_t size) const {
  return !racy_.empty() && mayRace() && racy_.touches(address, size);
}

// The aligned pieces that a range is made of, at most `unit` bytes each.
void NativeProgram::cut(Address begin, Address end, unsigned unit) {
  while (begin < end) {
    const auto size = std::min({Address{unit}, begin & -begin, std::bit_floor(end - begin)});
    parts_.push_back({begin, static_cast<unsigned>(size)});
    begin += size;
  }
}

// The pieces of a range that are events: locations that there are, and the scalars with bytes that are raced for. An access
// that is one instruction (`value`) is an event as a whole, where reads are events.
void NativeProgram::findPieces(Address address, std::size_t size, Use use) {
  parts_.clear();
  const Address end = address + size;
  if (mayRace() && use == Use::value && size <= sizeof(Value)) return cut(address, end, sizeof(Value));
  Address done = address;
  const auto addRaced = [&](Address until) {
    if (racy_.empty() || !mayRace()) return;
    for (auto run = racy_.first(done, until); run.begin != 0; run = racy_.first(done, until)) {
      const memory::Range scalar = names_->scalarAt(run.begin);
      const bool whole = scalar.size != 0 && scalar.address >= done && scalar.address + scalar.size <= until;
      if (whole) run = {scalar.address, scalar.address + scalar.size, static_cast<unsigned>(scalar.size)};
      cut(run.begin, run.end, run.unit);
      done = run.end;
    }
  };
  for (const AtomicPart& part : memory_.atomicParts(address, size)) {
    const Address begin = std::max(part.address, done), until = std::min(part.address + part.size, end);
    if (begin >= until) continue;  // sizes are mixed
    addRaced(begin);
    if (until - begin == part.size) {
      parts_.push_back(part);
    } else {
      cut(begin, until, sizeof(Value));
    }
    done = until;
  }
  addRaced(end);
  if (parts_.size() <= kMostPieces) return;
  giveUp("a copy has too many atomic locations in it (over 65,535)");
  pauseForEver(Operation::end());
}

// One of them, with its value: on the stack of the thread.
struct NativeProgram::Piece {
  AtomicPart part;
  alignas(16) std::byte bytes[16];
};

void NativeProgram::readPiece(Piece& piece, Use use, std::uint32_t source) {
  Operation load = Operation::load(piece.part.address, piece.part.size, allowsRaces_ ? Order::relaxed : Order::plain).at(source);
  load.mayBeUninitialised = use == Use::copy;
  const Result result = visible(load);
  const void* const bytes = piece.part.size == 16 ? static_cast<const void*>(&wideValues_[result.value]) : &result.value;
  std::memcpy(piece.bytes, bytes, piece.part.size);
}

// A write that re-initialises an atomic location, or races.
void NativeProgram::writePiece(const Piece& piece, std::uint32_t source) {
  if (!allowsRaces_) checkEvents(piece.part, true, "a plain write", source);
  Value value = 0;
  std::memcpy(&value, piece.bytes, std::min<std::size_t>(piece.part.size, sizeof value));
  if (piece.part.size == 16) value = numberOf(piece.bytes);
  const Order order = allowsRaces_ ? Order::relaxed : Order::plain;
  visible(Operation::store(piece.part.address, piece.part.size, order, value).at(source));
}

// ---- Remembered steps.

// The running step has done a plain access: it may be remembered with it, if it is not too large.
void NativeProgram::remember(Address address, std::size_t size, std::uint32_t source, PlainAccess::Kind kind) {
  if (!remembers_) return;
  PlainAccess access{.address = address, .value = 0, .source = source, .size = static_cast<std::uint8_t>(size), .kind = kind};
  if (size > sizeof access.value || accesses_.size() == kMostRemembered) {
    doMore();
    return;
  }
  if (access.isCompared()) {
    for (const PlainAccess& earlier : accesses_) {
      if (earlier.kind != PlainAccess::Kind::write) continue;
      if (earlier.address + earlier.size <= address || address + size <= earlier.address) continue;
      // What the step has written in part is neither its own nor what it found.
      const bool within = earlier.address <= address && address + size <= earlier.address + earlier.size;
      if (!within || kind == PlainAccess::Kind::peek) return doMore();
      if (kind == PlainAccess::Kind::look) return;
      access.kind = PlainAccess::Kind::ownRead;
      break;
    }
    std::memcpy(&access.value, reinterpret_cast<const void*>(address), size);
  }
  accesses_.push_back(access);
}

// The running step is about to be decided by these bytes, without reading them as far as races are concerned.
void NativeProgram::look(Address address, std::size_t size) {
  if (memory::isProgramMemory(address)) remember(address, size, 0, PlainAccess::Kind::look);
}

// ---- Reading.

void NativeProgram::plainRead(Address address, std::size_t size, std::uint32_t source, Use use) {
  if (!memory::isProgramMemory(address) && isOnAnyStack(address)) return;
  if (!isRaced(address, size)) {
    switch (memory_.read(address, size, source, use == Use::copy ? Memory::kMayBeUninitialised : 0)) {
      case Outcome::ok:
        if (memory_.isKnownConstant(address)) return;
        remember(address, size, source, use == Use::copy ? PlainAccess::Kind::peek : PlainAccess::Kind::read);
        return;
      case Outcome::fault: failFault(memory_.fault(), source, false);
      case Outcome::atomic: doMore(); break;  // in another execution it might be none
    }
  }
  readShared(address, size, source, use);
}

// The pieces of a read that are events. What else of it is in the graph is shown.
void NativeProgram::findReads(Address address, std::size_t size, std::uint32_t source, Use use) {
  if (mayRace()) return findPieces(address, size, use);
  parts_ = memory_.atomicParts(address, size);
  for (const AtomicPart& part : parts_) checkEvents(part, false, "a plain read", source);
  if (plainLoads_ && graph_ != nullptr) {
    std::erase_if(parts_, [&](const AtomicPart& part) {
      const LocationId location = graph_->findLocation(part.address, part.size);
      return location == 0 || !graph_->isWritten(location);  // it has its initial value
    });
  } else {
    for (const AtomicPart& part : parts_) showPart(part);
    parts_.clear();
  }
}

// Some of it may be in the graph. All of it can be read in memory then, until the segment is over.
void NativeProgram::readShared(Address address, std::size_t size, std::uint32_t source, Use use) {
  findReads(address, size, source, use);
  const bool whole = mayRace() && use == Use::value && size <= sizeof(Value);  // all of it is events
  const std::size_t count = parts_.size();
  auto* const pieces = static_cast<Piece*>(alloca(count * sizeof(Piece)));
  for (std::size_t i = 0; i < count; ++i) pieces[i].part = parts_[i];
  for (std::size_t i = 0; i < count; ++i) {
    readPiece(pieces[i], use, source);
    if (!whole) doMore();
  }
  if (count != 0 && !mayRace()) {  // others may have written meanwhile
    parts_ = memory_.atomicParts(address, size);
    for (const AtomicPart& part : parts_) checkEvents(part, false, "a plain read", source);
  }
  for (std::size_t i = 0; i < count; ++i) {
    memory_.saveBytes(pieces[i].part.address, pieces[i].part.size);
    std::memcpy(reinterpret_cast<void*>(pieces[i].part.address), pieces[i].bytes, pieces[i].part.size);
  }
  if (whole) return;
  const unsigned reading = Memory::kMayBeAtomic | (use == Use::copy ? Memory::kMayBeUninitialised : 0);
  if (memory_.read(address, size, source, reading) == Outcome::fault) failFault(memory_.fault(), source, false);
}

// ---- Writing.

// Native code stores the value afterwards.
void NativeProgram::plainWrite(Address address, std::size_t size, std::uint32_t source, Value value, bool looks) {
  if (!memory::isProgramMemory(address) && isOnAnyStack(address)) return;
  if (!isRaced(address, size)) {
    switch (memory_.write(address, size, source)) {
      case Outcome::ok: remember(address, size, source, PlainAccess::Kind::write); return;
      case Outcome::fault: failFault(memory_.fault(), source, false);
      case Outcome::atomic: doMore(); break;
    }
  }
  writeShared(address, size, {.from = &value}, source, Use::value);
  memory_.saveBytes(address, size);
  // What was there is not what the code should compare with the value: let it be another one.
  value = ~value;
  if (looks) std::memcpy(reinterpret_cast<void*>(address), &value, size);
}

// Writes a range, some of which may be in the graph.
void NativeProgram::writeShared(Address to, std::size_t size, const Bytes& bytes, std::uint32_t source, Use use) {
  findPieces(to, size, use);
  const std::size_t count = parts_.size();
  auto* const pieces = static_cast<Piece*>(alloca(count * sizeof(Piece)));
  for (std::size_t i = 0; i < count; ++i) {
    pieces[i].part = parts_[i];
    put(bytes.from, bytes.fill, pieces[i].part.address - to, pieces[i].bytes, pieces[i].part.size);
  }
  const auto endOf = [&](std::size_t i) { return i == 0 ? to : pieces[i - 1].part.address + pieces[i - 1].part.size; };
  // As memmove does, from the end if the bytes come from before.
  const bool backwards = bytes.from != nullptr && reinterpret_cast<Address>(bytes.from) < to;
  for (std::size_t i = 0; i <= count; ++i) {
    const std::size_t gap = backwards ? count - i : i;
    const Address until = gap == count ? to + size : pieces[gap].part.address;
    writeGap(endOf(gap), until - endOf(gap), bytes, endOf(gap) - to, source);
  }
  for (std::size_t i = 0; i < count; ++i) {
    writePiece(pieces[i], source);
    if (!allowsRaces_) doMore();  // the events that the next piece is checked against
  }
}

void NativeProgram::writeGap(Address to, std::size_t size, const Bytes& bytes, std::size_t offset, std::uint32_t source) {
  if (size == 0) return;
  const Address from = reinterpret_cast<Address>(bytes.from) + offset;
  const Outcome outcome = bytes.areShadowed ? memory_.copy(to, from, size, source, Memory::kMayBeAtomic)
                                            : memory_.write(to, size, source);
  if (outcome != Outcome::ok) failFault(memory_.fault(), source, false);
  if (!bytes.areShadowed) put(bytes.from, bytes.fill, offset, reinterpret_cast<void*>(to), size);
}

void NativeProgram::copy(Address to, Address from, std::size_t size, std::uint32_t source) {
  if (size == 0) return;
  auto* const target = reinterpret_cast<void*>(to);
  auto* const origin = reinterpret_cast<const void*>(from);
  const bool nativeFrom = isOnAnyStack(from), nativeTo = isOnAnyStack(to);
  if (nativeFrom && nativeTo) {
    std::memmove(target, origin, size);
    return;
  }
  doMore();
  if (nativeTo) {
    plainRead(from, size, source, Use::copy);
    std::memmove(target, origin, size);
    return;
  }
  if (!isRaced(to, size) && (nativeFrom || !isRaced(from, size))) {
    switch (nativeFrom ? memory_.write(to, size, source) : memory_.copy(to, from, size, source)) {
      case Outcome::ok:
        if (nativeFrom) std::memmove(target, origin, size);
        return;
      case Outcome::fault: failFault(memory_.fault(), source, false);
      case Outcome::atomic: break;
    }
  }
  if (!nativeFrom) readShared(from, size, source, Use::copy);
  writeShared(to, size, {.from = origin, .areShadowed = !nativeFrom}, source, Use::copy);
}

void NativeProgram::set(Address to, int byte, std::size_t size, std::uint32_t source) {
  if (size == 0) return;
  if (isOnAnyStack(to)) {
    std::memset(reinterpret_cast<void*>(to), byte, size);
    return;
  }
  doMore();
  if (!isRaced(to, size)) {
    switch (memory_.set(to, byte, size, source)) {
      case Outcome::ok: return;
      case Outcome::fault: failFault(memory_.fault(), source, false);
      case Outcome::atomic: break;
    }
  }
  writeShared(to, size, {.fill = byte}, source, Use::copy);
}

// ---- The end of an object's life. Every event on an atomic part of it must come before.

void NativeProgram::endOfLife(Address address, std::size_t size, const char* what, std::uint32_t source) {
  if (size == 0 || !memory_.mayHaveAtomics(address, size)) return;
  parts_ = memory_.atomicParts(address, size);
  for (const AtomicPart& part : parts_) {
    if (allowsRaces_) {
      checkUses(part, source);
    } else {
      checkEvents(part, true, what, source);
    }
  }
}

// In happens-before or in po | rf: otherwise it comes after the end in an execution that is as good as this one.
void NativeProgram::checkUses(const AtomicPart& part, std::uint32_t source) {
  const auto check = [&](const auto& graph) {
    const EventId late = racingEvent(graph, part, true, lives_.data());
    if (late == kNone) return;
    memory::Fault fault;
    fault.kind = memory::FaultKind::unorderedEnd;
    fault.address = part.address;
    fault.size = part.size;
    fault.other.thread = graph[late].thread;
    fault.other.write = graph[late].isWrite();
    fault.other.source = graph.operation(late).source;
    fault.other.index = graph[late].index;
    failFault(fault, source, false);
  };
  if (graph_ != nullptr) {
    check(*graph_);
  } else {
    check(*mixed_);
  }
}

void NativeProgram::popFrame(Address base, std::uint32_t source) {
  doMore();
  endOfLife(base, memory_.frameTop() - base, "the end of the life", source);
  if (memory_.popFrame(base, source) == Outcome::fault) failFault(memory_.fault(), source, false);
}

void NativeProgram::free(Address address, memory::AllocationKind kind, std::uint32_t source) {
  doMore();
  if (const memory::Allocation* block = memory_.find(address); block && block->live && block->address == address) {
    endOfLife(address, block->size, "the free", source);
  }
  if (memory_.free(address, kind, source) == Outcome::fault) failFault(memory_.fault(), source, false);
}

}  // namespace heddle::native
