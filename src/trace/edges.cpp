#include "trace/edges.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace heddle::trace {

namespace {

// What holds of the order that an access or fence has: "acq_rel/relaxed" is that of a compare-exchange that succeeds or fails.
std::string_view orderOf(const Event& event) {
  const std::string_view both = event.order;
  const std::size_t slash = both.find('/');
  if (slash == std::string_view::npos) return both;
  return event.success ? both.substr(0, slash) : both.substr(slash + 1);
}

bool releases(const Event& event) {
  const std::string_view order = orderOf(event);
  return order == "release" || order == "acq_rel" || order == "seq_cst";
}

bool acquires(const Event& event) {
  const std::string_view order = orderOf(event);
  return order == "acquire" || order == "acq_rel" || order == "seq_cst" || order == "consume";
}

// Locks, semaphores, barriers and the like, which synchronise by being used.
bool isSynchronisation(const Event& event) { return event.kind >= Kind::lock && event.kind <= Kind::depart; }

class Finder {
 public:
  explicit Finder(const Execution& execution) : execution_(execution) {
    for (const Event& event : execution.events) {
      byNumber_[event.number] = &event;
      threads_[event.thread].push_back(&event);
    }
    for (auto& [thread, events] : threads_) {
      std::ranges::sort(events, {}, [](const Event* event) { return event->index; });
    }
  }

  std::vector<Edge> find() {
    for (const Event& event : execution_.events) addReadsFrom(event);
    for (const Event& event : execution_.events) addCoherence(event);
    // A refutation of `prove` has reads-before as a relation of its own, as its coherence need not be total.
    const bool given =
        std::ranges::find(execution_.relations, nameOf(Edge::Kind::rb), &Relation::name) != execution_.relations.end();
    if (!given) addReadsBefore();
    for (const auto& [thread, events] : threads_) addSynchronisation(events);
    for (const Event& event : execution_.events) addThreads(event);
    for (const Relation& relation : execution_.relations) {
      const bool isReadsBefore = relation.name == nameOf(Edge::Kind::rb);
      for (const auto& [from, to] : relation.pairs) {
        if (isReadsBefore) {
          add(Edge::Kind::rb, from, to);
        } else {
          add(Edge::Kind::other, from, to, relation.name);
        }
      }
    }
    return std::move(edges_);
  }

 private:
  void add(Edge::Kind kind, unsigned from, unsigned to, const std::string& name = {}) {
    if (from == 0 || to == 0 || from == to) return;
    edges_.push_back({kind, from, to, name});
  }

  void addReadsFrom(const Event& event) {
    for (const Event::Part& part : event.fromParts) add(Edge::Kind::rf, part.number, event.number, part.bytes);
    if (event.reads && event.fromParts.empty()) add(Edge::Kind::rf, event.from, event.number);
  }

  void addCoherence(const Event& event) {
    for (const Event::Part& part : event.coAfterParts) add(Edge::Kind::co, part.number, event.number, part.bytes);
    if (!event.writes || !event.coAfterParts.empty()) return;
    add(Edge::Kind::co, event.coAfter, event.number);
    next_[{event.location, event.coAfter}] = event.number;
  }

  // Not where sizes are mixed: bytes of a read may then be overwritten by different writes.
  void addReadsBefore() {
    for (const Event& event : execution_.events) {
      if (!event.reads || !event.fromParts.empty()) continue;
      const auto next = next_.find({event.location, event.from});
      if (next != next_.end()) add(Edge::Kind::rb, event.number, next->second);
    }
  }

  // Of one thread: each acquire, and each read before an acquire fence, with the releases that it sees.
  void addSynchronisation(const std::vector<const Event*>& events) {
    std::vector<const Event*> readsSoFar;
    for (const Event* event : events) {
      if (event->kind == Kind::fence) {
        if (!acquires(*event)) continue;
        for (const Event* read : readsSoFar) addReleases(*read, *event);
        readsSoFar.clear();
      } else if (event->reads) {
        if (isSynchronisation(*event) || acquires(*event)) {
          addReleases(*event, *event);
        } else {
          readsSoFar.push_back(event);
        }
      }
    }
  }

  // The heads of the release sequences that the write belongs to which `read` reads from: that write, and, as long as it is a
  // read-modify-write, what it has read from.
  void addReleases(const Event& read, const Event& acquire) {
    std::set<unsigned> visited;
    for (const Event* write = source(read); write != nullptr && visited.insert(write->number).second; write = source(*write)) {
      if (write->thread != acquire.thread) {
        if (isSynchronisation(*write) || releases(*write)) {
          add(Edge::Kind::sw, write->number, acquire.number);
        } else if (const Event* fence = releaseFenceBefore(*write)) {
          add(Edge::Kind::sw, fence->number, acquire.number);
        }
      }
      if (!write->reads) break;
    }
  }

  const Event* source(const Event& read) const {
    const auto found = byNumber_.find(read.from);
    return read.from == 0 || found == byNumber_.end() ? nullptr : found->second;
  }

  const Event* releaseFenceBefore(const Event& write) const {
    const Event* last = nullptr;
    for (const Event* event : threads_.at(write.thread)) {
      if (event == &write) return last;
      if (event->kind == Kind::fence && releases(*event)) last = event;
    }
    return nullptr;
  }

  void addThreads(const Event& event) {
    const auto partner = threads_.find(event.partner);
    if (partner == threads_.end()) return;
    if (event.kind == Kind::spawn) add(Edge::Kind::thread, event.number, partner->second.front()->number);
    if (event.kind == Kind::join) add(Edge::Kind::thread, partner->second.back()->number, event.number);
  }

  const Execution& execution_;
  std::map<unsigned, const Event*> byNumber_;
  std::map<ThreadId, std::vector<const Event*>> threads_;      // in program order
  std::map<std::pair<std::string, unsigned>, unsigned> next_;  // the write after another in coherence order
  std::vector<Edge> edges_;
};

}  // namespace

const char* nameOf(Edge::Kind kind) {
  switch (kind) {
    case Edge::Kind::rf: return "rf";
    case Edge::Kind::co: return "co";
    case Edge::Kind::rb: return "rb";
    case Edge::Kind::sw: return "sw";
    case Edge::Kind::thread: return "thread";
    case Edge::Kind::other: return "other";
  }
  return "";
}

std::vector<Edge> edgesOf(const Execution& execution) { return Finder(execution).find(); }

}  // namespace heddle::trace
