// The built-in models as they were compiled when Heddle was built: the same as if they were compiled now.

#include <gtest/gtest.h>

#include "model/cat.h"
#include "model/library.h"

namespace heddle::model {
namespace {

void expectSame(const Automaton& a, const Automaton& b) {
  // Every member by name: one that is added later does not go unnoticed.
  const auto& [formA, transitionsA, acceptA, filteredA] = a;
  const auto& [formB, transitionsB, acceptB, filteredB] = b;
  EXPECT_EQ(formA, formB);
  EXPECT_EQ(transitionsA, transitionsB);
  EXPECT_EQ(acceptA, acceptB);
  ASSERT_EQ(filteredA.size(), filteredB.size());
  for (std::size_t i = 0; i < filteredA.size(); ++i) {
    EXPECT_EQ(filteredA[i].filter, filteredB[i].filter);
    expectSame(*filteredA[i].relation, *filteredB[i].relation);
  }
}

void expectSame(const ViewRelation& a, const ViewRelation& b) {
  const auto& [porfA, automatonA] = a;
  const auto& [porfB, automatonB] = b;
  EXPECT_EQ(porfA, porfB);
  expectSame(automatonA, automatonB);
}

void expectSame(const std::vector<CycleAxiom>& a, const std::vector<CycleAxiom>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto& [nameA, textA, automatonA, strictA] = a[i];
    const auto& [nameB, textB, automatonB, strictB] = b[i];
    EXPECT_EQ(nameA, nameB);
    EXPECT_EQ(textA, textB);
    expectSame(automatonA, automatonB);
    EXPECT_EQ(strictA, strictB);
  }
}

void expectSame(const std::vector<Axiom>& a, const std::vector<Axiom>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].kind, b[i].kind);
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(toString(*a[i].expr), toString(*b[i].expr));
  }
}

void expectSame(const std::vector<Requirement>& a, const std::vector<Requirement>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto& [whatA, establishedA, whyA, axiomA] = a[i];
    const auto& [whatB, establishedB, whyB, axiomB] = b[i];
    EXPECT_EQ(whatA, whatB);
    EXPECT_EQ(establishedA, establishedB) << whatA;
    EXPECT_EQ(whyA, whyB);
    EXPECT_EQ(axiomA, axiomB);
  }
}

void expectSame(const CompiledModel& a, const CompiledModel& b) {
  const auto& [nameA, fileA, builtinA, interpretedA, coherenceA, racesA, cyclesA, sourceA, dependsA, pathsA, endsA, evaluatedA,
               mixedA, needsA] = a;
  const auto& [nameB, fileB, builtinB, interpretedB, coherenceB, racesB, cyclesB, sourceB, dependsB, pathsB, endsB, evaluatedB,
               mixedB, needsB] = b;
  EXPECT_EQ(nameA, nameB);
  EXPECT_EQ(fileA, fileB);
  EXPECT_EQ(builtinA, builtinB);
  EXPECT_EQ(interpretedA, interpretedB);
  EXPECT_EQ(mixedA, mixedB);
  ASSERT_EQ(coherenceA.has_value(), coherenceB.has_value());
  if (coherenceA) expectSame(*coherenceA, *coherenceB);
  expectSame(racesA, racesB);
  expectSame(cyclesA, cyclesB);
  EXPECT_EQ(endsA, endsB);
  EXPECT_EQ(evaluatedA, evaluatedB);
  // Written out, the axioms of a model that is evaluated may be of any length.
  if (!evaluatedA) expectSame(sourceA().axioms, sourceB().axioms);
  EXPECT_EQ(dependsA, dependsB);
  ASSERT_EQ(pathsA.has_value(), pathsB.has_value());
  EXPECT_EQ(pathsA.has_value(), dependsA);
  if (pathsA) expectSame(*pathsA, *pathsB);
  expectSame(needsA, needsB);
}

TEST(GeneratedModels, AreWhatCompilingGives) {
  for (const BuiltinModel& builtin : builtinModels()) {
    SCOPED_TRACE(builtin.name);
    expectSame(compiledModel(builtin.name), compile(loadModel(std::string(builtin.name))));
  }
}

// A model from a file is compiled of the parts that built-in models have, as far as they go. That must make no difference.
TEST(GeneratedModels, PartsAreWhatCompilingGives) {
  for (const BuiltinModel& builtin : builtinModels()) {
    SCOPED_TRACE(builtin.name);
    const Model copy = parseCat(std::string(builtin.text), "copy.cat");
    expectSame(compile(copy, kBuiltinParts), compile(copy));
    if (copy.causality.issue || hasDependencies(copy)) continue;
    const Model changed = parseCat(std::string(builtin.text) + "\nacyclic (po | rf | co) as own", "changed.cat");
    expectSame(compile(changed, kBuiltinParts), compile(changed));
    // The second axiom about coherence is one that views do not keep.
    const Model twice = parseCat(std::string(builtin.text) + "\nirreflexive (po ; (rf | co | rb)+) as again", "twice.cat");
    expectSame(compile(twice, kBuiltinParts), compile(twice));
  }
}

TEST(GeneratedModels, PartsAreFoundByWhatTheyMean) {
  const auto axiom = [](const std::string& text) {
    const Model model = parseCat(text, "test.cat");
    return kBuiltinParts.axiom(model.axioms.back().kind, toString(*model.axioms.back().expr));
  };
  const std::string preserved = "let mine = [R | (F & SC) | T | W & (SC | RMW)] ; po | po ; [W | (F & SC) | T | R & RMW]\n";
  EXPECT_TRUE(axiom(preserved + "acyclic (mine | rfe | co | rb) as other-name"));
  EXPECT_FALSE(axiom(preserved + "irreflexive (mine | rfe | co | rb)"));
  EXPECT_FALSE(axiom(preserved + "acyclic (mine | rfe | co)"));
  EXPECT_FALSE(axiom("let rf = rfe\nacyclic (po | rf)"));  // not of the base relation
  EXPECT_TRUE(axiom("acyclic (po | rf)")->forbidsLoadBuffering);
}

TEST(GeneratedModels, AreOnlyOfKnownNames) { EXPECT_THROW(compiledModel("rc12"), std::logic_error); }

}  // namespace
}  // namespace heddle::model
