#include "persist/ext4.h"

#include <algorithm>
#include <cstddef>

namespace heddle::persist {

Ext4::Place Ext4::placeOf(Address address) const {
  if (disk_ == 0 || address - disk_ >= sizeof(heddle_disk_image)) return {};
  const std::size_t offset = address - disk_;
  if (offset >= offsetof(heddle_disk_image, journal)) return {Kind::journal, kDirectory};
  if (offset >= offsetof(heddle_disk_image, directory)) return {Kind::entry, kDirectory};
  const auto inode = static_cast<int>(offset / sizeof(heddle_inode));
  const std::size_t inside = offset % sizeof(heddle_inode);
  if (inside >= offsetof(heddle_inode, journal)) return {Kind::journal, inode};
  if (inside >= offsetof(heddle_inode, size)) return {Kind::size, inode};
  return {Kind::data, inode, static_cast<unsigned>(inside / sizeof heddle_inode{}.data[0])};
}

void Ext4::prepare(const ExecutionView& graph, ThreadId recovery) {
  writes_.clear();
  fences_.clear();
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) {
    if (graph[id].thread == recovery) continue;
    const Operation& operation = graph.operation(id);
    if (graph[id].isWrite() && placeOf(operation.address).kind != Kind::none) writes_.push_back(id);
    if (operation.kind != OperationKind::flush) continue;
    if (operation.flushes() == Flush::file) fences_.push_back({id, placeOf(operation.address).inode});
    if (operation.flushes() == Flush::files) fences_.push_back({id, 0, true});
  }
}

bool Ext4::isFenced(const ExecutionView& graph, EventId first, EventId second) const {
  const int inode = placeOf(graph.operation(first).address).inode;
  return std::ranges::any_of(fences_, [&](const Fence& fence) {
    return (fence.isOfAll || fence.inode == inode) && isInPorf(graph, fence.event, second) && isInHb(graph, first, fence.event);
  });
}

// The pairs of pb that are not in co, of two writes to the disk.
bool Ext4::precedes(const ExecutionView& graph, EventId first, EventId second) const {
  const Place from = placeOf(graph.operation(first).address), to = placeOf(graph.operation(second).address);
  const bool sameFile = from.inode == to.inode;
  if (sameFile && from.kind == Kind::data && to.kind == Kind::data) {
    const auto block = static_cast<unsigned>(options_.block_size);
    if (from.offset / block == to.offset / block && isInHb(graph, first, second)) return true;
  }
  if (isInPorf(graph, first, second)) {
    if (sameFile && from.kind == Kind::data && to.kind == Kind::size && options_.journal == heddle_journal_ordered) {
      const Value size = graph[second].value;
      if (from.offset >= size >> 32 && from.offset < (size & 0xffffffff)) return true;
    }
    if (from.kind == Kind::entry && to.kind == Kind::size) return true;
    if (sameFile && (from.kind == Kind::journal) != (to.kind == Kind::journal)) return true;
  }
  return isFenced(graph, first, second);
}

void Ext4::addPredecessors(const ExecutionView& graph, EventId id, std::vector<EventId>& found) {
  addCoherence(graph, id, found);
  if (placeOf(graph.operation(id).address).kind == Kind::none) return;
  for (const EventId other : writes_) {
    if (other != id && precedes(graph, other, id)) found.push_back(other);
  }
}

}  // namespace heddle::persist
