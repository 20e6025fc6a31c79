#include "parallel/sample.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "util/stopwatch.h"

namespace heddle::parallel {

namespace {

constexpr std::size_t kSampleWidth = 8;
constexpr double kMostWidth = 256;
constexpr double kFewSweeps = 10;  // that an estimate should have at the least
constexpr std::uint64_t kFewestSweeps = 3;
constexpr std::uint64_t kMostTries = 100;  // for an execution: a sweep may come by none

const std::atomic<bool> kAlways = true;

// One node that stands for others.
struct Proxy {
  explore::Node node;
  double weight = 0;  // for how many
};

// The nodes that a sweep has reached and not yet gone on from: no more than `width` on a level, which is the height of
// the trail.
class Front {
 public:
  Front(std::mt19937_64& random, std::size_t width) : random_(random), width_(width) {}

  bool isEmpty() const { return levels_.empty(); }
  bool hasMerged() const { return hasMerged_; }

  void add(Proxy proxy) {
    Level& level = levels_[proxy.node.path.size()];
    const auto own = level.kinds.try_emplace(proxy.node.kind).first;
    if (level.size == width_ && !makeRoom(level, own->second.size())) {
      if (!own->second.empty()) return merge(lightest(own->second), std::move(proxy));
      const auto near = own == level.kinds.begin() ? std::next(own) : std::prev(own);
      merge(lightest(near->second), std::move(proxy));
      level.kinds.erase(own);
      return;
    }
    own->second.push_back(std::move(proxy));
    ++level.size;
  }

  Proxy takeShallowest() {
    const auto level = levels_.begin();
    const auto kind = level->second.kinds.begin();
    Proxy proxy = std::move(kind->second.back());
    kind->second.pop_back();
    if (kind->second.empty()) level->second.kinds.erase(kind);
    if (--level->second.size == 0) levels_.erase(level);
    return proxy;
  }

 private:
  struct Level {
    std::map<std::uint64_t, std::vector<Proxy>> kinds;
    std::size_t size = 0;
  };

  // Two of the kind of which there are most become one, if that one still has no fewer than the other will have.
  bool makeRoom(Level& level, std::size_t others) {
    auto& most = std::ranges::max_element(level.kinds, {}, [](const auto& kind) { return kind.second.size(); })->second;
    if (most.size() <= others + 1) return false;
    std::swap(lightest(most), most.back());
    Proxy spare = std::move(most.back());
    most.pop_back();
    merge(lightest(most), std::move(spare));
    --level.size;
    return true;
  }

  static Proxy& lightest(std::vector<Proxy>& proxies) { return *std::ranges::min_element(proxies, {}, &Proxy::weight); }

  void merge(Proxy& proxy, Proxy other) {
    hasMerged_ = true;
    proxy.weight += other.weight;
    if (std::uniform_real_distribution(0.0, proxy.weight)(random_) < other.weight) proxy.node = std::move(other.node);
  }

  std::mt19937_64& random_;
  std::size_t width_;
  std::map<std::size_t, Level> levels_;
  bool hasMerged_ = false;
};

struct Sweep {
  double executions = 0;
  std::optional<explore::Node> one;  // of the full graphs, at random
  bool isExact = false;
};

Sweep sweep(explore::Divisible& exploration, std::mt19937_64& random, std::size_t width) {
  Front front(random, width);
  front.add({.node = {}, .weight = 1});
  Sweep result;
  while (!front.isEmpty()) {
    Proxy next = front.takeShallowest();
    const bool full = exploration.expand(next.node, [&](explore::Node child) { front.add({std::move(child), next.weight}); });
    if (!full) continue;
    result.executions += next.weight;
    if (std::uniform_real_distribution(0.0, result.executions)(random) < next.weight) result.one = std::move(next.node);
  }
  result.isExact = !front.hasMerged();
  return result;
}

class Sampler final : public explore::Attendant {
 public:
  Sampler(Task& task, std::uint64_t count, std::uint64_t seed, const MustStop& mustStop)
      : task_(task), count_(count), random_(seed), mustStop_(mustStop) {}

