#include "parallel/sample.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "mixer/sampling.h"

namespace heddle::parallel {

namespace {

constexpr std::size_t kStrata = 256;
constexpr double kPilots = 6;  // descents in each that do not count
constexpr double kNormal95 = 1.96;
constexpr std::uint64_t kMostTries = 100;   // for an execution: a way may lead to none

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

const std::atomic<bool> kAlways = true;

class Sampler final : public Attendant {
 public:
  Sampler(Task& task, std::uint64_t count, std::uint64_t seed) : task_(task), count_(count), random_(seed) {}

  bool attend(Divisible& exploration) override {
    task_.forget();  // the execution that the exploration began with is not random
    attended_ = true;
    const Chooser choose = [this](std::size_t ways) { return Way{.index = static_cast<std::size_t>(random_() % ways)}; };
    for (std::uint64_t found = 0, tries = 0; found < count_ && tries / kMostTries < count_ && !stopped_; ++tries) {
      const Descent descent = descend(exploration, choose, true);
      found += descent.reported;
      stopped_ = descent.stopped;
    }
    return false;
  }

  bool hasFailed() const { return stopped_ || !attended_; }

 private:
  Task& task_;
  std::uint64_t count_;
  std::mt19937_64 random_;
  bool attended_ = false, stopped_ = false;
};

// Sums of the weights of descents.
struct Sums {
  double descents = 0, sum = 0, squares = 0;

  void add(double weight) {
    ++descents;
    sum += weight;
    squares += weight * weight;
  }
  double mean() const { return descents == 0 ? 0 : sum / descents; }
  double variance() const {
    return descents < 2 ? 0 : std::max(0.0, (squares - sum * sum / descents) / (descents - 1));
  }
};

// The descents that begin with these choices.
struct Stratum {
  std::vector<std::size_t> choices;
  std::size_t ways = 0;  // of the next choice; 0: there is none, so that one descent says it all
  Sums pilot, main;
  double share = 0;      // of the descents
};

// The strata, and how many descents go to each, are decided by a few descents that do not count: those that count would
// otherwise tend to stop where they have missed what is rare, and the estimate would be too low on average.
class Estimator final : public Attendant {
 public:
  Estimator(std::uint64_t seed, double seconds, std::uint64_t mostDescents)
      : random_(seed), seconds_(seconds), mostDescents_(mostDescents) {}

  bool attend(Divisible& exploration) override {
    start_ = std::chrono::steady_clock::now();
    refine(exploration);
    for (Stratum& stratum : strata_) {
      for (int i = 0; i < (stratum.ways == 0 ? 1 : 2); ++i) stratum.main.add(descendIn(exploration, stratum));
    }
    while (hasTime(1)) {
      const auto next = std::ranges::max_element(
          strata_, {}, [](const Stratum& s) { return s.ways == 0 ? -1 : s.share / (s.main.descents + 1); });
      if (next->ways == 0) break;
      next->main.add(descendIn(exploration, *next));
    }
    return false;
  }

  Estimate estimate() const {
    Estimate estimate;
    double variance = 0;
    for (const Stratum& stratum : strata_) {
      estimate.executions += stratum.main.mean();
      if (stratum.main.descents > 0) variance += stratum.main.variance() / stratum.main.descents;
    }
    estimate.descents = total_;
    const double spread = kNormal95 * std::sqrt(variance);
    estimate.low = std::max(estimate.executions - spread, 1.0);
    estimate.high = estimate.executions + spread;
    return estimate;
  }

 private:
  // Of that part of the time, and of the descents?
  bool hasTime(double part) const {
    return static_cast<double>(total_) < part * static_cast<double>(mostDescents_) && secondsSince(start_) < part * seconds_;
  }

  // Takes the choices of the stratum first. What comes before a choice counts where the choice is the first.
  double descendIn(Divisible& exploration, Stratum& stratum) {
    std::size_t taken = 0;
    bool chosen = false;
    const Chooser choose = [&](std::size_t ways) -> Way {
      if (taken < stratum.choices.size()) {
        const std::size_t index = stratum.choices[taken++];
        return {.index = index, .factor = 1, .begins = index != 0};
      }
      if (!std::exchange(chosen, true)) stratum.ways = ways;
      return {.index = static_cast<std::size_t>(random_() % ways), .factor = static_cast<double>(ways)};
    };
    ++total_;
    return descend(exploration, choose, false).weight;
  }

  void begin(Divisible& exploration, std::vector<std::size_t> choices) {
    Stratum& stratum = strata_.emplace_back();
    stratum.choices = std::move(choices);
    do {
      stratum.pilot.add(descendIn(exploration, stratum));
    } while (stratum.ways != 0 && stratum.pilot.descents < kPilots);
  }

  // Cuts the stratum that varies most, or seems largest, again and again.
  void refine(Divisible& exploration) {
    begin(exploration, {});
    const auto weight = [](const Stratum& s) {
      return s.ways == 0 ? -1 : std::sqrt(s.pilot.variance()) + 0.1 * s.pilot.mean();
    };
    while (strata_.size() < kStrata && hasTime(0.3)) {
      const auto widest = std::ranges::max_element(strata_, {}, weight);
      if (widest->ways == 0) break;
      const Stratum whole = *widest;
      strata_.erase(widest);
      for (std::size_t way = 0; way < whole.ways; ++way) {
        std::vector<std::size_t> choices = whole.choices;
        choices.push_back(way);
        begin(exploration, std::move(choices));
      }
    }
    double sum = 0;
    for (const Stratum& stratum : strata_) sum += std::max(weight(stratum), 0.0);
    for (Stratum& stratum : strata_) {
      stratum.share = std::max(weight(stratum), 0.0) + 0.2 * sum / static_cast<double>(strata_.size());
    }
  }

  std::mt19937_64 random_;
  double seconds_;
  std::uint64_t mostDescents_;
  std::chrono::steady_clock::time_point start_;
  std::uint64_t total_ = 0;
  std::vector<Stratum> strata_;
};

}  // namespace

bool sample(Task& task, std::uint64_t count, std::uint64_t seed) {
  Sampler sampler(task, count, seed);
  task.explore({}, kAlways, sampler);
  return !sampler.hasFailed();
}

Estimate estimate(Task& task, std::uint64_t seed, double seconds, std::uint64_t mostDescents) {
  Estimator estimator(seed, seconds, mostDescents);
  task.explore({}, kAlways, estimator);
  task.forget();
  return estimator.estimate();
}

}  // namespace heddle::parallel
