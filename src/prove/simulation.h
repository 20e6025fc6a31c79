// Which states of an automaton can do whatever another state can.
//
// q is above p if q accepts where p does, and each step of p can be answered by a step of q on the same event and
// letter to a state that is above the one p steps to (simulation, Milner 1971). Then every word that p accepts, q
// accepts. The searches keep only the states that no other one is above (Abdulla, Chen, Holik, Mayr and Vojnar, "When
// Simulation Meets Antichains", 2010).
#pragma once

#include <cstdint>
#include <vector>

#include "prove/automaton.h"

namespace heddle::prove {

class Simulation {
 public:
  // Of more states than `most`, only that each is above itself.
  explicit Simulation(const Automaton& automaton, unsigned most = 2500);

  bool above(unsigned q, unsigned p) const { return (rows_[p * words_ + q / 64] >> (q % 64) & 1) != 0; }
  // Of a sorted list of states, those that no other one is above (of two that are above each other, the first).
  template <typename Number>
  void keepBest(std::vector<Number>& states) const {
    std::vector<std::uint64_t> present(words_, 0);
    for (const Number s : states) present[s / 64] |= std::uint64_t{1} << (s % 64);
    std::erase_if(states, [&](Number s) {
      const std::uint64_t* better = &better_[s * words_];
      for (std::size_t w = 0; w < words_; ++w) {
        if ((better[w] & present[w]) != 0) return true;
      }
      return false;
    });
  }
  // Is one of these states above p? As a set of bits, of words() words.
  bool anyAbove(unsigned p, const std::uint64_t* states) const {
    const std::uint64_t* row = &rows_[p * words_];
    for (std::size_t w = 0; w < words_; ++w) {
      if ((row[w] & states[w]) != 0) return true;
    }
    return false;
  }
  // Adds the states that q is above.
  void addBelow(unsigned q, std::uint64_t* states) const {
    const std::uint64_t* row = &below_[q * words_];
    for (std::size_t w = 0; w < words_; ++w) states[w] |= row[w];
  }
  std::size_t words() const { return words_; }
  // The states above p, p included.
  std::vector<unsigned> allAbove(unsigned p) const;

 private:
  void add(unsigned p, unsigned q) { rows_[p * words_ + q / 64] |= std::uint64_t{1} << (q % 64); }
  void remove(unsigned p, unsigned q) { rows_[p * words_ + q / 64] &= ~(std::uint64_t{1} << (q % 64)); }
  std::vector<std::vector<unsigned>> candidates(const Automaton& automaton);
  bool answers(const Automaton& automaton, unsigned p, unsigned q) const;
  bool answersStep(const Automaton& automaton, const Step& step, unsigned q) const;

  unsigned states_;
  std::size_t words_;
  std::vector<std::uint64_t> rows_;    // of each state those above it
  std::vector<std::uint64_t> below_;   // and those below it
  std::vector<std::uint64_t> better_;  // above and not below, or with a smaller number
};

}  // namespace heddle::prove
