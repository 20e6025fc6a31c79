// The oracle's own tests: relations, the evaluator on hand-built expressions, known counts, data races, and the
// second opinion of the SC machine on random programs.
#include "oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "fuzz.h"
#include "litmus/test.h"
#include "random_program.h"
#include "sc_machine.h"

namespace heddle::oracle {
namespace {

using model::AxiomKind;
using model::Expr;
using model::ExprKind;
using model::ExprPtr;
using model::ExprType;

constexpr std::size_t plenty = 1000000;

Relation pairs(unsigned size, std::initializer_list<std::pair<unsigned, unsigned>> list) {
  Relation result(size);
  for (const auto& [a, b] : list) result.add(a, b);
  return result;
}

TEST(Relation, BooleanOperations) {
  const Relation a = pairs(3, {{0, 1}, {1, 2}});
  const Relation b = pairs(3, {{1, 2}, {2, 0}});
  EXPECT_EQ(a | b, pairs(3, {{0, 1}, {1, 2}, {2, 0}}));
  EXPECT_EQ(a & b, pairs(3, {{1, 2}}));
  EXPECT_EQ(a - b, pairs(3, {{0, 1}}));
  EXPECT_EQ(a.complement(), pairs(3, {{0, 0}, {0, 2}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {2, 2}}));
  EXPECT_EQ(a.complement().complement(), a);
}

TEST(Relation, CompositionAndClosure) {
  const Relation a = pairs(4, {{0, 1}, {1, 2}, {2, 3}});
  EXPECT_EQ(a.then(a), pairs(4, {{0, 2}, {1, 3}}));
  EXPECT_EQ(a.inverse(), pairs(4, {{1, 0}, {2, 1}, {3, 2}}));
  EXPECT_EQ(a.plus(), pairs(4, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}));
  EXPECT_EQ(a.star(), a.plus() | Relation::identity(4));
  EXPECT_EQ(a.optional(), a | Relation::identity(4));
  EXPECT_EQ(Relation::product(4, 0b0011, 0b0100), pairs(4, {{0, 2}, {1, 2}}));
  EXPECT_EQ(Relation::identityOn(4, 0b1010), pairs(4, {{1, 1}, {3, 3}}));
}

TEST(Relation, Cycles) {
  EXPECT_TRUE(pairs(3, {{0, 1}, {1, 2}, {0, 2}}).isAcyclic());
  EXPECT_FALSE(pairs(3, {{0, 1}, {1, 2}, {2, 0}}).isAcyclic());
  EXPECT_TRUE(pairs(3, {{0, 1}, {1, 2}, {2, 0}}).isIrreflexive());
  EXPECT_FALSE(pairs(3, {{1, 1}}).isIrreflexive());
  EXPECT_TRUE(Relation(3).isEmpty());
}

// Of random relations, some with cycles: the closure is what composing again and again leads to, and a cycle is what it has from
// an event to itself.
TEST(Relation, ClosuresAndCyclesAgreeWithComposition) {
  std::mt19937 random(1);
  const auto below = [&](unsigned bound) { return static_cast<unsigned>(random() % bound); };
  unsigned cyclic = 0;
  for (unsigned i = 0; i < 2000; ++i) {
    const unsigned size = 1 + below(20);
    Relation relation(size);
    for (unsigned edges = below(2 * size); edges > 0; --edges) relation.add(below(size), below(size));
    Relation closure = relation;
    for (unsigned length = 1; length < size; ++length) closure = closure | closure.then(relation);
    EXPECT_EQ(relation.plus(), closure);
    EXPECT_EQ(relation.isAcyclic(), closure.isIrreflexive());
    cyclic += closure.isIrreflexive() ? 0 : 1;
  }
  EXPECT_GT(cyclic, 500u);
  EXPECT_LT(cyclic, 1500u);
}

TEST(Relation, SixtyFourEvents) {
  Relation chain(64);
  for (unsigned e = 0; e + 1 < 64; ++e) chain.add(e, e + 1);
  EXPECT_TRUE(chain.plus().has(0, 63));
  EXPECT_TRUE(chain.isAcyclic());
  chain.add(63, 0);
  EXPECT_FALSE(chain.isAcyclic());
  EXPECT_EQ(allEvents(64), ~EventSet{0});
  EXPECT_THROW(Relation(65), std::length_error);
}

ExprPtr make(ExprKind kind, ExprType type, std::string name, unsigned index, std::vector<ExprPtr> args) {
  return std::make_shared<const Expr>(Expr{kind, type, std::move(name), index, std::move(args), {}});
}
ExprPtr baseSet(const char* name) { return make(ExprKind::base, ExprType::set, name, 0, {}); }
ExprPtr baseRelation(const char* name) { return make(ExprKind::base, ExprType::relation, name, 0, {}); }
ExprPtr combine(ExprKind kind, std::vector<ExprPtr> args, ExprType type = ExprType::relation) {
  return make(kind, type, "", 0, std::move(args));
}

// Two initial writes, then P0: W x, F sc, W y rel; P1: R y acq, R+W x (an update), spawn.
//  0: IW x  1: IW y  2: Wx=1  3: F  4: Wy=1  5: Ry=1  6: Rx=1  7: Wx=2  8: T
Execution example() {
  Execution x;
  x.events = {
      {.address = 16},
      {.address = 32},
      {.thread = 0, .index = 1, .kind = EventKind::write, .order = Order::plain, .address = 16, .value = 1},
      {.thread = 0, .index = 2, .kind = EventKind::fence, .order = Order::seq_cst},
      {.thread = 0, .index = 3, .kind = EventKind::write, .order = Order::release, .address = 32, .value = 1},
      {.thread = 1, .index = 1, .kind = EventKind::read, .order = Order::acquire, .address = 32, .value = 1},
      {.thread = 1, .index = 2, .kind = EventKind::read, .order = Order::relaxed, .rmw = true, .address = 16, .value = 1},
      {.thread = 1, .index = 3, .kind = EventKind::write, .order = Order::relaxed, .rmw = true, .address = 16, .value = 2},
      {.thread = 1, .index = 4, .kind = EventKind::thread},
  };
  x.po = pairs(9, {{2, 3}, {3, 4}, {5, 6}, {6, 7}, {7, 8}}).plus();
  x.rmw = pairs(9, {{6, 7}});
  x.rf = pairs(9, {{4, 5}, {2, 6}});
  x.co = pairs(9, {{0, 2}, {2, 7}, {0, 7}, {1, 4}});
  return x;
}

class EvaluatorTest : public ::testing::Test {
 protected:
  EvaluatorTest() { evaluator_.setExecution(example()); }
  EventSet set(const ExprPtr& expr) { return evaluator_.set(evaluator_.add(*expr)); }
  Relation relation(const ExprPtr& expr) { return evaluator_.relation(evaluator_.add(*expr)); }
  Evaluator evaluator_;
};

TEST_F(EvaluatorTest, BaseSets) {
  EXPECT_EQ(set(baseSet("_")), 0b111111111u);
  EXPECT_EQ(set(baseSet("R")), 0b001100000u);
  EXPECT_EQ(set(baseSet("W")), 0b010010111u);
  EXPECT_EQ(set(baseSet("F")), 0b000001000u);
  EXPECT_EQ(set(baseSet("T")), 0b100000000u);
  EXPECT_EQ(set(baseSet("RMW")), 0b011000000u);
  EXPECT_EQ(set(baseSet("IW")), 0b000000011u);
  EXPECT_EQ(set(baseSet("NA")), 0b000000111u);
  EXPECT_EQ(set(baseSet("RLX")), 0b011000000u);
  EXPECT_EQ(set(baseSet("ACQ")), 0b000100000u);
  EXPECT_EQ(set(baseSet("REL")), 0b000010000u);
  EXPECT_EQ(set(baseSet("ACQ_REL")), 0u);
  EXPECT_EQ(set(baseSet("SC")), 0b000001000u);
  EXPECT_THROW(set(baseSet("X")), std::invalid_argument);
}

TEST_F(EvaluatorTest, BaseRelations) {
  EXPECT_EQ(relation(baseRelation("rb")), pairs(9, {{6, 7}}));
  EXPECT_EQ(relation(baseRelation("id")), Relation::identity(9));
  const Relation loc = relation(baseRelation("loc"));
  EXPECT_TRUE(loc.has(0, 2) && loc.has(2, 0) && loc.has(2, 2) && loc.has(6, 7));
  EXPECT_FALSE(loc.has(2, 4) || loc.has(3, 3) || loc.has(8, 8));
  const Relation internal = relation(baseRelation("int"));
  EXPECT_TRUE(internal.has(2, 4) && internal.has(4, 2) && internal.has(3, 3) && internal.has(0, 0));
  EXPECT_FALSE(internal.has(0, 1) || internal.has(0, 2) || internal.has(4, 5));
  EXPECT_EQ(relation(baseRelation("ext")), internal.complement());
}

TEST_F(EvaluatorTest, Operators) {
  const ExprPtr w = baseSet("W"), r = baseSet("R"), po = baseRelation("po"), rf = baseRelation("rf");
  EXPECT_EQ(set(combine(ExprKind::unite, {w, r}, ExprType::set)), 0b011110111u);
  EXPECT_EQ(set(combine(ExprKind::complement, {w}, ExprType::set)), 0b101101000u);
  EXPECT_EQ(set(combine(ExprKind::subtract, {w, baseSet("NA")}, ExprType::set)), 0b010010000u);
  EXPECT_EQ(relation(combine(ExprKind::product, {baseSet("F"), baseSet("T")})), pairs(9, {{3, 8}}));
  const ExprPtr brackets = combine(ExprKind::bracket, {baseSet("F")});
  EXPECT_EQ(relation(combine(ExprKind::sequence, {brackets, po, combine(ExprKind::bracket, {w})})), pairs(9, {{3, 4}}));
  EXPECT_EQ(relation(combine(ExprKind::inverse, {rf})), pairs(9, {{5, 4}, {6, 2}}));
  EXPECT_TRUE(relation(combine(ExprKind::plus, {combine(ExprKind::unite, {po, rf})})).has(2, 8));
  EXPECT_EQ(relation(combine(ExprKind::empty, {})), Relation(9));
}

// let rec a = po | b and b = a ; rf  ==  a = po | po;rf | ...
TEST_F(EvaluatorTest, MutualRecursion) {
  const ExprPtr a = make(ExprKind::variable, ExprType::relation, "g", 0, {});
  const ExprPtr b = make(ExprKind::variable, ExprType::relation, "g", 1, {});
  const ExprPtr po = baseRelation("po"), rf = baseRelation("rf");
  const std::vector<ExprPtr> sides = {
      combine(ExprKind::unite, {po, combine(ExprKind::sequence, {b, po})}),
      combine(ExprKind::sequence, {combine(ExprKind::unite, {a, combine(ExprKind::bracket, {baseSet("W")})}), rf})};
  const Relation first = relation(make(ExprKind::recursion, ExprType::relation, "g", 0, sides));
  const Relation second = relation(make(ExprKind::recursion, ExprType::relation, "g", 1, sides));
  const Execution x = example();
  EXPECT_EQ(second, pairs(9, {{2, 5}, {3, 5}, {4, 5}, {2, 6}}));
  EXPECT_EQ(first, x.po | second.then(x.po));
}

TEST_F(EvaluatorTest, ValuesFollowTheExecution) {
  const Evaluator::Node rb = evaluator_.add(*baseRelation("rb"));
  const Evaluator::Node rf = evaluator_.add(*baseRelation("rf"));
  EXPECT_EQ(evaluator_.relation(rb), pairs(9, {{6, 7}}));
  evaluator_.setCoherence(pairs(9, {{0, 7}, {7, 2}, {0, 2}, {1, 4}}));
  EXPECT_EQ(evaluator_.relation(rb), Relation(9));
  evaluator_.setReadsFrom(pairs(9, {{4, 5}, {0, 6}}));
  EXPECT_EQ(evaluator_.relation(rf), pairs(9, {{4, 5}, {0, 6}}));
  EXPECT_EQ(evaluator_.relation(rb), pairs(9, {{6, 7}, {6, 2}}));
}

std::vector<OracleResult> runText(const std::string& text, const std::vector<std::string>& models) {
  const auto loaded = loadModels(models);
  std::vector<const model::Model*> pointers;
  for (const NamedModel& m : loaded) pointers.push_back(&m.model);
  const auto test = litmus::parseLitmus(text, "test.litmus");
  return runOracle(*test.program, pointers, plenty);
}

std::string rlxStore(const char* location, const char* value) {
  return std::string("atomic_store_explicit(") + location + ", " + value + ", memory_order_relaxed); ";
}
std::string rlxLoad(const char* reg, const char* location) {
  return std::string("int ") + reg + " = atomic_load_explicit(" + location + ", memory_order_relaxed); ";
}

// A test over atomic x and y from the bodies of its threads.
std::string litmusText(const std::vector<std::string>& threads) {
  std::string text = "C test\n{ x=0; y=0; z=0; }\n";
  for (std::size_t t = 0; t < threads.size(); ++t) {
    text += "P" + std::to_string(t) + "(atomic_int* x, atomic_int* y, int* z, mutex* m) { " + threads[t] + "}\n";
  }
  return text + "exists (x=0)\n";
}

TEST(Oracle, StoreBuffering) {
  const auto results =
      runText(litmusText({rlxStore("x", "1") + rlxLoad("r0", "y"), rlxStore("y", "1") + rlxLoad("r0", "x")}), {"sc", "tso"});
  EXPECT_EQ(results[0].coKeys.size(), 3u);
  EXPECT_EQ(results[1].coKeys.size(), 4u);
  EXPECT_FALSE(results[0].race);
}

TEST(Oracle, ReadAndTwoWrites) {
  const auto results = runText(litmusText({rlxLoad("a", "x"), rlxStore("x", "1"), rlxStore("x", "2")}), {"sc"});
  EXPECT_EQ(results[0].coKeys.size(), 6u);
  EXPECT_EQ(results[0].rfKeys.size(), 3u);
}

TEST(Oracle, TwoWritesAndTwoReads) {
  const auto results =
      runText(litmusText({rlxStore("x", "1"), rlxStore("y", "1"), rlxLoad("a", "x") + rlxLoad("b", "y")}), {"sc"});
  EXPECT_EQ(results[0].coKeys.size(), 4u);
}

TEST(Oracle, MessagePassing) {
  const auto results = runText(litmusText({rlxStore("x", "1") + rlxStore("y", "1"), rlxLoad("a", "y") + rlxLoad("b", "x")}),
                               {"rc20", "ra", "sc"});
  EXPECT_EQ(results[0].coKeys.size(), 4u);
  EXPECT_EQ(results[1].coKeys.size(), 3u);
  EXPECT_EQ(results[2].coKeys.size(), 3u);
}

TEST(Oracle, IndependentReads) {
  const auto results = runText(litmusText({rlxStore("x", "1"), rlxStore("y", "1"), rlxLoad("a", "x") + rlxLoad("b", "y"),
                                           rlxLoad("a", "y") + rlxLoad("b", "x")}),
                               {"rc20", "mca-no-lb"});
  EXPECT_EQ(results[0].coKeys.size(), 16u);
  EXPECT_EQ(results[1].coKeys.size(), 15u);
}

TEST(Oracle, IncrementsAreOrdered) {
  const std::string increment = "int a = atomic_fetch_add_explicit(x, 1, memory_order_relaxed); ";
  const auto results = runText(litmusText({increment, increment, increment}), {"rc20"});
  EXPECT_EQ(results[0].coKeys.size(), 6u);
  EXPECT_EQ(results[0].rfKeys.size(), 6u);
}

TEST(Oracle, WeakCompareExchangeFailsSpuriously) {
  const auto cas = [](const char* strength) {
    return std::string("int e = 0; int a = atomic_compare_exchange_") + strength +
           "_explicit(x, &e, 1, memory_order_acq_rel, memory_order_relaxed); ";
  };
  EXPECT_EQ(runText(litmusText({cas("strong"), rlxLoad("b", "x")}), {"rc20"})[0].coKeys.size(), 2u);
  EXPECT_EQ(runText(litmusText({cas("weak"), rlxLoad("b", "x")}), {"rc20"})[0].coKeys.size(), 3u);
}

std::size_t countPrefixed(const OracleResult& result, const std::string& prefix) {
  const auto has = [&](const std::string& key) { return key.starts_with(prefix); };
  return static_cast<std::size_t>(std::ranges::count_if(result.coKeys, has));
}

TEST(Oracle, StuckAndFailedExecutions) {
  const auto assumed = runText(litmusText({rlxStore("x", "1"), rlxLoad("a", "x") + "assume(a == 1); "}), {"sc"});
  EXPECT_EQ(assumed[0].coKeys.size(), 2u);
  EXPECT_EQ(countPrefixed(assumed[0], "stuck:"), 1u);
  const auto asserted = runText(litmusText({rlxStore("x", "1"), rlxLoad("a", "x") + "assert(a == 1); "}), {"sc"});
  EXPECT_EQ(asserted[0].coKeys.size(), 2u);
  EXPECT_EQ(countPrefixed(asserted[0], "failed:"), 1u);
  const std::string leave = "lock(m); " + rlxStore("x", "1");
  const auto held = runText(litmusText({leave, leave + "unlock(m); "}), {"rc20"});
  EXPECT_EQ(held[0].coKeys.size(), 2u);  // the second thread comes first, or never
  EXPECT_EQ(countPrefixed(held[0], "stuck:"), 1u);
  const auto joined = runText(litmusText({"lock(m); spawn(P1); join(P1); unlock(m); ", "lock(m); unlock(m); "}), {"ra"});
  EXPECT_EQ(joined[0].coKeys.size(), 1u);
  EXPECT_EQ(countPrefixed(joined[0], "stuck:"), 1u);
}

TEST(Oracle, ChoicesThatLookAlikeAreCounted) {
  const auto results = runText(litmusText({"int c = choose(2); " + rlxStore("x", "1")}), {"sc"});
  ASSERT_EQ(results[0].coKeys.size(), 1u);
  EXPECT_EQ(results[0].multiplicity(*results[0].coKeys.begin()), 2u);
  EXPECT_EQ(results[0].multiplicity(*results[0].rfKeys.begin()), 2u);
}

TEST(Oracle, LocksExcludeAndSynchronize) {
  const std::string body = "lock(m); int a = *z; *z = a + 1; unlock(m); ";
  const auto results = runText(litmusText({body, body}), {"rc20", "sc"});
  EXPECT_EQ(results[0].coKeys.size(), 2u);
  EXPECT_FALSE(results[0].race);
  EXPECT_EQ(results[1].coKeys.size(), 2u);
}

TEST(Oracle, AttemptsSucceedOrFail) {
  const std::string attempt = "int a = trylock(m); if (a) unlock(m); ";
  const auto two = runText(litmusText({attempt, attempt}), {"sc", "rc20"});
  EXPECT_EQ(two[0].coKeys.size(), 4u);  // either comes first, and the other after it or in between
  EXPECT_EQ(two[1].coKeys, two[0].coKeys);
  EXPECT_EQ(runText(litmusText({attempt, attempt, attempt}), {"rc20"})[0].coKeys.size(), 21u);
  const auto against = runText(litmusText({"lock(m); unlock(m); ", attempt}), {"rc20"});
  EXPECT_EQ(against[0].coKeys.size(), 3u);
  EXPECT_EQ(countPrefixed(against[0], "stuck:"), 0u);
  const auto kept = runText(litmusText({"lock(m); unlock(m); ", "int a = trylock(m); "}), {"rc20"});
  EXPECT_EQ(kept[0].coKeys.size(), 3u);
  EXPECT_EQ(countPrefixed(kept[0], "stuck:"), 1u);  // the lock comes second
  const auto twice = runText(litmusText({"lock(m); int a = trylock(m); unlock(m); "}), {"rc20"});
  EXPECT_EQ(twice[0].coKeys.size(), 1u);
}

TEST(Oracle, AttemptsAcquireOnlyIfTheySucceed) {
  const std::string write = "lock(m); *z = 1; unlock(m); ";
  EXPECT_FALSE(runText(litmusText({write, "int a = trylock(m); if (a) { int b = *z; } "}), {"rc20"})[0].race);
  EXPECT_TRUE(runText(litmusText({write, "int a = trylock(m); if (!a) { int b = *z; } "}), {"rc20"})[0].race);
}

TEST(Oracle, SpawnAndJoinOrder) {
  const auto results = runText(litmusText({"*z = 1; spawn(P1); join(P1); int a = *z; ", "int b = *z; *z = b + 1; "}), {"rc20"});
  EXPECT_EQ(results[0].coKeys.size(), 1u);
  EXPECT_FALSE(results[0].race);
}

TEST(Oracle, DataRaces) {
  const auto message = [](const char* storeOrder, const char* loadOrder) {
    return litmusText(
        {std::string("*z = 1; atomic_store_explicit(x, 1, memory_order_") + storeOrder + "); ",
         std::string("int a = atomic_load_explicit(x, memory_order_") + loadOrder + "); if (a == 1) { int b = *z; } "});
  };
  EXPECT_FALSE(runText(message("release", "acquire"), {"rc20"})[0].race);
  EXPECT_TRUE(runText(message("relaxed", "acquire"), {"rc20"})[0].race);
  EXPECT_TRUE(runText(message("release", "relaxed"), {"sc"})[0].race);
  EXPECT_FALSE(runText(message("seq_cst", "seq_cst"), {"sc"})[0].race);
}

TEST(Oracle, TooLargeIsSaid) {
  const auto loaded = loadModels({"sc"});
  const std::string many = rlxStore("x", "1") + rlxStore("x", "2") + rlxLoad("a", "x") + rlxLoad("b", "x");
  const auto test = litmus::parseLitmus(litmusText({many, many, many}), "test.litmus");
  EXPECT_THROW(runOracle(*test.program, {&loaded[0].model}, 1000), OracleLimit);
}

TEST(Oracle, SequentialConsistencyIsInterleaving) {
  const auto loaded = loadModels({"sc"});
  for (const std::string profile : {"", "trylocks", "trylocks of two", "trylocks and threads"}) {
    std::size_t compared = 0;
    for (std::uint64_t seed = 1; compared < (profile.empty() ? 300 : 100); ++seed) {
      const std::string text = toLitmus(randomProgram(seed, profile), "random");
      const auto test = litmus::parseLitmus(text, "random.litmus");
      try {
        const auto results = runOracle(*test.program, {&loaded[0].model}, 5000);
        EXPECT_EQ(results[0].coKeys, interleave(*test.program, 3000)) << "seed " << seed << "\n" << text;
        ++compared;
      } catch (const OracleLimit&) {}
    }
  }
}

// Looking at the candidates that every model forbids changes nothing.
TEST(Oracle, SwitchOnlySavesWork) {
  const auto loaded = loadModels({"rc20", "mca-no-lb"});
  const std::vector<const model::Model*> models = {&loaded[0].model, &loaded[1].model};
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const auto test = litmus::parseLitmus(toLitmus(randomProgram(seed), "random"), "random.litmus");
    try {
      const auto with = runOracle(*test.program, models, 2000);
      const auto without = runOracle(*test.program, models, 10000, false);
      for (std::size_t m = 0; m < models.size(); ++m) EXPECT_EQ(with[m].coKeys, without[m].coKeys) << "seed " << seed;
    } catch (const OracleLimit&) {}
  }
}

}  // namespace
}  // namespace heddle::oracle
