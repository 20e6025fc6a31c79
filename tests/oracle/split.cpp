#include "oracle/split.h"

#include <algorithm>
#include <utility>

#include "oracle/random_program.h"

namespace heddle::oracle {

using explore::Subtree;

namespace {

// Gives parts away, and sometimes stops with a part left.
class RandomCuts final : public explore::Attendant {
 public:
  RandomCuts(std::uint64_t seed, std::vector<Subtree>& parts) : random_(seed), parts_(parts) {
    splitPercent_ = random_.between(5, 80);
    stopPercent_ = random_.percent(50) ? random_.between(1, 20) : 0;
  }

  bool attend(explore::Divisible& exploration) override {
    while (random_.percent(splitPercent_)) {
      const std::optional<Subtree> given = exploration.split();
      if (!given) break;
      add(*given);
    }
    if (!random_.percent(stopPercent_)) return true;
    add(exploration.rest());
    return false;
  }

  Subtree take() {
    std::swap(parts_[random_.below(static_cast<unsigned>(parts_.size()))], parts_.back());
    const Subtree part = parts_.back();
    parts_.pop_back();
    return part;
  }

 private:
  // As it would arrive somewhere else.
  void add(const Subtree& part) { parts_.push_back(explore::parseSubtree(toText(part))); }

  Random random_;
  std::vector<Subtree>& parts_;
  unsigned splitPercent_, stopPercent_;
};

}  // namespace

bool exploreInParts(std::uint64_t seed, explore::ExploreOptions& options, std::vector<std::string>& keys,
                    const std::function<bool(const Subtree&)>& explorePart) {
  const std::atomic<bool> always = true;
  std::vector<Subtree> parts(1);
  RandomCuts cuts(seed, parts);
  options.interrupt = &always;
  options.attendant = &cuts;
  std::vector<std::pair<Subtree, std::vector<std::string>>> found;
  bool race = false;
  while (!parts.empty()) {
    const Subtree part = cuts.take();
    keys.clear();
    race = explorePart(part) || race;
    found.emplace_back(part, std::move(keys));
  }
  std::ranges::sort(found, [](const auto& a, const auto& b) { return explore::compareStarts(a.first, b.first) < 0; });
  keys.clear();
  for (const auto& [part, some] : found) keys.insert(keys.end(), some.begin(), some.end());
  options.interrupt = nullptr;
  options.attendant = nullptr;
  return race;
}

}  // namespace heddle::oracle
