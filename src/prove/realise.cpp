#include "prove/realise.h"

#include <algorithm>
#include <numeric>

#include "prove/time_limit.h"

namespace heddle::prove {

namespace {

class UnionFind {
 public:
  explicit UnionFind(unsigned size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0U); }
  unsigned find(unsigned x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  void merge(unsigned a, unsigned b) { parent_[find(a)] = find(b); }
  unsigned add() {
    parent_.push_back(static_cast<unsigned>(parent_.size()));
    return parent_.back();
  }

 private:
  std::vector<unsigned> parent_;
};

// How natural an event of this class is in an example: lower is better. Fences have no relaxed or plain order, a read
// is no release, and a part of a read-modify-write needs its other half.
unsigned strangeness(unsigned cell) {
  const auto cls = static_cast<EventClass>(classOfCell(cell));
  const Order order = orderOf(cls);
  if (cls == kInitialWriteClass || cls == kChoiceClass) return 40;
  unsigned result = declaredSetsOf(cell) == 0 ? 0 : 1;
  if (contains(classes::kThread, cls)) result += 30;
  if (contains(classes::kFence, cls)) {
    result += order == Order::seq_cst ? 8 : order == Order::acq_rel ? 9 : 10;
    if (order == Order::plain || order == Order::relaxed) result += 20;
  }
  if (contains(classes::kRmw, cls)) result += 6;
  if (contains(classes::kRead, cls) && (order == Order::release || order == Order::acq_rel)) result += 20;
  if (contains(classes::kWrite, cls) && (order == Order::acquire || order == Order::acq_rel)) result += 20;
  if (order == Order::plain) result += 3;
  if (contains(classes::kRead | classes::kWrite, cls) && order != Order::relaxed) result += 1;
  return result;
}

struct Constraint {
  unsigned from;
  unsigned to;
};

class Realiser {
 public:
  Realiser(const GuardedWord& word, const Atoms& atoms, unsigned declared, const RealiseLimits& limits,
           const std::function<bool(const Graph&)>& take)
      : word_(word),
        atoms_(atoms),
        limits_(limits),
        take_(take),
        same_(static_cast<unsigned>(word.atoms.size())),
        thread_(0),
        location_(0) {
    graph_.declared.resize(declared);
  }

  bool run() {
    if (word_.atoms.empty() || !placeEvents() || !placeSteps() || !assignThreads()) return false;
    return orderThreads(0);
  }

 private:
  unsigned eventAt(std::size_t position) { return eventOf_[same_.find(static_cast<unsigned>(position % word_.atoms.size()))]; }

  bool placeEvents() {
    for (std::size_t i = 0; i < word_.letters.size(); ++i) {
      if (has(kBrackets, word_.letters[i])) {
        same_.merge(static_cast<unsigned>(i), static_cast<unsigned>((i + 1) % word_.atoms.size()));
      }
    }
    eventOf_.assign(word_.atoms.size(), 0);
    std::vector<Cells> cells;
    for (std::size_t i = 0; i < word_.atoms.size(); ++i) {
      const unsigned root = same_.find(static_cast<unsigned>(i));
      if (root != i) continue;
      eventOf_[i] = static_cast<unsigned>(graph_.events.size());
      graph_.events.emplace_back();
      cells.push_back(allCells());
    }
    for (std::size_t i = 0; i < word_.atoms.size(); ++i) cells[eventAt(i)] &= atoms_.cells(word_.atoms[i]);
    for (std::size_t i = 0; i < word_.letters.size(); ++i) {
      const Letter letter = word_.letters[i];
      if (has(kBrackets, letter)) continue;
      cells[eventAt(i)] &= domainOf(letter);
      cells[eventAt(i + 1)] &= rangeOf(letter);
    }
    for (unsigned e = 0; e < cells.size(); ++e) {
      if (!choose(graph_.events[e], cells[e])) return false;
      thread_.add();
      location_.add();
    }
    return graph_.size() < kMostEvents / 2;
  }

