#include "explore/coherence.h"

#include <algorithm>
#include <array>

namespace heddle::explore {

SavedCoherence::SavedCoherence(const Graph& graph, EventId without) {
  for (LocationId l = 1; l < graph.locations(); ++l) {
    for (EventId w = graph[l].coNext; w != kNone; w = graph[w].coNext) {
      if (w != without) orders_.push_back(w);
    }
    orders_.push_back(kNone);
  }
}

void SavedCoherence::restore(Graph& graph) const {
  std::size_t begin = 0;
  LocationId location = 1;
  for (std::size_t i = 0; i < orders_.size(); ++i) {
    if (orders_[i] != kNone) continue;
    graph.setCoherence(location++, std::span(orders_).subspan(begin, i - begin));
    begin = i + 1;
  }
}

const Lane* CoherenceFinder::poView(const Graph& graph, EventId id) const {
  alignas(16) static const std::array<Lane, Trail::kMaxThreads> kZero{};
  const EventId previous = graph[id].poPrev;
  return previous == kNone ? kZero.data() : graph.view(previous, consistency_.views().coherenceView());
}

// Has the later write, or a reader of it, observed the earlier one?
bool CoherenceFinder::mustPrecede(const Graph& graph, EventId earlier, EventId later) const {
  if (!isInitial(later) && graph.observed(poView(graph, later), earlier)) return true;
  for (EventId r = graph[later].firstReader; r != kNone; r = graph[r].readerNext) {
    if (graph.observed(poView(graph, r), earlier)) return true;
  }
  return false;
}

// Fills in what must come before each block. False: the constraints contradict each other on their face.
bool CoherenceFinder::constrain(const Graph& graph, LocationOrder& order, const CoherenceDemand& demand) {
  const EventId initial = order.location;
  std::vector<Block>& blocks = order.blocks;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    for (std::size_t j = 0; j < blocks.size(); ++j) {
      bool needed = false;
      for (std::size_t x = 0; x < blocks[i].writes.size(); ++x) {
        for (std::size_t y = 0; y < blocks[j].writes.size(); ++y) {
          const EventId earlier = blocks[i].writes[x], later = blocks[j].writes[y];
          if (earlier == later || isInitial(earlier) || (i == j && x < y)) continue;
          if (!mustPrecede(graph, earlier, later) && !(demand && demand(earlier, later))) continue;
          if (i == j || isInitial(later)) return false;
          needed = true;
        }
      }
      const bool startsAtInitial = blocks[i].writes[0] == initial;
      if (i != j && (needed || startsAtInitial)) {
        if (blocks[j].writes[0] == initial) return false;
        blocks[j].before.push_back(i);
      }
    }
  }
  return true;
}

bool CoherenceFinder::prepare(Graph& graph, const CoherenceDemand& demand) {
  locations_.clear();
  for (LocationId l = 1; l < graph.locations(); ++l) {
    std::vector<EventId> writes{l};
    for (EventId w = graph[l].coNext; w != kNone; w = graph[w].coNext) writes.push_back(w);
    std::sort(writes.begin() + 1, writes.end(), [&](EventId a, EventId b) {
      return std::pair(graph[a].thread, graph[a].index) < std::pair(graph[b].thread, graph[b].index);
    });
    const auto follower = [&](EventId w) -> EventId {  // the write of the read-modify-write that read w
      const EventId reader = graph[w].rmwReader;
      if (reader == kNone) return kNone;
      const EventId write = graph[reader].poNext;
      return write != kNone && std::find(writes.begin(), writes.end(), write) != writes.end() ? write : kNone;
    };
    std::vector<EventId> followers;
    for (const EventId w : writes) followers.push_back(follower(w));
    LocationOrder order{l, {}};
    for (const EventId w : writes) {
      if (std::find(followers.begin(), followers.end(), w) != followers.end()) continue;
      Block& block = order.blocks.emplace_back();
      for (EventId next = w; next != kNone; next = follower(next)) block.writes.push_back(next);
    }
    if (!constrain(graph, order, demand)) return false;
    locations_.push_back(std::move(order));
  }
  // Locations are numbered as they are met; which order is the first must not depend on that.
  std::ranges::sort(locations_, {}, [&](const LocationOrder& order) {
    return std::pair(graph.location(order.location).address, graph.location(order.location).size);
  });
  // Searches must not see an order that has not been chosen yet.
  for (const LocationOrder& order : locations_) {
    for (const Block& block : order.blocks) {
      for (const EventId w : block.writes) graph[w].coNext = kNone;
    }
  }
  return true;
}

