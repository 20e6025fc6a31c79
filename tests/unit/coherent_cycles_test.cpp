// What coherence implies is left out of axioms, and nothing else is.
#include "model/coherent_cycles.h"

#include <gtest/gtest.h>

#include "model/automaton.h"
#include "model/cat.h"
#include "model/compile.h"
#include "model/library.h"

namespace heddle::model {
namespace {

RegexPtr relation(const std::string& text) { return toRegex(*parseCat("acyclic " + text + " as a\n", "a.cat").axioms[0].expr); }

// What is left has the same words as this.
void expectLeft(const std::string& text, const std::string& left) {
  const Automaton actual = toAutomaton(withoutImpliedByCoherence(relation(text))), expected = toAutomaton(relation(left));
  EXPECT_TRUE(included(actual, expected)) << text;
  EXPECT_TRUE(included(expected, actual)) << text;
}

TEST(CoherentCycles, LaterWritesOfALocationAreInCoherenceOrder) {
  expectLeft("(co | rb | po-loc ; [W])", "(co | rb)");
  expectLeft("(rfe | coe | rbe | po-loc ; [W] | addr)", "(rfe | addr | co | rb)");
  expectLeft("(rfe | co | rb | (rbe ; rfe) & int | data)", "(rfe | co | rb | data)");
}

TEST(CoherentCycles, WhatIsNotImpliedStays) {
  for (const char* text : {"(co | po-loc ; [W])",       // leads from reads as well
                           "(co | rb | po-loc)",        // leads to reads as well
                           "(rfe | coe | rbe | addr)",  // has no order within a thread
                           "(rfe | rb | (coe ; rfe) & int)"}) {
    expectLeft(text, text);
  }
}

TEST(CoherentCycles, MachinesNeedNoFilters) {
  for (const char* name : {"armv8", "riscv"}) {
    const CompiledModel model = compile(loadModel(name));
    ASSERT_EQ(model.cycleAxioms.size(), 1u) << name;
    EXPECT_TRUE(model.cycleAxioms[0].automaton.filtered.empty()) << name;
  }
}

}  // namespace
}  // namespace heddle::model