  static bool choose(GraphEvent& event, const Cells& cells) {
    unsigned best = kCells;
    for (unsigned cell = 0; cell < kCells; ++cell) {
      if (!cells[cell] || (best < kCells && strangeness(best) <= strangeness(cell))) continue;
      best = cell;
    }
    if (best == kCells) return false;
    event.cell = best;
    return true;
  }

  bool placeSteps() {
    std::vector<std::pair<Letter, unsigned>> open;
    for (std::size_t i = 0; i < word_.letters.size(); ++i) {
      const Letter letter = word_.letters[i];
      const unsigned a = eventAt(i);
      const unsigned b = eventAt(i + 1);
      if (has(kBrackets, letter)) {
        closeBracket(letter, a, open);
        continue;
      }
      if (has(kSameLocation, letter)) location_.merge(a, b);
      if (letter == Letter::poOther || letter == Letter::pair) elsewhere_.push_back({a, b});
      const bool declared = letter >= Letter::declared;
      if (!declared && !has(kOtherThread, letter)) thread_.merge(a, b);
      if (has(kOtherThread, letter)) apart_.push_back({a, b});
      if (declared) declared_.push_back({letter, {a, b}});
      const LetterSet before =
          lettersOf(Letter::po, Letter::poLoc, Letter::poOther, Letter::rfi, Letter::rmw, Letter::pair) | kDependencies;
      if (has(before, letter)) before_.push_back({a, b});
      if (letter == Letter::rmwInverse) before_.push_back({b, a});
      if (has(kRf, letter)) reads_.push_back({a, b});
      if (has(kCo, letter)) coherent_.push_back({a, b});
      if (has(kRb, letter)) overtaken_.push_back({a, b});
      if (letter == Letter::rmw) pairs_.push_back({a, b});
      if (letter == Letter::rmwInverse) pairs_.push_back({b, a});
      if (letter == Letter::addr) addr_.push_back({a, b});
      if (letter == Letter::data) data_.push_back({a, b});
      if (letter == Letter::ctrl) ctrl_.push_back({a, b});
    }
    return completePairs();
  }

  void closeBracket(Letter letter, unsigned at, std::vector<std::pair<Letter, unsigned>>& open) {
    const auto kind = static_cast<unsigned>(letter) - static_cast<unsigned>(Letter::openLoc);
    if (kind % 2 == 0) {
      open.emplace_back(letter, at);
      return;
    }
    for (auto it = open.rbegin(); it != open.rend(); ++it) {
      if (static_cast<unsigned>(it->first) + 1 != static_cast<unsigned>(letter)) continue;
      if (letter == Letter::closeLoc) location_.merge(it->second, at);
      if (letter == Letter::closeOther) elsewhere_.push_back({it->second, at});
      if (letter == Letter::closeInt) thread_.merge(it->second, at);
      if (letter == Letter::closeExt) apart_.push_back({it->second, at});
      open.erase(std::next(it).base());
      return;
    }
  }

  // A part of a read-modify-write whose other half is not in the word gets one.
  bool completePairs() {
    const unsigned count = graph_.size();
    for (unsigned e = 0; e < count; ++e) {
      const auto cls = graph_.events[e].eventClass();
      if (!contains(classes::kRmw & (classes::kRead | classes::kWrite), cls)) continue;
      const auto paired = [&](const Constraint& p) { return p.from == e || p.to == e; };
      if (std::count_if(pairs_.begin(), pairs_.end(), paired) > 1) return false;
      if (std::any_of(pairs_.begin(), pairs_.end(), paired)) continue;
      const bool read = contains(classes::kRead, cls);
      const Order order = orderOf(cls);
      graph_.events.push_back({cellOf(eventClass(read ? EventKind::write : EventKind::read, order, true), false, 0), -1, -1});
      const unsigned other = graph_.size() - 1;
      thread_.add();
      location_.add();
      thread_.merge(e, other);
      location_.merge(e, other);
      pairs_.push_back(read ? Constraint{e, other} : Constraint{other, e});
      before_.push_back(pairs_.back());
    }
    // The two halves have one order.
    for (const Constraint& p : pairs_) {
      if (orderOf(graph_.events[p.from].eventClass()) != orderOf(graph_.events[p.to].eventClass())) return false;
    }
    return true;
  }

