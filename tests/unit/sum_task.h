// A task for tests of runs: it counts executions and adds up what tells them apart, so that one that is lost and one that
// comes twice show. It can see an "error" in certain executions, and do anything in a worker.
#pragma once

#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "litmus/test.h"
#include "mixer/on_demand.h"
#include "model/library.h"
#include "parallel/run.h"

namespace heddle::parallel {

struct Sums final : Findings {
  std::uint64_t executionCount = 0, blockedCount = 0, hashes = 0;
  std::uint64_t executions() const override { return executionCount; }
  std::uint64_t blocked() const override { return blockedCount; }
  void add(const Findings& later) override {
    const auto& other = static_cast<const Sums&>(later);
    executionCount += other.executionCount;
    blockedCount += other.blockedCount;
    hashes += other.hashes;
  }
  std::string toText() const override {
    return std::to_string(executionCount) + ' ' + std::to_string(blockedCount) + ' ' + std::to_string(hashes);
  }
};

inline std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 31;
}

inline std::uint64_t hashOf(const ExecutionView& graph) {
  std::uint64_t hash = 1;
  const auto mixWrites = [&](const std::vector<BytesFrom>& writes) {
    for (const auto& [bytes, write] : writes) {
      if (!isInitial(write)) hash = mix(hash, std::uint64_t{graph[write].thread} << 16 | graph[write].index);
    }
  };
  for (unsigned t = 0; t < graph.threads(); ++t) {
    for (EventId id = graph.first(static_cast<ThreadId>(t)); id != kNone; id = graph[id].poNext) {
      hash = mix(hash, graph[id].value << 8 | t);
      if (graph[id].isRead()) mixWrites(graph.sourcesOf(id));
      if (graph[id].isWrite()) mixWrites(graph.predecessorsOf(id));
    }
  }
  return hash;
}

inline const model::CompiledModel& rc20() {
  static const model::CompiledModel model = compile(model::loadModel("rc20"));
  return model;
}

class SumTask final : public Task, public explore::Observer {
 public:
  explicit SumTask(const std::string& text) : test_(litmus::parseLitmus(text, "test.litmus")) {}

  std::function<bool(std::uint64_t)> isError = [](std::uint64_t) { return false; };
  std::function<void(std::uint64_t)> inWorker = [](std::uint64_t) {};
  std::uint64_t error = 0;
  bool mixed = false;
  std::vector<std::uint64_t> seen;  // all executions, in this process

  PartEnd explore(const explore::Subtree& part, const std::atomic<bool>& attention, explore::Attendant& attendant) override {
    mixer::StopPoint stop;
    const explore::ExploreOptions options{.interrupt = &attention, .attendant = &attendant};
    const explore::Statistics statistics =
        mixer::explorePart(*test_.program, rc20(), options, *this, {.oneSize = !mixed}, part, stop);
    return {statistics, stop.here, stop.early};
  }
  void forget() override { sums_ = {}; }
  std::unique_ptr<Findings> takeFindings() override { return std::make_unique<Sums>(std::exchange(sums_, {})); }
  std::unique_ptr<Findings> parseFindings(const std::string& text) const override {
    auto sums = std::make_unique<Sums>();
    if (std::sscanf(text.c_str(), "%lu %lu %lu", &sums->executionCount, &sums->blockedCount, &sums->hashes) != 3) {
      throw std::invalid_argument("no sums");
    }
    return sums;
  }
  void enterProcess() override { isWorker_ = true; }

  bool execution(const ExecutionView& graph) override { return note(hashOf(graph)); }
  bool blocked(const ExecutionView&) override { return ++sums_.blockedCount, true; }

 private:
  bool note(std::uint64_t hash) {
    if (isWorker_) inWorker(hash);
    ++sums_.executionCount;
    sums_.hashes += hash;
    seen.push_back(hash);
    if (!isError(hash)) return true;
    error = hash;
    return false;
  }

  litmus::Test test_;
  Sums sums_;
  bool isWorker_ = false;
};

inline Control controlOf(unsigned workers) {
  Control control;
  control.workers = workers;
  control.aloneSeconds = 0.001;
  return control;
}

inline std::string result(const RunEnd& end) { return end.findings ? end.findings->toText() : "nothing"; }

}  // namespace heddle::parallel
