// Parts of an exploration of mixed sizes; see explore/split.cpp. The alternatives of a choice point are found when it is
// made, so there is little to guess.

#include "mixer/mixed_explorer.h"

namespace heddle::mixer {

bool MixedExplorer::mayHaveMore(const ChoicePoint& frame) const {
  const bool untried = frame.next < frame.end;
  if (frame.kind != explore::ChoiceKind::write || untried || frame.revisiting) return untried;
  const Lane* prefix = graph_.porf(frame.event);
  for (EventId id = graph_[frame.event].orderPrev; id != kNone; id = graph_[id].orderPrev) {
    if (graph_[id].isRead() && graph_.overlap(id, frame.event) && !graph_.inPrefix(prefix, id)) return true;
  }
  return false;
}

void MixedExplorer::skipRead(ChoicePoint& frame) {
  endOption(frame, false);
  graph_.unsetSources(frame.event);
  dropEvent(frame.event);
}

void MixedExplorer::skipWrite(ChoicePoint& frame) {
  if (frame.applied) graph_.unplace(frame.event);
  endOption(frame, false);
  dropWrite(frame.event);
}

void MixedExplorer::skipRevisit(ChoicePoint& frame) {
  endOption(frame, false);
  graph_.unsetSources(frame.read);
  graph_.unplace(frame.event);
  endRevisit(frame);
}

}  // namespace heddle::mixer
