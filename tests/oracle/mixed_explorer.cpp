// Writes graphs of mixed sizes as keys: fills in a MixedKey for each execution that the explorer reports.
#include "mixed_explorer.h"

#include <map>
#include <set>

#include "mixed_key.h"
#include "mixer/mixed_explorer.h"
#include "mixer/transaction_explorer.h"
#include "model/library.h"
#include "split.h"

namespace heddle::oracle {

namespace {

class MixedKeyObserver final : public explore::Observer {
 public:
  MixedKeyObserver(bool coherence, ExplorerKeys& result) : coherence_(coherence), result_(result) {}

  void error(const ExecutionView&, ThreadId, const Operation&) override { failed_ = true; }
  bool execution(const ExecutionView& graph) override { return full(graph, false); }
  bool blocked(const ExecutionView& graph) override { return full(graph, true); }

 private:
  // Choices are not events of the oracle, and neither is a lock that waits.
  static bool isWritten(const ExecutionView& graph, EventId id) {
    const Event& event = graph[id];
    if (event.kind == EventKind::choice || graph.operation(id).kind == OperationKind::transaction) return false;
    return !event.isRead() || event.rmw || graph.operation(id).kind != OperationKind::lock;
  }

  static EventName name(const ExecutionView& graph, EventId id) {
    if (isInitial(id)) return {};
    EventName name{graph[id].thread, 0};
    for (EventId e = graph.first(graph[id].thread);; e = graph[e].poNext) {
      name.index += isWritten(graph, e);
      if (e == id) return name;
    }
  }

  static KeyEvent event(const ExecutionView& graph, EventId id) {
    const Event& event = graph[id];
    KeyEvent written;
    if (event.kind == EventKind::thread) written.kind = 'T';
    if (!event.isRead() && !event.isWrite()) return written;
    written.kind = event.isRead() ? 'R' : event.rmw ? 'U' : 'W';
    written.address = graph.operation(id).address;
    written.size = graph.operation(id).size;
    written.value = event.value;
    if (!event.isRead()) return written;
    for (const auto& [bytes, write] : graph.sourcesOf(id)) {
      written.sources.insert(written.sources.end(), bytes.size, name(graph, write));
    }
    return written;
  }

  bool full(const ExecutionView& graph, bool stuck) {
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
    for (const CoherenceOrder& order : graph.coherence()) {
      for (const auto& [address, size] : order.bytes) {
        for (Address byte = address; byte < address + size && !order.writes.empty(); ++byte) {
          for (const EventId id : order.writes) key.coherence[byte].push_back(name(graph, id));
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
  return exploreMixedKeysInParts(program, model, equivalence, 0);
}

namespace {

template <class Explorer>
ExplorerKeys exploreKeys(Program& program, const std::string& model, const std::string& equivalence, std::uint64_t split) {
  static std::map<std::string, model::CompiledModel> compiled;
  auto found = compiled.find(model);
  if (found == compiled.end()) found = compiled.emplace(model, compile(model::loadModel(model))).first;
  ExplorerKeys result;
  MixedKeyObserver observer(equivalence == "co", result);
  explore::ExploreOptions options{.races = true};
  const auto explorePart = [&](const explore::Subtree& part) {
    return Explorer(program, found->second, options, observer).run(part).race;
  };
  result.race = split == 0 ? explorePart({}) : exploreInParts(split, options, result.keys, explorePart);
  return result;
}

}  // namespace

ExplorerKeys exploreMixedKeysInParts(Program& program, const std::string& model, const std::string& equivalence,
                                     std::uint64_t split) {
  return exploreKeys<mixer::MixedExplorer>(program, model, equivalence, split);
}

ExplorerKeys exploreTransactionKeys(Program& program, const std::string& model, std::uint64_t split) {
  return exploreKeys<mixer::TransactionExplorer>(program, model, "co", split);
}

}  // namespace heddle::oracle
