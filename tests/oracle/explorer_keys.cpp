// Writes graphs as keys.
#include "oracle/explorer_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>

#include "causal/causal_explorer.h"
#include "explore/explorer.h"
#include "model/library.h"
#include "oracle/split.h"
#include "oracle/watched_program.h"

namespace heddle::oracle {

namespace {

// Writes one graph down.
class KeyWriter {
 public:
  KeyWriter(const ExecutionView& graph, const KeyNames& names) : graph_(graph), names_(names), written_(graph.threads()) {
    for (unsigned t = 0; t < names.threads.size(); ++t) {
      if (names.threads[t] != KeyNames::kNoThread) written_.at(names.threads[t]) = t;
    }
  }

  std::string write(KeyCoherence coherence) const {
    std::string key;
    for (unsigned t = 0; t < names_.threads.size(); ++t) {
      if (names_.threads[t] == KeyNames::kNoThread) continue;
      const std::string events = threadEvents(names_.threads[t]);
      if (!events.empty()) key += fmt::format("{}[{}]", t, events);
    }
    if (coherence == KeyCoherence::none) return key;
    return key + '|' + coherenceOrders(coherence == KeyCoherence::lastWrites);
  }

 private:
  std::optional<Address> address(const ByteRange& location) const {
    return names_.address ? names_.address(location) : location.address;
  }
  std::optional<Address> addressOf(EventId access) const {
    const Operation& operation = graph_.operation(access);
    return address({operation.address, operation.size});
  }

  bool isWritten(EventId id) const {
    const Event& event = graph_[id];
    if (event.kind == EventKind::choice) return false;
    if (event.kind == EventKind::fence || event.kind == EventKind::thread) return true;
    if (!names_.plain && graph_.operation(id).order == Order::plain) return false;
    return addressOf(id).has_value();
  }

  std::string name(EventId id) const {
    const Event& event = graph_[id];
    unsigned index = 0;
    for (EventId e = graph_.first(event.thread);; e = graph_[e].poNext) {
      index += isWritten(e);
      if (e == id) break;
    }
    return fmt::format("{}.{}", written_[event.thread], index);
  }

  std::string threadEvents(ThreadId thread) const {
    std::string events;
    for (EventId id = graph_.first(thread); id != kNone; id = graph_[id].poNext) {
      const Event& event = graph_[id];
      if (!isWritten(id)) continue;
      if (!events.empty()) events += ' ';
      switch (event.kind) {
        case EventKind::read:
          events += fmt::format("R{}={}<{}", *addressOf(id), event.value,
                                isInitial(event.rf) || !isWritten(event.rf) ? "i" : name(event.rf));
          break;
        case EventKind::write: events += fmt::format("{}{}={}", event.rmw ? 'U' : 'W', *addressOf(id), event.value); break;
        case EventKind::fence: events += 'F'; break;
        default: events += 'T'; break;
      }
    }
    return events;
  }

  std::string coherenceOrders(bool onlyLast) const {
    std::map<Address, std::string> orders;
    for (const CoherenceOrder& location : graph_.coherence()) {
      const std::optional<Address> written = address(location.bytes.front());
      if (!written) continue;
      std::string order;
      for (const EventId w : location.writes) {
        if (!isWritten(w)) continue;
        if (onlyLast) order.clear();
        order += fmt::format("{}{}", order.empty() ? "" : ",", name(w));
      }
      if (!order.empty()) orders[*written] = order;
    }
    std::string text;
    for (const auto& [written, order] : orders) text += fmt::format("{}:{};", written, order);
    return text;
  }

  const ExecutionView& graph_;
  const KeyNames& names_;
  std::vector<unsigned> written_;  // by thread of the graph
};

class KeyObserver final : public explore::Observer {
 public:
  KeyObserver(const KeyOptions& options, unsigned threads, ExplorerKeys& result) : options_(options), result_(result) {
    for (const unsigned thread : options.names) names_.threads.push_back(static_cast<ThreadId>(thread));
    for (unsigned t = 0; t < threads && options.names.empty(); ++t) names_.threads.push_back(static_cast<ThreadId>(t));
  }

  void setExplorer(explore::Explorer& explorer) { explorer_ = &explorer; }

  void error(const ExecutionView&, ThreadId, const Operation&) override { failed_ = true; }
  bool execution(const ExecutionView& graph) override { return full(graph, false); }
  bool blocked(const ExecutionView& graph) override { return full(graph, true); }

