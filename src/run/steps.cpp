#include "run/steps.h"

#include <algorithm>
#include <set>

namespace heddle::run {

std::vector<EventId> eventsBefore(const ExecutionView& graph, EventId id) {
  std::vector<EventId> before;
  const auto add = [&](EventId other) {
    if (other != kNone && !isInitial(other)) before.push_back(other);
  };
  const Event& event = graph[id];
  add(event.poPrev);
  const OperationKind kind = graph.operation(id).kind;
  if (event.kind == EventKind::thread && kind == OperationKind::depart) graph.forEachArrival(id, add);
  if (event.kind == EventKind::thread && kind == OperationKind::join) add(graph.last(static_cast<ThreadId>(event.partner)));
  if (kind == OperationKind::crash) {
    for (unsigned t = 0; t < graph.threads(); ++t) {
      if (t != event.thread) add(graph.last(static_cast<ThreadId>(t)));
    }
  }
  std::ranges::sort(before);
  const auto twice = std::ranges::unique(before);
  before.erase(twice.begin(), twice.end());
  return before;
}

namespace {

class CausalOrder {
 public:
  explicit CausalOrder(const ExecutionView& graph) : graph_(graph) {
    std::vector<EventId> insertion;
    for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) insertion.push_back(id);
    for (auto it = insertion.rbegin(); it != insertion.rend(); ++it) add(*it);
  }
  const std::vector<EventId>& events() const { return order_; }

 private:
  void add(EventId first) {
    std::vector<EventId> open{first};
    while (!open.empty()) {
      const EventId id = open.back();
      if (done_.contains(id)) {
        open.pop_back();
        continue;
      }
      const std::size_t depth = open.size();
      const auto need = [&](EventId other) {
        if (other != kNone && !isInitial(other) && !done_.contains(other)) open.push_back(other);
      };
      for (const EventId before : eventsBefore(graph_, id)) need(before);
      if (graph_[id].isRead()) {
        for (const BytesFrom& source : graph_.sourcesOf(id)) {
          if (isInitial(source.write) || !graph_.inPrefix(graph_.porf(source.write), id)) need(source.write);
        }
      }
      if (open.size() > depth) continue;
      open.pop_back();
      done_.insert(id);
      order_.push_back(id);
    }
  }

  const ExecutionView& graph_;
  std::set<EventId> done_;
  std::vector<EventId> order_;
};

}  // namespace

std::vector<EventId> inCausalOrder(const ExecutionView& graph) { return CausalOrder(graph).events(); }

Cells::Cells(const ExecutionView& graph) : graph_(graph) {
  if (graph.hasMixedSizes()) {
    mixed_ = graph.coherence();
    return;
  }
  for (const CoherenceOrder& order : graph.coherence()) {
    for (std::size_t i = 0; i < order.writes.size(); ++i) place_[order.writes[i]] = i + 1;
  }
}

std::vector<trace::Step::Access> Cells::of(EventId id) const {
  const Event& event = graph_[id];
  if (!event.isRead() && !event.isWrite()) return {};
  if (!graph_.hasMixedSizes()) {
    const EventId write = event.isRead() ? event.rf : id;
    return {{event.location, isInitial(write) ? 0 : place_.at(write)}};
  }
  std::vector<trace::Step::Access> accesses;
  const std::vector<BytesFrom> sources = event.isRead() ? graph_.sourcesOf(id) : graph_.predecessorsOf(id);
  for (std::size_t c = 0; c < mixed_.size(); ++c) {
    const auto isIn = [&](const BytesFrom& source) {
      return std::ranges::any_of(mixed_[c].bytes, [&](const ByteRange& bytes) { return bytes.overlaps(source.bytes); });
    };
    const auto source = std::ranges::find_if(sources, isIn);
    if (source == sources.end()) continue;
    const auto& writes = mixed_[c].writes;
    const auto place = std::ranges::find(writes, event.isRead() ? source->write : id);
    accesses.push_back({c, place == writes.end() ? 0 : static_cast<std::size_t>(place - writes.begin()) + 1});
  }
  return accesses;
}

std::vector<EventId> inShownOrder(const ExecutionView& graph, const std::function<bool(EventId)>& among) {
  const Steps steps(graph, among);
  std::vector<EventId> order;
  for (const std::size_t step : trace::interleave(steps.all()).order) {
    const EventId id = steps.eventOf(step);
    order.push_back(id);
    const EventId next = graph[id].poNext;
    if (graph[id].isRead() && graph[id].rmw && next != kNone && graph[next].isWrite() && among(next)) order.push_back(next);
  }
  return order;
}

Steps::Steps(const ExecutionView& graph, const std::function<bool(EventId)>& among) {
  const Cells cells(graph);
  for (const EventId id : inCausalOrder(graph)) {
    if (among(id)) addEvent(graph, cells, id);
  }
}

void Steps::addEvent(const ExecutionView& graph, const Cells& cells, EventId id) {
  const Event& event = graph[id];
  const auto readOfUpdate = event.isWrite() && event.rmw ? stepOf_.find(event.poPrev) : stepOf_.end();
  const bool isSecond = readOfUpdate != stepOf_.end();
  const std::size_t number = isSecond ? readOfUpdate->second : steps_.size();
  stepOf_[id] = number;
  if (!isSecond) {
    steps_.push_back({.thread = event.thread, .after = {}, .reads = {}, .writes = {}});
    events_.push_back(id);
    std::vector<std::size_t>& after = steps_[number].after;
    for (const EventId before : eventsBefore(graph, id)) {
      if (const auto found = stepOf_.find(before); found != stepOf_.end()) after.push_back(found->second);
    }
    std::ranges::sort(after);
    const auto twice = std::ranges::unique(after);
    after.erase(twice.begin(), twice.end());
  }
  (event.isRead() ? steps_[number].reads : steps_[number].writes) = cells.of(id);
}

}  // namespace heddle::run