  bool attend(explore::Divisible& exploration) override {
    task_.forget();  // the execution that the exploration began with is not random
    begun_ = true;
    for (std::uint64_t found = 0, tries = 0; found < count_ && tries / kMostTries < count_ && !stopped_; ++tries) {
      if (mustStop_()) break;
      const Sweep way = sweep(exploration, random_, kSampleWidth);
      if (!way.one) continue;
      ++found;
      stopped_ = exploration.report(*way.one);
    }
    return false;
  }

  bool isUrgent() const override { return mustStop_(); }
  bool hasBegun() const { return begun_; }
  bool hasStopped() const { return stopped_; }

 private:
  Task& task_;
  std::uint64_t count_;
  std::mt19937_64 random_;
  const MustStop& mustStop_;
  bool begun_ = false, stopped_ = false;
};

// Student's factor for an interval of 95% from so many results.
double factor95(std::uint64_t results) {
  constexpr std::array kFactors = {12.7, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13};
  return results - 2 < kFactors.size() ? kFactors[results - 2] : 1.96 + 2.6 / static_cast<double>(results);
}

class Estimator final : public explore::Attendant {
 public:
  Estimator(std::uint64_t seed, double seconds, const MustStop& mustStop, std::uint64_t mostSweeps)
      : random_(seed), seconds_(seconds), mustStop_(mustStop), mostSweeps_(mostSweeps) {}

  bool attend(explore::Divisible& exploration) override {
    const auto start = std::chrono::steady_clock::now();
    sweep(exploration, random_, 1);  // says how wide the others can be, and does not count
    const auto width = static_cast<std::size_t>(std::clamp(seconds_ / kFewSweeps / util::secondsSince(start), 1.0, kMostWidth));
    do {
      const Sweep way = sweep(exploration, random_, width);
      results_.push_back(way.executions);
      if (way.isExact || mustStop_()) break;
    } while (results_.size() < kFewestSweeps || (results_.size() < mostSweeps_ && util::secondsSince(start) < seconds_));
    return false;
  }

  bool isUrgent() const override { return mustStop_(); }

  Estimate estimate() const {
    Estimate estimate;
    if (results_.empty()) return estimate;
    estimate.sweeps = results_.size();
    const auto count = static_cast<double>(results_.size());
    for (const double result : results_) estimate.executions += result / count;
    double squares = 0;
    for (const double result : results_) squares += (result - estimate.executions) * (result - estimate.executions);
    const double spread = results_.size() < 2 ? 0 : factor95(results_.size()) * std::sqrt(squares / (count - 1) / count);
    estimate.low = std::max(estimate.executions - spread, 1.0);
    estimate.high = estimate.executions + spread;
    return estimate;
  }

 private:
  std::mt19937_64 random_;
  double seconds_;
  const MustStop& mustStop_;
  std::uint64_t mostSweeps_;
  std::vector<double> results_;
};

}  // namespace

bool sample(Task& task, std::uint64_t count, std::uint64_t seed, const MustStop& mustStop) {
  Sampler sampler(task, count, seed, mustStop);
  const PartEnd end = task.explore({}, kAlways, sampler);
  return sampler.hasBegun() ? !sampler.hasStopped() : end.statistics.complete || end.early;
}

Estimate estimate(Task& task, std::uint64_t seed, double seconds, const MustStop& mustStop, std::uint64_t mostSweeps) {
  Estimator estimator(seed, seconds, mustStop, mostSweeps);
  const PartEnd end = task.explore({}, kAlways, estimator);
  task.forget();
  if (end.statistics.complete) return {.executions = 1, .low = 1, .high = 1, .sweeps = 1};
  return estimator.estimate();
}

}  // namespace heddle::parallel
