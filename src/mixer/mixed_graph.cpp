#include "mixer/mixed_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace heddle {

namespace {

std::array<Wide, 256> makeOnes() {
  std::array<Wide, 256> table{};
  for (unsigned set = 0; set < 256; ++set) {
    for (unsigned byte = 0; byte < 8; ++byte) {
      if ((set >> byte) & 1) table[set] |= Wide{0xff} << (8 * byte);
    }
  }
  return table;
}

}  // namespace

Wide onesOf(Bytes bytes) {
  static const std::array<Wide, 256> table = makeOnes();
  return table[bytes & 0xff] | table[bytes >> 8] << 64;
}

MixedGraph::MixedGraph(unsigned threads, unsigned views, Program& program)
    : threads_(threads),
      chunks_(static_cast<unsigned>(Graph::lanesFor(threads) / kLanesPerChunk)),
      lanes_(Graph::lanesFor(threads)),
      stride_(lanes_ * (2 + views)),
      program_(program),
      events_(kFirstEvent + kMaxEvents),
      operations_(kMaxEvents),
      sources_((kFirstEvent + std::size_t{kMaxEvents}) * kLineBytes),
      links_((kFirstEvent + std::size_t{kMaxEvents}) * kLineBytes),
      clockArena_((kFirstEvent + kMaxEvents) * stride_),
      clocks_(clockArena_.data()),
      first_(threads, kNone),
      last_(threads, kNone),
      joinedBy_(threads, kNone) {
  lines_.emplace_back();  // line 0 is none, as event 0 is
}

LineId MixedGraph::findLine(Address address) const {
  const auto it = byAddress_.find(address / kLineBytes);
  return it == byAddress_.end() ? 0 : it->second;
}

LineId MixedGraph::lineOf(Address address) {
  const auto [it, added] = byAddress_.try_emplace(address / kLineBytes, lines());
  if (added) {
    if (it->second >= kMaxLocations) throw LimitError("the program uses more than 65,535 lines of atomic memory");
    lines_.emplace_back().base = address / kLineBytes * kLineBytes;
    MixedEvent& initial = events_[it->second];
    initial = MixedEvent{};
    initial.kind = EventKind::write;
    initial.cls = kInitialWriteClass;
    initial.line = it->second;
    clock::fill(porf(it->second), 0, static_cast<unsigned>(stride_ / kLanesPerChunk));
    clock::fill(observers(it->second), kNever, chunks_);
  }
  return it->second;
}

// Makes cells so that none is covered in part.
void MixedGraph::splitCells(Line& line, Bytes bytes) {
  const std::size_t count = line.cells.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Bytes inside = line.cells[i].bytes & bytes;
    if (inside == 0 || inside == line.cells[i].bytes) continue;
    Cell rest = line.cells[i];
    rest.bytes &= static_cast<Bytes>(~bytes);
    line.cells[i].bytes = inside;
    line.cells.push_back(std::move(rest));
  }
  const Bytes fresh = bytes & static_cast<Bytes>(~line.known);
  if (fresh == 0) return;
  line.cells.push_back({.bytes = fresh, .users = 0, .order = {}});
  line.known |= fresh;
}

// Plain accesses may have changed the initial value of bytes that no event uses.
void MixedGraph::refreshInitial(Line& line, const Cell& cell) {
  for (unsigned byte = 0; byte < kLineBytes; ++byte) {
    if (((cell.bytes >> byte) & 1) == 0) continue;
    const Wide value = program_.initialValue(line.base + byte, 1) & 0xff;
    line.initial = (line.initial & ~(Wide{0xff} << (8 * byte))) | value << (8 * byte);
  }
}

void MixedGraph::occupy(EventId id, Address address, unsigned size) {
  const LineId lineId = lineOf(address);
  MixedEvent& event = events_[id];
  Line& line = lines_[lineId];
  event.offset = static_cast<std::uint8_t>(address - line.base);
  event.size = static_cast<std::uint8_t>(size);
  event.bytes = bytesOf(event.offset, size);
  event.line = lineId;
  splitCells(line, event.bytes);
  for (Cell& cell : line.cells) {
    if ((cell.bytes & event.bytes) == 0) continue;
    if (cell.users == 0) refreshInitial(line, cell);
    ++cell.users;
  }
}

void MixedGraph::leave(EventId id) {
  for (Cell& cell : lines_[events_[id].line].cells) cell.users -= (cell.bytes & events_[id].bytes) != 0;
}

Value MixedGraph::valueOf(Wide data, unsigned offset, unsigned size) const {
  const Wide shifted = data >> (8 * offset);
  return size > 8 ? program_.numberOfBytes(shifted) : truncate(static_cast<Value>(shifted), size);
}

void MixedGraph::setValue(EventId write, Value value) {
  MixedEvent& event = events_[write];
  event.value = value;
  event.data = (event.size > 8 ? program_.bytesOfNumber(value) : Wide{truncate(value, event.size)})
               << (8 * event.offset);
}

