// Writes of a unit: all of their places are one choice, made at its end.
//
// Nobody can come between the writes of a transaction to one byte, so they stand in a row in its order, and the row is placed. The
// cells are gone through one after the other, the last place in each first, and what has no consistent way to go on is left at once.
// If there is no place at all, because another unit has read what this one has read and has written since, the unit is transient: it
// may revisit, and is taken back otherwise.

#include <algorithm>

#include "mixer/transaction_explorer.h"

namespace heddle::mixer {

bool TransactionExplorer::addWrite(ThreadId thread) {
  const EventId write = addPendingWrite(thread);
  graph_.setWaiting(write, true);
  consistency_.computeViews(graph_, write);
  return units_.depth(write) == 0 ? endUnit(write) : goOnAfter(write, {});
}

// The write of a read-modify-write, right after its read.
bool TransactionExplorer::addRmwWrite(EventId read) {
  const EventId write = addWriteOf(read);
  const Operation& operation = graph_.operation(read);
  graph_.occupy(write, operation.address, operation.size);
  graph_.setValue(write, explore::valueWritten(operation, graph_[read].value));
  graph_.setWaiting(write, true);
  consistency_.computeViews(graph_, write);
  return units_.depth(write) == 0 ? endUnit(write) : goOnAfter(write, {.value = graph_[read].value, .success = true});
}

// The thread goes on after a unit, from where it is or where it was.
void TransactionExplorer::resumeAfter(EventId last) {
  const Event& event = graph_[last];
  if (event.isWrite() && event.rmw) {
    resumeRevisitor(last);
  } else {
    resumeThreadFrom(event.mark, event.thread, {});
  }
}

// A unit is complete.
bool TransactionExplorer::endUnit(EventId last) {
  const EventId unit = units_.first(last);
  if (!isRelevant(unit)) {
    dropEvent(last);
    return false;
  }
  if (units_.isAborted(unit)) return abort(last);
  findCells(unit);
  if (cells_.empty()) return goOnAfter(last, {});
  pushChoicePoint(explore::ChoiceKind::write, last);
  findPlaces(unit);
  ChoicePoint& frame = trail_.back();
  frame.end = static_cast<std::uint32_t>(choices_.size());
  if (frame.next == frame.end) {
    frame.transient = true;
    return false;
  }
  place(unit, choices_[frame.next++]);
  frame.applied = true;
  resumeAfter(last);
  return true;
}

bool TransactionExplorer::nextWrite() {
  {
    ChoicePoint& frame = trail_.back();
    const EventId unit = units_.first(frame.event);
    if (!frame.revisiting) {
      if (frame.applied) unplace(unit);
      frame.applied = false;
      if (frame.next < frame.end) {
        place(unit, choices_[frame.next++]);
        frame.applied = true;
        ++statistics_.added;
        return true;
      }
      frame.revisiting = true;
      frame.next = static_cast<std::uint32_t>(candidates_.size());
      findRevisits(unit);
      frame.end = static_cast<std::uint32_t>(candidates_.size());
    }
    if (frame.next < frame.end) {
      const std::uint32_t candidate = frame.next++;
      beginRevisit(frame, candidate);
      return nextRevisit();
    }
    dropEvent(frame.event);
  }
  popChoicePoint();
  return false;
}

// ---- Places.

void TransactionExplorer::findCells(EventId unit) {
  cells_.clear();
  units_.forEachEvent(unit, [&](EventId id) {
    if (!graph_[id].isWrite()) return;
    const LineId line = graph_[id].location;
    for (std::size_t i = 0; i < graph_.line(line).cells.size(); ++i) {
      if ((graph_.line(line).cells[i].bytes & graph_.access(id).bytes) == 0) continue;
      auto cell = std::ranges::find_if(cells_, [&](const WrittenCell& c) { return c.line == line && c.cell == i; });
      if (cell == cells_.end()) cell = cells_.insert(cell, WrittenCell{line, i, {}});
      cell->writes.push_back(id);
    }
  });
}

// Offers all consistent combinations of places.
void TransactionExplorer::findPlaces(EventId unit) {
  findCells(unit);
  std::vector<std::uint32_t> positions(cells_.size());
  findPlacesFrom(unit, 0, positions);
}

void TransactionExplorer::findPlacesFrom(EventId unit, std::size_t cell, std::vector<std::uint32_t>& positions) {
  if (cell == cells_.size()) {
    Option option;
    option.places = static_cast<std::uint32_t>(places_.size());
    option.placeCount = static_cast<std::uint32_t>(cells_.size());
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      places_.push_back({cells_[i].line, {graph_.line(cells_[i].line).cells[cells_[i].cell].bytes, positions[i]}});
    }
    choices_.push_back(option);
    return;
  }
  const WrittenCell& written = cells_[cell];
  const ByteCell& in = graph_.line(written.line).cells[written.cell];
  auto high = static_cast<std::uint32_t>(in.order.size());
  std::uint32_t low = high;
  if (!units_.isTransaction(unit) && graph_[written.writes.front()].rmw) {
    low = high = MixedGraph::positionAfter(in, graph_.sourceOf(unit, in.bytes));
  } else {
    const Lane* seen = poView(written.writes.back());
    while (low > 0 && !graph_.observed(seen, in.order[low - 1])) --low;
  }
  for (std::uint32_t position = high + 1; position-- > low;) {
    insert(written, position);
    if (consistency_.isConsistent(graph_, units_, unit)) {
      positions[cell] = position;
      findPlacesFrom(unit, cell + 1, positions);
    } else {
      ++statistics_.rejected;
    }
    remove(written);
  }
}

void TransactionExplorer::insert(const WrittenCell& written, std::uint32_t position) {
  std::vector<EventId>& order = graph_.line(written.line).cells[written.cell].order;
  order.insert(order.begin() + position, written.writes.begin(), written.writes.end());
}

void TransactionExplorer::remove(const WrittenCell& written) {
  std::vector<EventId>& order = graph_.line(written.line).cells[written.cell].order;
  const auto first = std::ranges::find(order, written.writes.front());
  order.erase(first, first + static_cast<std::ptrdiff_t>(written.writes.size()));
}

void TransactionExplorer::place(EventId unit, const Option& option) {
  findCells(unit);
  for (const WrittenCell& written : cells_) {
    const Bytes bytes = graph_.line(written.line).cells[written.cell].bytes;
    for (const UnitPlace& at : places(option)) {
      if (at.line == written.line && (at.place.bytes & bytes) != 0) insert(written, at.place.position);
    }
    for (const EventId write : written.writes) graph_.setWaiting(write, false);
  }
}

void TransactionExplorer::unplace(EventId unit) {
  findCells(unit);
  for (const WrittenCell& written : cells_) {
    remove(written);
    for (const EventId write : written.writes) graph_.setWaiting(write, true);
  }
}

}  // namespace heddle::mixer
