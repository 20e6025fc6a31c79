#include "mixer/mixed_graph.h"

#include <algorithm>
#include <bit>

namespace heddle::mixer {

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
    : ExecutionView(threads, views, kMaxEvents),
      program_(program),
      accesses_(kFirstEvent + std::size_t{kMaxEvents}),
      sources_((kFirstEvent + std::size_t{kMaxEvents}) * kLineBytes),
      links_((kFirstEvent + std::size_t{kMaxEvents}) * kLineBytes) {
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
    makeInitial(it->second);
    accesses_[it->second] = {};
  }
  return it->second;
}

// Makes cells so that none is covered in part.
// Cells are kept by their lowest bytes: the order in which alternatives are tried follows from the order of the cells, and
// must not depend on what was explored before.
void MixedGraph::splitCells(Line& line, Bytes bytes) {
  const std::size_t count = line.cells.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Bytes inside = line.cells[i].bytes & bytes;
    if (inside == 0 || inside == line.cells[i].bytes) continue;
    ByteCell rest = line.cells[i];
    rest.bytes &= static_cast<Bytes>(~bytes);
    line.cells[i].bytes = inside;
    line.cells.push_back(std::move(rest));
  }
  const Bytes fresh = bytes & static_cast<Bytes>(~line.known);
  if (fresh != 0) line.cells.push_back({.bytes = fresh, .users = 0, .order = {}});
  line.known |= fresh;
  if (line.cells.size() == count) return;
  std::ranges::sort(line.cells, {}, [](const ByteCell& cell) { return std::countr_zero(cell.bytes); });
}

// Plain accesses may have changed the initial value of bytes that no event uses.
void MixedGraph::refreshInitial(Line& line, const ByteCell& cell) {
  for (unsigned byte = 0; byte < kLineBytes; ++byte) {
    if (((cell.bytes >> byte) & 1) == 0) continue;
    const Wide value = program_.initialValue(line.base + byte, 1) & 0xff;
    line.initial = (line.initial & ~(Wide{0xff} << (8 * byte))) | value << (8 * byte);
  }
}

void MixedGraph::occupy(EventId id, Address address, unsigned size) {
  const LineId lineId = lineOf(address);
  ByteAccess& access = accesses_[id];
  Line& line = lines_[lineId];
  access.offset = static_cast<std::uint8_t>(address - line.base);
  access.size = static_cast<std::uint8_t>(size);
  access.bytes = bytesOf(access.offset, size);
  events_[id].location = lineId;
  splitCells(line, access.bytes);
  for (ByteCell& cell : line.cells) {
    if ((cell.bytes & access.bytes) == 0) continue;
    if (cell.users == 0) refreshInitial(line, cell);
    ++cell.users;
  }
}

void MixedGraph::leave(EventId id) {
  for (ByteCell& cell : lines_[events_[id].location].cells) cell.users -= (cell.bytes & accesses_[id].bytes) != 0;
}

Value MixedGraph::valueOf(Wide data, unsigned offset, unsigned size) const {
  const Wide shifted = data >> (8 * offset);
  return size > 8 ? program_.numberOfBytes(shifted) : truncate(static_cast<Value>(shifted), size);
}

void MixedGraph::setValue(EventId write, Value value) {
  ByteAccess& access = accesses_[write];
  events_[write].value = value;
  access.data = (access.size > 8 ? program_.bytesOfNumber(value) : Wide{truncate(value, access.size)}) << (8 * access.offset);
}

Wide MixedGraph::lastData(LineId id) const {
  const Line& line = lines_[id];
  Wide data = line.initial;
  for (const ByteCell& cell : line.cells) {
    if (cell.order.empty()) continue;
    const Wide ones = onesOf(cell.bytes);
    data = (data & ~ones) | (accesses_[cell.order.back()].data & ones);
  }
  return data;
}

