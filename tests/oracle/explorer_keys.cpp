// Writes graphs as keys.
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
  KeyObserver(const KeyOptions& options, unsigned threads, ExplorerKeys& result) : options_(options), result_(result) {
    names_ = options.names;
    for (unsigned t = 0; t < threads && options.names.empty(); ++t) names_.push_back(t);
    written_.resize(threads);
    for (unsigned t = 0; t < names_.size(); ++t) written_.at(names_[t]) = t;
  }

  void setExplorer(Explorer& explorer) { explorer_ = &explorer; }

  void error(const Graph&, ThreadId, const Operation&) override { failed_ = true; }
  bool execution(const Graph& graph) override { return full(graph, false); }
  bool blocked(const Graph& graph) override { return full(graph, true); }

 private:
  bool full(const Graph& graph, bool stuck) {
    const std::string state = std::string(failed_ ? "failed:" : "") + (stuck ? "stuck:" : "");
    failed_ = false;
    const auto add = [&] { result_.keys.push_back(state + keyOf(graph)); };
    if (options_.everyCoherence) {
      explorer_->forEachCoherence(add);
    } else {
      add();
    }
    if (options_.limit == 0 || result_.keys.size() <= options_.limit) return true;
    result_.complete = false;
    return false;
  }

  std::string name(const Graph& graph, EventId id) const {
    const Event& event = graph[id];
    unsigned index = 0;
    for (EventId e = graph.first(event.thread);; e = graph[e].poNext) {
      index += graph[e].kind != EventKind::choice;
      if (e == id) break;
    }
    return fmt::format("{}.{}", written_[event.thread], index);
  }

  std::string keyOf(const Graph& graph) const {
    std::string key;
    for (unsigned t = 0; t < names_.size(); ++t) {
      std::string events;
      for (EventId id = graph.first(static_cast<ThreadId>(names_[t])); id != kNone; id = graph[id].poNext) {
        const Event& event = graph[id];
        if (event.kind == EventKind::choice) continue;
        if (!events.empty()) events += ' ';
        const Address address = event.location ? graph.location(event.location).address : 0;
        switch (event.kind) {
          case EventKind::read:
            events += fmt::format("R{}={}<{}", address, event.value, isInitial(event.rf) ? "i" : name(graph, event.rf));
            break;
          case EventKind::write: events += fmt::format("{}{}={}", event.rmw ? 'U' : 'W', address, event.value); break;
          case EventKind::fence: events += 'F'; break;
          default: events += 'T'; break;
        }
      }
      if (!events.empty()) key += fmt::format("{}[{}]", t, events);
    }
    if (options_.equivalence == "rf" && !options_.everyCoherence) return key;
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

  const KeyOptions& options_;
  ExplorerKeys& result_;
  Explorer* explorer_ = nullptr;
  std::vector<unsigned> names_, written_;
  bool failed_ = false;
};

}  // namespace

ExplorerKeys exploreWith(Program& program, const model::CompiledModel& model, const KeyOptions& options) {
  ExplorerKeys result;
  KeyObserver observer(options, program.threadCount(), result);
  ExploreOptions exploreOptions;
  exploreOptions.equivalence = options.equivalence == "co" ? Equivalence::co : Equivalence::rf;
  exploreOptions.races = true;
  Explorer explorer(program, model, exploreOptions, observer);
  observer.setExplorer(explorer);
  result.race = explorer.run().race;
  return result;
}

ExplorerKeys exploreKeys(Program& program, const std::string& model, const std::string& equivalence) {
  static std::map<std::string, model::CompiledModel> compiled;
  auto found = compiled.find(model);
  if (found == compiled.end()) found = compiled.emplace(model, compile(model::loadModel(model))).first;
  return exploreWith(program, found->second, {.equivalence = equivalence});
}

}  // namespace heddle::oracle
