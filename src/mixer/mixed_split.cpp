// Parts of an exploration of mixed sizes; see explore/split.cpp. The alternatives of a choice point are found when it is
// made, so there is little to guess.

#include "explore/exploration.h"
#include "mixer/mixed_explorer.h"

namespace heddle {

char MixedExplorer::letterOf(const Frame& frame) { return "ecrwv"[static_cast<unsigned>(frame.kind)]; }

Subtree MixedExplorer::rest() const { return Exploration<MixedExplorer>::pathTo(*this, trail_.size(), false); }
Subtree MixedExplorer::here() const { return Exploration<MixedExplorer>::pathTo(*this, trail_.size(), true); }
std::optional<Subtree> MixedExplorer::split() { return Exploration<MixedExplorer>::split(*this); }

std::uint64_t MixedExplorer::mixEdges(std::uint64_t digest, const MixedGraph& graph, EventId id) {
  const MixedEvent& event = graph[id];
  for (unsigned byte = event.offset; byte < unsigned{event.offset} + event.size; ++byte) {
    const auto bit = static_cast<Bytes>(1u << byte);
    graph.forEachCell(id, [&](const Cell& cell) {
      if ((cell.bytes & bit) == 0) return;
      digest = util::mix(digest, event.isRead() ? eventName(graph, graph.sourceOf(id, cell.bytes))
                                                : MixedGraph::positionAfter(cell, id));
    });
  }
  return digest;
}

bool MixedExplorer::mayMoveOn(const Frame& frame) const {
  switch (frame.kind) {
    case FrameKind::event: return false;
    case FrameKind::choice: return graph_[frame.event].value + 1 < graph_[frame.event].choices;
    case FrameKind::read:
    case FrameKind::revisit: return frame.next < frame.end;
    case FrameKind::write: break;
  }
  if (frame.next < frame.end || frame.revisiting) return frame.next < frame.end;
  const MixedEvent& write = graph_[frame.event];
  const Lane* prefix = graph_.porf(frame.event);
  for (EventId id = write.orderPrev; id != kNone; id = graph_[id].orderPrev) {
    const MixedEvent& event = graph_[id];
    if (event.isRead() && event.line == write.line && (event.bytes & write.bytes) != 0 && !graph_.inPrefix(prefix, id)) {
      return true;
    }
  }
  return false;
}

// Takes the newest choice point back, with the alternative that it is at.
void MixedExplorer::skip() {
  Frame& frame = trail_.back();
  const EventId event = frame.event;
  switch (frame.kind) {
    case FrameKind::event: advance(); return;
    case FrameKind::choice:
      endOption(frame, false);
      dropEvent(event);
      break;
    case FrameKind::read:
      endOption(frame, false);
      graph_.unsetSources(event);
      dropEvent(event);
      break;
    case FrameKind::write:
      if (frame.applied) graph_.unplace(event);
      endOption(frame, false);
      if (graph_[event].rmw) {
        graph_.removeNewest();
      } else {
        dropEvent(event);
      }
      break;
    case FrameKind::revisit:
      endOption(frame, false);
      graph_.unsetSources(frame.read);
      graph_.unplace(event);
      endRevisit(frame);
      break;
  }
  popFrame();
}

}  // namespace heddle