 private:
  bool full(const ExecutionView& graph, bool stuck) {
    const std::string state = std::string(failed_ ? "failed:" : "") + (stuck ? "stuck:" : "");
    failed_ = false;
    KeyCoherence coherence = options_.equivalence == "rf" ? KeyCoherence::none : KeyCoherence::all;
    if (options_.everyCoherence) coherence = KeyCoherence::all;
    if (options_.everyEnd) coherence = KeyCoherence::lastWrites;
    const auto add = [&] {
      result_.keys.push_back(state + keyOf(graph, names_, coherence));
      return true;
    };
    if (options_.everyEnd) {
      std::vector<ByteRange> locations;
      for (const CoherenceOrder& order : graph.coherence()) locations.push_back(order.bytes.front());
      explorer_->forEachEnd(locations, add);
    } else if (options_.everyCoherence) {
      explorer_->forEachCoherence(add);
    } else {
      add();
    }
    if (options_.limit == 0 || result_.keys.size() <= options_.limit) return true;
    result_.complete = false;
    return false;
  }

  const KeyOptions& options_;
  ExplorerKeys& result_;
  explore::Explorer* explorer_ = nullptr;
  KeyNames names_;
  bool failed_ = false;
};

}  // namespace

std::string keyOf(const ExecutionView& graph, const KeyNames& names, KeyCoherence coherence) {
  return KeyWriter(graph, names).write(coherence);
}

std::string endOf(const std::string& coKey) {
  static const std::regex earlier("[0-9]+[.][0-9]+,");
  const std::size_t bar = coKey.find('|');
  return coKey.substr(0, bar) + std::regex_replace(coKey.substr(bar), earlier, "");
}

namespace {

enum class Which { simple, causal };

ExplorerKeys exploreBy(Which which, Program& program, const model::CompiledModel& model, const KeyOptions& options) {
  ExplorerKeys result;
  KeyObserver observer(options, program.threadCount(), result);
  explore::ExploreOptions exploreOptions;
  exploreOptions.equivalence = options.equivalence == "rf" ? explore::Equivalence::rf : explore::Equivalence::co;
  exploreOptions.skipFutile = options.equivalence == "live";
  exploreOptions.races = true;
  exploreOptions.alike = options.alike;
  exploreOptions.overtakenAwaits = exploreOptions.confirmations = exploreOptions.skipFutile;
  const auto explorePart = [&](const explore::Subtree& part) {
    if (which == Which::causal) return causal::CausalExplorer(program, model, exploreOptions, observer).run(part).race;
    WatchedProgram watched(program);
    explore::Explorer explorer(watched, model, exploreOptions, observer);
    watched.watch(explorer.graph());
    observer.setExplorer(explorer);
    return explorer.run(part).race;
  };
  while (true) {
    try {
      result.race =
          options.split == 0 ? explorePart({}) : exploreInParts(options.split, exploreOptions, result.keys, explorePart);
      return result;
    } catch (const explore::UnorderedWrites& unordered) {
      exploreOptions.unordered.push_back(unordered.bytes);
    } catch (const explore::ValueComesBack& back) {
      exploreOptions.recurring.push_back(back.found);
    }
    result = {};
    program.reset();
  }
}

std::vector<std::string> sorted(std::vector<std::string> keys) {
  std::ranges::sort(keys);
  return keys;
}

}  // namespace

bool isSame(const ExplorerKeys& a, const ExplorerKeys& b) {
  return sorted(a.keys) == sorted(b.keys) && a.race == b.race && a.waiting == b.waiting;
}

ExplorerKeys exploreWith(Program& program, const model::CompiledModel& model, const KeyOptions& options) {
  if (!model.hasDependencies || options.equivalence == "rf") return exploreBy(Which::simple, program, model, options);
  const ExplorerKeys all = exploreBy(Which::causal, program, model, options);
  const bool special = std::ranges::any_of(
      program.operations(), [](const Operation& operation) { return operation.isExclusive || operation.hidesRead; });
  if (special || !model.pathsInThread) return all;
  try {
    const ExplorerKeys simple = exploreBy(Which::simple, program, model, options);
    if (!isSame(simple, all)) return simple;
  } catch (const explore::LoadBuffering&) {}
  return all;
}

ExplorerKeys exploreKeys(Program& program, const std::string& model, const std::string& equivalence) {
  static std::map<std::string, model::CompiledModel> compiled;
  auto found = compiled.find(model);
  if (found == compiled.end()) found = compiled.emplace(model, compile(model::loadModel(model))).first;
  return exploreWith(program, found->second, {.equivalence = equivalence});
}

}  // namespace heddle::oracle
