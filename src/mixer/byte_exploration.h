// What the two explorers on the graph of bytes do alike (mixed_explorer.h, transaction_explorer.h): the order of threads, what is asked
// of accesses and of locks, and what tells graphs apart.
#pragma once

#include <fmt/format.h>

#include "explore/exploration.h"
#include "mixer/mixed_graph.h"
#include "mixer/thread_parts.h"
#include "util/hash.h"

namespace heddle::mixer {

// `locking`: at a lock that it has found taken.
inline constexpr explore::StateTable kMixedStates = [] {
  explore::StateTable table;
  table.fill(explore::ThreadState::ready);
  const auto at = [&](OperationKind kind) -> explore::ThreadState& { return table[static_cast<unsigned>(kind)]; };
  at(OperationKind::join) = explore::ThreadState::joining;
  at(OperationKind::block) = explore::ThreadState::blocked;
  at(OperationKind::error) = explore::ThreadState::failed;
  at(OperationKind::end) = explore::ThreadState::ended;
  return table;
}();

template <class Self, class ConsistencyType, class ChoicePoint>
class ByteExploration : public explore::Exploration<Self, MixedGraph, ConsistencyType, ChoicePoint> {
 protected:
  using Base = explore::Exploration<Self, MixedGraph, ConsistencyType, ChoicePoint>;
  friend Base;
  using Base::Base;
  using Base::canJoin;
  using Base::graph_;
  using Base::pending_;
  using Base::program_;
  using Base::state_;
  using Base::threadsIn;

  // The leftmost thread that can go on (thread_parts.h); -1: none can.
  int leftmostThread() {
    ThreadSet available = threadsIn(explore::ThreadState::ready);
    for (const ThreadId thread : threadsIn(explore::ThreadState::joining)) {
      if (canJoin(thread)) available.insert(thread);
    }
    if (available.empty()) return -1;
    ThreadId best = available.first();
    available.eraseFirst();
    if (available.empty() || graph_.threadChanges() == 0) return best;
    unsigned bestRank = parts_.rankOfNext(graph_, best);
    for (const ThreadId thread : available) {
      const unsigned rank = parts_.rankOfNext(graph_, thread);
      if (rank < bestRank) best = thread, bestRank = rank;
    }
    return best;
  }

  // What hardware reads or writes at once lies in one aligned block of 16 bytes.
  void checkFootprint(const Operation& operation) const {
    if (operation.address % kLineBytes + operation.size <= kLineBytes) return;
    throw ProgramError(fmt::format(
        "an access of {} bytes to {} crosses a 16-byte boundary, so no hardware makes it at once: {}", operation.size,
        program_.locationName(operation.address, operation.size), program_.sourceText(operation.source)));
  }

  // The write of a store or an unlock, without a place.
  EventId addPendingWrite(ThreadId thread) {
    const Operation& operation = pending_[thread];
    checkFootprint(operation);
    const bool unlock = operation.kind == OperationKind::unlock;
    const Order order = unlock ? Order::release : operation.order;
    const EventId write = this->addEvent(thread, EventKind::write, eventClass(EventKind::write, order, false));
    graph_.occupy(write, operation.address, operation.size);
    if (unlock) checkHeld(thread, write);
    graph_.setValue(write, unlock ? 0 : operation.operand());
    return write;
  }

  // The read has its sources, and is no part of a read-modify-write; the thread goes on, unless it waits for a lock.
  void goOnAfterRead(EventId read) {
    const Event& event = graph_[read];
    if (heddle::mustWait(graph_.operation(read), event.value)) {
      pending_[event.thread] = graph_.operation(read);  // if it has been revisited, the thread had gone on from it
      this->setState(event.thread, explore::ThreadState::locking);
    } else {
      this->resumeThread(event.thread, {.value = event.value, .success = false});
    }
  }

  // Does a thread wait for a mutex that has been released since it looked, or for something else that is of no interest
  // (as in explore/lock.cpp)?
  bool isPassedOver(bool) const {
    for (const ThreadId thread : threadsIn(explore::ThreadState::locking)) {
      const Operation& operation = pending_[thread];
      if (operation.orNever) return true;
      const EventId read = graph_.last(thread);
      bool passedOver = false;
      graph_.forEachCell(read, [&](const ByteCell& cell) {
        const EventId source = graph_.sourceOf(read, cell.bytes);
        passedOver |= MixedGraph::positionAfter(cell, source) != cell.order.size();
        if (operation.whole() == 0 || operation.lock != LockOp::read || isInitial(source)) return;
        const ThreadId holder = graph_[source].thread;
        passedOver |= state_[holder] == explore::ThreadState::locking && pending_[holder].whole() == operation.whole() &&
                      pending_[holder].part() != 0;
      });
      if (passedOver) return true;
    }
    return false;
  }

  std::uint64_t mixEdges(std::uint64_t digest, EventId id) const {
    const ByteAccess& access = graph_.access(id);
    for (unsigned byte = access.offset; byte < unsigned{access.offset} + access.size; ++byte) {
      const auto bit = static_cast<Bytes>(1u << byte);
      graph_.forEachCell(id, [&](const ByteCell& cell) {
        if ((cell.bytes & bit) == 0) return;
        digest = util::mix(digest, graph_[id].isRead() ? explore::eventName(graph_, graph_.sourceOf(id, cell.bytes))
                                                       : MixedGraph::positionAfter(cell, id));
      });
    }
    return digest;
  }

  ThreadParts parts_;

 private:
  // Unlocking what another thread holds, or nobody, is undefined; a mutex whose holder is this thread was written by it last.
  void checkHeld(ThreadId thread, EventId write) const {
    bool held = true;
    graph_.forEachCell(write, [&](const ByteCell& cell) {
      held =
          held && !cell.order.empty() && graph_[cell.order.back()].thread == thread && graph_[cell.order.back()].value == kHeld;
    });
    if (!held) this->refuseUnlock(thread);
  }
};

}  // namespace heddle::mixer
