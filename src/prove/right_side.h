// What a right-hand side can be doing after each word: its automaton made deterministic, as far as a search needs it.
//
// The states of the deterministic automaton are sets of runs. A set is numbered when it is first reached, and where it
// leads by a letter is worked out once, for all events at once: many states of the left side meet the same sets, and so
// do the parts of a rotated left side (rotation.h). Of the runs in a set only those are kept that no other one can
// stand for (simulation.h).
//
// There are three ways of reading right-hand words:
//   plain     from the beginning
//   joint     of a cycle: the last letter, if it is rf, may be read first. Where a cycle closes there may be rf ; rb,
//             which is co.
//   rotating  of a cycle, in any rotation, and of powers of it: a run is a pair of states. From `origin`, the word so
//             far leads to `at`; once (phase 0) without passing the end of a right word, once (phase 1) passing from an
//             accepting state to the initial one exactly once. The cycle closes when one pass with that, followed by
//             any number without, leads from a state back to one that can do at least as much. No rotated right
//             automaton is ever built.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "prove/simulation.h"

namespace heddle::prove {

enum class Reading : std::uint8_t { plain, joint, rotating };

// Cuts a set of events where the tests do.
std::vector<Mask> cut(Mask events, std::vector<Mask> tests);

class RightSide {
 public:
  RightSide(const Automaton& automaton, const Simulation& simulation, Reading reading, Mask all);

  // A set that a step can lead to, and the events for which it is the one.
  struct Outcome {
    Mask events;
    unsigned set;
  };

  unsigned start() const { return 0; }
  const std::vector<Outcome>& advance(unsigned set, unsigned letter);
  // The events of `events` at which the word is not covered if it ends there.
  Mask uncovered(unsigned set, Mask events) const;
  // Joint: the events at which a run that has read the last letter first accepts what comes before it.
  Mask closedAtJoint(unsigned set, unsigned letter) const;
  // Can set b do whatever set a can? (False may mean that it was not found out.)
  bool within(unsigned a, unsigned b) const;
  // How many runs there are in all sets that have been numbered.
  std::size_t runs() const { return runs_; }

 private:
  using Run = std::uint64_t;      // phase, origin and state
  using Runs = std::vector<Run>;  // sorted
  struct Set {
    Runs runs;
    std::uint64_t digest;              // rotating: a bit for each run, modulo 64
    std::vector<std::uint64_t> below;  // otherwise: the states that some run is above, by origin
    std::array<int, kLetters> next;    // numbers of outcomes, -1 if not known
  };

  std::vector<Outcome> outcomesOf(const Runs& runs, unsigned letter);
  unsigned numberOf(Runs runs);
  Runs best(Runs runs) const;
  Runs bestOfRotating(const Runs& runs) const;
  bool closes(const Runs& runs, Mask events) const;
  bool returns(const Runs& runs, unsigned from, unsigned origin) const;

  const Automaton& automaton_;
  const Simulation& simulation_;
  Reading reading_;
  Mask all_;
  std::vector<std::vector<std::pair<Mask, unsigned>>> byLetter_;  // of states and letters
  std::deque<Set> sets_;
  std::deque<std::vector<Outcome>> outcomes_;
  std::unordered_map<std::uint64_t, std::vector<unsigned>> byHash_;
  std::size_t runs_ = 0;
};

// The right-hand side of many questions.
class RightHand {
 public:
  RightHand(Automaton words, Mask all);
  // What earlier searches have found out is kept.
  RightSide& read(Reading reading) const;
  const Automaton& automaton() const { return automaton_; }

 private:
  Automaton automaton_;
  Simulation simulation_;
  Mask all_;
  mutable std::array<std::unique_ptr<RightSide>, 3> sides_;
};

}  // namespace heddle::prove
