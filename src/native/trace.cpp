#include "native/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>

namespace heddle::native {

namespace {

const char* orderName(Order order) {
  static constexpr const char* kNames[] = {"", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};
  return kNames[static_cast<unsigned>(order)];
}

const char* rmwName(RmwOp op) {
  static constexpr const char* kNames[] = {"exchange",  "fetch_add",  "fetch_sub", "fetch_and", "fetch_or", "fetch_xor",
                                           "fetch_nand", "fetch_max", "fetch_min", "fetch_max", "fetch_min"};
  return kNames[static_cast<unsigned>(op)];
}

bool isNotification(const Operation& operation) {
  return operation.kind == OperationKind::choose && operation.address != 0;
}

std::string kindName(const Operation& operation) {
  const bool plain = operation.order == Order::plain;
  switch (operation.kind) {
    case OperationKind::load: return plain ? "plain read" : "load";
    case OperationKind::store: return plain ? "plain write" : "store";
    case OperationKind::rmw: return rmwName(operation.rmw);
    case OperationKind::cas: return "compare_exchange";
    case OperationKind::fence: return "fence";
    case OperationKind::spawn: return "spawn";
    case OperationKind::join: return "join";
    case OperationKind::lock: return "lock";
    case OperationKind::unlock: return "unlock";
    case OperationKind::arrive: return "arrive";
    case OperationKind::depart: return "depart";
    case OperationKind::choose: return isNotification(operation) ? "notify" : "choose";
    default: return "";
  }
}

// Every event after those it depends on (po, rf, and the end of a joined thread); otherwise in insertion order.
class CausalOrder {
 public:
  explicit CausalOrder(const Graph& graph) : graph_(graph) {
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
      const Event& event = graph_[id];
      const std::size_t depth = open.size();
      const auto need = [&](EventId other) {
        if (other != kNone && !isInitial(other) && !done_.contains(other)) open.push_back(other);
      };
      need(event.poPrev);
      if (event.isRead()) need(event.rf);
      if (event.kind == EventKind::thread && graph_.operation(id).kind == OperationKind::depart) {
        graph_.forEachArrival(id, need);
      }
      if (event.kind == EventKind::thread && graph_.operation(id).kind == OperationKind::join) {
        need(graph_.last(static_cast<ThreadId>(event.partner)));
      }
      if (open.size() > depth) continue;
      open.pop_back();
      done_.insert(id);
      order_.push_back(id);
    }
  }

  const Graph& graph_;
  std::set<EventId> done_;
  std::vector<EventId> order_;
};

class Tracer {
 public:
  Tracer(const Graph& graph, const NativeProgram& program, const ObjectNames& names, const TraceOptions& options)
      : graph_(graph), program_(program), names_(names), options_(options) {}

  std::vector<TraceEvent> trace() {
    const CausalOrder order(graph_);
    for (const bool relevant : {true, false}) {
      for (const EventId id : order.events()) {
        if (isRmwWrite(id) || isRelevant(id) != relevant) continue;
        numbers_[id] = static_cast<unsigned>(numbers_.size() + 1);
        shown_.push_back(id);
      }
    }
    std::vector<TraceEvent> result;
    for (const EventId id : shown_) result.push_back(describe(id));
    return result;
  }

 private:
  // The two events of a read-modify-write are shown as one: the read.
  bool isRmwWrite(EventId id) const { return graph_[id].isWrite() && graph_[id].rmw; }
  EventId shownAs(EventId id) const { return isRmwWrite(id) ? graph_[id].poPrev : id; }
  unsigned numberOf(EventId id) const {
    if (id == kNone || isInitial(id)) return 0;
    return numbers_.at(shownAs(id));
  }

  bool isRelevant(EventId id) const {
    if (options_.ends.empty()) return true;
    return std::any_of(options_.ends.begin(), options_.ends.end(),
                       [&](EventId end) { return graph_.inPrefix(graph_.porf(end), id); });
  }

