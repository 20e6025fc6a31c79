// Threads that wait for ever: deadlocks, and loops that never end.
//
// A full graph in which some threads wait is an error if nothing that the threads could still do would help them, as a
// fair scheduler and memory that delivers every write in the end would show: each waiting thread has read what is
// co-maximal, in the last iteration of its spin loop or at its last read, and will read the same again and again (Oberhauser
// et al., VSync; thesis of M. Kokologiannakis, section 9.2.3.4). Where one of them has read an older value there is another
// execution in which it reads the newest. Where one of them is stopped for a reason that is not the program's own (a failed
// assumption, the bound of a loop, a part that is left out) nothing is known: it might still have written.
//
// If all that keeps the program from ending is spin loops (and joins of threads that spin), a loop never ends; if a lock, a
// barrier or another wait of a library takes part, it is a deadlock, and the loops only wait for what the deadlock keeps back.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "explore/any_explorer.h"
#include "runtime/critical_sections.h"
#include "runtime/error.h"
#include "runtime/native_program.h"
#include "runtime/notifications.h"
#include "runtime/object_names.h"

namespace heddle::runtime {

// An error, and the events that show it.
struct WaitingError {
  Error error;
  std::vector<EventId> ends;      // the last events of the threads that wait
  std::vector<EventId> involved;  // the reads that keep loops going
};

// Looks at a full graph. `explorer`: the one that explores it, with its pending operations.
class WaitingThreads {
 public:
  WaitingThreads(const explore::AnyExplorer& explorer, const ObjectNames& names)
      : graph_(explorer.execution()), explorer_(explorer), names_(names), notifications_(graph_) {}

  // Nothing if the threads need not wait for ever. Without `liveness` loops that never end are not looked for.
  std::optional<WaitingError> find(bool liveness) {
    if (!mayWaitForEver()) return std::nullopt;
    for (const ThreadId thread : explorer_.stuckThreads()) {
      if (!waitsForEver(thread)) return std::nullopt;
    }
    if (waiting_.empty()) return std::nullopt;  // only for threads that failed, before the end of the process
    const bool loop = spinning_ != kNobody && !deadlocked_;
    if (loop && !liveness) return std::nullopt;
    const std::size_t first = loop ? spinning_ : sleeping_ == kNobody ? 0 : sleeping_;
    const ErrorAccess culprit = waiting_[first];
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(first));
    found_.error = {.kind = loop ? ErrorKind::nonTermination : ErrorKind::deadlock,
                    .message = fmt::format("{} {} for ever", threadName(culprit.thread), culprit.what),
                    .thread = culprit.thread,
                    .source = culprit.source,
                    .related = std::move(waiting_)};
    if (!loop) found_.involved.clear();
    return std::move(found_);
  }

  // False if the threads need not wait for ever, whatever the coherence order.
  bool mayWaitForEver() const {
    for (const ThreadId thread : explorer_.endedThreads()) {
      if (explorer_.pending(thread).endsProgram) return false;
    }
    for (const ThreadId thread : explorer_.stuckThreads()) {
      const Operation& operation = explorer_.pending(thread);
      if (operation.kind == OperationKind::lock && (operation.orNever || isPolled(operation.address))) return false;
      if (operation.kind == OperationKind::block && !isOfProgram(reasonOf(operation))) return false;
    }
    return true;
  }

  // The threads wait for ever in those coherence orders of the graph in which what they read comes last, but for writes that
  // do not matter: the demand on an order for find() to find that, where the graph's own is one of several (rf equivalence).
  explore::CoherenceDemand demand() const {
    std::vector<EventId> reads;
    for (const ThreadId thread : explorer_.stuckThreads()) {
      forEachWaitingRead(thread, [&](EventId read) { reads.push_back(read); });
    }
    return [this, reads = std::move(reads)](EventId earlier, EventId later) {
      for (const EventId read : reads) {
        if (graph_[read].rf != later || earlier == later || isIdle(earlier)) continue;
        const Operation& stopped = explorer_.pending(graph_[read].thread);
        const bool sleeps = reasonOf(stopped) == BlockReason::notification;
        if (!sleeps || !Notifications(graph_).isUnnoticed(read, earlier, stopped.address)) return true;
      }
      return false;
    };
  }

