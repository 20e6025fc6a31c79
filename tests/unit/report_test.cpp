// The parts of a report that need no program run.

#include <gtest/gtest.h>

#include <set>

#include "report/json.h"
#include "report/outcome.h"
#include "report/text.h"
#include "run/state_set.h"

namespace heddle::report {
namespace {

TEST(StateSet, AgreesWithAnOrdinarySet) {
  run::StateSet set(3);
  std::set<std::vector<std::int64_t>> reference;
  std::uint64_t random = 7;
  for (int i = 0; i < 20'000; ++i) {
    std::vector<std::int64_t> state;
    for (int word = 0; word < 3; ++word) {
      random = random * 6364136223846793005U + 1442695040888963407U;
      state.push_back(static_cast<std::int64_t>(random >> 60) - 8);
    }
    EXPECT_EQ(set.insert(state.data()), reference.insert(state).second);
  }
  ASSERT_EQ(set.size(), reference.size());
  for (std::size_t i = 0; i < set.size(); ++i) {
    EXPECT_TRUE(reference.count(std::vector<std::int64_t>(set[i], set[i] + 3)));
  }
}

TEST(StateSet, OfNothing) {
  run::StateSet set(0);
  EXPECT_TRUE(set.insert(nullptr));
  EXPECT_FALSE(set.insert(nullptr));
  EXPECT_EQ(set.size(), 1U);
}

litmus::Test testWith(litmus::Quantifier quantifier) {
  litmus::Test test;
  test.name = "T";
  test.quantifier = quantifier;
  return test;
}

TEST(Outcome, Verdicts) {
  using litmus::Quantifier;
  Outcome both, none, all;
  both.positive = both.negative = none.negative = all.positive = 1;
  EXPECT_EQ(verdict(testWith(Quantifier::exists), both), Verdict::ok);
  EXPECT_EQ(verdict(testWith(Quantifier::exists), none), Verdict::no);
  EXPECT_EQ(verdict(testWith(Quantifier::notExists), both), Verdict::no);
  EXPECT_EQ(verdict(testWith(Quantifier::notExists), none), Verdict::ok);
  EXPECT_EQ(verdict(testWith(Quantifier::forall), both), Verdict::no);
  EXPECT_EQ(verdict(testWith(Quantifier::forall), all), Verdict::ok);
  EXPECT_EQ(verdict(testWith(Quantifier::forall), Outcome()), Verdict::ok) << "of nothing, everything holds";
  EXPECT_FALSE(hasError(testWith(Quantifier::exists), none));
  EXPECT_TRUE(hasError(testWith(Quantifier::forall), both));
  EXPECT_TRUE(hasError(testWith(Quantifier::notExists), both));
  EXPECT_EQ(observation(both), litmus::Observation::sometimes);
  EXPECT_EQ(observation(Outcome()), litmus::Observation::never);
}

TEST(Outcome, WhatIsNotKnownIsNotSaid) {
  Outcome none, some, both;
  none.negative = some.positive = both.positive = both.negative = 1;
  EXPECT_STREQ(observationText(none), "Never");
  EXPECT_STREQ(observationText(some), "Always");
  for (const Cut cut : {Cut::interrupt, Cut::executions, Cut::limit, Cut::stale}) {
    none.cut = some.cut = both.cut = cut;
    EXPECT_STREQ(observationText(none), "Incomplete");
    EXPECT_STREQ(observationText(some), "Incomplete");
    EXPECT_STREQ(observationText(both), "Sometimes") << "more executions change nothing";
  }
  none.cut = Cut::sample;
  EXPECT_STREQ(observationText(none), "Sampled");
  none.cut = Cut::blocked;
  EXPECT_STREQ(observationText(none), "Never") << "all executions are known";
}

TEST(Outcome, TotalsCountEveryVerdict) {
  const litmus::Test test = testWith(litmus::Quantifier::exists);
  Outcome cut;
  cut.cut = Cut::sample;
  const Report report{.test = &test,
                      .model = "sc",
                      .modelFile = "",
                      .assumed = false,
                      .equivalence = explore::Equivalence::co,
                      .outcome = cut,
                      .differences = {}};
  EXPECT_EQ(totals({report}, 0), "1 run: 0 ok, 0 no, 1 sampled\n");
}

TEST(Outcome, CutShort) {
  using litmus::Quantifier;
  Outcome cut;
  cut.cut = Cut::interrupt;
  cut.negative = 1;
  EXPECT_EQ(verdict(testWith(Quantifier::exists), cut), Verdict::incomplete);
  EXPECT_EQ(verdict(testWith(Quantifier::notExists), cut), Verdict::incomplete);
  EXPECT_EQ(verdict(testWith(Quantifier::forall), cut), Verdict::no) << "one counterexample decides";
  cut.failed = 1;
  EXPECT_EQ(verdict(testWith(Quantifier::exists), cut), Verdict::error);
  litmus::Expectation expected;
  expected.executions = 99;
  EXPECT_TRUE(differences(expected, cut, explore::Equivalence::co).empty()) << "nothing is known yet";
}

TEST(Outcome, DifferencesByEquivalence) {
  litmus::Expectation expected;
  expected.executions = 4;
  expected.executionsRf = 3;
  Outcome outcome;
  outcome.executions = 4;
  EXPECT_TRUE(differences(expected, outcome, explore::Equivalence::co).empty());
  EXPECT_EQ(differences(expected, outcome, explore::Equivalence::rf),
            std::vector<std::string>{"executions-rf: expected 3, found 4"});
}

TEST(Text, TableAligns) { EXPECT_EQ(table({{"a", "number"}, {"long", "7"}}, 1, Style()), "a     number\nlong       7\n"); }

TEST(Json, AnyBytesAreAccepted) {
  const std::string text = jsonText({}, {{"f\xff.litmus", "bad \x80 byte"}}, "");
  EXPECT_NE(text.find("\"name\": null"), std::string::npos);
}

}  // namespace
}  // namespace heddle::report
