#include "run/litmus_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <unordered_map>

namespace heddle::run {

namespace {

// a, b, ..., z, aa, ab, ...
std::string letters(std::size_t number) {
  std::string text;
  for (++number; number > 0; number = (number - 1) / 26) text += static_cast<char>('a' + (number - 1) % 26);
  std::reverse(text.begin(), text.end());
  return text;
}

// Runs of bytes of a set, as offsets from the first one of the line.
template <class F>
void forEachRun(Bytes bytes, F&& visit) {
  for (unsigned first = 0; first < kLineBytes; ++first) {
    if (((bytes >> first) & 1) == 0) continue;
    unsigned end = first;
    while (end < kLineBytes && ((bytes >> end) & 1)) ++end;
    visit(first, end - first);
    first = end;
  }
}

template <class AnyGraph>
class Describer {
 public:
  Describer(const AnyGraph& graph, const litmus::LitmusProgram& program) : graph_(graph), program_(program) {
    std::size_t count = 0;
    for (unsigned t = 0; t < graph.threads(); ++t) {
      for (EventId id = graph.first(static_cast<ThreadId>(t)); id != kNone; id = graph[id].poNext) {
        if (isRmwWrite(id)) {
          names_[id] = names_[graph[id].poPrev];
        } else {
          names_[id] = letters(count++);
        }
      }
    }
  }

  bool isRmwWrite(EventId id) const { return graph_[id].isWrite() && graph_[id].rmw; }

  std::string name(EventId id) const { return isInitial(id) ? "initial" : names_.at(id); }

  unsigned line(EventId id) const { return program_.sourceLine(graph_.operation(id).source); }

  std::string source(EventId read) const {
    if constexpr (std::is_same_v<AnyGraph, Graph>) {
      return fromText(graph_[read].rf);
    } else {
      const auto sources = graph_.sources(read);
      if (sources.size() == 1) return fromText(sources[0].write);
      std::map<unsigned, std::string> parts;  // by their first bytes
      for (const Source& source : sources) {
        forEachRun(source.bytes, [&](unsigned first, unsigned size) {
          parts[first] = fmt::format("{} {}", bytesText(graph_[read].line, first, size), fromText(source.write));
        });
      }
      std::string text;
      for (const auto& [first, part] : parts) text += (text.empty() ? "" : ", ") + part;
      return text;
    }
  }

  std::string action(EventId id) const {
    const auto& event = graph_[id];
    const Operation& operation = graph_.operation(id);
    switch (event.kind) {
      case EventKind::fence: return "fence, " + orderName(operation.order);
      case EventKind::choice: return fmt::format("choose {} of {}", event.value, event.choices);
      case EventKind::thread:
        if (operation.kind == OperationKind::arrive || operation.kind == OperationKind::depart) {
          return fmt::format("{} {}", operation.kind == OperationKind::arrive ? "arrive at" : "depart from",
                             program_.locationName(operation.address, operation.size));
        }
        return fmt::format("{} {}", operation.kind == OperationKind::spawn ? "spawn" : "join",
                           program_.threadName(static_cast<ThreadId>(event.partner)));
      case EventKind::read:
      case EventKind::write: break;
    }
    const std::string kind = accessKind(operation);
    const std::string where = program_.locationName(operation.address, operation.size);
    const std::string lock = where + (operation.lock == LockOp::read ? " for reading" : "");
    if (operation.kind == OperationKind::lock && !event.rmw) return kind + ' ' + lock + " waits";
    if (operation.kind == OperationKind::lock || operation.kind == OperationKind::unlock) return kind + ' ' + lock;
    if (operation.kind == OperationKind::cas && isMutex(operation.address)) {
      return fmt::format("trylock {}{}", lock, event.rmw ? "" : " fails");
    }
    if (operation.kind == OperationKind::rmw && isMutex(operation.address)) return "unlock " + where;
    const std::string value = valueText(operation, event.value);
    if (!event.isRead() || operation.kind == OperationKind::load) {
      return fmt::format("{} {} = {}, {}", kind, where, value, orderName(operation.order));
    }
    if (!event.rmw) {
      return fmt::format("{} {} fails at {}, {}", kind, where, value, orderName(operation.failureOrder));
    }
    const std::string after = event.poNext == kNone ? "?" : valueText(operation, graph_[event.poNext].value);
    return fmt::format("{} {}: {} -> {}, {}", kind, where, value, after, orderName(operation.order));
  }

  // The orders of the writes that are more than one.
  std::vector<std::string> coherence() const {
    std::vector<std::string> lines;
    const auto add = [&](const std::string& where, const std::vector<EventId>& writes) {
      if (writes.size() < 2) return;
      std::string order;
      for (const EventId write : writes) order += ", " + name(write);
      lines.push_back(fmt::format("Coherence of {}: initial{}", where, order));
    };
    if constexpr (std::is_same_v<AnyGraph, Graph>) {
      for (LocationId l = 1; l < graph_.locations(); ++l) {
        std::vector<EventId> writes;
        for (EventId w = graph_[l].coNext; w != kNone; w = graph_[w].coNext) writes.push_back(w);
        add(program_.locationName(graph_.location(l).address, graph_.location(l).size), writes);
      }
    } else {
      for (LineId l = 1; l < graph_.lines(); ++l) {
        std::map<unsigned, const Cell*> cells;
        for (const Cell& cell : graph_.line(l).cells) {
          cells[static_cast<unsigned>(std::countr_zero(cell.bytes))] = &cell;
        }
        for (const auto& [byte, cell] : cells) {
          std::string where;
          forEachRun(cell->bytes, [&](unsigned first, unsigned size) {
            where += (where.empty() ? "" : " and ") + bytesText(l, first, size);
          });
          add(where, cell->order);
        }
      }
    }
    return lines;
  }