  std::string valueOf(const Event& event, const Operation& operation, Value value) const {
    if (operation.size == 16) {
      std::string text = "0x";
      const auto& bytes = program_.wideValue(value);
      for (std::size_t i = bytes.size(); i-- > 0;) text += fmt::format("{:02x}", static_cast<unsigned>(bytes[i]));
      return text;
    }
    return names_.value(graph_.location(event.location).address, operation.size, value);
  }

  void describeAccess(const Event& event, const Operation& operation, TraceEvent& shown) const {
    const Location& location = graph_.location(event.location);
    shown.location = names_.name(location.address, location.size);
    shown.reads = event.isRead();
    shown.writes = event.isWrite() || event.rmw;
    if (event.isRead()) {
      shown.from = numberOf(event.rf);
      shown.success = operation.kind != OperationKind::cas || event.rmw;
      shown.spurious = operation.kind == OperationKind::cas && !event.rmw &&
                       event.value == truncate(operation.expected, operation.size);
    }
    const Event& write = event.isRead() && event.rmw ? graph_[event.poNext] : event;
    if (shown.writes) shown.coAfter = numberOf(write.coPrev);
    if (operation.kind == OperationKind::lock || operation.kind == OperationKind::unlock) return;
    if (event.isRead() && event.rmw) {
      shown.oldValue = valueOf(event, operation, event.value);
      shown.value = valueOf(event, operation, write.value);
    } else {
      shown.value = valueOf(event, operation, event.value);
    }
  }

  TraceEvent describe(EventId id) const {
    const Event& event = graph_[id];
    const Operation& operation = graph_.operation(id);
    TraceEvent shown;
    shown.thread = event.thread;
    shown.index = event.index;
    shown.number = numbers_.at(id);
    shown.kind = kindName(operation);
    shown.relevant = isRelevant(id);
    shown.involved = std::find(options_.involved.begin(), options_.involved.end(), id) != options_.involved.end();
    switch (operation.kind) {
      case OperationKind::spawn:
      case OperationKind::join: shown.partner = static_cast<ThreadId>(event.partner); break;
      case OperationKind::arrive:
      case OperationKind::depart: shown.location = names_.name(operation.address, 0); break;
      case OperationKind::choose:
        if (isNotification(operation)) {
          shown.location = names_.name(operation.address, 0);
        } else {
          shown.value = fmt::format("{} of {}", event.value, event.choices);
        }
        break;
      case OperationKind::lock:
      case OperationKind::unlock: describeAccess(event, operation, shown); break;
      case OperationKind::fence: shown.order = orderName(operation.order); break;
      default:
        shown.order = orderName(operation.order);
        if (operation.kind == OperationKind::cas) shown.order += fmt::format("/{}", orderName(operation.failureOrder));
        describeAccess(event, operation, shown);
    }
    const auto& sources = program_.info().sources;
    if (operation.source != 0 && operation.source < sources.size()) {
      const Source& source = sources[operation.source];
      shown.file = source.file;
      shown.line = source.line;
      shown.column = source.column;
      shown.function = source.function;
      shown.text = sourceLine(source.file, source.line);
    }
    return shown;
  }

  const Graph& graph_;
  const NativeProgram& program_;
  const ObjectNames& names_;
  const TraceOptions& options_;
  std::map<EventId, unsigned> numbers_;
  std::vector<EventId> shown_;
};

}  // namespace

std::vector<TraceEvent> traceOf(const Graph& graph, const NativeProgram& program, const ObjectNames& names,
                                const TraceOptions& options) {
  return Tracer(graph, program, names, options).trace();
}

std::string sourceLine(const std::string& file, unsigned line) {
  static std::map<std::string, std::vector<std::string>> files;
  const auto [it, added] = files.try_emplace(file);
  if (added) {
    std::ifstream in(file);
    for (std::string text; std::getline(in, text);) it->second.push_back(text);
  }
  if (line == 0 || line > it->second.size()) return "";
  const std::string& text = it->second[line - 1];
  const auto begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t\r");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

}  // namespace heddle::native
