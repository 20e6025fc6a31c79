// Searching the product of an execution graph and an automaton for cycles.
//
// The searches are templates over the automaton's edges: a type with
//
//     unsigned states() const;
//     bool accepts(unsigned state, EventClass) const;  // automata of words only
//     void successors(const Graph&, EventId, unsigned state, ProductEdges& steps) const;  // adds the edges of the product
//
// The interpreter of automata (interpret.cpp) and the generated edges of built-in models are two such types.
#pragma once

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

#include "explore/consistency.h"
#include "explore/marks.h"
#include "explore/order_search.h"
#include "graph/edges.h"

namespace heddle::explore {

// Edges of the product that leave one of its nodes.
struct ProductEdge {
  EventId event;
  std::uint16_t state;
  bool wrap;
};
class ProductEdges {
 public:
  void add(EventId event, unsigned state, bool wrap) {
    if (size_ == steps_.size()) grow();
    steps_[size_++] = {event, static_cast<std::uint16_t>(state), wrap};
  }
  bool empty() const { return size_ == 0; }
  ProductEdge take() { return steps_[--size_]; }
  std::size_t size() const { return size_; }
  const ProductEdge& operator[](std::size_t i) const { return steps_[i]; }
  void shrink(std::size_t size) { size_ = size; }
  // Of those from `first` on, keeps the ones that pass.
  template <class Passes>
  void keep(std::size_t first, const Passes& passes) {
    std::size_t kept = first;
    for (std::size_t i = first; i < size_; ++i) {
      if (passes(steps_[i])) steps_[kept++] = steps_[i];
    }
    size_ = kept;
  }
  void clear() { size_ = 0; }

 private:
  void grow();  // not inline: generated code adds steps at hundreds of places

  std::size_t size_ = 0;
  std::vector<ProductEdge> steps_;
};

// Strongly connected components of the product with a wrap inside. `within`: the part of the graph that cycles can be in, or
// nullptr for all of it.
template <class Edges>
class ComponentSearch {
 public:
  bool findsCycle(const Graph& graph, const Edges& edges, std::span<const EventId> through, const OrderSearch* within) {
    within_ = within;
    states_ = edges.states();
    marks_.begin(std::size_t{graph.top() - kFirstEvent} * states_);
    nodes_.resize(std::max(nodes_.size(), std::size_t{graph.top() - kFirstEvent} * states_));
    counter_ = 0;
    for (const EventId id : through) {
      for (unsigned state = 0; state < states_; ++state) {
        if (visitFrom(graph, edges, node(id, state))) return true;
      }
    }
    return false;
  }

 private:
  struct Node {
    std::uint32_t index;
    std::uint32_t low;
    bool onStack;
    bool treeWrap;  // of the edge that it was found by
  };
  struct Call {
    std::size_t node;
    std::size_t firstSuccessor, nextSuccessor;
  };

  std::size_t node(EventId id, unsigned state) const { return std::size_t{id - kFirstEvent} * states_ + state; }

  void enter(const Graph& graph, const Edges& edges, std::size_t v, bool wrap) {
    nodes_[v] = {counter_, counter_, true, wrap};
    ++counter_;
    component_.push_back(v);
    const std::size_t first = successors_.size();
    edges.successors(graph, static_cast<EventId>(v / states_) + kFirstEvent, static_cast<unsigned>(v % states_), successors_);
    if (within_) successors_.keep(first, [&](const ProductEdge& edge) { return within_->isInComponent(graph[edge.event]); });
    calls_.push_back({v, first, first});
  }

  // A wrap edge inside a component is what we look for. An edge to a node on the stack is inside; of a tree edge
  // that is known when the component is complete, so wraps of tree edges are looked at again then.
  bool visitFrom(const Graph& graph, const Edges& edges, std::size_t root) {
    if (!marks_.insert(root)) return false;
    calls_.clear();
    successors_.clear();
    component_.clear();
    enter(graph, edges, root, false);
    while (!calls_.empty()) {
      const std::size_t v = calls_.back().node;
      if (calls_.back().nextSuccessor < successors_.size()) {
        const ProductEdge step = successors_[calls_.back().nextSuccessor++];
        const std::size_t to = node(step.event, step.state);
        if (marks_.insert(to)) {
          enter(graph, edges, to, step.wrap);
        } else if (nodes_[to].onStack) {
          if (step.wrap) return true;
          nodes_[v].low = std::min(nodes_[v].low, nodes_[to].index);
        }
        continue;
      }
      successors_.shrink(calls_.back().firstSuccessor);
      calls_.pop_back();
      if (!calls_.empty()) {
        const std::size_t parent = calls_.back().node;
        const bool sameComponent = nodes_[v].low < nodes_[v].index;
        if (sameComponent && nodes_[v].treeWrap) return true;
        nodes_[parent].low = std::min(nodes_[parent].low, nodes_[v].low);
      }
      if (nodes_[v].low == nodes_[v].index) {
        std::size_t member;
        do {
          member = component_.back();
          component_.pop_back();
          nodes_[member].onStack = false;
        } while (member != v);
      }
    }
    return false;
  }