  bool assignThreads() {
    for (const auto& [a, b] : apart_) {
      const bool initial = graph_.events[a].isInitial() || graph_.events[b].isInitial();
      if (!initial && thread_.find(a) == thread_.find(b)) return false;
    }
    for (const auto& [a, b] : elsewhere_) {
      const bool accesses = isAccess(a) && isAccess(b);
      if (accesses && location_.find(a) == location_.find(b)) return false;
    }
    std::vector<unsigned> threads;
    std::vector<unsigned> locations;
    const auto numberOf = [](std::vector<unsigned>& known, unsigned root) {
      const auto it = std::find(known.begin(), known.end(), root);
      if (it != known.end()) return static_cast<int>(it - known.begin());
      known.push_back(root);
      return static_cast<int>(known.size()) - 1;
    };
    for (unsigned e = 0; e < graph_.size(); ++e) {
      GraphEvent& event = graph_.events[e];
      if (!event.isInitial()) event.thread = numberOf(threads, thread_.find(e));
      if (isAccess(e)) event.location = numberOf(locations, location_.find(e));
    }
    threads_ = static_cast<unsigned>(threads.size());
    // An initial write for each location.
    for (unsigned l = 0; l < locations.size(); ++l) {
      int initial = -1;
      for (unsigned e = 0; e < graph_.size(); ++e) {
        if (!graph_.events[e].isInitial() || graph_.events[e].location != static_cast<int>(l)) continue;
        if (initial >= 0) return false;
        initial = static_cast<int>(e);
      }
      if (initial < 0) graph_.events.push_back({cellOf(kInitialWriteClass, false, 0), -1, static_cast<int>(l)});
    }
    locations_ = static_cast<unsigned>(locations.size());
    if (graph_.size() > kMostEvents) return false;
    const unsigned n = graph_.size();
    for (Relation* r : {&graph_.po, &graph_.rf, &graph_.co, &graph_.rmw, &graph_.addr, &graph_.data, &graph_.ctrl})
      *r = Relation(n);
    for (Relation& r : graph_.declared) r = Relation(n);
    for (const auto& [a, b] : pairs_) graph_.rmw.add(a, b);
    for (const auto& [a, b] : addr_) graph_.addr.add(a, b);
    for (const auto& [a, b] : data_) graph_.data.add(a, b);
    for (const auto& [a, b] : ctrl_) graph_.ctrl.add(a, b);
    for (const auto& [letter, c] : declared_) {
      graph_.declared[static_cast<unsigned>(letter) - static_cast<unsigned>(Letter::declared)].add(c.from, c.to);
    }
    return true;
  }

  bool isAccess(unsigned e) const { return graph_.events[e].isRead() || graph_.events[e].isWrite(); }

  // Every order of each thread's events that keeps `before_`.
  bool orderThreads(unsigned thread) {
    if (thread == threads_) return readFrom(0);
    std::vector<unsigned> events;
    for (unsigned e = 0; e < graph_.size(); ++e) {
      if (graph_.events[e].thread == static_cast<int>(thread)) events.push_back(e);
    }
    std::vector<unsigned> order;
    return extendOrder(thread, events, order);
  }

  bool extendOrder(unsigned thread, std::vector<unsigned>& rest, std::vector<unsigned>& order) {
    if (offered_ >= limits_.graphs) return false;
    if (rest.empty()) {
      if (!pairsAreImmediate(order)) return false;
      for (std::size_t i = 0; i < order.size(); ++i) {
        for (std::size_t j = i + 1; j < order.size(); ++j) graph_.po.add(order[i], order[j]);
      }
      const bool taken = orderThreads(thread + 1);
      if (!taken) {
        for (const unsigned e : order) graph_.po.row(e) = 0;
      }
      return taken;
    }
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const unsigned e = rest[i];
      const bool early = std::any_of(before_.begin(), before_.end(), [&](const Constraint& c) {
        return c.to == e && std::find(rest.begin(), rest.end(), c.from) != rest.end();
      });
      if (early) continue;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      order.push_back(e);
      if (extendOrder(thread, rest, order)) return true;
      order.pop_back();
      rest.insert(rest.begin() + static_cast<std::ptrdiff_t>(i), e);
    }
    return false;
  }

