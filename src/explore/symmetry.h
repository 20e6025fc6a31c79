// Symmetry: threads that do the same are explored in one order only (symmetry.cpp).
#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "explore/observer.h"
#include "graph/graph.h"

namespace heddle::explore {

// A set of threads that nobody can tell from each other, in the order of their numbers.
using AlikeGroup = std::vector<ThreadId>;

// Which threads are alike.
struct AlikeThreads {
  std::vector<AlikeGroup> initial;  // of those that run from the start
  bool spawned = false;  // those that a thread starts one right after the other, with the same number (Operation::alike)
};

// The groups of a graph, each of two threads at least.
std::vector<AlikeGroup> alikeIn(const ExecutionView& graph, const AlikeThreads& alike);

// Something has told alike threads apart: the program is to be explored without symmetry.
class ToldApart : public std::runtime_error {
 public:
  // `source`: where, in the program's numbering.
  ToldApart(std::uint32_t where, const std::string& why) : std::runtime_error(why), source(where) {}
  std::uint32_t source;
};

class Symmetry {
 public:
  // `pending`: what each thread is paused at. `view`: where the view is, among those of an event, that coherence is judged by.
  Symmetry(const Graph& graph, const Program& program, const ExploreOptions& options, std::span<const Operation> pending,
           std::size_t view)
      : graph_(graph), program_(program), options_(options), pending_(pending), view_(view) {}

  // Does no graph that is reached from this one stand for its class?
  bool isFruitless();
  // Does this full graph stand for its class?
  bool stands();

 private:
  // How the event of one thread compares with that of another, at the same index.
  enum class Compared { same, before, after, unknown };

  std::optional<Compared> compareEvents(EventId a, EventId b) const;
  Compared compareReads(EventId a, EventId b) const;
  Compared compareSources(EventId a, EventId b) const;
  Compared compareThreads(ThreadId a, ThreadId b) const;
  Compared compareEnds(ThreadId a, EventId eventA, ThreadId b, EventId eventB) const;
  std::optional<std::uint32_t> placeInChain(EventId write) const;
  bool isOwn(EventId read) const {
    return !isInitial(graph_[read].rf) && graph_[graph_[read].rf].thread == graph_[read].thread;
  }
  bool isAfter(EventId earlier, EventId later) const;

  void checkSame(ThreadId a, const Operation& first, ThreadId b, const Operation& second) const;
  void checkParents() const;

  bool isFinal(EventId id) const { return graph_.inPrefix(final_.data(), id); }
  bool mustComeAfter(ThreadId a, ThreadId b) const;
  bool mayComeBefore(EventId b) const;
  bool mayReadBefore(EventId b) const;
  bool mayBeSame(EventId b) const;

  bool isLeast() const;

  const Graph& graph_;
  const Program& program_;
  const ExploreOptions& options_;
  std::span<const Operation> pending_;
  std::size_t view_;
  std::vector<AlikeGroup> groups_;
  std::vector<Lane> final_;  // a clock: what is final
};

}  // namespace heddle::explore
