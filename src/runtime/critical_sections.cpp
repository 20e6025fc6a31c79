#include "runtime/critical_sections.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace heddle::runtime {

namespace {

std::optional<EventTag> fenceOf(const ExecutionView& graph, EventId id) {
  return graph[id].kind == EventKind::fence ? graph.operation(id).kernelFence() : std::nullopt;
}

struct Section {
  EventId begin;
  Address about;
  Value value;
};

// The sections that are open in a thread, from its begin on. One of SRCU may be ended by another thread: then it is open to
// the end of this one.
class Sections {
 public:
  explicit Sections(const ExecutionView& graph) : graph_(graph) {}

  void pass(EventId id) {
    const auto tag = fenceOf(graph_, id);
    const Operation& operation = graph_.operation(id);
    if (tag == EventTag::rcuLock) open_.push_back({id, 0, 0});
    if (tag == EventTag::srcuLock) open_.push_back({id, operation.address, operation.section()});
    const Section ended{id, tag == EventTag::srcuUnlock ? operation.address : 0,
                        tag == EventTag::srcuUnlock ? operation.section() : 0};
    if (tag != EventTag::rcuUnlock && tag != EventTag::srcuUnlock) return;
    const auto found = std::find_if(open_.rbegin(), open_.rend(), [&](const Section& section) {
      return section.about == ended.about && section.value == ended.value;
    });
    if (found != open_.rend()) open_.erase(std::next(found).base());
  }

  const std::vector<Section>& open() const { return open_; }

 private:
  const ExecutionView& graph_;
  std::vector<Section> open_;
};

bool isEndedElsewhere(const ExecutionView& graph, const Section& section) {
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) {
    const Operation& operation = graph.operation(id);
    if (fenceOf(graph, id) == EventTag::srcuUnlock && operation.address == section.about &&
        operation.section() == section.value)
      return true;
  }
  return false;
}

// What comes after an event in po | rf.
std::vector<bool> reachedFrom(const ExecutionView& graph, EventId from) {
  std::vector<bool> reached(graph.top());
  std::vector<EventId> open = {from};
  const auto visit = [&](EventId id) {
    if (reached[id]) return;
    reached[id] = true;
    open.push_back(id);
  };
  while (!open.empty()) {
    const EventId id = open.back();
    open.pop_back();
    graph.followThread(id, visit);
    graph.followSpawn(id, visit);
    if (!graph[id].isWrite()) continue;
    for (EventId reader = graph[id].firstReader; reader != kNone; reader = graph[reader].readerNext) visit(reader);
  }
  return reached;
}

bool isAwaited(const ExecutionView& graph, EventId gracePeriod) {
  const Address about = fenceOf(graph, gracePeriod) == EventTag::syncSrcu ? graph.operation(gracePeriod).address : 0;
  const std::vector<bool> reached = reachedFrom(graph, gracePeriod);
  for (unsigned t = 0; t < graph.threads(); ++t) {
    const auto thread = static_cast<ThreadId>(t);
    if (thread == graph[gracePeriod].thread) continue;
    Sections sections(graph);
    for (EventId id = graph.first(thread); id != kNone; id = graph[id].poNext) {
      sections.pass(id);
      const bool waits = graph[id].isRead() || graph[id].kind == EventKind::thread;
      if (!waits || !reached[id]) continue;
      const auto isOpen = [&](const Section& section) { return section.about == about && !reached[section.begin]; };
      if (std::ranges::any_of(sections.open(), isOpen)) return true;
    }
  }
  return false;
}

}  // namespace

bool isInSection(const ExecutionView& graph, ThreadId thread, Address about) {
  Sections sections(graph);
  for (EventId id = graph.first(thread); id != kNone; id = graph[id].poNext) sections.pass(id);
  return std::ranges::any_of(sections.open(), [&](const Section& section) {
    return section.about == about && (about == 0 || !isEndedElsewhere(graph, section));
  });
}

bool mayAwaitGracePeriod(const ExecutionView& graph) {
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) {
    const auto tag = fenceOf(graph, id);
    if ((tag == EventTag::syncRcu || tag == EventTag::syncSrcu) && isAwaited(graph, id)) return true;
  }
  return false;
}

}  // namespace heddle::runtime
