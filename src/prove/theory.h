// The base theory of execution graphs, and the assumptions of a query, as automata (thesis sections 3.4 and 3.6).
//
// To show that every graph has x <= y it is enough that every word of x is a word of y, once y has been saturated: a
// word is added to y wherever it denotes, in every graph, part of what a word of y denotes. Only the right-hand side is
// saturated; the left-hand side is read as it stands. Every rule adds words only for a reason that holds of all graphs,
// so leaving one out, or stopping early, can lose a proof and cannot make a false one.
//
//   letters      a smaller relation for a larger one: rfi, rmw, addr for po; po-loc for po
//   transitive   po+ for po, co+ for co
//   from-reads   rf ; rb for co, rb ; co* for rb
//   filters      e & loc is matched by words of e that cannot leave the location, and by words of e between the
//                brackets <loc and loc>; the same for \ loc, & int and & ext
//   coherent     coi and rbi for po & loc, in graphs without cycles po ; co and po ; rb (the order of a thread is
//                total)
//   total        x for co, if x connects writes of one location, and neither x nor x ; co has a cycle (corrected
//                Prop. 12: without the irreflexivity of x itself the rule is wrong)
//   atomic       [R & RMW] ; rb for rmw ; co?, in graphs without cycles rb ; co ; rmw^-1
//   fences       po-loc and rfi past the fences of a mapping, for which the left side has letters of their own
//   assume       x <= y, y one word or a few: x from p to q where each of these words leads from p to q. One word alone
//                that leads there is not enough: the assumption does not say which of them holds.
//
// left_words.cpp, contraction.cpp and fence_words.cpp write the left-hand sides, right_words.cpp the right-hand ones.
#pragma once

#include <string>
#include <vector>

#include "prove/automaton.h"
#include "prove/kat.h"

namespace heddle::prove {

// One word of a right-hand side of an assumption: tests and the letter sets between them, tests.size() == steps.size()
// + 1.
struct Word {
  std::vector<Cells> tests;
  std::vector<LetterSet> steps;
};

// The finitely many words of a term; false if there are more than a few, or if it has filters.
bool finiteWords(const Kat& term, std::vector<Word>& words);

struct Assumption {
  KatPtr left;
  std::vector<Word> right;  // empty: left is empty
  std::string text;         // as the query states it
  bool used = false;        // set when some state of a right-hand side could make use of it
};

struct Facts {
  bool internalCoherence = false;      // coi <= po & loc
  bool internalReadsBefore = false;    // rbi <= po & loc
  bool pairsCohere = false;            // rf ; rmw <= co
  std::vector<KatPtr> coherenceWords;  // inside co
  std::vector<const Kat*> ordered;     // e for which e & loc agrees with the order of the writes that are read or written
  LetterSet transitive = 0;            // declared relations
  bool swapped = false;                // the letter `pair` may occur on the left
};

// The fences of a mapping, by groups of atoms that it treats alike: those between an event of one and a later one of
// another.
struct FenceTable {
  std::vector<Mask> groups;
  std::vector<std::vector<std::vector<Mask>>> between;
};

class Theory {
 public:
  // `alive` are the letters that left-hand sides can have: a right-hand side needs no others.
  Theory(const Atoms& atoms, Facts& facts, std::vector<Assumption>& assumptions, Mask real, LetterSet alive,
         const FenceTable* fences)
      : atoms_(atoms), facts_(facts), assumptions_(assumptions), real_(real), alive_(alive), fences_(fences) {}

  // The words of a left-hand side, over the events in `events`.
  Automaton left(const KatPtr& term, Mask events) const;
  // ... and those that can be cycles: the ends are one event, so a cycle with a single step that may leave the location
  // does not leave it, and there is none that leaves its thread exactly once. With `contracted`, stretches of
  // communication are written in their shortest form. That forgets the events in between, and lets it be seen whether
  // such a stretch is of one thread or of two; which of the two is better depends on the claim.
  Automaton leftCycles(const KatPtr& term, Mask events, bool contracted) const;

  // A saturated right-hand side. `real` are the events that exist for its model.
  Automaton right(const KatPtr& term) const;

 private:
  Automaton expandFences(const Automaton& plain) const;

  const Atoms& atoms_;
  Facts& facts_;
  std::vector<Assumption>& assumptions_;
  Mask real_;
  LetterSet alive_;
  const FenceTable* fences_;  // nullptr without a mapping
};

}  // namespace heddle::prove
