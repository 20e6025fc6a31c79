// Automata of regular relations (Glushkov's construction, with tests).
//
// State 0 is where a word begins; every other state stands for one occurrence of a letter and is entered by
// that letter only. A test is kept on the transitions and on acceptance: a transition can be taken from an
// event of its guard's classes, and a word may end in a state at an event of the state's `accept` classes.
// Domains of the letters are added to the guards, and in automata of words their ranges too, so `rf ; rf` never gets
// a transition.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/regex.h"

namespace heddle::model {

struct Transition {
  ClassSet guard;  // of the event that the edge leaves
  Letter letter;
  std::uint8_t filtered;  // letter == filtered: which entry of Automaton::filtered
  bool wrap = false;      // completes one word of a cyclic automaton and begins the next
  std::uint16_t to;

  bool operator==(const Transition&) const = default;
  auto operator<=>(const Transition&) const = default;
};

struct Automaton;

struct FilteredRelation {
  std::shared_ptr<const Automaton> relation;
  Filter filter;
};

// What an automaton is searched for: words from state 0, or cycles of one or more words, or of exactly one.
enum class Form : std::uint8_t { words, cycles, singleCycles };

struct Automaton {
  Form form = Form::words;
  std::vector<std::vector<Transition>> transitions;  // by state
  std::vector<ClassSet> accept;                      // by state
  std::vector<FilteredRelation> filtered;

  std::size_t states() const { return transitions.size(); }
};

// The automaton of a relation, reduced: no useless states, no two states with the same future.
Automaton toAutomaton(const RegexPtr& regex);

// The automaton of the cycles of a relation: after a word, the next one begins (marked `wrap`). State 0 is
// gone: a cycle has no beginning. `form` is cycles for `acyclic`, singleCycles for `irreflexive`.
Automaton cyclesOf(const RegexPtr& regex, Form form);

// Drops every class but those given (a program's) from all guards, and the states that this makes useless.
Automaton restrictTo(const Automaton& automaton, ClassSet classes);

// Of an automaton of words, merges states that the same words lead to.
Automaton mergeSameWords(const Automaton& automaton);

// Is every word of `a` a word of `b`? Letters stand for themselves, except that one that is divided is its parts (rf is
// rfe | rfi) and filtered letters of `a` are compared by what they filter. On failure `counterexample` (if given) gets a
// shortest word.
bool included(const Automaton& a, const Automaton& b, std::string* counterexample = nullptr);

std::string toString(const Transition& transition, const Automaton& automaton);
std::string classesToString(ClassSet set);

}  // namespace heddle::model