  const OrderSearch* within_ = nullptr;
  unsigned states_ = 1;
  std::uint32_t counter_ = 0;
  Marks marks_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> component_;
  ProductEdges successors_;
  std::vector<Call> calls_;
};

// Cycles of exactly one word (`irreflexive`): from each state at each new event, back to the same state there with
// one wrap on the way. `within`: as above.
template <class Edges>
class SingleWordSearch {
 public:
  bool findsCycle(const Graph& graph, const Edges& edges, std::span<const EventId> through, const OrderSearch* within) {
    const unsigned states = edges.states();
    const auto node = [&](EventId id, unsigned state, bool wrapped) {
      return (std::size_t{id - kFirstEvent} * states + state) * 2 + wrapped;
    };
    for (const EventId start : through) {
      for (unsigned state = 0; state < states; ++state) {
        marks_.begin(std::size_t{graph.top() - kFirstEvent} * states * 2);
        work_.clear();
        work_.push_back(node(start, state, false));
        const std::size_t goal = node(start, state, true);
        while (!work_.empty()) {
          const std::size_t v = work_.back();
          work_.pop_back();
          if (v == goal) return true;
          const bool wrapped = v % 2;
          edges.successors(graph, static_cast<EventId>(v / 2 / states) + kFirstEvent, static_cast<unsigned>(v / 2 % states),
                           steps_);
          while (!steps_.empty()) {
            const ProductEdge step = steps_.take();
            if ((step.wrap && wrapped) || (within && !within->isInComponent(graph[step.event]))) continue;
            const std::size_t next = node(step.event, step.state, wrapped || step.wrap);
            if (marks_.insert(next)) work_.push_back(next);
          }
        }
      }
    }
    return false;
  }

 private:
  Marks marks_;
  ProductEdges steps_;
  std::vector<std::size_t> work_;
};

// The edges of a filtered letter: where the words of an automaton lead from one event, if the filter lets both ends
// pass.
template <class Edges>
class FilteredSearch {
 public:
  // Returned by value: the same letter may be followed at several places of one search.
  std::vector<EventId> follow(const Graph& graph, const Edges& edges, model::Filter filter, EventId from) {
    std::vector<EventId> found;
    follow(graph, edges, filter, from, nullptr, [&](EventId to) { found.push_back(to); });
    return found;
  }
  // `within`: the part of the graph that is of interest. Whatever lies between two of its events is in it, too.
  template <class Visit>
  void follow(const Graph& graph, const Edges& edges, model::Filter filter, EventId from, const OrderSearch* within,
              const Visit& visit) {
    const unsigned states = edges.states();
    marks_.begin(std::size_t{graph.top() - kFirstEvent} * states);
    reported_.begin(graph.top() - kFirstEvent);
    steps_.clear();
    edges.successors(graph, from, 0, steps_);
    while (!steps_.empty()) {
      const ProductEdge step = steps_.take();
      if (within && !within->isInComponent(graph[step.event])) continue;
      if (!marks_.insert(std::size_t{step.event - kFirstEvent} * states + step.state)) continue;
      if (edges.accepts(step.state, graph[step.event].cls) && passes(graph, filter, from, step.event) &&
          reported_.insert(step.event - kFirstEvent)) {
        visit(step.event);
      }
      edges.successors(graph, step.event, step.state, steps_);
    }
  }

 private:
  static bool passes(const Graph& graph, model::Filter filter, EventId from, EventId to) {
    const Event &a = graph[from], &b = graph[to];
    const bool sameLocation = a.location != 0 && a.location == b.location;
    const bool sameThread = !isInitial(from) && !isInitial(to) && a.thread == b.thread;
    switch (filter) {
      case model::Filter::sameLocation: return sameLocation;
      case model::Filter::otherLocation: return !sameLocation;
      case model::Filter::sameThread: return sameThread;
      case model::Filter::otherThread: return !sameThread;
    }
    return false;
  }

  Marks marks_, reported_;
  ProductEdges steps_;
};

// The search for one axiom.
template <class Edges>
class ProductSearch : public CycleSearch {
 public:
  ProductSearch(Edges edges, const model::CycleAxiom& axiom, const ProgramClasses& classes)
      : edges_(std::move(edges)),
        form_(axiom.automaton.form),
        strict_(classes.mask(axiom.strict)),
        allStrict_(axiom.strict == classes::kAccess) {}

  bool findsCycle(const Graph& graph, std::span<const EventId> through) override {
    const bool found = isFound(graph, through);
#ifdef HEDDLE_INVARIANTS
    if (found != search(graph, through, nullptr)) throw std::logic_error("a search of po | rf | co | rb misjudges an axiom");
#endif
    return found;
  }

 protected:
  // Is there a forbidden cycle through an event? `within` is where it can be.
  virtual bool findsCycleThrough(const Graph& graph, EventId id, const OrderSearch& within) {
    return search(graph, std::span(&id, 1), &within);
  }

 private:
  bool isFound(const Graph& graph, std::span<const EventId> through) {
    // From many events, one pass over the product is cheaper than a search from each.
    if (form_ == model::Form::singleCycles || through.size() <= 3) {
      return std::ranges::any_of(through, [&](EventId id) { return isOnCycle(graph, id); });
    }
    return search(graph, through, nullptr);
  }
  // Without the automaton, as far as that can tell.
  bool isOnCycle(const Graph& graph, EventId id) {
    if (strict_ != 0) {
      if (!order_.returns(graph, id, ~ClassMask{0})) return false;
      if (allStrict_ || order_.returns(graph, id, strict_)) return true;
    }
    return order_.findComponent(graph, id) && findsCycleThrough(graph, id, order_);
  }
  bool search(const Graph& graph, std::span<const EventId> through, const OrderSearch* within) {
    return form_ == model::Form::cycles ? components_.findsCycle(graph, edges_, through, within)
                                        : singleWords_.findsCycle(graph, edges_, through, within);
  }

  Edges edges_;
  model::Form form_;
  ClassMask strict_;  // accesses of which the axiom forbids every cycle
  bool allStrict_;    // there are no others
  OrderSearch order_;
  ComponentSearch<Edges> components_;
  SingleWordSearch<Edges> singleWords_;
};

}  // namespace heddle::explore