EventId MixedGraph::append(ThreadId thread, EventKind kind, EventClass cls) {
  if (top() >= kFirstEvent + kMaxEvents - 2) {
    throw LimitError("the execution graph is too large (over 262,144 events with mixed-size accesses)");
  }
  const EventId previous = last(thread);
  if (previous != kNone && events_[previous].thread == thread && events_[previous].index >= kNever - 2) {
    throw LimitError("the execution graph is too large (32,000 events in one thread)");
  }
  const EventId id = Trail::append(thread, kind, cls);
  accesses_[id] = {};
  if (previous != kNone) {
    accesses_[id].opener = events_[previous].kind == EventKind::thread ? previous : accesses_[previous].opener;
  }
  return id;
}

void MixedGraph::removeNewest() {
  if (events_[newest()].location != 0) leave(newest());
  Trail::removeNewest();
}

void MixedGraph::linkReader(EventId read) {
  const Event& r = events_[read];
  const auto first = static_cast<std::uint32_t>(read * kLineBytes);
  for (std::uint32_t link = first; link < first + accesses_[read].sourceCount; ++link) {
    const EventId write = sources_[link].write;
    ByteAccess& w = accesses_[write];
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
  const Event& r = events_[read];
  const auto first = static_cast<std::uint32_t>(read * kLineBytes);
  for (std::uint32_t link = first + accesses_[read].sourceCount; link-- > first;) {
    const EventId write = sources_[link].write;
    const Link& l = links_[link];
    if (l.prev != 0) {
      links_[l.prev].next = l.next;
    } else {
      accesses_[write].firstReader = l.next;
    }
    if (l.next != 0) links_[l.next].prev = l.prev;
    if (isInitial(write)) continue;
    Lane& least = observers(write)[r.thread];
    if (least == r.index) least = kNever;
  }
}

void MixedGraph::setSources(EventId read, std::span<const ByteSource> sources) {
  Event& r = events_[read];
  ByteAccess& access = accesses_[read];
  access.sourceCount = static_cast<std::uint8_t>(sources.size());
  Lane* clock = porf(read);
  if (r.poPrev != kNone) {
    clock::copy(clock, porf(r.poPrev), chunks_);
  } else {
    clock::fill(clock, 0, chunks_);
  }
  access.data = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const ByteSource& source = sources[i];
    sources_[std::size_t{read} * kLineBytes + i] = source;
    access.data |= dataAt(source.write, r.location) & onesOf(source.bytes);
    if (!isInitial(source.write)) clock::join(clock, porf(source.write), chunks_);
  }
  clock[r.thread] = r.index;
  r.value = valueOf(access.data, access.offset, access.size);
  linkReader(read);
}

void MixedGraph::unsetSources(EventId read) {
  unlinkReader(read);
  accesses_[read].sourceCount = 0;
}

EventId MixedGraph::sourceOf(EventId read, Bytes cell) const {
  for (const ByteSource& source : sources(read)) {
    if ((source.bytes & cell) != 0) return source.write;
  }
  return kNone;
}

void MixedGraph::place(EventId write, std::span<const BytePlace> places) {
  for (ByteCell& cell : lines_[events_[write].location].cells) {
    for (const BytePlace& place : places) {
      if ((place.bytes & cell.bytes) != 0) cell.order.insert(cell.order.begin() + place.position, write);
    }
  }
}

void MixedGraph::unplace(EventId write) {
  for (ByteCell& cell : lines_[events_[write].location].cells) {
    if ((cell.bytes & accesses_[write].bytes) == 0) continue;
    cell.order.erase(cell.order.begin() + positionAfter(cell, write) - 1);
  }
}

void MixedGraph::detach(EventId id) {
  const Event& event = events_[id];
  if (event.isRead()) unlinkReader(id);
  if (event.isWrite() && !accesses_[id].waits) {
    forEachCell(id, [&](const ByteCell& cell) { detachedPlaces_.push_back({cell.bytes, positionAfter(cell, id) - 1}); });
    unplace(id);
  }
  if (event.location != 0) {
    leave(id);
    if (program_.initialValuesVary()) detachedInitials_.push_back(lines_[event.location].initial);
  }
  Trail::detach(id);
}

