// An explorer of whichever mode, as observers see it.
#pragma once

#include <functional>
#include <span>

#include "explore/observer.h"
#include "explore/threads.h"

namespace heddle::explore {

class AnyExplorer : public Divisible, public Threads {
 public:
  // Explores a part of the tree; once. Throws Stopped in place of StopHere.
  virtual Statistics run(const Subtree& part = {}) = 0;

  // The graph as it is now.
  virtual const ExecutionView& execution() const = 0;
  // Where the happens-before that races are judged by is among the views of an event, if races are looked for.
  virtual std::size_t raceView() const = 0;

  // Does one event of a full graph happen before another, by that relation?
  virtual bool happensBefore(EventId first, EventId second) {
    return execution().inPrefix(execution().view(second, raceView()), first);
  }

  // Does a full graph stand for all its consistent coherence orders (rf equivalence), its own being one of them?
  virtual bool leavesCoherenceOpen() const { return false; }
  // Calls `visit` with the graph in the first order that meets a demand; or in one for each way in which the locations of
  // these bytes can end, until it returns false. Only from Observer::execution and Observer::blocked, and only if coherence is
  // left open.
  virtual void forFirstCoherence(const CoherenceDemand&, const std::function<void()>& /*visit*/) {}
  virtual void forEachEnd(std::span<const ByteRange>, const std::function<bool()>& /*visit*/) {}
  // The value of some bytes in the graph, at the end of the coherence order (ExecutionView::lastValue).
  virtual Value lastValue(ByteRange bytes, Value otherwise) const { return execution().lastValue(bytes, otherwise); }

  // For who runs the execution that is in the graph once more (run/retrace.h), after which the explorer is of no other use. Takes all
  // events out of the graph, the last one first; and puts one back. They are put back in that order. `order`: has everything that
  // leads to an event before it. False: this explorer cannot.
  virtual bool takeApart(std::span<const EventId> /*order*/) { return false; }
  virtual void putBack(EventId) {}

 protected:
  using Threads::Threads;
};

}  // namespace heddle::explore