Wide MixedGraph::lastData(LineId id) const {
  const Line& line = lines_[id];
  Wide data = line.initial;
  for (const Cell& cell : line.cells) {
    if (cell.order.empty()) continue;
    const Wide ones = onesOf(cell.bytes);
    data = (data & ~ones) | (events_[cell.order.back()].data & ones);
  }
  return data;
}

EventId MixedGraph::append(ThreadId thread, EventKind kind, EventClass cls) {
  const EventId id = top_++;
  if (id >= kFirstEvent + kMaxEvents - 2) {
    throw LimitError("the execution graph is too large (over 262,144 events with mixed-size accesses)");
  }
  const EventId previous = last_[thread];
  MixedEvent& event = events_[id];
  event = MixedEvent{};
  event.thread = thread;
  event.kind = kind;
  event.cls = cls;
  event.poPrev = previous;
  event.index = 1;
  if (previous != kNone) {
    clock::copy(porf(id), porf(previous), chunks_);
    const MixedEvent& before = events_[previous];
    event.opener = before.kind == EventKind::thread ? previous : before.opener;
    if (before.thread == thread) event.index = static_cast<std::uint16_t>(before.index + 1);
  } else {
    clock::fill(porf(id), 0, chunks_);
  }
  if (event.index >= kNever - 1) throw LimitError("the execution graph is too large (32,000 events in one thread)");
  porf(id)[thread] = event.index;
  if (kind == EventKind::write) {
    clock::fill(observers(id), kNever, chunks_);
    observers(id)[thread] = event.index;
  }
  event.orderPrev = newest_;
  enter(id);
  return id;
}

// Into the lists of its thread and of the insertion order, between the neighbours it knows.
void MixedGraph::enter(EventId id) {
  const MixedEvent& event = events_[id];
  last_[event.thread] = id;
  if (event.index == 1) {
    first_[event.thread] = id;
  } else {
    events_[event.poPrev].poNext = id;
  }
  if (event.orderPrev != kNone) events_[event.orderPrev].orderNext = id;
  if (event.orderNext != kNone) {
    events_[event.orderNext].orderPrev = id;
  } else {
    newest_ = id;
  }
}

void MixedGraph::leaveThread(const MixedEvent& event) {
  last_[event.thread] = event.poPrev;
  if (event.index == 1) {
    first_[event.thread] = kNone;
  } else {
    events_[event.poPrev].poNext = kNone;
  }
}

void MixedGraph::removeNewest() {
  const EventId id = newest_;
  const MixedEvent& event = events_[id];
  if (event.line != 0) leave(id);
  leaveThread(event);
  newest_ = event.orderPrev;
  if (newest_ != kNone) events_[newest_].orderNext = kNone;
  top_ = id;
}

void MixedGraph::linkReader(EventId read) {
  const MixedEvent& r = events_[read];
  const auto first = static_cast<std::uint32_t>(read * kLineBytes);
  for (std::uint32_t link = first; link < first + r.sourceCount; ++link) {
    const EventId write = sources_[link].write;
    MixedEvent& w = events_[write];
    links_[link] = {0, w.firstReader};
    if (w.firstReader != 0) links_[w.firstReader].prev = link;
    w.firstReader = link;
    if (isInitial(write)) continue;
    Lane& least = observers(write)[r.thread];
    if (r.index < least) least = r.index;
  }
}

// The read is the last event of its thread, so it is a write's least observer there only if it is the only one.
void MixedGraph::unlinkReader(EventId read) {
  const MixedEvent& r = events_[read];
  const auto first = static_cast<std::uint32_t>(read * kLineBytes);
  for (std::uint32_t link = first + r.sourceCount; link-- > first;) {
    const EventId write = sources_[link].write;
    const Link& l = links_[link];
    if (l.prev != 0) {
      links_[l.prev].next = l.next;
    } else {
      events_[write].firstReader = l.next;
    }
    if (l.next != 0) links_[l.next].prev = l.prev;
    if (isInitial(write)) continue;
    Lane& least = observers(write)[r.thread];
    if (least == r.index) least = kNever;
  }
}

void MixedGraph::setSources(EventId read, std::span<const Source> sources) {
  MixedEvent& r = events_[read];
  r.sourceCount = static_cast<std::uint8_t>(sources.size());
  Lane* clock = porf(read);
  if (r.poPrev != kNone) {
    clock::copy(clock, porf(r.poPrev), chunks_);
  } else {
    clock::fill(clock, 0, chunks_);
  }
  r.data = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Source& source = sources[i];
    sources_[std::size_t{read} * kLineBytes + i] = source;
    r.data |= dataAt(source.write, r.line) & onesOf(source.bytes);
    if (!isInitial(source.write)) clock::join(clock, porf(source.write), chunks_);
  }
  clock[r.thread] = r.index;
  r.value = valueOf(r.data, r.offset, r.size);
  linkReader(read);
}

