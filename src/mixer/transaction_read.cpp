// Reads of a unit: a choice point each.
//
// A read inside a transaction that comes after a write of its own to a cell reads that. Elsewhere it chooses among the writes of the
// cell, from the co-last one back to the first that the thread has observed. The transaction so far, without its writes, is judged at
// once: it is consistent if it is in the end, and if it is not there is nothing to revisit with either.
//
// A thread that has read from a transaction has read from all of it: the porf-prefix of a read has whole units.

#include "mixer/transaction_explorer.h"

namespace heddle::mixer {

bool TransactionExplorer::addRead(ThreadId thread) {
  checkFootprint(pending_[thread]);
  const EventId read = addEvent(thread, EventKind::read, 0);
  graph_.occupy(read, pending_[thread].address, pending_[thread].size);
  pushChoicePoint(explore::ChoiceKind::read, read);
  findSources(read);
  trail_.back().end = static_cast<std::uint32_t>(choices_.size());
  return nextRead();
}

// Connects the sources, and decides what the read does with their value.
void TransactionExplorer::connect(EventId read, std::span<const ByteSource> sources, bool spurious) {
  graph_.setSources(read, sources);
  const EventId unit = units_.first(read);
  for (const ByteSource& source : sources) {
    if (isInitial(source.write) || units_.first(source.write) == unit) continue;
    clock::join(graph_.porf(read), graph_.porf(units_.last(units_.first(source.write))), graph_.chunks());
  }
  takeEffect(read, spurious);
  consistency_.computeViews(graph_, read);
  // Transactions synchronize. Of what orders them, this part is there to stay: so fewer plain accesses need to be events.
  if (!options_.races || !units_.isTransaction(unit)) return;
  const std::size_t view = consistency_.views().raceView();
  for (const ByteSource& source : sources) {
    if (isInitial(source.write) || !units_.isTransaction(units_.first(source.write))) continue;
    clock::join(graph_.view(read, view), graph_.view(units_.last(units_.first(source.write)), view), graph_.chunks());
  }
}

void TransactionExplorer::findSources(EventId read) {
  struct Choice {
    Bytes bytes;
    std::vector<EventId> writes;  // the last ones first
    std::size_t chosen = 0;
  };
  const EventId unit = units_.first(read);
  const Lane* seen = poView(read);
  std::vector<Choice> cells;
  graph_.forEachCell(read, [&](const ByteCell& cell) {
    Choice& choice = cells.emplace_back(Choice{cell.bytes, {}, 0});
    for (EventId id = read; id != unit; id = graph_[id].poPrev) {
      const EventId own = graph_[id].poPrev;
      if (!graph_[own].isWrite() || graph_[own].location != graph_[read].location) continue;
      if ((graph_.access(own).bytes & cell.bytes) == 0) continue;
      choice.writes.push_back(own);
      return;
    }
    for (std::size_t i = cell.order.size(); i > 0; --i) {
      choice.writes.push_back(cell.order[i - 1]);
      if (graph_.observed(seen, cell.order[i - 1])) return;
    }
    choice.writes.push_back(graph_[read].location);
  });
  while (true) {
    Option option;
    option.sources = static_cast<std::uint32_t>(sources_.size());
    for (const Choice& choice : cells) {
      const EventId write = choice.writes[choice.chosen];
      std::size_t i = option.sources;
      while (i < sources_.size() && sources_[i].write != write) ++i;
      if (i == sources_.size()) sources_.push_back({write, 0});
      sources_[i].bytes |= choice.bytes;
    }
    option.sourceCount = static_cast<std::uint32_t>(sources_.size()) - option.sources;
    offerSources(read, option);
    std::size_t next = cells.size();  // the cell that moves on
    while (next > 0 && ++cells[next - 1].chosen == cells[next - 1].writes.size()) cells[--next].chosen = 0;
    if (next == 0) return;
  }
}

void TransactionExplorer::offerSources(EventId read, const Option& option) {
  const EventId unit = units_.first(read);
  bool used = false;
  const auto offer = [&](bool spurious) {
    connect(read, sources(option), spurious);
    const bool weak = !spurious && mayFailSpuriously(read);
    const bool isLast = units_.depth(read) == 0;  // a unit with one read reads all that it is to read here
    if ((!isLast || isRelevant(unit)) && consistency_.isConsistent(graph_, units_, unit)) {
      choices_.push_back(option);
      choices_.back().spurious = spurious;
      used = true;
    }
    graph_.unsetSources(read);
    return weak;
  };
  if (offer(false)) offer(true);
  if (used) return;
  ++statistics_.rejected;
  sources_.resize(option.sources);
}

// The read has its sources; the thread goes on, or a read-modify-write is completed.
bool TransactionExplorer::goOn(EventId read) {
  const Event& event = graph_[read];
  if (event.rmw) return addRmwWrite(read);
  goOnAfterRead(read);
  return true;
}

bool TransactionExplorer::nextRead() {
  ChoicePoint& frame = trail_.back();
  const EventId read = frame.event;
  if (frame.applied) {
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
  frame.applied = true;
  connect(read, sources(option), option.spurious);
  return goOn(read);
}

}  // namespace heddle::mixer