 private:
  // Is the thread stopped by what the program does, and not because no more of it is explored?
  static bool isOfProgram(BlockReason reason) { return reason != BlockReason::assumption && reason != BlockReason::loopBound; }

  static constexpr std::size_t kNobody = ~std::size_t{0};

  // Takes the thread down as one of those that wait, if it does.
  bool waitsForEver(ThreadId thread) {
    const Operation& operation = explorer_.pending(thread);
    const EventId last = graph_.last(thread);
    std::string what;
    switch (operation.kind) {
      case OperationKind::join:
        if (operation.joinsRest) return true;  // at the end of the process, if there is one
        what = fmt::format("waits for the end of {}", threadName(operation.thread));
        break;
      case OperationKind::depart:
        if (operation.orNever) return false;
        what = fmt::format("waits at {} for others to arrive", names_.name(operation.address, 0));
        deadlocked_ = true;
        break;
      case OperationKind::lock: {
        const bool named = operation.whole() != 0;
        what = fmt::format("waits for {}",
                           named ? names_.name(operation.whole(), 0) : names_.name(operation.address, operation.size));
        deadlocked_ = true;
        break;
      }
      default:
        what = blocked(thread, operation, last);
        if (what.empty()) return false;
    }
    if (last != kNone) found_.ends.push_back(last);
    const bool spins = operation.kind == OperationKind::block && reasonOf(operation) == BlockReason::spin;
    if (sleeping_ == kNobody && operation.kind != OperationKind::join && !spins) sleeping_ = waiting_.size();
    waiting_.push_back({.thread = thread,
                        .source = operation.source,
                        .what = std::move(what),
                        .index = static_cast<std::uint16_t>(last == kNone ? 1 : graph_[last].index + 1)});
    return true;
  }

  // Does somebody look at what this mutex protects again and again? Then it is free, and whoever waits for it is merely kept
  // from going on after that (explore/zero_net_effect.cpp).
  bool isPolled(Address mutex) const {
    for (const ThreadId thread : explorer_.stuckThreads()) {
      const Operation& operation = explorer_.pending(thread);
      if (operation.kind == OperationKind::block && operation.address == mutex) return true;
    }
    return false;
  }

  // What a thread that its program has stopped waits for; empty if it might not wait for ever.
  std::string blocked(ThreadId thread, const Operation& operation, EventId last) {
    switch (reasonOf(operation)) {
      case BlockReason::spin: {
        std::vector<std::string> locations;
        bool maximal = true;
        forEachWaitingRead(thread, [&](EventId read) {
          maximal = maximal && readsCoMaximal(read);
          found_.involved.push_back(read);
          noteLocation(read, locations);
        });
        if (!maximal) return "";
        if (spinning_ == kNobody) spinning_ = waiting_.size();
        if (locations.empty()) return "spins";
        return fmt::format("spins on {}", fmt::join(locations, ", "));
      }
      case BlockReason::gracePeriod: {
        deadlocked_ = true;
        for (const ThreadId other : explorer_.stuckThreads()) {
          if (other != thread && isInSection(graph_, other, operation.address))
            return fmt::format("waits for the critical section of {} to end", threadName(other));
        }
        return "";
      }
      default: break;
    }
    deadlocked_ = true;
    const bool reads = last != kNone && graph_[last].isRead();
    if (!reads || readsCoMaximal(last)) {
      return reads ? fmt::format("waits for another value of {}", nameOf(last)) : "waits for another value";
    }
    const bool sleeps = reasonOf(operation) == BlockReason::notification;
    if (!sleeps || !notifications_.sleepsForEver(last, operation.address, [&](EventId write) { return isIdle(write); }))
      return "";
    if (const EventId change = notifications_.firstChange(last)) found_.ends.push_back(change);
    return fmt::format("is not notified of the change of {} and sleeps", nameOf(last));
  }

