// Parts of an exploration of mixed sizes; see explore/split.cpp. The alternatives of a choice point are found when it is
// made, so there is little to guess.

#include "mixer/mixed_explorer.h"

namespace heddle::mixer {

std::uint64_t MixedExplorer::mixEdges(std::uint64_t digest, EventId id) const {
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
