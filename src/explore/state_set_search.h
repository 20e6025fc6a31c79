// Coming back to an event along the words of an automaton: the search that is left where po | rf | co | rb has a cycle through what
// is new (order_search.h), for models whose automata are large.
//
// The automata of POWER's axioms have about a hundred states. To walk through the product of graph and automaton node by node
// would look at each event as often. Here an event is looked at with all the states that it is reached in, as one set. The sets
// that come up, and where a letter leads from each, are few and always the same ones: they are remembered, with numbers (the subset
// construction, done as far as it is needed, as regular expressions are matched). So a step is a look into a table.
//
//     A forbidden cycle through the event leaves it in a state and comes back in the same one, with a word completed on the way
//     (`wrap`), or exactly one where a single word is asked for. A state is doubled: before and after the first wrap.
//
// States of the event from which the edges that leave it lead to the same are tried together.
#pragma once

#include <unordered_map>
#include <vector>

#include "explore/cycle_search.h"
#include "model/automaton.h"

namespace heddle::explore {

class StateSetSearch {
 public:
  StateSetSearch(const model::Automaton& automaton, const ProgramClasses& classes);

  // `follow(graph, letter, filtered, id, visit)` steps along a letter; `within`: what cycles through `start` can be in.
  template <class Follow>
  bool returns(const Graph& graph, EventId start, const OrderSearch& within, const Follow& follow);

 private:
  using Word = std::uint64_t;
  using SetId = std::uint32_t;
  static constexpr SetId kNone = 0;
  static constexpr SetId kUnknown = ~SetId{0};

  struct Row {  // a letter at events of one class
    model::Letter letter;
    std::uint8_t filtered;
    EventClass cls;
    std::uint32_t number;
  };
  struct Hash {
    std::size_t operator()(const std::vector<Word>& set) const;
  };
  struct Step {
    ClassMask guard;
    model::Letter letter;
    std::uint8_t filtered;
    bool wrap;
    std::uint16_t to;
  };
  struct Joined {
    SetId a = kNone, b = kNone, both = kNone;
  };
  struct Reached {
    std::uint32_t epoch = 0;
    SetId set = kNone;
    bool waits = false;  // to be gone on from
  };
  struct Departure {           // states of the start with the same first steps
    std::vector<SetId> steps;  // by row of its class
    std::vector<unsigned> states;
  };
  struct FirstEdge {  // an edge that leaves the start
    std::size_t row;  // of its class
    EventId to;
  };

  bool has(SetId set, unsigned bit) const { return (sets_[set][bit / 64] >> bit % 64 & 1) != 0; }
  SetId intern(std::vector<Word> set);
  SetId join(SetId a, SetId b) {
    if (a == b || b == kNone) return a;
    if (a == kNone) return b;
    const Joined& joined = joined_[placeOf(a, b)];
    return joined.a == a && joined.b == b ? joined.both : findJoin(a, b);
  }
  static std::size_t placeOf(SetId a, SetId b) { return (a * 31 + b) % kJoins; }
  SetId findJoin(SetId a, SetId b);
  SetId step(SetId set, const Row& row) {
    const SetId known = steps_[std::size_t{set} * rowCount_ + row.number];
    return known != kUnknown ? known : findStep(set, row);
  }
  SetId findStep(SetId set, const Row& row);
  void forgetSets();
  void reach(EventId id, SetId set);
  const std::vector<Departure>& departuresOf(EventClass cls, std::uint64_t rows);
  template <class Follow>
  SetId comeBack(const Graph& graph, EventId start, const Departure& departure, const OrderSearch& within,
                 const Follow& follow);

  static constexpr std::size_t kMostSets = 20'000;
  static constexpr std::size_t kJoins = 1024;

  unsigned states_;
  bool single_;  // exactly one word
  std::size_t words_;
  std::vector<std::vector<Step>> transitions_;  // by state
  std::array<std::vector<Row>, 64> rows_;       // by class
  std::uint32_t rowCount_ = 0;

  std::vector<std::vector<Word>> sets_;  // by number; the first is empty
  std::unordered_map<std::vector<Word>, SetId, Hash> numbers_;
  std::vector<SetId> steps_;    // by set and row
  std::vector<Joined> joined_;  // what was joined last, by placeOf
  // By class, and by the rows of the class that edges leave by: a bit for each, the last one for all from the 64th on.
  std::array<std::unordered_map<std::uint64_t, std::vector<Departure>>, 64> departures_;

  std::uint32_t epoch_ = 0;
  std::vector<Reached> reached_;  // by event
  std::vector<EventId> work_;
  std::vector<FirstEdge> firstEdges_;
};

template <class Follow>
bool StateSetSearch::returns(const Graph& graph, EventId start, const OrderSearch& within, const Follow& follow) {
  if (sets_.size() > kMostSets) forgetSets();
  firstEdges_.clear();
  std::uint64_t present = 0;
  const std::vector<Row>& rows = rows_[graph[start].cls];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    follow(graph, rows[i].letter, rows[i].filtered, start, [&](EventId next) {
      if (!within.isInComponent(graph[next])) return;
      firstEdges_.push_back({i, next});
      present |= std::uint64_t{1} << std::min<std::size_t>(i, 63);
    });
  }
  for (const Departure& departure : departuresOf(graph[start].cls, present)) {
    const SetId back = comeBack(graph, start, departure, within, follow);
    if (back == kNone) continue;
    for (const unsigned state : departure.states) {
      if (has(back, states_ + state)) return true;
    }
  }
  return false;
}

// The states that one comes back to the start in.
template <class Follow>
StateSetSearch::SetId StateSetSearch::comeBack(const Graph& graph, EventId start, const Departure& departure,
                                               const OrderSearch& within, const Follow& follow) {
  reached_.resize(std::max<std::size_t>(reached_.size(), graph.top() - kFirstEvent));
  ++epoch_;
  for (const FirstEdge& edge : firstEdges_) {
    if (departure.steps[edge.row] != kNone) reach(edge.to, departure.steps[edge.row]);
  }
  while (!work_.empty()) {
    const EventId id = work_.back();
    work_.pop_back();
    Reached& reached = reached_[id - kFirstEvent];
    reached.waits = false;
    const SetId from = reached.set;
    for (const Row& row : rows_[graph[id].cls]) {
      const SetId set = step(from, row);
      if (set == kNone) continue;
      follow(graph, row.letter, row.filtered, id, [&](EventId next) {
        if (within.isInComponent(graph[next])) reach(next, set);
      });
    }
  }
  const Reached& home = reached_[start - kFirstEvent];
  return home.epoch == epoch_ ? home.set : kNone;
}

}  // namespace heddle::explore
