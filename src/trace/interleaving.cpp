#include "trace/interleaving.h"

#include <algorithm>
#include <map>
#include <optional>
#include <queue>
#include <set>

namespace heddle::trace {

namespace {

constexpr std::size_t kNobody = ~std::size_t{0};
constexpr std::size_t kEffort = 2'000'000;  // steps that are copied in the search
constexpr std::size_t kEarly = 1000;        // what a read from below costs, more than any number of other oddities

// What is done so far.
struct State {
  std::vector<bool> done, doomed;    // doomed: nothing explains it any more
  std::vector<std::size_t> waiting;  // how many steps must still come before
  std::vector<std::size_t> ready;    // those of whom none must, in the order of steps
  std::vector<std::size_t> top;      // by cell: the newest write above; 0: the initial value
  std::vector<std::size_t> low;      // by cell: those of its users before this one are done
  std::vector<std::size_t> order;
  std::size_t cost = 0;
};

class Search {
 public:
  explicit Search(const std::vector<Step>& steps) : steps_(steps), next_(steps.size()) {
    std::size_t cells = 0;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      for (const std::size_t before : steps[s].after) next_[before].push_back(s);
      for (const auto* accesses : {&steps[s].reads, &steps[s].writes}) {
        for (const Step::Access& access : *accesses) cells = std::max(cells, access.cell + 1);
      }
    }
    users_.resize(cells);
    for (std::size_t s = 0; s < steps.size(); ++s) {
      for (const Step::Access& read : steps[s].reads) users_[read.cell].push_back({read.place, s});
      for (const Step::Access& write : steps[s].writes) users_[write.cell].push_back({write.place, s});
    }
    for (auto& users : users_) std::ranges::sort(users);
  }

  std::vector<std::size_t> run() {
    State first{.done = std::vector<bool>(steps_.size()),
                .doomed = std::vector<bool>(steps_.size()),
                .waiting = {},
                .ready = {},
                .top = std::vector<std::size_t>(users_.size(), 0),
                .low = std::vector<std::size_t>(users_.size(), 0),
                .order = {}};
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      first.waiting.push_back(steps_[s].after.size());
      if (steps_[s].after.empty()) first.ready.push_back(s);
    }
    const auto isCheaper = [](const Open& a, const Open& b) {
      return a.state.cost != b.state.cost ? a.state.cost > b.state.cost : a.number > b.number;
    };
    std::priority_queue<Open, std::vector<Open>, decltype(isCheaper)> open(isCheaper);
    std::set<std::vector<bool>> seen;
    std::size_t number = 0, effort = 0;
    open.push({std::move(first), number++});
    for (;;) {
      State state = open.top().state;
      open.pop();
      settle(state);
      if (state.order.size() == steps_.size()) return state.order;
      if (effort > kEffort) return finish(std::move(state));
      if (!seen.insert(state.done).second) continue;
      for (const std::size_t step : inTurn(state)) {
        State chosen = state;
        take(step, chosen);
        open.push({std::move(chosen), number++});
        effort += steps_.size();
      }
    }
  }

 private:
  struct Open {
    State state;
    std::size_t number;
  };

  // Those that may come next: the one of the thread that did the last step first.
  std::vector<std::size_t> inTurn(const State& state) const {
    std::vector<std::size_t> steps = state.ready;
    if (state.order.empty()) return steps;
    std::ranges::stable_partition(steps, [&](std::size_t s) { return steps_[s].thread == steps_[state.order.back()].thread; });
    return steps;
  }

  static bool isExplained(const Step& step, const State& state) {
    return std::ranges::all_of(step.reads, [&](const Step::Access& read) { return state.top[read.cell] == read.place; });
  }

  // Who is doomed by a write: what is still to come and is older.
  template <class Visit>
  void forEachOlder(std::size_t step, const State& state, Visit visit) const {
    for (const Step::Access& write : steps_[step].writes) {
      const auto& users = users_[write.cell];
      for (std::size_t u = state.low[write.cell]; u < users.size() && users[u].first < write.place; ++u) {
        if (users[u].second != step && !state.done[users[u].second]) visit(users[u].second);
      }
    }
  }

  bool isHarmless(std::size_t step, const State& state) const {
    if (state.doomed[step]) return true;
    if (!isExplained(steps_[step], state)) return false;
    bool harmless = true;
    forEachOlder(step, state, [&](std::size_t older) { harmless = harmless && state.doomed[older]; });
    return harmless;
  }

  void take(std::size_t step, State& state) const {
    if (!state.doomed[step] && !isExplained(steps_[step], state)) {
      state.doomed[step] = true;
      state.cost += kEarly;
    }
    forEachOlder(step, state, [&](std::size_t older) {
      if (state.doomed[older]) return;
      state.doomed[older] = true;
      ++state.cost;
    });
    state.done[step] = true;
    std::erase(state.ready, step);
    for (const std::size_t next : next_[step]) {
      if (--state.waiting[next] == 0) state.ready.insert(std::ranges::lower_bound(state.ready, next), next);
    }
    for (const auto* accesses : {&steps_[step].reads, &steps_[step].writes}) {
      for (const Step::Access& access : *accesses) {
        const auto& users = users_[access.cell];
        std::size_t& low = state.low[access.cell];
        while (low < users.size() && state.done[users[low].second]) ++low;
      }
    }
    for (const Step::Access& write : steps_[step].writes) {
      state.top[write.cell] = std::max(state.top[write.cell], write.place);
    }
    state.order.push_back(step);
  }