void MixedGraph::unsetSources(EventId read) {
  unlinkReader(read);
  events_[read].sourceCount = 0;
}

EventId MixedGraph::sourceOf(EventId read, Bytes cell) const {
  for (const Source& source : sources(read)) {
    if ((source.bytes & cell) != 0) return source.write;
  }
  return kNone;
}

void MixedGraph::place(EventId write, std::span<const Place> places) {
  for (Cell& cell : lines_[events_[write].line].cells) {
    for (const Place& place : places) {
      if ((place.bytes & cell.bytes) != 0) cell.order.insert(cell.order.begin() + place.position, write);
    }
  }
}

void MixedGraph::unplace(EventId write) {
  for (Cell& cell : lines_[events_[write].line].cells) {
    if ((cell.bytes & events_[write].bytes) == 0) continue;
    cell.order.erase(cell.order.begin() + positionAfter(cell, write) - 1);
  }
}

void MixedGraph::detach(EventId id) {
  MixedEvent& event = events_[id];
  if (event.isRead()) unlinkReader(id);
  if (event.isWrite()) {
    for (const Cell& cell : lines_[event.line].cells) {
      if ((cell.bytes & event.bytes) != 0) detachedPlaces_.push_back({cell.bytes, positionAfter(cell, id) - 1});
    }
    unplace(id);
  }
  if (event.kind == EventKind::thread) {
    if (operation(id).kind == OperationKind::spawn) {
      setStart(static_cast<ThreadId>(event.partner), kNone);
    } else {
      setJoin(static_cast<ThreadId>(event.partner), kNone);
    }
  }
  if (event.line != 0) {
    leave(id);
    if (program_.initialValuesVary()) detachedInitials_.push_back(lines_[event.line].initial);
  }
  leaveThread(event);
  if (event.orderPrev != kNone) events_[event.orderPrev].orderNext = event.orderNext;
  if (event.orderNext != kNone) {
    events_[event.orderNext].orderPrev = event.orderPrev;
  } else {
    newest_ = event.orderPrev;
  }
}

void MixedGraph::reattach(EventId id) {
  MixedEvent& event = events_[id];
  enter(id);
  if (event.line != 0) {
    if (program_.initialValuesVary()) {
      lines_[event.line].initial = detachedInitials_.back();
      detachedInitials_.pop_back();
    }
    for (Cell& cell : lines_[event.line].cells) cell.users += (cell.bytes & event.bytes) != 0;
  }
  if (event.isRead()) linkReader(id);
  if (event.isWrite()) {
    std::size_t from = detachedPlaces_.size();
    for (Bytes rest = event.bytes; rest != 0; rest &= static_cast<Bytes>(~detachedPlaces_[from].bytes)) --from;
    place(id, std::span(detachedPlaces_).subspan(from));
    detachedPlaces_.resize(from);
  }
  if (event.kind == EventKind::thread) {
    if (operation(id).kind == OperationKind::spawn) {
      setStart(static_cast<ThreadId>(event.partner), id);
    } else {
      setJoin(static_cast<ThreadId>(event.partner), id);
    }
  }
}

namespace {

[[noreturn]] void broken(const char* what, EventId id) {
  fmt::print(stderr, "internal error: invariant of the mixed-size graph broken: {} (event {})\n", what, id);
  std::abort();
}

}  // namespace

void MixedGraph::checkInvariants() const {
  for (EventId id = newest_; id != kNone; id = events_[id].orderPrev) {
    const MixedEvent& e = events_[id];
    if (e.orderPrev != kNone && e.orderPrev >= id) broken("insertion order follows the pool", id);
    if (porf(id)[e.thread] != e.index) broken("an event is in its own porf-prefix", id);
    if (e.isWrite()) {
      forEachCell(id, [&](const Cell& cell) {
        if ((cell.bytes & ~e.bytes) != 0) broken("an access covers a cell or nothing of it", id);
        if (std::ranges::count(cell.order, id) != 1) broken("a write is once in the order of each of its cells", id);
      });
    }
    if (!e.isRead()) continue;
    Bytes taken = 0;
    for (const Source& source : sources(id)) {
      if ((taken & source.bytes) != 0) broken("a byte is read once", id);
      taken |= source.bytes;
      if (isInitial(source.write)) continue;
      if ((source.bytes & ~events_[source.write].bytes) != 0) broken("a read reads what was written", id);
      if (!inPrefix(porf(id), source.write)) broken("rf is in the porf-prefix", id);
      if (clock::someGreater(porf(source.write), porf(id), chunks_)) broken("porf is transitive", id);
      if (observers(source.write)[e.thread] > e.index) broken("least observers cover the readers", id);
    }
    if (taken != e.bytes) broken("every byte of a read has a source", id);
  }
}

}  // namespace heddle
