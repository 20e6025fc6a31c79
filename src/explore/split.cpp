// Parts of an exploration (subtree.h): what is left, what can be given away, and how a choice point is left unexplored.
//
// Whether a choice point has an alternative left would be known by trying, which the events that have been added since
// are in the way of. So it is guessed from the graph as it is: without the model, and as if nothing had been
// deleted. A wrong guess costs a little time: the receiver finds an empty part, or a part stays with the giver.

#include "explore/explorer.h"

namespace heddle::explore {

std::uint64_t Explorer::mixEdges(std::uint64_t digest, EventId id) const {
  const Event& event = graph_[id];
  if (event.isRead()) return util::mix(digest, eventName(graph_, event.rf));
  return event.isWrite() ? util::mix(digest, eventName(graph_, event.coPrev)) : digest;
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

bool Explorer::mayHaveMore(const ChoicePoint& frame) const {
  const bool co = options_.equivalence == Equivalence::co;
  const auto mayGoBack = [&](EventId write, const Lane* view) {
    return !isInitial(write) && (!co || !graph_.observed(view, write));
  };
  switch (frame.kind) {
    case ChoiceKind::event:
    case ChoiceKind::crash:
    case ChoiceKind::choice: break;
    case ChoiceKind::stuck: return frame.cursor < graph_.threads();
    case ChoiceKind::read:
      return (mayFailSpuriously(frame.event) && !frame.spurious) || mayGoBack(frame.cursor, poView(frame.event));
    case ChoiceKind::write: {
      if (frame.phase == Phase::revisiting) return mayRevisitFrom(frame.event, frame.cursor);
      const Event& write = graph_[frame.event];
      if (!write.rmw && co && mayGoBack(write.coPrev, poView(frame.event))) return true;
      return mayRevisitFrom(frame.event, write.orderPrev);
    }
    case ChoiceKind::revisit: {
      if (savedRevisits_[frame.saved].overtaken) return false;
      if (mayFailSpuriously(frame.cursor) && !frame.spurious) return true;
      return !graph_[frame.event].rmw && co && mayGoBack(graph_[frame.event].coPrev, poView(frame.event));
    }
  }
  return false;
}

void Explorer::skipRead(ChoicePoint& frame) {
  graph_.unsetRf(frame.event);
  leaveOption(frame);
  graph_.forgetRead(frame.event);
  dropEvent(frame.event);
}

void Explorer::skipWrite(const ChoicePoint& frame) {
  if (frame.phase == Phase::placing) {
    graph_.unplace(frame.event);
    consistency_.rollBack(graph_, frame.consistency);
  }
  dropWrite(frame.event);
}

void Explorer::skipRevisit(ChoicePoint& frame) {
  if (savedRevisits_[frame.saved].overtaken) {
    graph_.unplace(frame.event);
    consistency_.rollBack(graph_, frame.consistency);
  } else {
    graph_.unsetRf(frame.cursor);
    leaveOption(frame);
    graph_.unplace(frame.event);
  }
  endRevisit(frame);
}

}  // namespace heddle::explore