void MixedGraph::reattach(EventId id) {
  Trail::reattach(id);
  const Event& event = events_[id];
  const Bytes bytes = accesses_[id].bytes;
  if (event.location != 0) {
    if (program_.initialValuesVary()) {
      lines_[event.location].initial = detachedInitials_.back();
      detachedInitials_.pop_back();
    }
    for (ByteCell& cell : lines_[event.location].cells) cell.users += (cell.bytes & bytes) != 0;
  }
  if (event.isRead()) linkReader(id);
  if (event.isWrite() && !accesses_[id].waits) {
    std::size_t from = detachedPlaces_.size();
    for (Bytes rest = bytes; rest != 0; rest &= static_cast<Bytes>(~detachedPlaces_[from].bytes)) --from;
    place(id, std::span(detachedPlaces_).subspan(from));
    detachedPlaces_.resize(from);
  }
}

// ---- As a view.

namespace {

// Runs of bytes of a set, as offsets in the line.
template <class F>
void forEachRun(Bytes bytes, F&& visit) {
  for (unsigned first = 0; first < kLineBytes; ++first) {
    if (((bytes >> first) & 1) == 0) continue;
    unsigned end = first;
    while (end < kLineBytes && ((bytes >> end) & 1)) ++end;
    visit(first, end - first);
    first = end;
  }
}

}  // namespace

// For each run of bytes of an access that have the same write there, which it is.
template <class F>
std::vector<BytesFrom> MixedGraph::byByte(EventId id, F&& writeOf) const {
  std::array<EventId, kLineBytes> writes{};
  forEachCell(id, [&](const ByteCell& cell) {
    const EventId write = writeOf(cell);
    forEachRun(cell.bytes, [&](unsigned first, unsigned size) { std::fill_n(&writes[first], size, write); });
  });
  const ByteAccess& access = accesses_[id];
  std::vector<BytesFrom> parts;
  for (unsigned byte = access.offset; byte < unsigned{access.offset} + access.size; ++byte) {
    if (parts.empty() || parts.back().write != writes[byte]) {
      parts.push_back({{lines_[events_[id].location].base + byte, 0}, writes[byte]});
    }
    ++parts.back().bytes.size;
  }
  return parts;
}

std::vector<BytesFrom> MixedGraph::sourcesOf(EventId read) const {
  return byByte(read, [&](const ByteCell& cell) { return sourceOf(read, cell.bytes); });
}

std::vector<BytesFrom> MixedGraph::predecessorsOf(EventId write) const {
  return byByte(write, [&](const ByteCell& cell) {
    const std::uint32_t position = positionAfter(cell, write);
    return position > 1 ? cell.order[position - 2] : events_[write].location;
  });
}

std::vector<EventId> MixedGraph::writesAfter(EventId read) const {
  std::vector<EventId> writes;
  forEachCell(read, [&](const ByteCell& cell) {
    const std::uint32_t position = positionAfter(cell, sourceOf(read, cell.bytes));
    writes.insert(writes.end(), cell.order.begin() + position, cell.order.end());
  });
  return writes;
}

std::vector<CoherenceOrder> MixedGraph::coherence() const {
  std::vector<CoherenceOrder> orders;
  for (LineId l = 1; l < lines(); ++l) {
    for (const ByteCell& cell : lines_[l].cells) {
      CoherenceOrder& order = orders.emplace_back(CoherenceOrder{{}, l, cell.order});
      forEachRun(cell.bytes, [&](unsigned first, unsigned size) { order.bytes.push_back({lines_[l].base + first, size}); });
    }
  }
  return orders;
}

