#include "persist/recovery_reads.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace heddle::persist {

namespace {

constexpr ThreadId kNobody = std::numeric_limits<ThreadId>::max();  // recovery's own execution has no other recovery

// The bytes of a read that recovery has not written itself.
std::vector<ByteRange> notWritten(ByteRange all, Value mask) {
  std::vector<ByteRange> ranges;
  for (unsigned i = 0; i < all.size; ++i) {
    if ((mask >> (8 * i) & 0xff) != 0) continue;
    if (!ranges.empty() && ranges.back().address + ranges.back().size == all.address + i) {
      ++ranges.back().size;
    } else {
      ranges.push_back({all.address + i, 1});
    }
  }
  return ranges;
}

// Takes some bytes out of the ranges.
void remove(std::vector<ByteRange>& ranges, ByteRange bytes) {
  std::vector<ByteRange> rest;
  for (const ByteRange& range : ranges) {
    if (!range.overlaps(bytes)) {
      rest.push_back(range);
      continue;
    }
    const Address end = bytes.address + bytes.size, rangeEnd = range.address + range.size;
    if (range.address < bytes.address) rest.push_back({range.address, static_cast<unsigned>(bytes.address - range.address)});
    if (end < rangeEnd) rest.push_back({end, static_cast<unsigned>(rangeEnd - end)});
  }
  ranges = std::move(rest);
}

}  // namespace

void RecoveryReads::begin(const ExecutionView&) {
  for (Crash* const crash : {&ofProgram_, &ofRecovery_}) {
    crash->begun = false;
    crash->parts.clear();
  }
  writes_.clear();
  reads_.clear();
}

// Events that were taken back since, and the one that takes the place of the oldest of them.
void RecoveryReads::dropFrom(EventId event) {
  while (!reads_.empty() && reads_.back().event >= event) {
    ofProgram_.parts.resize(reads_.back().before);
    ofRecovery_.parts.resize(reads_.back().beforeAgain);
    reads_.pop_back();
  }
  writes_.dropFrom(event);
  if (!writes_.hasCrashed()) ofRecovery_.begun = false;
}

// What recovery has done since its last read.
void RecoveryReads::noteSteps(const ExecutionView& graph, EventId read) {
  const EventId known = std::max(writes_.last(), reads_.empty() ? kNone : reads_.back().event);
  std::vector<EventId> steps;
  for (EventId id = graph[read].poPrev; id != kNone && id > known && graph[id].thread == thread_; id = graph[id].poPrev) {
    if (graph[id].kind != EventKind::choice) continue;  // the first crash
    const OperationKind kind = graph.operation(id).kind;
    if (kind != OperationKind::choose && kind != OperationKind::recover) steps.push_back(id);
  }
  for (auto id = steps.rbegin(); id != steps.rend(); ++id) writes_.add(graph, *id);
}

const ExecutionView& RecoveryReads::executionOf(const Crash& crash, const ExecutionView& graph) {
  return &crash == &ofProgram_ ? graph : writes_.crashed();
}

void RecoveryReads::beginModel(Crash& crash, const ExecutionView& graph) {
  if (crash.begun) return;
  crash.model->begin(executionOf(crash, graph), &crash == &ofProgram_ ? thread_ : kNobody);
  crash.begun = true;
}

// The parts of some bytes of a read. Returns the bytes that nobody has written.
std::vector<ByteRange> RecoveryReads::addPieces(Crash& crash, const ExecutionView& graph, const std::vector<ByteRange>& ranges,
                                                Read& read) {
  std::vector<ByteRange> others = ranges;
  for (const ByteRange& range : ranges) {
    for (CoherenceOrder& order : executionOf(crash, graph).coherenceOf(range)) {
      if (order.writes.empty()) continue;
      const auto known = std::ranges::find(crash.parts, order.writes, &Part::writes);
      const auto part = static_cast<std::size_t>(known - crash.parts.begin());
      for (const ByteRange& bytes : order.bytes) {
        const Address begin = std::max(bytes.address, range.address);
        const Address end = std::min(bytes.address + bytes.size, range.address + range.size);
        if (begin >= end) continue;
        read.pieces.push_back({{begin, static_cast<unsigned>(end - begin)}, &crash, part});
        if (&crash == &ofRecovery_) remove(others, read.pieces.back().bytes);
      }
      if (known == crash.parts.end()) crash.parts.push_back({order.bytes.front(), std::move(order.writes), 0});
    }
  }
  if (!crash.parts.empty()) beginModel(crash, graph);
  return others;
}

