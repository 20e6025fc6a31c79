// The smallest changes of memory orders that forbid an execution, or order the two accesses of its race: found by asking the model.
//
// Orders occur only positively in the axioms of the models that have them: what a stronger order forbids, a stronger one yet
// forbids as well. So the strongest orders everywhere tell whether there is anything to find; a set of sites is tried with
// the strongest orders first, and these are weakened as long as the execution stays forbidden.
//
//     one access     one fence     two accesses     two fences     more accesses: those left when one after the other is taken out
//
// The first of these that helps is reported, with all its alternatives.
//
// The effort is counted in words of relations that are computed, not in seconds: what is found does not depend on the machine.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "why/relabelled.h"

namespace heddle::why {

struct Found {
  std::vector<Strengthening> changes;
  std::string axiom;  // empty: by happens-before, of a race
};

struct Remedies {
  std::vector<Found> found;
  bool cutShort = false;  // there may be others, or some
};

// Changes that forbid all of the graphs, which have the same sites.
class RemedySearch {
 public:
  // `happensBefore`: by which races are judged.
  RemedySearch(const model::Model& model, model::ExprPtr happensBefore)
      : model_(model), happensBefore_(std::move(happensBefore)) {}

  // Sites are known by their places; those of another graph are added.
  void add(const Graph& graph);
  Remedies find(std::size_t effort);
  const std::vector<Site>& sites() const { return sites_; }

  // What the change is, for people and for the compiler.
  trace::Change describe(const Strengthening& change) const;

 private:
  struct Case {
    explicit Case(Graph of) : graph(std::move(of)) {}
    Graph graph;
    std::optional<Relabelled> plain, fenced;
    std::optional<Judge> plainJudge, fencedJudge;
  };

  // The axiom, or nothing if one of the graphs is still allowed.
  std::optional<std::string> forbids(const std::vector<Strengthening>& changes);
  std::optional<std::string> forbids(Case& of, const std::vector<Strengthening>& changes);
  // The weakest orders with which these still forbid it.
  Found weaken(std::vector<Strengthening> changes);
  void findAmong(const std::vector<Strengthening>& strongest, std::size_t size, Remedies& result);
  void findFewest(std::vector<Strengthening> strongest, Remedies& result);
  std::vector<Strengthening> strongestAccesses() const;
  std::vector<Strengthening> strongestFences() const;

  const model::Model& model_;
  model::ExprPtr happensBefore_;
  std::vector<Site> sites_;
  std::vector<std::unique_ptr<Case>> cases_;
  std::size_t spent_ = 0, most_ = 0;
};

}  // namespace heddle::why
