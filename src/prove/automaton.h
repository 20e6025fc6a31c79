// Automata of guarded words.
//
// A NetBuilder puts an automaton together from pieces, in Thompson's way: edges are tests, which step nowhere, or
// letters. normalForm() then removes the test edges: what is left steps from event to event, and a test is a guard on
// the event that a step leaves, or on the event at which a word ends.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "prove/alphabet.h"
#include "prove/kat.h"

namespace heddle::prove {

struct Step {
  Mask guard;         // of the event that the step leaves
  LetterSet letters;  // any of them
  unsigned to;
  auto operator<=>(const Step&) const = default;
};

struct Automaton {  // words begin in state 0
  std::vector<std::vector<Step>> steps;
  std::vector<Mask> accept;

  unsigned size() const { return static_cast<unsigned>(accept.size()); }
};

// A piece of an automaton under construction: the words from one node to another.
struct Piece {
  unsigned from;
  unsigned to;
};

class NetBuilder {
 public:
  explicit NetBuilder(const Atoms& atoms) : atoms_(atoms) {}

  const Atoms& atoms() const { return atoms_; }
  unsigned addNode();
  void addTest(unsigned from, unsigned to, Mask mask);
  void addLetters(unsigned from, unsigned to, LetterSet set);

  Piece never();
  Piece test(Mask mask);
  Piece letters(LetterSet set);
  Piece unite(const Piece& a, const Piece& b);
  Piece sequence(const Piece& a, const Piece& b);
  Piece star(const Piece& a);
  Piece plus(const Piece& a);
  Piece words(const Automaton& automaton);

  // The words of a piece that a small deterministic machine accepts, as the machine rewrites them. `move` gives, for a
  // state and a letter, what to do: each answer is a state to go on in and the letters to emit.
  struct Move {
    unsigned state;
    std::vector<Letter> emit;
  };
  using Machine = std::function<std::vector<Move>(unsigned state, Letter letter)>;
  Piece transduce(const Piece& piece, unsigned states, const Machine& move, const std::vector<bool>& accepting);

  // With `ends`, the domains and ranges of the letters are imposed on the events, as they hold of every word that is
  // meant; without, words that no graph has are accepted too.
  Automaton normalForm(const Piece& piece, bool ends) const;

 private:
  struct Edge {
    unsigned to;
    bool isTest;
    std::uint64_t set;  // Mask or LetterSet
  };

  const Atoms& atoms_;
  std::vector<std::vector<Edge>> edges_;
};

// Without useless states.
Automaton trimmed(const Automaton& automaton);

// Removes useless states and merges states with the same future, and (an automaton is read forwards or backwards alike)
// those with the same past.
Automaton reduce(const Automaton& automaton);

// No word at all?
bool isEmpty(const Automaton& automaton);

}  // namespace heddle::prove