  // Takes all steps that do no harm.
  void settle(State& state) const {
    for (bool changed = true; changed;) {
      changed = false;
      for (const std::size_t step : inTurn(state)) {
        if (!isHarmless(step, state)) continue;
        take(step, state);
        changed = true;
        break;
      }
    }
  }

  std::vector<std::size_t> finish(State state) const {
    while (state.order.size() < steps_.size()) {
      std::size_t best = kNobody, least = kNobody;
      for (const std::size_t step : inTurn(state)) {
        std::size_t harm = isExplained(steps_[step], state) ? 0 : kEarly;
        forEachOlder(step, state, [&](std::size_t older) { harm += !state.doomed[older]; });
        if (harm < least) best = step, least = harm;
      }
      take(best, state);
      settle(state);
    }
    return state.order;
  }

  const std::vector<Step>& steps_;
  std::vector<std::vector<std::size_t>> next_;
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> users_;  // of a cell: by place
};

// What an order leaves without an explanation.
std::vector<Unexplained> unexplainedIn(const std::vector<Step>& steps, const std::vector<std::size_t>& order) {
  std::vector<Unexplained> found;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> writer;  // of a cell's place
  for (std::size_t s = 0; s < steps.size(); ++s) {
    for (const Step::Access& write : steps[s].writes) writer[{write.cell, write.place}] = s;
  }
  std::map<std::size_t, std::size_t> top;
  for (const std::size_t s : order) {
    std::optional<Unexplained> odd;
    for (const Step::Access& read : steps[s].reads) {
      const std::size_t newest = top[read.cell];
      if (odd || newest == read.place) continue;
      const bool isEarly = newest < read.place && writer.contains({read.cell, read.place});
      const auto by = writer.find({read.cell, isEarly ? read.place : newest});
      if (by != writer.end()) odd = Unexplained{s, by->second, isEarly};
    }
    for (const Step::Access& write : steps[s].writes) {
      std::size_t& newest = top[write.cell];
      if (!odd && newest > write.place) odd = Unexplained{s, writer.at({write.cell, newest}), false};
      newest = std::max(newest, write.place);
    }
    if (odd) found.push_back(*odd);
  }
  return found;
}

}  // namespace

Interleaving interleave(const std::vector<Step>& steps) {
  Interleaving result;
  if (!steps.empty()) result.order = Search(steps).run();
  result.unexplained = unexplainedIn(steps, result.order);
  return result;
}

std::vector<std::pair<std::size_t, Link>> findCycle(const std::vector<Step>& steps) {
  constexpr std::size_t kMost = 500;
  if (steps.size() > kMost) return {};
  // Program order leads to all that comes later; the rest to the next ones.
  std::vector<std::vector<std::pair<std::size_t, Link>>> next(steps.size());
  std::vector<std::vector<bool>> before(steps.size(), std::vector<bool>(steps.size()));
  std::vector<std::size_t> left(steps.size()), ready;
  std::vector<std::vector<std::size_t>> successors(steps.size());
  for (std::size_t s = 0; s < steps.size(); ++s) {
    left[s] = steps[s].after.size();
    if (left[s] == 0) ready.push_back(s);
    for (const std::size_t b : steps[s].after) successors[b].push_back(s);
  }
  while (!ready.empty()) {
    const std::size_t s = ready.back();
    ready.pop_back();
    for (const std::size_t to : successors[s]) {
      for (std::size_t b = 0; b < steps.size(); ++b) before[to][b] = before[to][b] || before[s][b];
      before[to][s] = true;
      if (--left[to] == 0) ready.push_back(to);
    }
  }
  for (std::size_t a = 0; a < steps.size(); ++a) {
    for (std::size_t b = 0; b < steps.size(); ++b) {
      if (a == b) continue;
      const auto relates = [&](const auto& from, const auto& to, auto compare) {
        return std::ranges::any_of(from, [&](const Step::Access& x) {
          return std::ranges::any_of(to, [&](const Step::Access& y) { return x.cell == y.cell && compare(x.place, y.place); });
        });
      };
      const auto same = [](std::size_t x, std::size_t y) { return x == y; };
      const auto less = [](std::size_t x, std::size_t y) { return x < y; };
      if (relates(steps[a].writes, steps[b].reads, same)) next[a].emplace_back(b, Link::rf);
      if (relates(steps[a].reads, steps[b].writes, less)) next[a].emplace_back(b, Link::rb);
      if (relates(steps[a].writes, steps[b].writes, less)) next[a].emplace_back(b, Link::co);
      if (before[b][a]) next[a].emplace_back(b, Link::po);
    }
  }
  std::vector<std::pair<std::size_t, Link>> best;
  for (std::size_t start = 0; start < steps.size(); ++start) {
    std::vector<std::pair<std::size_t, Link>> from(steps.size(), {kNobody, Link::po});
    std::vector<std::size_t> level{start};
    std::optional<std::pair<std::size_t, Link>> closing;
    for (std::size_t length = 1; !level.empty() && !closing && (best.empty() || length < best.size()); ++length) {
      std::vector<std::size_t> reached;
      for (const std::size_t s : level) {
        for (const auto& [to, link] : next[s]) {
          if (to == start && !closing) closing = {s, link};
          if (to == start || from[to].first != kNobody) continue;
          from[to] = {s, link};
          reached.push_back(to);
        }
      }
      level = std::move(reached);
    }
    if (!closing) continue;
    std::vector<std::pair<std::size_t, Link>> cycle{*closing};
    for (std::size_t s = closing->first; s != start; s = from[s].first) cycle.emplace_back(from[s].first, from[s].second);
    std::ranges::reverse(cycle);
    if (best.empty() || cycle.size() < best.size()) best = std::move(cycle);
  }
  return best;
}

}  // namespace heddle::trace