  std::string nameOf(EventId read) const {
    const Operation& operation = graph_.operation(read);
    return names_.name(operation.address, operation.size);
  }

  void noteLocation(EventId read, std::vector<std::string>& locations) const {
    std::string name = nameOf(read);
    for (const std::string& known : locations) {
      if (known == name) return;
    }
    locations.insert(locations.begin(), std::move(name));
  }

  bool readsCoMaximal(EventId read) const {
    const Event& event = graph_[read];
    const Operation& operation = graph_.operation(read);
    const bool spurious =
        operation.kind == OperationKind::cas && !operation.isAttempt() && !event.rmw && operation.expects(event.value);
    return !spurious && isCoMaximal(read);
  }

  // A write in the last iteration of a spin loop that changes nothing, however often it is repeated: a read-modify-write
  // that has written what it has read, or of the mutex that the iteration has taken and given back, or to a flag that it has
  // set and taken back (Operation::isGuard).
  bool isIdle(EventId write) const {
    const Event& event = graph_[write];
    if (isInitial(write) || !explorer_.stuckThreads().contains(event.thread)) return false;
    const Operation& operation = explorer_.pending(event.thread);
    const bool spins =
        operation.kind == OperationKind::block && reasonOf(operation) == BlockReason::spin && event.index >= operation.began();
    if (!spins) return false;
    const Operation& own = graph_.operation(write);
    if (own.kind == OperationKind::lock || own.kind == OperationKind::unlock) return own.address == operation.address;
    if (own.isGuard) return true;
    return event.rmw && graph_[event.poPrev].value == event.value;
  }

  bool isCoMaximal(EventId read) const {
    return std::ranges::all_of(graph_.writesAfter(read), [&](EventId later) { return isIdle(later); });
  }

  // The reads by which the thread waits: it does so for ever if none of them could read a later write.
  template <class Visit>
  void forEachWaitingRead(ThreadId thread, Visit visit) const {
    const Operation& operation = explorer_.pending(thread);
    const EventId last = graph_.last(thread);
    if (operation.kind != OperationKind::block || last == kNone) return;
    const auto reason = reasonOf(operation);
    if (reason == BlockReason::spin) {
      const std::uint32_t begin = operation.began();
      for (EventId id = last; id != kNone && graph_[id].thread == thread && graph_[id].index >= begin; id = graph_[id].poPrev) {
        if (graph_[id].isRead()) visit(id);
      }
    } else if ((reason == BlockReason::waiting || reason == BlockReason::notification) && graph_[last].isRead()) {
      visit(last);
    }
  }

  const ExecutionView& graph_;
  const explore::AnyExplorer& explorer_;
  const ObjectNames& names_;
  Notifications notifications_;
  WaitingError found_;
  std::vector<ErrorAccess> waiting_;
  std::size_t spinning_ = kNobody;  // the first thread that spins, in waiting_
  std::size_t sleeping_ = kNobody;  // the first that waits for something else than the end of another thread
  bool deadlocked_ = false;
};

// Calls `report` with the error if the threads of the explorer's full graph wait for ever; if its coherence is left open, in
// some coherence order, which the graph is in while `report` runs.
template <class Report>
void findWaiting(explore::AnyExplorer& explorer, const ObjectNames& names, bool liveness, Report report) {
  WaitingThreads threads(explorer, names);
  const auto look = [&] {
    if (const std::optional<WaitingError> found = threads.find(liveness)) report(*found);
  };
  if (!explorer.leavesCoherenceOpen()) {
    look();
  } else if (threads.mayWaitForEver()) {
    explorer.forFirstCoherence(threads.demand(), look);
  }
}

}  // namespace heddle::runtime
