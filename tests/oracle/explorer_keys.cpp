#include "oracle/explorer_keys.h"

#include <fmt/format.h>

#include <map>

#include "explore/explorer.h"
#include "model/library.h"

namespace heddle::oracle {

namespace {

// Names an execution as the oracle does. Choices are events of the graph but not of the oracle.
class KeyObserver final : public Observer {
 public:
  KeyObserver(bool withCo, ExplorerKeys& result) : withCo_(withCo), result_(result) {}

  bool execution(const Graph& graph) override {
    result_.keys.push_back(keyOf(graph));
    return true;
  }

 private:
  std::string name(const Graph& graph, EventId id) const {
    const Event& event = graph[id];
    unsigned index = 0;
    for (EventId e = graph.first(event.thread);; e = graph[e].poNext) {
      index += graph[e].kind != EventKind::choice;
      if (e == id) break;
    }
    return fmt::format("{}.{}", event.thread, index);
  }

  std::string keyOf(const Graph& graph) const {
    std::string key;
    for (unsigned t = 0; t < graph.threads(); ++t) {
      std::string events;
      for (EventId id = graph.first(static_cast<ThreadId>(t)); id != kNone; id = graph[id].poNext) {
        const Event& event = graph[id];
        if (event.kind == EventKind::choice) continue;
        if (!events.empty()) events += ' ';
        const Address address = event.location ? graph.location(event.location).address : 0;
        switch (event.kind) {
          case EventKind::read:
            events += fmt::format("R{}={}<{}", address, event.value, isInitial(event.rf) ? "i" : name(graph, event.rf));
            break;
          case EventKind::write: events += fmt::format("W{}={}", address, event.value); break;
          case EventKind::fence: events += 'F'; break;
          default: events += 'T'; break;
        }
      }
      if (!events.empty()) key += fmt::format("{}[{}]", t, events);
    }
    if (!withCo_) return key;
    std::map<Address, std::string> orders;
    for (LocationId l = 1; l < graph.locations(); ++l) {
      const Location& location = graph.location(l);
      std::string order;
      for (EventId w = graph[l].coNext; w != kNone; w = graph[w].coNext) {
        order += fmt::format("{}{}", order.empty() ? "" : ",", name(graph, w));
      }
      if (!order.empty()) orders[location.address] = order;
    }
    key += '|';
    for (const auto& [address, order] : orders) key += fmt::format("{}:{};", address, order);
    return key;
  }

  bool withCo_;
  ExplorerKeys& result_;
};

}  // namespace

ExplorerKeys exploreKeys(Program& program, const std::string& model, const std::string& equivalence) {
  static std::map<std::string, model::CompiledModel> compiled;
  auto found = compiled.find(model);
  if (found == compiled.end()) found = compiled.emplace(model, compile(model::loadModel(model))).first;
  ExplorerKeys result;
  const bool co = equivalence == "co";
  KeyObserver observer(co, result);
  ExploreOptions options;
  options.equivalence = co ? Equivalence::co : Equivalence::rf;
  options.races = true;
  Explorer explorer(program, found->second, options, observer);
  result.race = explorer.run().race;
  return result;
}

}  // namespace heddle::oracle
