// The built-in models as they were compiled when Heddle was built: the same as if they were compiled now.

#include <gtest/gtest.h>

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

TEST(GeneratedModels, AreWhatCompilingGives) {
  for (const BuiltinModel& builtin : builtinModels()) {
    SCOPED_TRACE(builtin.name);
    const auto& [nameA, fileA, builtinA, coherenceA, happensBeforeA, cyclesA, sourceA, dependsA, pathsA, evaluatedA, mixedA,
                 requirementsA] = compiledModel(builtin.name);
    const auto& [nameB, fileB, builtinB, coherenceB, happensBeforeB, cyclesB, sourceB, dependsB, pathsB, evaluatedB, mixedB,
                 requirementsB] = compile(loadModel(std::string(builtin.name)));
    EXPECT_EQ(nameA, nameB);
    EXPECT_EQ(fileA, fileB);
    EXPECT_EQ(builtinA, builtinB);
    EXPECT_EQ(mixedA, mixedB);
    ASSERT_EQ(coherenceA.has_value(), coherenceB.has_value());
    if (coherenceA) expectSame(*coherenceA, *coherenceB);
    expectSame(happensBeforeA, happensBeforeB);
    expectSame(cyclesA, cyclesB);
    EXPECT_EQ(evaluatedA, evaluatedB);
    // Written out, the axioms of a model that is evaluated may be of any length.
    if (!evaluatedA) expectSame(sourceA().axioms, sourceB().axioms);
    EXPECT_EQ(dependsA, dependsB);
    ASSERT_EQ(pathsA.has_value(), pathsB.has_value());
    EXPECT_EQ(pathsA.has_value(), dependsA);
    if (pathsA) expectSame(*pathsA, *pathsB);
    expectSame(requirementsA, requirementsB);
  }
}

TEST(GeneratedModels, AreOnlyOfKnownNames) { EXPECT_THROW(compiledModel("rc12"), std::logic_error); }

}  // namespace
}  // namespace heddle::model
