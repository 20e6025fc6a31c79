#include "run/crash_why.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace heddle::run {

namespace {

using Lost = trace::Why::Lost;

constexpr Address kLine = 64;  // a cache line

class CrashWhy {
 public:
  CrashWhy(const ExecutionView& graph, const TraceOptions& options) : graph_(graph), options_(options) {}

  void describe(trace::Why& why) {
    why.afterCrash = true;
    why.findsNewest = true;
    std::map<unsigned, EventId> finds;  // by number
    for (EventId id = graph_.newest(); id != kNone; id = graph_[id].orderPrev) {
      const auto number = options_.numbers->find(id);
      const bool isFind = graph_.operation(id).kind == OperationKind::recover;
      if (isFind && number != options_.numbers->end() && isRelevant(graph_, options_, id)) finds.emplace(number->second, id);
    }
    std::set<EventId> told;
    for (const auto& [number, id] : finds) {
      const std::optional<EventId> missed = missedBy(id, why.findsNewest);
      if (missed && told.insert(*missed).second) add(number, *missed, why);
    }
  }

 private:
  // The newest write of what recovery reads there, if it finds an older one because that is lost.
  std::optional<EventId> missedBy(EventId find, bool& findsNewest) const {
    const Operation& operation = graph_.operation(find);
    const std::vector<EventId> found = options_.recovery->foundBy(graph_, find);
    const std::vector<CoherenceOrder> orders = graph_.coherenceOf({operation.address, operation.size});
    if (found.size() > 1 || orders.size() > 1) {
      findsNewest = false;  // who knows
      return std::nullopt;
    }
    if (orders.empty()) return std::nullopt;  // nobody has written there
    if (!found.empty() && graph_[found.front()].thread == options_.recovery->thread()) return std::nullopt;
    const std::vector<EventId>& writes = orders.front().writes;
    const EventId newest = writes.empty() ? kNone : writes.back();
    if (newest == kNone || (!found.empty() && found.front() == newest)) return std::nullopt;
    findsNewest = false;
    const bool isLost = options_.recovery->fateOf(graph_, newest) == persist::RecoveryReads::Fate::lost;
    return isLost && options_.numbers->contains(newest) ? std::optional(newest) : std::nullopt;
  }

  void add(unsigned find, EventId write, trace::Why& why) const {
    Lost lost{.find = find, .write = options_.numbers->at(write), .later = 0, .reason = reasonOf(write)};
    for (EventId id = graph_[write].poNext; id != kNone; id = graph_[id].poNext) {
      const bool isElsewhere = graph_[id].isWrite() && graph_.operation(id).address != graph_.operation(write).address;
      if (!isElsewhere || !options_.isDurable(graph_.operation(id).address) || !options_.numbers->contains(id)) continue;
      if (options_.recovery->fateOf(graph_, id) != persist::RecoveryReads::Fate::persisted) continue;
      lost.later = options_.numbers->at(id);
      break;
    }
    why.lost.push_back(std::move(lost));
  }

  // Does the flush concern the write?
  bool covers(const Operation& flush, EventId write) const {
    switch (flush.flushes()) {
      case Flush::line:
      case Flush::lineLater: return flush.address / kLine == graph_.operation(write).address / kLine;
      case Flush::wait: return false;
      default: return true;  // of files: which of them has what is the file system's to say
    }
  }

  // What is plainly missing; nothing where it takes a closer look.
  std::string reasonOf(EventId write) const {
    for (EventId id = graph_.newest(); id != kNone; id = graph_[id].orderPrev) {
      const bool isOther = graph_[id].thread != graph_[write].thread && graph_.operation(id).kind == OperationKind::flush;
      if (isOther && covers(graph_.operation(id), write)) return "";
    }
    EventId flush = kNone;
    for (EventId id = graph_[write].poNext; id != kNone; id = graph_[id].poNext) {
      const Operation& operation = graph_.operation(id);
      if (operation.kind != OperationKind::flush || !covers(operation, write)) continue;
      if (operation.flushes() != Flush::lineLater) return "";
      if (flush == kNone) flush = id;
    }
    if (flush == kNone) return "nothing flushes it after that";
    for (EventId id = graph_[flush].poNext; id != kNone; id = graph_[id].poNext) {
      const bool isFlush = graph_.operation(id).kind == OperationKind::flush;
      if (isFlush || graph_[id].kind == EventKind::fence || graph_[id].rmw) return "";
    }
    const auto number = options_.numbers->find(flush);
    return number == options_.numbers->end() ? ""
                                             : fmt::format("event {} flushes it, and nothing waits for that", number->second);
  }

  const ExecutionView& graph_;
  const TraceOptions& options_;
};

}  // namespace

void describeCrash(const ExecutionView& graph, const TraceOptions& options, trace::Why& why) {
  CrashWhy(graph, options).describe(why);
}

}  // namespace heddle::run
