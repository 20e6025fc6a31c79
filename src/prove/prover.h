// Deciding the claims of a query file.
//
// A claim about relations is an inclusion of languages (theory.h, inclusion.h). A claim about models is one for each
// axiom on the right: every cycle that the axiom forbids must contain, as a cycle, one that an axiom on the left
// forbids (thesis section 3.5). If a word is not covered, graphs that contain it are built and the claim is evaluated
// in them (realise.h, graph.h): one in which it is false refutes it. If there is none, the claim is not decided, and
// the answer says what was missing.
//
// A proof that rests on nothing deserves a warning: an assumption without which the claim is proved all the same, a
// left side that is empty in every execution that is considered, a left model that forbids everything.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "prove/graph.h"
#include "prove/query.h"

namespace heddle::prove {

enum class Verdict { proved, refuted, undecided };

struct Counterexample {
  std::string word;  // the word that no rule covers
  std::string what;  // what fails in the graph: "axiom psc of rc11", "a pair of ... that is not in ..."
  Graph graph;
};

struct Answer {
  Verdict verdict = Verdict::undecided;
  std::vector<std::string> reasons;   // undecided: what stands in the way
  std::vector<std::string> warnings;  // an assumption that was not used, a claim that is true of nothing, ...
  std::optional<Counterexample> counterexample;
  std::size_t visited = 0;  // pairs of states, for the curious
};

struct ProverLimits {
  std::size_t pairs = 60000;
  std::size_t words = 12;     // uncovered words to build graphs of
  std::size_t graphs = 2000;  // of each word
  // What was proved is tried again without each assumption, if the proof took at most so many pairs of states.
  std::size_t pairsToRepeat = 5000;
  double seconds = 0;        // of processor time, for a claim; 0: no limit
  unsigned samples = 20000;  // random executions for a claim about models that is not decided otherwise, in two seconds
};

Answer decide(const QueryFile& query, const Claim& claim, const ProverLimits& limits = {});

}  // namespace heddle::prove