  bool pairsAreImmediate(const std::vector<unsigned>& order) const {
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (const auto& [a, b] : pairs_) {
        if (order[i] == a && (i + 1 == order.size() || order[i + 1] != b)) return false;
      }
    }
    return true;
  }

  // A write for each read.
  bool readFrom(unsigned event) {
    if (event == graph_.size()) return orderWrites(0);
    if (!graph_.events[event].isRead()) return readFrom(event + 1);
    const bool fixed = std::any_of(reads_.begin(), reads_.end(), [&](const Constraint& c) { return c.to == event; });
    for (unsigned back = graph_.size(); back > 0; --back) {
      const unsigned w = back - 1;  // initial writes, which come last, first
      if (!graph_.events[w].isWrite() || graph_.events[w].location != graph_.events[event].location) continue;
      const bool meant =
          std::all_of(reads_.begin(), reads_.end(), [&](const Constraint& c) { return c.to != event || c.from == w; });
      if (fixed && !meant) continue;
      // A read never reads from a later write of its own thread.
      if (graph_.po.has(event, w)) continue;
      graph_.rf.add(w, event);
      if (readFrom(event + 1)) return true;
      graph_.rf.row(w) &= ~(std::uint64_t{1} << event);
      if (offered_ >= limits_.graphs) return false;
    }
    return false;
  }

  // An order of each location's writes, the initial one first.
  bool orderWrites(unsigned location) {
    if (location == locations_) return offer();
    std::vector<unsigned> writes;
    for (unsigned e = 0; e < graph_.size(); ++e) {
      const GraphEvent& event = graph_.events[e];
      if (event.isWrite() && event.location == static_cast<int>(location)) writes.push_back(e);
    }
    std::sort(writes.begin(), writes.end());
    std::stable_partition(writes.begin(), writes.end(), [&](unsigned e) { return graph_.events[e].isInitial(); });
    do {
      for (const unsigned w : writes) graph_.co.row(w) = 0;
      for (std::size_t i = 0; i < writes.size(); ++i) {
        for (std::size_t j = i + 1; j < writes.size(); ++j) graph_.co.add(writes[i], writes[j]);
      }
      const bool fits = std::all_of(coherent_.begin(), coherent_.end(), [&](const Constraint& c) {
        return graph_.events[c.from].location != static_cast<int>(location) || graph_.co.has(c.from, c.to);
      });
      if (fits && orderWrites(location + 1)) return true;
    } while (offered_ < limits_.graphs && std::next_permutation(writes.begin() + 1, writes.end()));
    for (const unsigned w : writes) graph_.co.row(w) = 0;
    return false;
  }

  bool offer() {
    TimeLimit::check();
    const Relation rb = graph_.rb();
    for (const auto& [a, b] : overtaken_) {
      if (!rb.has(a, b)) return false;
    }
    if (offered_++ >= limits_.graphs) return false;
    return take_(graph_);
  }

  const GuardedWord& word_;
  const Atoms& atoms_;
  const RealiseLimits& limits_;
  const std::function<bool(const Graph&)>& take_;
  UnionFind same_;
  UnionFind thread_;
  UnionFind location_;
  std::vector<unsigned> eventOf_;
  Graph graph_;
  unsigned threads_ = 0;
  unsigned locations_ = 0;
  std::size_t offered_ = 0;
  std::vector<Constraint> before_, apart_, elsewhere_, reads_, coherent_, overtaken_, pairs_, addr_, data_, ctrl_;
  std::vector<std::pair<Letter, Constraint>> declared_;
};

}  // namespace

bool realise(const GuardedWord& word, const Atoms& atoms, unsigned declaredRelations, const RealiseLimits& limits,
             const std::function<bool(const Graph&)>& take) {
  return Realiser(word, atoms, declaredRelations, limits, take).run();
}

}  // namespace heddle::prove
