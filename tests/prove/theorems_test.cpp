// Known theorems, known refutations, and the false proofs that other tools have been seen to give.
#include <gtest/gtest.h>

#include "model/cat.h"
#include "model/library.h"
#include "prove/litmus.h"
#include "prove/prover.h"
#include "prove/requirements.h"
#include "prove/transform.h"

namespace heddle::prove {
namespace {

Answer answer(const std::string& text) {
  const QueryFile query = parseQuery(text, "test.prove");
  return decide(query, query.claims.at(0));
}

Verdict verdict(const std::string& text) { return answer(text).verdict; }

TEST(Theorems, ExtendedCoherenceTwoWays) {
  EXPECT_EQ(verdict("assert (rf | co | rb)+ = rf | (co | rb) ; rf?"), Verdict::proved);
}

TEST(Theorems, CoherenceTwoWays) {
  EXPECT_EQ(verdict("model a acyclic po-loc | rf | co | rb end\n"
                    "model b irreflexive po ; (rf | co | rb)+ end\n"
                    "assert a equivalent b"),
            Verdict::proved);
}

TEST(Theorems, ReleaseAcquireThreeWays) {
  const std::string models = "let hb = (po | rf)+\nlet hb2 = ([R];po | po;[W] | rfe)+\n"
                             "model a irreflexive hb ; (co | rb)? end\n"
                             "model b irreflexive hb2 ; (co | rb)? irreflexive po ; rb end\n"
                             "model c irreflexive (co | rb)? ; hb end\n";
  EXPECT_EQ(verdict(models + "assert a equivalent b"), Verdict::proved);
  EXPECT_EQ(verdict(models + "assert a equivalent c"), Verdict::proved);
}

TEST(Theorems, Hierarchy) {
  const std::string models = "include \"sc.cat\" as sc include \"tso.cat\" as tso include \"ra.cat\" as ra\n";
  EXPECT_EQ(verdict(models + "assert sc stronger tso"), Verdict::proved);
  EXPECT_EQ(verdict(models + "assert tso stronger ra"), Verdict::proved);
  EXPECT_EQ(verdict(models + "assert tso stronger sc"), Verdict::refuted);
  EXPECT_EQ(verdict(models + "assert ra stronger tso"), Verdict::refuted);
}

// Between a locked instruction's read and write nothing comes, so a locked instruction orders what is before it.
TEST(Theorems, AtomicityOrders) {
  EXPECT_EQ(verdict("include \"prove/x86-tso.cat\" as x86\n"
                    "model t irreflexive coe ; [W] ; po ; [R & RMW] ; rbe ; [W] ; po ; [W] end\n"
                    "assert x86 stronger t"),
            Verdict::proved);
}

// A stretch in one location of which a part is in one location.
TEST(Theorems, FiltersInsideFilters) {
  EXPECT_EQ(verdict("let hb = (po | rfe)+\n"
                    "model a irreflexive hb ; (rf | co | rb)+ acyclic [SC] ; (po | (hb & loc) | co | rb) ; [SC] end\n"
                    "model b acyclic [SC] ; ([SC] ; po ; [SC] | ((po | rfe)+ & loc) | co | rb) ; [SC] end\n"
                    "assert a stronger b"),
            Verdict::proved);
  EXPECT_EQ(verdict("assert (po & loc) ; po ; (po & loc) <= (po ; po ; po) & loc"), Verdict::refuted);
  EXPECT_EQ(verdict("assert ((po ; rfe) & loc) ; po ; ((rfe ; po) & loc) <= (po ; rfe ; po ; rfe ; po) & loc"),
            Verdict::refuted);
}

// The same axiom says less of a machine that does not see an event.
TEST(Theorems, SameAxiomOfAnotherView) {
  const std::string models = "model a irreflexive po ; [F] ; po ; rb end\nmapping skips F -> skip end\n";
  EXPECT_EQ(verdict(models + "assert a stronger a"), Verdict::proved);
  EXPECT_EQ(verdict(models + "assert a stronger a by skips"), Verdict::refuted);
}

TEST(Theorems, Deduplication) {
  EXPECT_EQ(verdict("declare r\nassume irreflexive r ; r\nassert irreflexive r"), Verdict::proved);
}

// With one event and r empty, r is a strict total order and r ; s is irreflexive; s need not be.
TEST(Theorems, TotalOrderNeedsIrreflexivity) {
  const std::string order = "declare r, s\nassume total r on W\nassume irreflexive r ; ([W] ; s ; [W])\n";
  EXPECT_NE(verdict(order + "assert irreflexive [W] ; s ; [W]"), Verdict::proved);
  EXPECT_EQ(verdict(order + "assume irreflexive [W] ; s ; [W]\nassert acyclic [W] ; s ; [W]"), Verdict::proved);
}

// An assumption whose right side contains its left side proves nothing by itself.
TEST(Theorems, MappingAssumptionsDoNotProveEmptiness) {
  EXPECT_NE(verdict("assume [W] ; po ; [R] <= [W] ; po ; [F] ; po ; [R]\nassert [W] ; po ; [R] <= 0"), Verdict::proved);
}

TEST(Theorems, OneOfTwoWordsIsNotEnough) {
  EXPECT_NE(verdict("declare a, b, c\nassume a <= b | c\nassert a <= b"), Verdict::proved);
  EXPECT_EQ(verdict("declare a, b, c\nassume a <= b | c\nassert a <= b | c"), Verdict::proved);
}

TEST(Theorems, VacuousTruthIsReported) {
  const Answer given = answer("assert rf ; rf <= co");
  EXPECT_EQ(given.verdict, Verdict::proved);
  ASSERT_FALSE(given.warnings.empty());
  EXPECT_NE(given.warnings.front().find("vacuous"), std::string::npos);
}

TEST(Theorems, UnusedAssumptionsAreReported) {
  const Answer given = answer("declare a, b\nassume a <= b ; b\nassert po ; po <= po");
  EXPECT_EQ(given.verdict, Verdict::proved);
  ASSERT_FALSE(given.warnings.empty());
  EXPECT_NE(given.warnings.front().find("was not needed"), std::string::npos);
}

TEST(Theorems, UnusedAssumptionsOfEveryKindAreReported) {
  for (const char* assumption :
       {"transitive r", "total r on W", "irreflexive r", "acyclic r", "r = 0", "r <= id", "S & W = 0", "r <= r ; r"}) {
    const std::string text = std::string("assume ") + assumption;
    const Answer given = answer("declare r\ndeclare set S\n" + text + "\nassert po ; po <= po");
    EXPECT_EQ(given.verdict, Verdict::proved) << text;
    ASSERT_EQ(given.warnings.size(), 1U) << text;
    EXPECT_EQ(given.warnings.front(), "`" + text + "` was not needed");
  }
}

// Needed for one of two axioms: needed.
TEST(Theorems, AnAssumptionThatOnePartNeedsIsNeeded) {
  const Answer given = answer("declare r\nassume r <= po\nmodel a end\nmodel b acyclic po acyclic r end\n"
                              "assert a stronger b");
  EXPECT_EQ(given.verdict, Verdict::proved);
  EXPECT_TRUE(given.warnings.empty()) << given.warnings.front();
}

TEST(Theorems, VacuousByAssumption) {
  const Answer given = answer("declare r\nassume r = 0\nassert r ; po <= co");
  EXPECT_EQ(given.verdict, Verdict::proved);
  ASSERT_EQ(given.warnings.size(), 1U);
  EXPECT_NE(given.warnings.front().find("vacuous"), std::string::npos);
  EXPECT_TRUE(answer("assert rf ; rf = 0").warnings.empty()) << "that it is empty is the claim";
}

TEST(Theorems, AModelThatForbidsEverythingIsReported) {
  const Answer given = answer("model a irreflexive [W] end\nmodel b acyclic po | rf end\nassert a stronger b");
  ASSERT_EQ(given.warnings.size(), given.verdict == Verdict::proved ? 1U : 0U);
}

// No cycle of the left language is possible, so its automaton is empty once the ends are made to meet. That proves the
// claim, and must not prove others.
TEST(Theorems, AnEmptyRotationProvesNothingElse) {
  EXPECT_EQ(verdict("assert irreflexive rf"), Verdict::proved);
  EXPECT_EQ(verdict("assume irreflexive rf\nassert irreflexive po ; rb"), Verdict::refuted);
  EXPECT_EQ(verdict("assume irreflexive rf ; rf\nassert acyclic po | rf"), Verdict::refuted);
}

TEST(Theorems, ARefutationIsALitmusTest) {
  const Answer given = answer("include \"sc.cat\" as sc include \"tso.cat\" as tso\nassert tso stronger sc");
  ASSERT_TRUE(given.counterexample);
  const auto text = litmusTest(given.counterexample->graph, View::plain({}, {}), "sb");
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("exists ("), std::string::npos);
}

TEST(Theorems, RequirementsOfTotalStoreOrder) {
  const auto list = requirements(model::loadModelToProve("tso", ""));
  unsigned proved = 0;
  for (const RequirementAnswer& given : list) proved += given.verdict == Verdict::proved ? 1 : 0;
  EXPECT_GE(proved, 6U);
  EXPECT_EQ(list.front().what, "no load buffering");
  EXPECT_EQ(list.front().verdict, Verdict::proved);
}

TEST(Theorems, TotalStoreOrderLetsReadsPassWrites) {
  const model::Model tso = model::loadModelToProve("tso", "");
  const auto& kinds = swapKinds();
  EXPECT_EQ(maySwap(tso, kinds[3], kinds[0]).verdict, Verdict::proved);  // W rlx ; R rlx
  EXPECT_NE(maySwap(tso, kinds[0], kinds[0]).verdict, Verdict::proved);  // R ; R
  EXPECT_NE(maySwap(tso, kinds[3], kinds[3]).verdict, Verdict::proved);  // W ; W
}

TEST(Queries, ErrorsNameTheirPlace) {
  EXPECT_THROW(parseQuery("assert x stronger y", "t.prove"), model::CatError);
  EXPECT_THROW(parseQuery("acyclic po", "t.prove"), model::CatError);
  EXPECT_THROW(parseQuery("assume total po on W", "t.prove"), model::CatError);
}

}  // namespace
}  // namespace heddle::prove
