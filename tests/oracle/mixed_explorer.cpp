// Writes graphs of mixed sizes as keys: fills in a MixedKey for each execution that the explorer reports.
#include "mixed_explorer.h"

#include <map>
#include <set>

#include "mixed_key.h"
#include "mixer/mixed_explorer.h"
#include "model/library.h"

namespace heddle::oracle {

namespace {

class MixedKeyObserver final : public MixedObserver {
 public:
  MixedKeyObserver(bool coherence, ExplorerKeys& result) : coherence_(coherence), result_(result) {}

  void error(const MixedGraph&, ThreadId, const Operation&) override { failed_ = true; }
  bool execution(const MixedGraph& graph) override { return full(graph, false); }
  bool blocked(const MixedGraph& graph) override { return full(graph, true); }

 private:
  // Choices are not events of the oracle, and neither is a lock that waits.
  static bool isWritten(const MixedGraph& graph, EventId id) {
    const MixedEvent& event = graph[id];
    if (event.kind == EventKind::choice) return false;
    return !event.isRead() || event.rmw || graph.operation(id).kind != OperationKind::lock;
  }

  static EventName name(const MixedGraph& graph, EventId id) {
    if (isInitial(id)) return {};
    EventName name{graph[id].thread, 0};
    for (EventId e = graph.first(graph[id].thread);; e = graph[e].poNext) {
      name.index += isWritten(graph, e);
      if (e == id) return name;
    }
  }

  static KeyEvent event(const MixedGraph& graph, EventId id) {
    const MixedEvent& event = graph[id];
    KeyEvent written;
    if (event.kind == EventKind::thread) written.kind = 'T';
    if (!event.isRead() && !event.isWrite()) return written;
    written.kind = event.isRead() ? 'R' : event.rmw ? 'U' : 'W';
    written.address = graph.line(event.line).base + event.offset;
    written.size = event.size;
    written.value = event.value;
    if (!event.isRead()) return written;
    for (unsigned byte = event.offset; byte < unsigned{event.offset} + event.size; ++byte) {
      written.sources.push_back(name(graph, graph.sourceOf(id, static_cast<Bytes>(1u << byte))));
    }
    return written;
  }

  bool full(const MixedGraph& graph, bool stuck) {
    MixedKey key;
    key.failed = failed_;
    key.stuck = stuck;
    failed_ = false;
    for (unsigned t = 0; t < graph.threads(); ++t) {
      std::vector<KeyEvent>& events = key.threads.emplace_back();
      for (EventId id = graph.first(static_cast<ThreadId>(t)); id != kNone; id = graph[id].poNext) {
        if (isWritten(graph, id)) events.push_back(event(graph, id));
      }
    }
    for (LineId l = 1; l < graph.lines(); ++l) {
      for (const Cell& cell : graph.line(l).cells) {
        for (unsigned byte = 0; byte < kLineBytes && !cell.order.empty(); ++byte) {
          if (((cell.bytes >> byte) & 1) == 0) continue;
          for (const EventId id : cell.order) key.coherence[graph.line(l).base + byte].push_back(name(graph, id));
        }
      }
    }
    const std::string text = toString(key, coherence_);
    // The exploration tells coherence orders apart; where they do not matter, one of each is enough.
    if (coherence_ || seen_.insert(text).second) result_.keys.push_back(text);
    return true;
  }

  bool coherence_;
  ExplorerKeys& result_;
  bool failed_ = false;
  std::set<std::string> seen_;
};

}  // namespace

ExplorerKeys exploreMixedKeys(Program& program, const std::string& model, const std::string& equivalence) {
  static std::map<std::string, model::CompiledModel> compiled;
  auto found = compiled.find(model);
  if (found == compiled.end()) found = compiled.emplace(model, compile(model::loadModel(model))).first;
  ExplorerKeys result;
  MixedKeyObserver observer(equivalence == "co", result);
  MixedExplorer explorer(program, found->second, {.races = true}, observer);
  result.race = explorer.run().race;
  return result;
}

}  // namespace heddle::oracle
