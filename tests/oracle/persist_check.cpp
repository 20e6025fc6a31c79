#include "oracle/persist_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "explore/explorer.h"
#include "mixer/mixed_explorer.h"
#include "model/library.h"
#include "oracle/split.h"
#include "persist/ext4.h"
#include "persist/persists_before.h"
#include "persist/px86.h"
#include "persist/recovery_reads.h"

namespace heddle::oracle {

namespace {

class KeyObserver final : public explore::Observer {
 public:
  KeyObserver(const PersistTest& test, const PersistProgram& program, std::vector<std::string>& keys)
      : test_(test), program_(program), keys_(keys) {}

  void begin(explore::AnyExplorer& explorer) override { explorer_ = &explorer; }
  bool execution(const ExecutionView& graph) override { return add(graph); }
  // Recovery has found a transaction that is open. If something else waits the execution is complete.
  bool blocked(const ExecutionView& graph) override {
    if (explorer_->pending(program_.recovery()).kind != OperationKind::block) keys_.push_back("blocked, but not in recovery");
    return add(graph);
  }

 private:
  bool add(const ExecutionView& graph) {
    std::vector<std::vector<Value>> results, coherence;
    for (unsigned t = 0; t < test_.threads.size(); ++t) {
      std::vector<Value>& thread = results.emplace_back();
      EventId id = graph.first(static_cast<ThreadId>(t));
      for (std::size_t i = 0; i < test_.threads[t].size(); ++i) {
        thread.push_back(graph[id].isRead() ? graph[id].value : 0);
        if (graph[id].isRead() && graph[id].rmw) id = graph[id].poNext;  // its write
        id = graph[id].poNext;
      }
    }
    for (const CoherenceOrder& order : graph.coherence()) {
      unsigned location = 0;
      while (test_.addressOf(location) != order.bytes.front().address) ++location;
      coherence.resize(std::max<std::size_t>(coherence.size(), location + 1));
      for (const EventId write : order.writes) coherence[location].push_back(graph[write].value);
    }
    keys_.push_back(persistKey(results, coherence, program_.recovered()));
    return true;
  }

  const PersistTest& test_;
  const PersistProgram& program_;
  std::vector<std::string>& keys_;
  explore::AnyExplorer* explorer_ = nullptr;
};

std::unique_ptr<persist::Model> makeModel(PersistModel model) {
  const auto all = [](Address) { return true; };
  switch (model) {
    case PersistModel::strict: return std::make_unique<persist::StrictPersistency>(all);
    case PersistModel::weakest: return std::make_unique<persist::WeakestPersistency>(all);
    case PersistModel::px86: return std::make_unique<persist::Px86>(all, persist::Granularity::line);
    case PersistModel::px86ByLocation: return std::make_unique<persist::Px86>(all, persist::Granularity::location);
    case PersistModel::ext4Ordered:
    case PersistModel::ext4Writeback:
    case PersistModel::ext4Journal: break;
  }
  heddle_disk_options disk{};
  disk.block_size = 2;
  disk.journal = heddle_journal_data;
  if (model == PersistModel::ext4Ordered) disk.journal = heddle_journal_ordered;
  if (model == PersistModel::ext4Writeback) disk.journal = heddle_journal_writeback;
  return std::make_unique<persist::Ext4>(all, kTestDisk, disk);
}

bool isExt4(PersistModel model) { return model >= PersistModel::ext4Ordered; }

}  // namespace

std::vector<std::string> exploredPersistKeys(const PersistTest& test, PersistModel model, PersistWay way, std::uint64_t seed) {
  const bool isTso = model == PersistModel::px86 || model == PersistModel::px86ByLocation;
  const model::CompiledModel& memory = model::compiledModel(isTso ? "tso" : "sc");
  std::vector<std::string> keys;
  explore::ExploreOptions options;
  options.skipFutile = way == PersistWay::withoutFutile;
  const auto explorePart = [&](const explore::Subtree& part) {
    PersistProgram program(test);
    persist::RecoveryReads recovery([&] { return makeModel(model); }, program, program.recovery());
    recovery.setCompleteness([] { return true; });
    options.recovery = &recovery;
    KeyObserver observer(test, program, keys);
    options.races = isExt4(model);  // it asks for happens-before
    if (way == PersistWay::mixed) {
      mixer::MixedExplorer explorer(program, memory, options, observer);
      observer.begin(explorer);
      recovery.setHappensBefore(explorer.raceView());
      explorer.run(part);
    } else {
      explore::Explorer explorer(program, memory, options, observer);
      observer.begin(explorer);
      recovery.setHappensBefore(explorer.raceView());
      explorer.run(part);
    }
    return false;
  };
  if (way == PersistWay::parts) {
    exploreInParts(seed, options, keys, explorePart);
  } else {
    explorePart({});
  }
  return keys;
}

std::optional<std::string> comparePersistency(std::uint64_t seed, std::size_t& executions) {
  std::mt19937_64 random(seed);
  static constexpr PersistModel kModels[] = {PersistModel::strict,      PersistModel::weakest,     PersistModel::px86,
                                             PersistModel::px86,        PersistModel::px86,        PersistModel::px86ByLocation,
                                             PersistModel::ext4Ordered, PersistModel::ext4Ordered, PersistModel::ext4Writeback,
                                             PersistModel::ext4Journal};
  static constexpr const char* kNames[] = {"strict", "weakest",         "px86",         "px86 by location",
                                           "ext4",   "ext4, writeback", "ext4, journal"};
  const PersistModel model = kModels[seed % std::size(kModels)];
  const bool flushes = model == PersistModel::px86 || model == PersistModel::px86ByLocation;
  PersistTest test = model == PersistModel::ext4Journal ? randomJournalTest(random)
                     : isExt4(model)                    ? randomDiskTest(random)
                                                        : randomPersistTest(random, {.flushes = flushes});
  if (random() % 4 == 0) {
    for (std::size_t t = 0; t < test.threads.size(); ++t) test.waits.push_back(random() % 2 == 0);
  }
  const std::set<std::string> expected = persistKeys(test, model);
  for (const PersistWay way : {PersistWay::whole, PersistWay::parts, PersistWay::mixed}) {
    std::vector<std::string> found = exploredPersistKeys(test, model, way, seed);
    executions += found.size();
    std::ranges::sort(found);
    if (std::ranges::equal(found, expected)) continue;
    std::vector<std::string> missing, invented;
    std::ranges::set_difference(expected, found, std::back_inserter(missing));
    std::ranges::set_difference(found, expected, std::back_inserter(invented));
    return fmt::format("seed {}, {}, way {}:\n{}missing: {}\ninvented or repeated: {}\n", seed,
                       kNames[static_cast<unsigned>(model)], static_cast<unsigned>(way), toText(test), missing, invented);
  }
  // A thread that reads an old value and then waits for ever is left out (explore/read.cpp). What crashes leave is the same.
  if (test.waits.empty()) return std::nullopt;
  const auto left = [](const auto& keys) {
    std::set<std::string> recovered;
    for (const std::string& key : keys) recovered.insert(key.substr(key.rfind('|')));
    return recovered;
  };
  const std::vector<std::string> found = exploredPersistKeys(test, model, PersistWay::withoutFutile, seed);
  executions += found.size();
  if (left(found) == left(expected)) return std::nullopt;
  return fmt::format("seed {}, {}, without futile reads:\n{}left: {}\nfound: {}\n", seed, kNames[static_cast<unsigned>(model)],
                     toText(test), left(expected), left(found));
}

}  // namespace heddle::oracle