// All that the parts from `next` on may be, those before being what they are; the highest positions first.
template <class F>
void RecoveryReads::forEachOption(Crash& crash, std::size_t next, const F& visit) {
  if (next == crash.parts.size()) return visit();
  for (std::size_t more = crash.parts[next].writes.size() + 1; more > 0; --more) {
    crash.parts[next].position = static_cast<std::uint32_t>(more - 1);
    if (crash.model->allows(Snapshot(crash.parts).first(next + 1))) forEachOption(crash, next + 1, visit);
  }
}

std::uint32_t RecoveryReads::choices(const ExecutionView& graph, EventId read) {
  dropFrom(read);
  noteSteps(graph, read);
  const Operation& operation = graph.operation(read);
  Read added{.event = read, .bytes = {operation.address, operation.size}};
  added.own = writes_.writtenTo(added.bytes);
  added.isAgain = writes_.hasCrashed();
  added.before = ofProgram_.parts.size();
  added.beforeAgain = ofRecovery_.parts.size();
  if (added.isAgain) {
    findOptionsAgain(graph, added);
  } else {
    addPieces(ofProgram_, graph, notWritten(added.bytes, added.own.mask), added);
    forEachOption(ofProgram_, added.before, [&] {
      Option& option = added.options.emplace_back();
      for (std::size_t i = added.before; i < ofProgram_.parts.size(); ++i) option.push_back(ofProgram_.parts[i].position);
    });
  }
  if (added.options.empty()) throw std::logic_error("no write is left for recovery to find");
  const auto count = static_cast<std::uint32_t>(added.options.size());
  reads_.push_back(std::move(added));
  return count;
}

Value RecoveryReads::found(const ExecutionView& graph, EventId read, std::uint32_t choice) {
  dropFrom(read + 1);
  Read& last = reads_.back();
  const Option& option = last.options[choice];
  if (last.isAgain) {
    chooseAgain(graph, last, option);
  } else {
    for (std::size_t i = 0; i < option.size(); ++i) ofProgram_.parts[last.before + i].position = option[i];
  }
  return valueOf(graph, last);
}

Value RecoveryReads::valueOf(const ExecutionView& graph, const Read& read) {
  Value value = program_.initialValue(read.bytes.address, read.bytes.size);
  for (const Piece& piece : read.pieces) {
    const EventId write = piece.crash->parts[piece.part].found();
    if (write == kNone) continue;
    const ExecutionView& execution = executionOf(*piece.crash, graph);
    const Operation& writing = execution.operation(write);
    const Value number = execution[write].value;
    const Wide written = writing.size > sizeof(Value) ? program_.bytesOfNumber(number) : Wide{number};
    const Value bytes =
        truncate(static_cast<Value>(written >> (8 * (piece.bytes.address - writing.address))), piece.bytes.size);
    const auto shift = 8 * (piece.bytes.address - read.bytes.address);
    value = (value & ~(truncate(~Value{0}, piece.bytes.size) << shift)) | bytes << shift;
  }
  return (value & ~read.own.mask) | read.own.value;
}

// ---- After the second crash. Which parts of the first snapshot count depends on what is found in the second one, so an option has
// positions of parts of both, and what a read adds is added anew for each.

// The bytes of which none of recovery's own writes had persisted.
std::vector<ByteRange> RecoveryReads::lostAgain(const Read& read, std::vector<ByteRange> others) const {
  for (const Piece& piece : read.pieces) {
    if (ofRecovery_.parts[piece.part].found() == kNone) others.push_back(piece.bytes);
  }
  return others;
}

