// Cycles from another of their events.
//
// A cycle can be read from any of its events, and where a word of the right-hand side begins is seldom where one of the
// left begins: a cycle of seq_cst events begins at one of these, but what a machine forbids begins with what another
// thread sees. So the left language is rotated: each word that has an anchor, a place of a kind that right words like
// to begin at, is read from its first anchor on. What has no anchor is left for another try. A rotated language has a
// part for each state in which the anchor can be reached; the parts are automata of their own.
#pragma once

#include <functional>

#include "prove/automaton.h"
#include "prove/simulation.h"

namespace heddle::prove {

// A place in a word: between a letter of `before` and one of `after`, at an event of `events`.
struct Anchor {
  LetterSet before;
  Mask events;
  LetterSet after;
};

// Offers the parts until one is refused; false then.
bool rotatedTo(const Anchor& anchor, const Automaton& automaton, const Simulation& simulation,
               const std::function<bool(const Automaton&)>& take);

// The words without an anchor behind their first letter: those that begin at one, as far as can be seen from there, and
// the others.
struct WithoutAnchor {
  Automaton beginning;
  Automaton none;
};
WithoutAnchor without(const Anchor& anchor, const Automaton& automaton);

}  // namespace heddle::prove
