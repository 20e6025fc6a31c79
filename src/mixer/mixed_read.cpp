// Reads: all combinations of writes that a read can take its bytes from.
//
// For each cell the candidates are the writes from the co-last one back to the first that the thread has observed, as
// in explore/read.cpp. Not every combination is one: where a write that the read takes from one cell covers another
// cell as well, the read must take it or a co-later one there too. Most of what would tear an access is ruled out by
// looking at two cells at a time; the model has the last word on what is left. The first combination, the co-last write
// of every cell, is always consistent.

#include "mixer/mixed_explorer.h"

namespace heddle::mixer {

bool MixedExplorer::addRead(ThreadId thread) {
  checkFootprint(pending_[thread]);
  const EventId read = addEvent(thread, EventKind::read, 0);
  graph_.occupy(read, pending_[thread].address, pending_[thread].size);
  ChoicePoint& frame = pushChoicePoint(explore::ChoiceKind::read, read);
  findSources(read, {}, {}, true);
  frame.end = static_cast<std::uint32_t>(choices_.size());
  return nextRead();
}

// Connects the sources, and decides what the read does with their value.
void MixedExplorer::connect(EventId read, std::span<const ByteSource> sources, bool spurious) {
  graph_.setSources(read, sources);
  takeEffect(read, spurious);
  consistency_.computeViews(graph_, read);
}

// Offers all consistent combinations of sources that contain the relevant writes, each together with the places (of the
// write that revisits the read, which stands there already, last or not).
void MixedExplorer::findSources(EventId read, std::span<const EventId> relevant, const Option& places, bool placedLast) {
  const Lane* seen = poView(read);
  cells_.clear();
  graph_.forEachCell(read, [&](const ByteCell& cell) {
    const auto high = static_cast<std::uint32_t>(cell.order.size());
    std::uint32_t low = high;
    while (low > 0 && !graph_.observed(seen, cell.order[low - 1])) --low;
    cells_.push_back({&cell, low, high, high});
  });
  // Is what is read from one cell, if it covers the other too, not later there than what is read from that?
  const auto agrees = [&](const CellChoice& a, const CellChoice& b) {
    if (a.position == 0) return true;
    const EventId write = a.cell->order[a.position - 1];
    if ((graph_.access(write).bytes & b.cell->bytes) == 0) return true;
    return MixedGraph::positionAfter(*b.cell, write) <= b.position;
  };
  const auto offer = [&] {
    Option option = places;
    option.sources = static_cast<std::uint32_t>(sources_.size());
    bool last = placedLast;
    for (const CellChoice& choice : cells_) {
      last = last && choice.position == choice.high;
      const EventId write = choice.position == 0 ? graph_[read].location : choice.cell->order[choice.position - 1];
      std::size_t i = option.sources;
      while (i < sources_.size() && sources_[i].write != write) ++i;
      if (i == sources_.size()) sources_.push_back({write, 0});
      sources_[i].bytes |= choice.cell->bytes;
    }
    option.sourceCount = static_cast<std::uint32_t>(sources_.size()) - option.sources;
    for (const EventId write : relevant) {
      bool taken = false;
      for (const ByteSource& source : sources(option)) taken = taken || source.write == write;
      if (taken) continue;
      sources_.resize(option.sources);
      return;
    }
    offerSources(read, relevant.empty() ? kNone : relevant.front(), option, last);
  };
  forEachCombination([&](const CellChoice& a, const CellChoice& b) { return agrees(a, b) && agrees(b, a); }, offer);
}

// A read-modify-write is judged by the axioms that take longer when its write is there too. What revisits a read is
// judged together with the read.
void MixedExplorer::offerSources(EventId read, EventId revisitor, const Option& option, bool maximal) {
  std::array<EventId, 3> added{read, revisitor, kNone};
  std::size_t count = revisitor == kNone ? 1 : 2;
  if (revisitor != kNone && graph_[revisitor].rmw) added[count++] = graph_[revisitor].poPrev;
  const auto holds = [&] {
    if (maximal) return true;
    if (!consistency_.isCoherent(graph_, read)) return false;
    if (revisitor == kNone && graph_[read].rmw) return true;
    return consistency_.holdsOtherwise(graph_, std::span(added).first(count));
  };
  connect(read, sources(option), false);
  const bool weak = mayFailSpuriously(read);
  bool used = holds();
  if (used) choices_.push_back(option);
  graph_.unsetSources(read);
  if (weak) {
    connect(read, sources(option), true);
    if (holds()) {
      choices_.push_back(option);
      choices_.back().spurious = true;
      used = true;
    }
    graph_.unsetSources(read);
  }
  if (used) return;
  ++statistics_.rejected;
  sources_.resize(option.sources);
}

// The read has its sources; the thread goes on, or a read-modify-write is completed.
bool MixedExplorer::goOn(EventId read) {
  const Event& event = graph_[read];
  if (event.rmw) return addRmwWrite(read);
  checkRaces(read);
  goOnAfterRead(read);
  return true;
}

bool MixedExplorer::nextRead() {
  ChoicePoint& frame = trail_.back();
  const EventId read = frame.event;
  if (frame.applied) {
    endOption(frame, true);
    graph_.unsetSources(read);
    program_.rewind(graph_[read].thread, graph_[read].mark);
    ++statistics_.added;
  }
  if (frame.next == frame.end) {
    dropEvent(read);
    popChoicePoint();
    return false;
  }
  const Option option = choices_[frame.next++];
  beginOption(frame);
  connect(read, sources(option), option.spurious);
  return goOn(read);
}

}  // namespace heddle::mixer