void RecoveryReads::findOptionsAgain(const ExecutionView& graph, Read& read) {
  const std::vector<ByteRange> others = addPieces(ofRecovery_, graph, notWritten(read.bytes, read.own.mask), read);
  const std::size_t pieces = read.pieces.size();
  forEachOption(ofRecovery_, read.beforeAgain, [&] {
    addPieces(ofProgram_, graph, lostAgain(read, others), read);
    forEachOption(ofProgram_, read.before, [&] {
      Option& option = read.options.emplace_back();
      for (std::size_t i = read.beforeAgain; i < ofRecovery_.parts.size(); ++i) option.push_back(ofRecovery_.parts[i].position);
      for (std::size_t i = read.before; i < ofProgram_.parts.size(); ++i) option.push_back(ofProgram_.parts[i].position);
    });
    ofProgram_.parts.resize(read.before);
    read.pieces.resize(pieces);
  });
}

void RecoveryReads::chooseAgain(const ExecutionView& graph, Read& read, const Option& option) {
  ofProgram_.parts.resize(read.before);
  ofRecovery_.parts.resize(read.beforeAgain);
  read.pieces.clear();
  auto position = option.begin();
  const std::vector<ByteRange> others = addPieces(ofRecovery_, graph, notWritten(read.bytes, read.own.mask), read);
  for (std::size_t i = read.beforeAgain; i < ofRecovery_.parts.size(); ++i) ofRecovery_.parts[i].position = *position++;
  addPieces(ofProgram_, graph, lostAgain(read, others), read);
  for (std::size_t i = read.before; i < ofProgram_.parts.size(); ++i) ofProgram_.parts[i].position = *position++;
}

// ---- Reports. Whoever has explored this graph may have gone on since, or have been another process.

void RecoveryReads::follow(const ExecutionView& graph) {
  begin(graph);
  std::vector<EventId> events;
  for (EventId id = graph.last(thread_); id != kNone && graph[id].thread == thread_; id = graph[id].poPrev)
    events.push_back(id);
  for (auto id = events.rbegin(); id != events.rend(); ++id) {
    if (graph.operation(*id).kind != OperationKind::recover) continue;
    choices(graph, *id);
    found(graph, *id, static_cast<std::uint32_t>(graph[*id].value));
  }
}

const RecoveryReads::Read& RecoveryReads::readOf(const ExecutionView& graph, EventId event) {
  const auto known = std::ranges::find(reads_, event, &Read::event);
  if (known != reads_.end()) return *known;
  follow(graph);
  return *std::ranges::find(reads_, event, &Read::event);
}

Value RecoveryReads::valueOf(const ExecutionView& graph, EventId read) { return valueOf(graph, readOf(graph, read)); }

std::vector<EventId> RecoveryReads::foundBy(const ExecutionView& graph, EventId read) {
  std::vector<EventId> found;
  for (const Piece& piece : readOf(graph, read).pieces) {
    EventId write = piece.crash->parts[piece.part].found();
    if (write != kNone && piece.crash == &ofRecovery_) write = writes_.ofCrashed(write);
    if (write != kNone && std::ranges::find(found, write) == found.end()) found.push_back(write);
  }
  return found;
}

// Of recovery's own writes there is something to say if it has crashed after them.
RecoveryReads::Fate RecoveryReads::fateOf(const ExecutionView& graph, EventId event) {
  const bool isOwn = graph[event].thread == thread_;
  if (isOwn && !writes_.hasCrashed()) return Fate::unknown;
  Crash& crash = isOwn ? ofRecovery_ : ofProgram_;
  const EventId write = isOwn ? writes_.inCrashed(event) : event;
  if (write == kNone) return Fate::unknown;
  const ExecutionView& execution = executionOf(crash, graph);
  const Operation& operation = execution.operation(write);
  bool may = true, mayNot = true;  // have persisted
  for (CoherenceOrder& order : execution.coherenceOf({operation.address, operation.size})) {
    const auto place = std::ranges::find(order.writes, write);
    if (place == order.writes.end()) continue;
    const auto position = static_cast<std::uint32_t>(place - order.writes.begin()) + 1;
    beginModel(crash, graph);
    const std::size_t part = crash.parts.size();
    crash.parts.push_back({order.bytes.front(), std::move(order.writes), 0});
    bool mayPersist = false, mayBeLost = false;
    forEachOption(crash, part, [&] { (crash.parts[part].position >= position ? mayPersist : mayBeLost) = true; });
    crash.parts.pop_back();
    may = may && mayPersist;
    mayNot = mayNot && mayBeLost;
  }
  return may == mayNot ? Fate::unknown : may ? Fate::persisted : Fate::lost;
}

}  // namespace heddle::persist
