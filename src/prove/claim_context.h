// What a claim stands on: the assumptions before it, the axioms of the model on its left, and what follows from these
// about coherence; with the automaton of everything that is forbidden.
#pragma once

#include <memory>

#include "prove/inclusion.h"
#include "prove/mapping.h"
#include "prove/prover.h"
#include "prove/theory.h"

namespace heddle::prove {

class ClaimContext {
 public:
  ClaimContext(const QueryFile& query, const Claim& claim, const ProverLimits& limits);

  // The axioms of a model whose executions are considered. What cannot be expressed is left out, with a note.
  void suppose(const model::Model& model, const std::string& name);
  // Are these cycles forbidden by what is supposed, word for word?
  bool supposes(const KatPtr& cycles) const;
  // Cycles that have been shown to be forbidden, in terms of the right model.
  void alsoForbidden(const KatPtr& cycles) { shown_.push_back(cycles); }
  // Terms that will occur in questions: their tests become atoms. Then everything is compiled, and facts are derived.
  void prepare(const std::vector<KatPtr>& terms);

  // The questions. A word on the left may pass through events of the claim's right model only.
  InclusionResult included(const KatPtr& left, const KatPtr& right, std::size_t words);
  InclusionResult forbidden(const KatPtr& cycles, std::size_t words);

  const Vocabulary& vocabulary() const { return vocabulary_; }
  const Atoms& atoms() const { return *atoms_; }
  const View& sourceView() const { return sourceView_; }
  const View& machineView() const { return machineView_; }
  const std::vector<std::string>& unusable() const { return unusable_; }
  std::vector<std::string> unusedAssumptions() const;
  std::string wordText(const GuardedWord& word, bool cycle) const;

  // The word without the fences of the mapping.
  GuardedWord sourceWord(const GuardedWord& word) const;
  // A graph as the claim's assumptions and mapping want it, or nothing if it cannot be made so. An assumption `x <= r |
  // s` of declared relations can be made true in several ways; `choice` says which.
  std::optional<Graph> fit(const Graph& graph, unsigned choice = 0) const;

  Facts& facts() { return facts_; }

 private:
  // e of e & loc, and between which ends it agrees with the order of the writes that these are or read.
  struct LocationFilter {
    KatPtr inner;
    bool writeWrite;
    bool writeRead;
    bool readWrite;
    bool readRead;
    bool agrees() const { return writeWrite && writeRead && readWrite && readRead; }
  };

  void loadAssumption(const AssumeStatement& statement);
  void addInclusion(const model::ExprPtr& left, const model::ExprPtr& right, const AssumeStatement& statement);
  LetterSet lettersOfLeft(const std::vector<KatPtr>& terms) const;
  void collectMappingTests(std::vector<Cells>& tests) const;
  void buildFenceTable();
  void addTotal(const AssumeStatement& statement);
  void deriveFacts(LetterSet alive);
  bool deriveCoherence(std::size_t most);
  bool atomic() const;
  void deriveFromFilters();
  void deriveTotalOrders();
  void orderFilters(const std::vector<KatPtr>& inner);
  LocationFilter orderOf(const KatPtr& inner);
  bool forbids(const KatPtr& cycles, const RightHand& right);
  std::vector<Anchor> anchors() const;
  bool forbids(const KatPtr& cycles);
  void rebuild(std::size_t most);
  bool assumptionsHold(const Graph& graph) const;
  void addDeclaredPairs(Graph& graph, unsigned choice) const;

  const QueryFile& query_;
  const Claim& claim_;
  ProverLimits limits_;
  Vocabulary vocabulary_;         // of assumptions, relations and the right model
  Vocabulary machineVocabulary_;  // of the left model
  View sourceView_;
  View machineView_;
  std::optional<CompiledMapping> mapping_;
  std::vector<const AssumeStatement*> statements_;
  std::vector<Assumption> assumptions_;
  std::vector<std::pair<const AssumeStatement*, Cells>> insertable_;  // assumptions that one fence can make true
  std::vector<KatPtr> irreflexive_;                                   // known of every graph that is considered
  std::vector<KatPtr> empty_;
  std::vector<KatPtr> shown_;
  std::vector<LocationFilter> filters_;
  std::vector<std::pair<LetterSet, Cells>> totals_;
  Cells impossible_;  // no event is of these
  Facts facts_;
  FenceTable fences_;
  std::unique_ptr<Atoms> atoms_;
  std::unique_ptr<Theory> theory_;
  std::unique_ptr<RightHand> forbidden_;
  std::unique_ptr<RightHand> shownForbidden_;
  std::vector<std::string> unusable_;
};

}  // namespace heddle::prove
