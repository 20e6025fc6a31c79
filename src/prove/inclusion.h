// Inclusion of languages of guarded words, and the same for cycles.
//
// Both walk the left automaton breadth first together with the set of everything the right automaton can be doing,
// built on the fly; so the first word that is missing on the right is a shortest one (thesis section 9.1). A pair of a
// left state and a set is dropped when the same left state has been seen with a smaller set: what the smaller one leads
// to is found from there (antichains: De Wulf, Doyen, Henzinger and Raskin, 2006).
//
// The members of a set that another one can stand for (simulation.h) are left out, and events that neither side tells
// apart at a step are taken together (Abdulla, Chen, Holik, Mayr and Vojnar, 2010).
//
// For cycles the question is whether each cycle of the left language is, as a cycle, one of the right language: whether
// some rotation of it, or some rotation of one of its powers, is a word of the right automaton (thesis section 3.5). If
// it is known where to begin (rotation.h), the same sets do; otherwise the right words are read in all rotations at
// once (right_side.h).
#pragma once

#include <optional>
#include <vector>

#include "prove/right_side.h"
#include "prove/rotation.h"

namespace heddle::prove {

// An event (an atom) and the letter that leaves it; the last letter of a word that is not a cycle is missing.
struct GuardedWord {
  std::vector<unsigned> atoms;
  std::vector<Letter> letters;
};

struct InclusionResult {
  bool included = false;
  bool exhausted = false;            // the bound on the number of pairs was reached: neither answer
  bool vacuous = false;              // the left language is empty
  std::vector<GuardedWord> missing;  // shortest first; at most as many as asked for
  std::size_t visited = 0;
};

struct InclusionLimits {
  std::size_t pairs = 200000;
  std::size_t work = 1000000;  // the sum of the sizes of the sets that are new
  std::size_t missing = 1;     // how many missing words to collect before giving up
};

InclusionResult includes(const Automaton& left, const RightHand& right, const Atoms& atoms, const InclusionLimits& limits);

// Whether each cycle of a language is covered. The ways of finding out are tried one after the other, cheapest first;
// each answers true when the question is settled.
class CycleInclusion {
 public:
  CycleInclusion(Automaton left, const RightHand& right, const Atoms& atoms, const InclusionLimits& limits);

  bool wordByWord();  // without regard to what may be done at the joint
  bool asItStands();
  bool fromAnchors(std::vector<Anchor> anchors);
  // Has a word been found that is covered in no rotation?
  bool hopeless();
  bool inAnyRotation();

  const InclusionResult& result() const { return result_; }

 private:
  bool covered(const Automaton& words, const Simulation& simulation, bool joint);

  Automaton rest_;  // what is not known to be covered
  const RightHand& right_;
  const Atoms& atoms_;
  InclusionLimits limits_;
  std::vector<GuardedWord> suspects_;  // missing in one rotation
  InclusionResult result_;
};

}  // namespace heddle::prove
