#include "persist/recovery_reads.h"

#include <algorithm>
#include <stdexcept>

namespace heddle::persist {

void RecoveryReads::begin(const ExecutionView&) {
  begun_ = false;
  parts_.clear();
  reads_.clear();
}

// Events that were taken back since, and the one that takes the place of the oldest of them.
void RecoveryReads::dropFrom(EventId event) {
  while (!reads_.empty() && reads_.back().event >= event) {
    parts_.resize(reads_.back().before);
    reads_.pop_back();
  }
}

void RecoveryReads::addPieces(const ExecutionView& graph, Read& read) {
  const Operation& operation = graph.operation(read.event);
  const ByteRange all{operation.address, operation.size};
  for (CoherenceOrder& order : graph.coherenceOf(all)) {
    if (order.writes.empty()) continue;
    const auto known = std::ranges::find(parts_, order.writes, &Part::writes);
    const auto part = static_cast<std::size_t>(known - parts_.begin());
    for (const ByteRange& bytes : order.bytes) {
      const Address begin = std::max(bytes.address, all.address);
      const Address end = std::min(bytes.address + bytes.size, all.address + all.size);
      if (begin < end) read.pieces.push_back({{begin, static_cast<unsigned>(end - begin)}, part});
    }
    if (known == parts_.end()) parts_.push_back({order.bytes.front(), std::move(order.writes), 0});
  }
}

// All that the parts from `first` on may be, those before `next` being what they are; the highest positions first.
void RecoveryReads::findOptions(std::size_t first, std::size_t next, std::vector<std::vector<std::uint32_t>>& options) {
  if (next == parts_.size()) {
    std::vector<std::uint32_t>& option = options.emplace_back();
    for (std::size_t i = first; i < next; ++i) option.push_back(parts_[i].position);
    return;
  }
  for (std::size_t more = parts_[next].writes.size() + 1; more > 0; --more) {
    parts_[next].position = static_cast<std::uint32_t>(more - 1);
    if (model_->allows(Snapshot(parts_).first(next + 1))) findOptions(first, next + 1, options);
  }
}

std::uint32_t RecoveryReads::choices(const ExecutionView& graph, EventId read) {
  dropFrom(read);
  Read added{.event = read, .pieces = {}, .before = parts_.size()};
  addPieces(graph, added);
  if (!begun_ && !parts_.empty()) {
    model_->begin(graph, thread_);
    begun_ = true;
  }
  findOptions(added.before, added.before, added.options);
  if (added.options.empty()) throw std::logic_error("no write is left for recovery to find");
  const auto count = static_cast<std::uint32_t>(added.options.size());
  reads_.push_back(std::move(added));
  return count;
}

Value RecoveryReads::found(const ExecutionView& graph, EventId read, std::uint32_t choice) {
  dropFrom(read + 1);
  const Read& last = reads_.back();
  for (std::size_t i = 0; i < last.options[choice].size(); ++i) parts_[last.before + i].position = last.options[choice][i];
  return valueOf(graph, last);
}

Value RecoveryReads::valueOf(const ExecutionView& graph, const Read& read) const {
  const Operation& operation = graph.operation(read.event);
  Value value = program_.initialValue(operation.address, operation.size);
  for (const Piece& piece : read.pieces) {
    const EventId write = parts_[piece.part].found();
    if (write == kNone) continue;
    const Operation& writing = graph.operation(write);
    const Wide written = writing.size > sizeof(Value) ? program_.bytesOfNumber(graph[write].value) : Wide{graph[write].value};
    const Value bytes =
        truncate(static_cast<Value>(written >> (8 * (piece.bytes.address - writing.address))), piece.bytes.size);
    const auto shift = 8 * (piece.bytes.address - operation.address);
    value = (value & ~(truncate(~Value{0}, piece.bytes.size) << shift)) | bytes << shift;
  }
  return value;
}

// ---- Reports. Whoever has explored this graph may have gone on since, or have been another process.

void RecoveryReads::follow(const ExecutionView& graph) {
  begin(graph);
  std::vector<EventId> events;
  for (EventId id = graph.last(thread_); id != kNone; id = graph[id].poPrev) events.push_back(id);
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
    const EventId write = parts_[piece.part].found();
    if (write != kNone && std::ranges::find(found, write) == found.end()) found.push_back(write);
  }
  return found;
}

RecoveryReads::Fate RecoveryReads::fateOf(const ExecutionView& graph, EventId write) {
  const Operation& operation = graph.operation(write);
  bool may = true, mayNot = true;  // have persisted
  for (CoherenceOrder& order : graph.coherenceOf({operation.address, operation.size})) {
    const auto place = std::ranges::find(order.writes, write);
    if (place == order.writes.end()) continue;
    const auto position = static_cast<std::uint32_t>(place - order.writes.begin()) + 1;
    if (!begun_) model_->begin(graph, thread_);
    begun_ = true;
    const std::size_t part = parts_.size();
    parts_.push_back({order.bytes.front(), std::move(order.writes), 0});
    std::vector<std::vector<std::uint32_t>> options;
    findOptions(part, part, options);
    parts_.pop_back();
    may = may && std::ranges::any_of(options, [&](const auto& option) { return option[0] >= position; });
    mayNot = mayNot && std::ranges::any_of(options, [&](const auto& option) { return option[0] < position; });
  }
  return may == mayNot ? Fate::unknown : may ? Fate::persisted : Fate::lost;
}

}  // namespace heddle::persist