 private:
  static_assert(std::is_same_v<AnyGraph, Graph> || std::is_same_v<AnyGraph, MixedGraph>);

  std::string fromText(EventId write) const {
    return isInitial(write) ? "from the initial value" : "from " + names_.at(write);
  }

  std::string bytesText(LineId line, unsigned first, unsigned size) const
    requires std::is_same_v<AnyGraph, MixedGraph>
  {
    return program_.locationName(graph_.line(line).base + first, size);
  }

  bool isMutex(Address address) const {
    return std::ranges::any_of(program_.locations(), [&](const auto& compiled) {
      return compiled.type.mutex && address - compiled.address < compiled.bytes;
    });
  }

  std::string valueText(const Operation& operation, Value value) const {
    litmus::Type type{.size = operation.size};
    for (const auto& compiled : program_.locations()) {
      if (operation.address - compiled.address < compiled.bytes) type.isSigned = compiled.type.isSigned;
    }
    const std::int64_t number = type.fromMemory(value);
    return type.isSigned ? std::to_string(number) : std::to_string(static_cast<std::uint64_t>(number));
  }

  const AnyGraph& graph_;
  const litmus::LitmusProgram& program_;
  std::unordered_map<EventId, std::string> names_;
};

std::string rmwName(RmwOp op) {
  switch (op) {
    case RmwOp::exchange: return "exchange";
    case RmwOp::add: return "fetch_add";
    case RmwOp::sub: return "fetch_sub";
    case RmwOp::bitAnd: return "fetch_and";
    case RmwOp::bitOr: return "fetch_or";
    case RmwOp::bitXor: return "fetch_xor";
    case RmwOp::nand: return "fetch_nand";
    case RmwOp::max:
    case RmwOp::umax: return "fetch_max";
    case RmwOp::min:
    case RmwOp::umin: return "fetch_min";
  }
  return "read-modify-write";
}

struct Row {
  std::string name, line, action, from;
};

}  // namespace

std::string orderName(Order order) {
  switch (order) {
    case Order::plain: return "plain";
    case Order::relaxed: return "relaxed";
    case Order::acquire: return "acquire";
    case Order::release: return "release";
    case Order::acq_rel: return "acq_rel";
    case Order::seq_cst: return "seq_cst";
  }
  return "?";
}

std::string accessKind(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::load: return "read";
    case OperationKind::store: return "write";
    case OperationKind::rmw: return rmwName(operation.rmw);
    case OperationKind::cas: return "compare_exchange";
    case OperationKind::lock: return "lock";
    case OperationKind::unlock: return "unlock";
    default: return "access";
  }
}

std::string statementText(const litmus::LitmusProgram& program, std::uint32_t source) {
  const std::string text = program.sourceText(source);
  const std::string place = fmt::format(":{}: ", program.sourceLine(source));
  const std::size_t found = text.find(place);
  return found == std::string::npos ? text : text.substr(found + place.size());
}

namespace {

template <class AnyGraph>
std::vector<std::string> describeAny(const AnyGraph& graph, const litmus::LitmusProgram& program, const Stop& stop,
                                     bool withCoherence) {
  const Describer describer(graph, program);
  std::vector<std::string> lines;
  std::vector<Row> rows;  // a row with a name only is a heading
  for (unsigned t = 0; t < graph.threads(); ++t) {
    const auto thread = static_cast<ThreadId>(t);
    if (graph.first(thread) == kNone && thread != stop.thread) continue;
    rows.push_back({program.threadName(thread), {}, {}, {}});
    for (EventId id = graph.first(thread); id != kNone; id = graph[id].poNext) {
      if (describer.isRmwWrite(id)) continue;
      rows.push_back({describer.name(id), fmt::format("line {}", describer.line(id)), describer.action(id),
                      graph[id].isRead() ? describer.source(id) : ""});
    }
    if (thread == stop.thread) rows.push_back({"!", fmt::format("line {}", stop.line), stop.message, {}});
  }
  std::size_t nameWidth = 0, lineWidth = 0, actionWidth = 0;
  for (const Row& row : rows) {
    if (row.line.empty()) continue;
    nameWidth = std::max(nameWidth, row.name.size());
    lineWidth = std::max(lineWidth, row.line.size());
    if (!row.from.empty()) actionWidth = std::max(actionWidth, row.action.size());
  }
  for (const Row& row : rows) {
    if (row.line.empty()) {
      lines.push_back(row.name);
    } else if (row.from.empty()) {
      lines.push_back(fmt::format("  {:<{}}  {:<{}}  {}", row.name, nameWidth, row.line, lineWidth, row.action));
    } else {
      lines.push_back(fmt::format("  {:<{}}  {:<{}}  {:<{}}  {}", row.name, nameWidth, row.line, lineWidth, row.action,
                                  actionWidth, row.from));
    }
  }
  if (!withCoherence) return lines;
  for (std::string& line : describer.coherence()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace

std::vector<std::string> describeExecution(const Graph& graph, const litmus::LitmusProgram& program, const Stop& stop,
                                           bool withCoherence) {
  return describeAny(graph, program, stop, withCoherence);
}
std::vector<std::string> describeExecution(const MixedGraph& graph, const litmus::LitmusProgram& program,
                                           const Stop& stop, bool withCoherence) {
  return describeAny(graph, program, stop, withCoherence);
}

}  // namespace heddle::run
