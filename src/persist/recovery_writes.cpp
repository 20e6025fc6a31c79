#include "persist/recovery_writes.h"

#include <algorithm>

#include "model/event_class.h"

namespace heddle::persist {

void RecoveryWrites::add(const ExecutionView& graph, EventId event) {
  const Operation& operation = graph.operation(event);
  if (operation.kind == OperationKind::crash) crash_ = steps_.size();
  steps_.push_back({event, operation});
}

void RecoveryWrites::dropFrom(EventId event) {
  while (!steps_.empty() && steps_.back().event >= event) steps_.pop_back();
  if (!crash_ || *crash_ < steps_.size()) return;
  crash_.reset();
  forget();
}

RecoveryWrites::Written RecoveryWrites::writtenTo(ByteRange bytes) const {
  Written written;
  for (std::size_t i = crash_ ? *crash_ + 1 : 0; i < steps_.size(); ++i) {
    const Operation& operation = steps_[i].operation;
    const ByteRange own{operation.address, operation.size};
    if (operation.kind != OperationKind::store || !own.overlaps(bytes)) continue;
    const Address begin = std::max(own.address, bytes.address);
    const Address end = std::min(own.address + own.size, bytes.address + bytes.size);
    const auto size = static_cast<unsigned>(end - begin);
    const auto shift = 8 * (begin - bytes.address);
    const Value mask = truncate(~Value{0}, size) << shift;
    const Value value = truncate(operation.operand() >> (8 * (begin - own.address)), size) << shift;
    written.value = (written.value & ~mask) | value;
    written.mask |= mask;
  }
  return written;
}

// ---- The execution that has crashed.

void RecoveryWrites::forget() {
  isBuilt_ = false;
  if (!graph_) return;
  while (graph_->newest() != kNone) {
    if ((*graph_)[graph_->newest()].isWrite()) graph_->unplace(graph_->newest());
    graph_->removeNewest();
  }
}

void RecoveryWrites::build() {
  if (!graph_) graph_.emplace(1, 0, program_);
  for (std::size_t i = 0; i < *crash_; ++i) {
    Step& step = steps_[i];
    const bool isFence = step.operation.kind == OperationKind::fence, writes = step.operation.kind == OperationKind::store;
    const EventKind kind = writes ? EventKind::write : isFence ? EventKind::fence : EventKind::choice;
    const EventClass cls =
        isFence ? classOfFence(step.operation) : eventClass(kind, writes ? Order::relaxed : Order::plain, false);
    step.copy = graph_->append(0, kind, cls);
    graph_->operation(step.copy) = step.operation;
    if (!writes) continue;
    graph_->occupy(step.copy, step.operation.address, step.operation.size);
    graph_->setValue(step.copy, step.operation.operand());
    std::vector<mixer::BytePlace> places;
    graph_->forEachCell(step.copy, [&](const mixer::ByteCell& cell) {
      places.push_back({cell.bytes, static_cast<std::uint32_t>(cell.order.size())});
    });
    graph_->place(step.copy, places);
  }
  isBuilt_ = true;
}

const ExecutionView& RecoveryWrites::crashed() {
  if (!isBuilt_) build();
  return *graph_;
}

EventId RecoveryWrites::inCrashed(EventId event) {
  crashed();
  const auto step = std::ranges::find(steps_, event, &Step::event);
  return step == steps_.end() ? kNone : step->copy;
}

EventId RecoveryWrites::ofCrashed(EventId event) const {
  const auto step = std::ranges::find(steps_, event, &Step::copy);
  return step == steps_.end() ? kNone : step->event;
}

}  // namespace heddle::persist