std::vector<CoherenceOrder> MixedGraph::coherenceOf(ByteRange bytes) const {
  std::vector<CoherenceOrder> orders;
  for (Address base = bytes.address / kLineBytes * kLineBytes; base < bytes.address + bytes.size; base += kLineBytes) {
    const LineId l = findLine(base);
    if (l == 0) continue;
    for (const ByteCell& cell : lines_[l].cells) {
      CoherenceOrder order{{}, l, cell.order};
      bool overlaps = false;
      forEachRun(cell.bytes, [&](unsigned first, unsigned size) {
        order.bytes.push_back({base + first, size});
        overlaps |= order.bytes.back().overlaps(bytes);
      });
      if (overlaps) orders.push_back(std::move(order));
    }
  }
  return orders;
}

Value MixedGraph::lastValue(ByteRange bytes, Value otherwise) const {
  if (bytes.size > sizeof(Value)) return otherwise;
  for (unsigned byte = 0; byte < bytes.size; ++byte) {
    const LineId id = findLine(bytes.address + byte);
    const auto place = static_cast<unsigned>((bytes.address + byte) % kLineBytes);
    if (id == 0 || ((lines_[id].known >> place) & 1) == 0) continue;
    const auto last = static_cast<Value>(lastData(id) >> (8 * place)) & 0xff;
    otherwise = (otherwise & ~(Value{0xff} << (8 * byte))) | last << (8 * byte);
  }
  return otherwise;
}

std::uint16_t MixedGraph::lastBytes(ByteRange bytes, Wide& data) const {
  std::uint16_t said = 0;
  data = 0;
  for (unsigned byte = 0; byte < bytes.size; ++byte) {
    const LineId id = findLine(bytes.address + byte);
    const auto place = static_cast<unsigned>((bytes.address + byte) % kLineBytes);
    const bool used = std::ranges::any_of(
        lines_[id].cells, [&](const ByteCell& cell) { return cell.users != 0 && ((cell.bytes >> place) & 1) != 0; });
    if (!used) continue;
    said |= static_cast<std::uint16_t>(1u << byte);
    data |= (lastData(id) >> (8 * place) & 0xff) << (8 * byte);
  }
  return said;
}

EventId MixedGraph::conflictingAccess(ByteRange bytes, ThreadId self, bool writes, const Lane* view) const {
  for (EventId id = newest(); id != kNone; id = events_[id].orderPrev) {
    const Event& event = events_[id];
    if (event.location == 0 || event.thread == self || !(writes || event.isWrite()) || inPrefix(view, id)) continue;
    const ByteAccess& access = accesses_[id];
    if (bytes.overlaps({lines_[event.location].base + access.offset, access.size})) return id;
  }
  return kNone;
}

void MixedGraph::checkInvariants() const {
  checkTrail();
  for (EventId id = newest(); id != kNone; id = events_[id].orderPrev) {
    const Event& e = events_[id];
    const Bytes bytes = accesses_[id].bytes;
    if (e.isWrite()) {
      forEachCell(id, [&](const ByteCell& cell) {
        if ((cell.bytes & ~bytes) != 0) fail("an access covers a cell or nothing of it", id);
        if (std::ranges::count(cell.order, id) != !accesses_[id].waits)
          fail("a write is once in the order of each of its cells", id);
      });
    }
    if (!e.isRead()) continue;
    Bytes taken = 0;
    for (const ByteSource& source : sources(id)) {
      if ((taken & source.bytes) != 0) fail("a byte is read once", id);
      taken |= source.bytes;
      if (isInitial(source.write)) continue;
      if ((source.bytes & ~accesses_[source.write].bytes) != 0) fail("a read reads what was written", id);
      if (!inPrefix(porf(id), source.write)) fail("rf is in the porf-prefix", id);
      if (clock::someGreater(porf(source.write), porf(id), chunks_)) fail("porf is transitive", id);
      if (observers(source.write)[e.thread] > e.index) fail("least observers cover the readers", id);
    }
    if (taken != bytes) fail("every byte of a read has a source", id);
  }
}

}  // namespace heddle::mixer
