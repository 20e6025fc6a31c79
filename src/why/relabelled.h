// An execution whose events can be given other memory orders, to ask a model whether it would still allow it.
//
// Events are grouped by site: the place in the source where their order is written. A site gets an order for all of its events, at
// least; and a fence can be put before or after each of them. The room for such fences is in the relations from the
// beginning, as events that no model speaks of (like a choice) until they are given an order.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/ast.h"
#include "relations/evaluator.h"
#include "trace/interleaving.h"
#include "trace/why.h"

namespace heddle::why {

inline constexpr std::size_t kNothing = ~std::size_t{0};

struct Site {
  std::string file;
  unsigned line = 0, column = 0, part = 0;
  std::string what;  // "store flag"
  EventKind kind = EventKind::read;
  Order order = Order::relaxed;  // as it is written
  bool isUpdate = false;         // a read-modify-write
  // A compare-exchange has a second order, for when it fails. Which of the two do events of the site have?
  Order failureOrder = Order::relaxed;
  bool succeeds = true, fails = false;
};

struct Event {
  ThreadId thread = 0;
  EventKind kind = EventKind::choice;
  EventClass cls = kChoiceClass;
  Order order = Order::plain;
  bool rmw = false;
  bool isSecondOfUpdate = false;    // the event before it is the read
  bool isFailure = false;           // a compare-exchange that failed
  std::vector<std::size_t> before;  // in program order, right before it
  std::vector<trace::Step::Access> reads, writes;
  std::size_t site = kNothing;  // which may be changed
};

// As a value: it needs no graph. Events come in an order in which program order leads downwards.
struct Graph {
  std::vector<Event> events;
  std::vector<Site> sites;
  std::optional<std::pair<std::size_t, std::size_t>> race;  // two of the events, that are not ordered
};

// A change of a site.
struct Strengthening {
  std::size_t site = 0;
  trace::Change::Kind kind = trace::Change::Kind::access;
  Order order = Order::relaxed;
};

Order join(Order a, Order b);

// The order that a change of this kind changes; a fence is new.
Order orderOf(const Site& site, trace::Change::Kind kind);
bool isFence(trace::Change::Kind kind);

class Relabelled final : private relations::Events {
 public:
  // `withFences`: with room for fences.
  Relabelled(const Graph& graph, bool withFences);

  void assign(const std::vector<Strengthening>& changes);
  // What a dependency may be: nothing, or everything. Nobody knows how values were computed.
  void setDependencies(bool all) { allDepend_ = all; }

  std::size_t size() const { return nodes_.size(); }
  const relations::Events& events() const { return *this; }
  const relations::EventSet& all() const { return among_; }
  std::size_t nodeOf(std::size_t event) const { return nodeOf_[event]; }

 private:
  struct Node {
    std::size_t event = kNothing;  // or room for a fence
    std::size_t site = kNothing;
    trace::Change::Kind kind = trace::Change::Kind::access;
    ThreadId thread = 0;
  };
  void relate(const Graph& graph);
  std::size_t count() const override { return nodes_.size(); }
  EventClass classOf(std::size_t node) const override { return classes_[node]; }
  bool isEmpty(model::BaseRelation relation) const override;
  void fill(model::BaseRelation relation, const relations::EventSet& among, relations::BitMatrix& result) const override;

  const Graph& graph_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> nodeOf_;  // by event
  std::vector<EventClass> classes_;
  relations::EventSet among_;
  relations::BitMatrix po_, rf_, co_, rb_, rmw_, loc_;
  bool allDepend_ = false;
};

// A model's axioms over such an execution.
class Judge {
 public:
  // Throws CatError for a model that cannot be evaluated like this. `happensBefore`: by which races are judged, if there is one.
  Judge(Relabelled& execution, const model::Model& model, const model::ExprPtr& happensBefore);

  // With the orders as they are assigned: the axiom that forbids it; "" if it is allowed, or the race is.
  std::optional<std::string> forbiddenBy();
  // Nothing forbids it, but the two accesses of the race are ordered.
  bool isOrdered(std::size_t a, std::size_t b);

 private:
  Relabelled& execution_;
  std::vector<std::string> names_;
  relations::Evaluator evaluator_;
  std::optional<relations::Term> happensBefore_;
};

}  // namespace heddle::why
