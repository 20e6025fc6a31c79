// Parts of an exploration (subtree.h): what is left, what can be given away, and how a choice point is left unexplored.
//
// Whether a choice point has an alternative left would be known by trying, which the events that have been added since
// are in the way of. So it is guessed from the graph as it is: without the model, and as if nothing had been
// deleted. A wrong guess costs a little time: the receiver finds an empty part, or a part stays with the giver.

#include "explore/explorer.h"
#include "explore/exploration.h"

namespace heddle {

char Explorer::letterOf(const Frame& frame) { return "ecrwvs"[static_cast<unsigned>(frame.kind)]; }

Subtree Explorer::rest() const { return Exploration<Explorer>::pathTo(*this, trail_.size(), false); }
Subtree Explorer::here() const { return Exploration<Explorer>::pathTo(*this, trail_.size(), true); }
std::optional<Subtree> Explorer::split() { return Exploration<Explorer>::split(*this); }

std::uint64_t Explorer::mixEdges(std::uint64_t digest, const Graph& graph, EventId id) {
  const Event& event = graph[id];
  if (event.isRead()) return util::mix(digest, eventName(graph, event.rf));
  return event.isWrite() ? util::mix(digest, eventName(graph, event.coPrev)) : digest;
}

// No thread can go on; those that wait for locks may still overtake. False: move on the newest choice point.
bool Explorer::goToFullGraph() {
  if (threadsIn(ThreadState::locking) != 0) trail_.push_back({.kind = FrameKind::stuck, .event = kNone});
  return false;
}

bool Explorer::mayRevisitFrom(EventId write, EventId cursor) const {
  const Lane* prefix = graph_.porf(write);
  for (EventId id = cursor; id != kNone; id = graph_[id].orderPrev) {
    const Event& event = graph_[id];
    if (graph_.inPrefix(prefix, id)) continue;
    if (event.nonMaximal && options_.equivalence == Equivalence::co) return false;
    if (event.isRead() && event.location == graph_[write].location) return true;
  }
  return false;
}

bool Explorer::mayMoveOn(const Frame& frame) const {
  const bool co = options_.equivalence == Equivalence::co;
  const auto mayGoBack = [&](EventId write, const Lane* view) {
    return !isInitial(write) && (!co || !graph_.observed(view, write));
  };
  switch (frame.kind) {
    case FrameKind::event: return false;
    case FrameKind::choice: return graph_[frame.event].value + 1 < graph_[frame.event].choices;
    case FrameKind::stuck: return frame.cursor < graph_.threads();
    case FrameKind::read:
      return (mayFailSpuriously(frame.event) && !frame.spurious) || mayGoBack(frame.cursor, poView(frame.event));
    case FrameKind::write: {
      if (frame.phase == Phase::revisiting) return mayRevisitFrom(frame.event, frame.cursor);
      const Event& write = graph_[frame.event];
      if (!write.rmw && co && mayGoBack(write.coPrev, poView(frame.event))) return true;
      return mayRevisitFrom(frame.event, write.orderPrev);
    }
    case FrameKind::revisit: {
      if (savedRevisits_[frame.saved].overtaken) return false;
      if (mayFailSpuriously(frame.cursor) && !frame.spurious) return true;
      return !graph_[frame.event].rmw && co && mayGoBack(graph_[frame.event].coPrev, poView(frame.event));
    }
  }
  return false;
}

// Takes the newest choice point back, with the alternative that it is at.
void Explorer::skip() {
  Frame& frame = trail_.back();
  const EventId event = frame.event;
  switch (frame.kind) {
    case FrameKind::event: advance(); return;
    case FrameKind::stuck: break;
    case FrameKind::choice: dropEvent(event); break;
    case FrameKind::read:
      graph_.unsetRf(event);
      leaveOption(frame);
      graph_.forgetRead(event);
      dropEvent(event);
      break;
    case FrameKind::write:
      if (frame.phase == Phase::placing) {
        graph_.unplace(event);
        consistency_.rollBack(graph_, frame.consistency);
      }
      if (graph_[event].rmw) {
        graph_.removeNewest();
      } else {
        dropEvent(event);
      }
      break;
    case FrameKind::revisit:
      if (savedRevisits_[frame.saved].overtaken) {
        graph_.unplace(event);
        consistency_.rollBack(graph_, frame.consistency);
      } else {
        graph_.unsetRf(frame.cursor);
        leaveOption(frame);
        graph_.unplace(event);
      }
      endRevisit(frame);
      break;
  }
  trail_.pop_back();
}

}  // namespace heddle