bool CoherenceFinder::extend(Graph& graph, std::size_t location, std::size_t placed) {
  if (location == locations_.size()) return visit_();
  LocationOrder& order = locations_[location];
  if (placed == order.blocks.size()) {
    const std::vector<EventId> chosen = prefix_;
    graph.setCoherence(order.location, std::span(chosen).subspan(1));
    bool stop = false;
    // Where there was nothing to choose the check can wait for the next location.
    const bool chose = order.blocks.size() > 2;
    if ((!chose && location + 1 < locations_.size()) || consistency_.holdsEverywhere(graph)) {
      prefix_.clear();
      stop = extend(graph, location + 1, 0);
      prefix_ = chosen;
    }
    if (!stop) {
      for (const EventId w : chosen) graph[w].coNext = kNone;
    }
    return stop;
  }
  for (Block& block : order.blocks) {
    if (block.placed) continue;
    const bool enabled =
        std::all_of(block.before.begin(), block.before.end(), [&](std::size_t b) { return order.blocks[b].placed; });
    if (!enabled) continue;
    block.placed = true;
    prefix_.insert(prefix_.end(), block.writes.begin(), block.writes.end());
    const bool stop = extend(graph, location, placed + 1);
    prefix_.resize(prefix_.size() - block.writes.size());
    block.placed = false;
    if (stop) return true;
  }
  return false;
}

bool CoherenceFinder::findFirst(Graph& graph, const CoherenceDemand& demand) {
  if (!prepare(graph, demand)) return false;
  prefix_.clear();
  visit_ = [] { return true; };
  return extend(graph, 0, 0);
}

void CoherenceFinder::forEach(Graph& graph, const std::function<void()>& visit) {
  const SavedCoherence saved(graph, kNone);
  if (prepare(graph, {})) {
    prefix_.clear();
    visit_ = [&] {
      visit();
      return false;
    };
    extend(graph, 0, 0);
  }
  saved.restore(graph);
}

// Goes on with the first location of which nothing is said yet. The graph is in a consistent order that has `last` at its end,
// so this leads somewhere. False: `visit` has seen enough.
bool CoherenceFinder::endIn(Graph& graph, std::span<const LocationId> locations, std::vector<EventId>& last,
                            const std::function<bool()>& visit) {
  if (last.size() == locations.size()) return visit();
  const LocationId location = locations[last.size()];
  const EventId tail = graph.location(location).coTail;
  last.push_back(tail);
  bool goOn = endIn(graph, locations, last, visit);
  const SavedCoherence before(graph, kNone);
  for (EventId write = graph[tail].coPrev; !isInitial(tail) && !isInitial(write) && goOn;) {
    const EventId next = graph[write].coPrev;
    last.back() = write;
    const auto isDemanded = [&](EventId earlier, EventId later) {
      return earlier != later && std::ranges::find(last, later) != last.end();
    };
    if (mayBeLast(graph, write) && findFirst(graph, isDemanded)) goOn = endIn(graph, locations, last, visit);
    before.restore(graph);
    write = next;
  }
  last.pop_back();
  return goOn;
}

// Is there no write that every coherence order has after this one?
bool CoherenceFinder::mayBeLast(const Graph& graph, EventId write) const {
  for (EventId w = graph.location(graph[write].location).coTail; !isInitial(w); w = graph[w].coPrev) {
    if (w != write && mustPrecede(graph, write, w)) return false;
  }
  return true;
}

void CoherenceFinder::forFirst(Graph& graph, const CoherenceDemand& demand, const std::function<void()>& visit) {
  const SavedCoherence saved(graph, kNone);
  if (findFirst(graph, demand)) visit();
  saved.restore(graph);
}

void CoherenceFinder::forEachEnd(Graph& graph, std::span<const LocationId> locations, const std::function<bool()>& visit) {
  std::vector<EventId> last;
  endIn(graph, locations, last, visit);
}

}  // namespace heddle::explore
