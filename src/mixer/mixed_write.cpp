// Writes: all the combinations of places that a write can take in the coherence orders of its cells.
//
// A word's coherence order is a partial order: what counts is the order of the writes of each byte. So a new write
// takes a place in the order of each cell it covers, and no linearisation of the whole is ever made. Two cells agree
// about each write that covers both; the model decides about longer chains of writes that overlap. As in
// explore/write.cpp a thread's view bounds how early a write may be, and a place between a write and the
// read-modify-write that read it would break atomicity there. The last place in every cell is always consistent.

#include "mixer/mixed_explorer.h"

namespace heddle::mixer {

bool MixedExplorer::addWrite(ThreadId thread) {
  const EventId write = addPendingWrite(thread);
  consistency_.computeViews(graph_, write);
  ChoicePoint& frame = pushChoicePoint(explore::ChoiceKind::write, write);
  findPlaces(write, true);
  frame.end = static_cast<std::uint32_t>(choices_.size());
  graph_.place(write, places(choices_[frame.next++]));
  beginOption(frame);
  checkRaces(write);
  resumeThread(thread, {});
  return true;
}

// The write of a read-modify-write, right after its read.
bool MixedExplorer::addRmwWrite(EventId read) {
  const ThreadId thread = graph_[read].thread;
  const EventId write = addWriteOf(read);
  const Event& r = graph_[read];
  const Operation& operation = graph_.operation(read);
  graph_.occupy(write, operation.address, operation.size);
  graph_.setValue(write, explore::valueWritten(operation, r.value));
  consistency_.computeViews(graph_, write);
  ChoicePoint& frame = pushChoicePoint(explore::ChoiceKind::write, write);
  findPlaces(write, true);
  frame.end = static_cast<std::uint32_t>(choices_.size());
  if (frame.next == frame.end) {
    frame.transient = true;
    return false;
  }
  graph_.place(write, places(choices_[frame.next++]));
  beginOption(frame);
  checkRaces(read);
  checkRaces(write);
  resumeThread(thread, {.value = r.value, .success = true});
  return true;
}

// Would a write at this position come between a write and the read-modify-write that read it?
bool MixedExplorer::splitsRmw(const ByteCell& cell, std::uint32_t position, LineId line) const {
  if (position == cell.order.size()) return false;
  const EventId next = cell.order[position];
  if (!graph_[next].rmw) return false;
  return graph_.sourceOf(graph_[next].poPrev, cell.bytes) == (position == 0 ? line : cell.order[position - 1]);
}

// Notes the cells of the write and the bounds of its place in each. False: there is no place.
bool MixedExplorer::findCells(EventId write) {
  const Event& event = graph_[write];
  const Lane* seen = poView(write);
  bool possible = true;
  cells_.clear();
  graph_.forEachCell(write, [&](const ByteCell& cell) {
    const auto high = static_cast<std::uint32_t>(cell.order.size());
    if (event.rmw) {
      const std::uint32_t position = MixedGraph::positionAfter(cell, graph_.sourceOf(event.poPrev, cell.bytes));
      possible = possible && !splitsRmw(cell, position, event.location);
      cells_.push_back({&cell, position, position, position});
      return;
    }
    std::uint32_t low = high;
    while (low > 0 && !graph_.observed(seen, cell.order[low - 1])) --low;
    cells_.push_back({&cell, low, high, high});
  });
  return possible;
}

bool MixedExplorer::isLast(const Option& option, EventId write) const {
  bool last = true;
  graph_.forEachCell(write, [&](const ByteCell& cell) {
    for (const BytePlace& place : places(option)) {
      if ((place.bytes & cell.bytes) != 0) last = last && place.position == cell.order.size();
    }
  });
  return last;
}

// Offers all consistent combinations of places. `complete`: nothing else is about to be added in the same step.
void MixedExplorer::findPlaces(EventId write, bool complete) {
  if (!findCells(write)) return;
  const LineId line = graph_[write].location;
  const auto agree = [&](const CellChoice& a, const CellChoice& b) {
    for (std::size_t i = 0; i < a.cell->order.size(); ++i) {
      const EventId other = a.cell->order[i];
      if ((graph_.access(other).bytes & b.cell->bytes) == 0) continue;
      if ((i < a.position) != (MixedGraph::positionAfter(*b.cell, other) <= b.position)) return false;
    }
    return true;
  };
  const auto offer = [&] {
    Option option{};
    option.places = static_cast<std::uint32_t>(places_.size());
    for (const CellChoice& choice : cells_) {
      if (!graph_[write].rmw && splitsRmw(*choice.cell, choice.position, line)) {
        places_.resize(option.places);
        return;
      }
      places_.push_back({choice.cell->bytes, choice.position});
    }
    option.placeCount = static_cast<std::uint32_t>(cells_.size());
    if (!isLast(option, write)) {
      graph_.place(write, places(option));
      const std::array<EventId, 2> added{write, graph_[write].poPrev};
      const bool holds = consistency_.isCoherent(graph_, write) &&
                         (!complete || consistency_.holdsOtherwise(graph_, std::span(added).first(graph_[write].rmw ? 2 : 1)));
      graph_.unplace(write);
      if (!holds) {
        ++statistics_.rejected;
        places_.resize(option.places);
        return;
      }
    }
    choices_.push_back(option);
  };
  forEachCombination(agree, offer);
}

bool MixedExplorer::nextWrite() {
  {
    ChoicePoint& frame = trail_.back();
    if (!frame.revisiting) {
      if (frame.applied) {
        endOption(frame, true);
        graph_.unplace(frame.event);
      }
      if (frame.next < frame.end) {
        graph_.place(frame.event, places(choices_[frame.next++]));
        beginOption(frame);
        ++statistics_.added;
        return true;
      }
      frame.revisiting = true;
      frame.next = static_cast<std::uint32_t>(candidates_.size());
      findRevisits(frame);
      frame.end = static_cast<std::uint32_t>(candidates_.size());
    }
    if (frame.next < frame.end) {
      const Candidate candidate = candidates_[frame.next++];
      beginRevisit(frame.event, candidate, frame.transient);
      return nextRevisit();
    }
    endOption(frame, false);
    dropWrite(frame.event);
  }
  popChoicePoint();
  return false;
}

}  // namespace heddle::mixer
