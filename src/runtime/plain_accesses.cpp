#include "runtime/plain_accesses.h"

#include <alloca.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "runtime/fiber.h"
#include "runtime/hooks.h"

namespace heddle::runtime {

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

// ---- Pieces.

// Is the access an event because its bytes are known to be raced for?
bool PlainAccesses::isRaced(Address address, std::size_t size) const {
  return !racy_.empty() && mayRace() && racy_.touches(address, size);
}

// With load buffering an access to an atomic location must be an event whether that is one by now or not.
void PlainAccesses::haveEventsAlways(Address address, std::size_t size) {
  for (const AtomicPart& part : memory_.atomicParts(address, size)) {
    if (racy_.touches(part.address, part.size)) continue;
    const memory::Range bytes{part.address, part.size};
    running_.willGiveUp(RaceFound(bytes, bytes));
    running_.giveUp();
  }
}

// The aligned pieces that a range is made of, at most `unit` bytes each.
void PlainAccesses::cut(Address begin, Address end, unsigned unit) {
  while (begin < end) {
    const auto size = std::min({Address{unit}, begin & -begin, std::bit_floor(end - begin)});
    parts_.push_back({begin, static_cast<unsigned>(size)});
    begin += size;
  }
}

// The same, but for the scalars that lie in the range as a whole.
void PlainAccesses::cutByScalars(Address begin, Address end) {
  while (begin < end) {
    const memory::Range scalar = faults_.names()->scalarAt(begin);
    const bool isWhole = scalar.address == begin && scalar.size != 0 && scalar.size <= end - begin;
    const Address until = isWhole ? begin + scalar.size : std::min(end, (begin | (sizeof(Value) - 1)) + 1);
    cut(begin, until, sizeof(Value));
    begin = until;
  }
}

// The pieces of a range that are events: locations that there are, and the scalars with bytes that are raced for. An access
// that is one instruction (`value`) is an event as a whole, where reads are events.
void PlainAccesses::findPieces(Address address, std::size_t size, Use use) {
  parts_.clear();
  const Address end = address + size;
  const bool durable = isDurable(address, size);
  if (modes_.loadBuffering && mayRace()) haveEventsAlways(address, size);
  if ((mayRace() || durable) && use == Use::value && size <= sizeof(Value)) return cut(address, end, sizeof(Value));
  Address done = address;
  const auto addRaced = [&](Address until) {
    if (durable) return cutByScalars(std::exchange(done, until), until);
    if (racy_.empty() || !mayRace()) return;
    for (auto run = racy_.first(done, until); run.begin != 0; run = racy_.first(done, until)) {
      const memory::Range scalar = faults_.names()->scalarAt(run.begin);
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
  running_.willGiveUp(LimitError("a copy has too many atomic locations in it (over 65,535)"));
  running_.giveUp();
}

// One of them, with its value: on the stack of the thread.
struct PlainAccesses::Piece {
  AtomicPart part;
  alignas(16) std::byte bytes[16];
};

void PlainAccesses::readPiece(Piece& piece, Use use, std::uint32_t source) {
  const Order order = modes_.racesAllowed && !modes_.racesJudged ? Order::relaxed : Order::plain;
  Operation load = Operation::load(piece.part.address, piece.part.size, order).at(source);
  load.mayBeUninitialised = use == Use::copy;
  const Result result = running_.visible(load);
  std::memcpy(piece.bytes, shared_.bytesOf(result.value, piece.part.size), piece.part.size);
}

// A write that re-initialises an atomic location, or races.
void PlainAccesses::writePiece(const Piece& piece, std::uint32_t source) {
  if (!modes_.racesAllowed) shared_.checkEvents(piece.part, true, "a plain write", source);
  Value value = 0;
  std::memcpy(&value, piece.bytes, std::min<std::size_t>(piece.part.size, sizeof value));
  if (piece.part.size == 16) value = wideValues_.numberOf(piece.bytes);
  const Order order = modes_.racesAllowed && !modes_.racesJudged ? Order::relaxed : Order::plain;
  // Durable memory need not be an atomic location yet. It is checked as one, before the event and after it (atomic_checks.h).
  const bool durable = order == Order::plain && isDurable(piece.part.address, piece.part.size);
  if (durable) checkDurable(piece.part, source);
  running_.visible(Operation::store(piece.part.address, piece.part.size, order, value).at(source));
  if (durable) checkDurable(piece.part, source);
}

// Makes it an atomic location. A step that does so is not one that can be remembered.
void PlainAccesses::checkDurable(const AtomicPart& part, std::uint32_t source) {
  recorder_.stop();
  if (memory_.atomic(part.address, part.size, true, source) == Outcome::fault) faults_.fail(memory_.fault(), source, false);
}

template <class Action>
Outcome PlainAccesses::throughAddress(Action action) {
  const Outcome outcome = action();
  if (outcome != Outcome::fault || !modes_.racesJudged || memory_.fault().kind != memory::FaultKind::race) return outcome;
  const Lane* const view = running_.viewThrough(heddle_address_dependencies);
  return view ? memory_.withView(view, action) : outcome;
}

Outcome PlainAccesses::readMemory(Address address, std::size_t size, std::uint32_t source, unsigned reading) {
  return throughAddress([&] { return memory_.read(address, size, source, reading); });
}

Outcome PlainAccesses::writeMemory(Address address, std::size_t size, std::uint32_t source) {
  return throughAddress([&] { return memory_.write(address, size, source); });
}

// ---- Reading.

void PlainAccesses::read(Address address, std::size_t size, std::uint32_t source, Use use) {
  if (!memory::isProgramMemory(address) && isOnAnyStack(address)) return;
  if (afterCrash_.isNow()) [[unlikely]]
    return afterCrash_.read(address, size, source, use == Use::copy);
  if (!isRaced(address, size)) {
    switch (readMemory(address, size, source, use == Use::copy ? Memory::kMayBeUninitialised : 0)) {
      case Outcome::ok:
        if (memory_.isKnownConstant(address)) return;
        recorder_.record(address, size, source, use == Use::copy ? PlainAccess::Kind::peek : PlainAccess::Kind::read);
        return;
      case Outcome::fault:
        readAroundHoles(address, size, source);
        recorder_.record(address, size, source, PlainAccess::Kind::peek);
        return;
      case Outcome::atomic: recorder_.stop(); break;  // in another execution it might be none
    }
  }
  readShared(address, size, source, use);
}

// The access has failed. If that is because a structure is read as a whole, as for compare-exchange, and nobody has written what
// lies between its members, there is nothing wrong with it.
void PlainAccesses::readAroundHoles(Address address, std::size_t size, std::uint32_t source) {
  memory::Fault fault = memory_.fault();
  if (fault.kind != memory::FaultKind::uninitialised) faults_.fail(fault, source, false);
  if (const auto member = faults_.names()->uninitialisedMember(address, size)) {
    fault.address = *member;
    faults_.fail(fault, source, false);
  }
  if (memory_.read(address, size, source, Memory::kMayBeUninitialised) != Outcome::ok)
    faults_.fail(memory_.fault(), source, false);
}

// The pieces of a read that are events. What else of it is in the graph is shown.
void PlainAccesses::findReads(Address address, std::size_t size, std::uint32_t source, Use use) {
  if (mayRace()) return findPieces(address, size, use);
  parts_ = memory_.atomicParts(address, size);
  for (const AtomicPart& part : parts_) shared_.checkEvents(part, false, "a plain read", source);
  if (modes_.plainLoads && !running_.graph().hasMixedSizes()) {
    std::erase_if(parts_, [&](const AtomicPart& part) { return shared_.hasInitialValue(part); });
  } else {
    for (const AtomicPart& part : parts_) {
      if (running_.info().marksWrites) shared_.checkLocal(part, source);
      shared_.show(part);
    }
    parts_.clear();
  }
}

// Some of it may be in the graph. All of it can be read in memory then, until the segment is over.
void PlainAccesses::readShared(Address address, std::size_t size, std::uint32_t source, Use use) {
  findReads(address, size, source, use);
  const bool whole = mayRace() && use == Use::value && size <= sizeof(Value);  // all of it is events
  const std::size_t count = parts_.size();
  auto* const pieces = static_cast<Piece*>(alloca(count * sizeof(Piece)));
  for (std::size_t i = 0; i < count; ++i) pieces[i].part = parts_[i];
  for (std::size_t i = 0; i < count; ++i) {
    readPiece(pieces[i], use, source);
    if (!whole) recorder_.stop();
  }
  if (count != 0 && !mayRace()) {  // others may have written meanwhile
    parts_ = memory_.atomicParts(address, size);
    for (const AtomicPart& part : parts_) shared_.checkEvents(part, false, "a plain read", source);
  }
  for (std::size_t i = 0; i < count; ++i) {
    memory_.saveBytes(pieces[i].part.address, pieces[i].part.size);
    std::memcpy(reinterpret_cast<void*>(pieces[i].part.address), pieces[i].bytes, pieces[i].part.size);
  }
  if (whole) return;
  const unsigned reading = Memory::kMayBeAtomic | (use == Use::copy ? Memory::kMayBeUninitialised : 0);
  if (memory_.read(address, size, source, reading) == Outcome::fault) faults_.fail(memory_.fault(), source, false);
}

// ---- Writing.

// Native code stores the value afterwards.
void PlainAccesses::write(Address address, std::size_t size, std::uint32_t source, Value value, bool looks) {
  if (!memory::isProgramMemory(address) && isOnAnyStack(address)) return;
  if (afterCrash_.isNow()) [[unlikely]]
    return afterCrash_.write(address, size, source, {.from = &value});
  if (!isRaced(address, size) && !isDurable(address, size)) {
    switch (writeMemory(address, size, source)) {
      case Outcome::ok: recorder_.record(address, size, source, PlainAccess::Kind::write); return;
      case Outcome::fault: faults_.fail(memory_.fault(), source, false);
      case Outcome::atomic: recorder_.stop(); break;
    }
  }
  writeShared(address, size, {.from = &value}, source, Use::value);
  memory_.saveBytes(address, size);
  // What was there is not what the code should compare with the value: let it be another one.
  value = ~value;
  if (looks) std::memcpy(reinterpret_cast<void*>(address), &value, size);
}

// Writes a range, some of which may be in the graph.
void PlainAccesses::writeShared(Address to, std::size_t size, const Bytes& bytes, std::uint32_t source, Use use) {
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
    if (!modes_.racesAllowed) recorder_.stop();  // the events that the next piece is checked against
  }
}

void PlainAccesses::writeGap(Address to, std::size_t size, const Bytes& bytes, std::size_t offset, std::uint32_t source) {
  if (size == 0) return;
  const Address from = reinterpret_cast<Address>(bytes.from) + offset;
  const Outcome outcome =
      bytes.areShadowed ? memory_.copy(to, from, size, source, Memory::kMayBeAtomic) : memory_.write(to, size, source);
  if (outcome != Outcome::ok) faults_.fail(memory_.fault(), source, false);
  if (!bytes.areShadowed) put(bytes.from, bytes.fill, offset, reinterpret_cast<void*>(to), size);
}

void PlainAccesses::copy(Address to, Address from, std::size_t size, std::uint32_t source) {
  if (size == 0) return;
  auto* const target = reinterpret_cast<void*>(to);
  auto* const origin = reinterpret_cast<const void*>(from);
  const bool nativeFrom = isOnAnyStack(from), nativeTo = isOnAnyStack(to);
  if (nativeFrom && nativeTo) {
    std::memmove(target, origin, size);
    return;
  }
  recorder_.stop();
  if (afterCrash_.isNow()) [[unlikely]] {
    if (!nativeFrom) afterCrash_.read(from, size, source, true);
    if (!nativeTo) afterCrash_.write(to, size, source, {.from = origin});
    std::memmove(target, origin, size);
    return;
  }
  if (nativeTo) {
    read(from, size, source, Use::copy);
    std::memmove(target, origin, size);
    return;
  }
  if (!isRaced(to, size) && !isDurable(to, size) && (nativeFrom || !isRaced(from, size))) {
    switch (nativeFrom ? memory_.write(to, size, source) : memory_.copy(to, from, size, source)) {
      case Outcome::ok:
        if (nativeFrom) std::memmove(target, origin, size);
        return;
      case Outcome::fault: faults_.fail(memory_.fault(), source, false);
      case Outcome::atomic: break;
    }
  }
  if (!nativeFrom) readShared(from, size, source, Use::copy);
  writeShared(to, size, {.from = origin, .areShadowed = !nativeFrom}, source, Use::copy);
}

void PlainAccesses::set(Address to, int byte, std::size_t size, std::uint32_t source) {
  if (size == 0) return;
  if (isOnAnyStack(to)) {
    std::memset(reinterpret_cast<void*>(to), byte, size);
    return;
  }
  recorder_.stop();
  if (afterCrash_.isNow()) [[unlikely]] {
    afterCrash_.write(to, size, source, {.fill = byte});
    std::memset(reinterpret_cast<void*>(to), byte, size);
    return;
  }
  if (!isRaced(to, size) && !isDurable(to, size)) {
    switch (memory_.set(to, byte, size, source)) {
      case Outcome::ok: return;
      case Outcome::fault: faults_.fail(memory_.fault(), source, false);
      case Outcome::atomic: break;
    }
  }
  writeShared(to, size, {.fill = byte}, source, Use::copy);
}

// ---- The end of an object's life.

void PlainAccesses::endOfLife(Address address, std::size_t size, const char* what, std::uint32_t source) {
  if (size == 0 || !memory_.mayHaveAtomics(address, size)) return;
  parts_ = memory_.atomicParts(address, size);
  for (const AtomicPart& part : parts_) {
    if (modes_.racesAllowed) {
      shared_.checkUses(part, source);
    } else {
      shared_.checkEvents(part, true, what, source);
    }
  }
}

}  // namespace heddle::runtime
