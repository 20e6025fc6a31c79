#include "run/random_walks.h"

#include <optional>
#include <utility>
#include <vector>

namespace heddle::run {

namespace {

constexpr std::uint64_t kMostSteps = 60'000;  // about 0.1 s
constexpr unsigned kMostWalks = 4'000;
// Not part of the effort: a program that computes for seconds between two events is not to hold up its report.
constexpr std::chrono::seconds kPatience{2};

}  // namespace

bool RandomWalks::mustStop() const {
  return (interrupted_ != nullptr && interrupted_->load(std::memory_order_relaxed)) ||
         std::chrono::steady_clock::now() - start_ > kPatience;
}

bool RandomWalks::attend(explore::Divisible& exploration) {
  std::vector<explore::Node> below;
  for (unsigned walk = 0; walk < kMostWalks && steps_ < kMostSteps; ++walk) {
    std::optional<explore::Node> node(std::in_place);
    while (true) {
      if (mustStop()) return false;
      below.clear();
      const bool full = exploration.expand(*node, [&](explore::Node child) { below.push_back(std::move(child)); });
      steps_ += 1 + below.size();
      if (full) break;
      if (below.empty() || node->path.size() > longest_) {
        node.reset();
        break;
      }
      node = std::move(below[random_() % below.size()]);
    }
    if (!node) continue;
    steps_ += node->path.size();
    exploration.report(*node);
  }
  return false;
}

}  // namespace heddle::run
