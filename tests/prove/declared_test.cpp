// Each rule for the elimination of assumptions (thesis sections 3.4 and 3.6), on relations of which nothing else is
// known.
//
// Here brute force is exhaustive: all pairs of relations on two events, with every choice of a set, and every order;
// and a sample on three and four events. A rule that is used where its condition does not hold shows at once.
#include <gtest/gtest.h>

#include "prove/random_graph.h"

namespace heddle::prove::testing {
namespace {

constexpr unsigned kShards = 2;
constexpr unsigned kQueries = 300;  // of each shard
const ProverLimits kLimits{.pairs = 3000, .words = 2, .graphs = 60, .pairsToRepeat = 0, .seconds = 0.2, .samples = 0};

unsigned below(Random& random, unsigned n) { return static_cast<unsigned>(random() % n); }

// Fences, each in a thread of its own: nothing is known of them but what is declared. `members` are those of the set S.
Graph fences(unsigned count, unsigned members) {
  Graph graph;
  for (unsigned e = 0; e < count; ++e) {
    const unsigned cls = eventClass(EventKind::fence, Order::seq_cst, false);
    graph.events.push_back({cellOf(cls, false, members >> e & 1), static_cast<int>(e), -1});
  }
  for (Relation* r : {&graph.po, &graph.rf, &graph.co, &graph.rmw, &graph.addr, &graph.data, &graph.ctrl}) {
    *r = Relation(count);
  }
  graph.declared.assign(3, Relation(count));
  return graph;
}

Relation relationOf(unsigned count, unsigned bits) {
  Relation relation(count);
  for (unsigned i = 0; i < count * count; ++i) {
    if ((bits >> i & 1) != 0) relation.add(i / count, i % count);
  }
  return relation;
}

// A strict total order on the members: by number, or against it.
Relation orderOf(unsigned count, unsigned members, bool upwards) {
  Relation order(count);
  for (unsigned a = 0; a < count; ++a) {
    for (unsigned b = 0; b < count; ++b) {
      const bool both = (members >> a & 1) != 0 && (members >> b & 1) != 0;
      if (both && (upwards ? a < b : b < a)) order.add(a, b);
    }
  }
  return order;
}

std::vector<Graph> smallGraphs(Random& random) {
  std::vector<Graph> graphs;
  for (unsigned members = 0; members < 4; ++members) {
    for (unsigned a = 0; a < 16; ++a) {
      for (unsigned b = 0; b < 16; ++b) {
        graphs.push_back(fences(2, members));
        graphs.back().declared = {relationOf(2, a), relationOf(2, b), orderOf(2, members, true)};
      }
    }
  }
  for (unsigned i = 0; i < 1500; ++i) {
    const unsigned count = 3 + i % 2;
    const unsigned members = below(random, 1U << count);
    const auto sparse = [&] { return static_cast<unsigned>(random() & random() & (i % 4 < 2 ? random() : ~0U)); };
    graphs.push_back(fences(count, members));
    Relation a = relationOf(count, sparse());
    if (i % 3 == 0) a = a.plus();
    graphs.back().declared = {a, relationOf(count, sparse()), orderOf(count, members, i % 5 < 3)};
  }
  return graphs;
}

std::string term(Random& random, unsigned depth) {
  static const char* const kBase[] = {"a", "b", "a", "b", "t", "[S]", "[_ \\ S]", "id"};
  if (depth == 0) return kBase[below(random, 8)];
  const auto sub = [&] { return term(random, depth - 1); };
  switch (below(random, 8)) {
    case 0:
    case 1:
    case 2: return "(" + sub() + " ; " + sub() + ")";
    case 3:
    case 4: return "(" + sub() + " | " + sub() + ")";
    case 5: return "(" + sub() + ")+";
    case 6: return "(" + sub() + ")?";
    default: return term(random, 0);
  }
}

struct Rule {
  const char* name;
  std::string (*assumption)(Random&);
  const char* theorem;  // that the rule gives; so it is known to be used at all
  const char* fallacy;  // that the rule would give if it were used wrongly
};

const Rule kRules[] = {
    {"EmptyRelation", [](Random& r) { return "assume " + term(r, 1 + below(r, 2)) + " = 0\n"; },
     "assume a ; b = 0\nassert a ; b ; a <= t\n", "assume a ; b = 0\nassert b ; a <= 0\n"},
    {"Transitive", [](Random&) { return std::string("assume transitive a\n"); }, "assume transitive a\nassert a ; a ; a <= a\n",
     "assume transitive a\nassert a <= a ; a\n"},
    {"InsideIdentity", [](Random& r) { return "assume " + term(r, 1) + " <= id\n"; },
     "assume a ; b <= id\nassert t ; a ; b ; t <= t ; t\n", "assume a ; b <= id\nassert b ; a <= id\n"},
    {"InsideRelation", [](Random& r) { return "assume " + term(r, 1 + below(r, 2)) + " <= a\n"; },
     "assume b ; b <= a\nassert t ; b ; b <= t ; a\n", "assume b ; b <= a\nassert a <= b ; b\n"},
    {"InsideItself", [](Random& r) { return "assume a ; " + term(r, 1) + " ; a <= a\n"; },
     "assume a ; b <= a\nassert a ; b ; b <= a\n", "assume a ; b ; a <= a\nassert a ; b <= a\n"},
    {"InsideWord", [](Random& r) { return "assume " + term(r, 1) + " <= a ; " + term(r, 0) + " ; b\n"; },
     "assume t <= a ; b\nassert t ; a <= a ; b ; a\n", "assume [S] ; a ; [S] <= [S] ; a ; a ; [S]\nassert a ; a <= a\n"},
    {"InsideOneOfTwo", [](Random& r) { return "assume " + term(r, 1) + " <= a | " + term(r, 1) + "\n"; },
     "assume t <= a | b\nassert t ; t <= (a | b)+\n", "assume t <= a | b\nassert t <= a\n"},
    {"DisjointSets", [](Random&) { return std::string("assume S & F & SC = 0\n"); },
     "assume S & F = 0\nassert [S & F] ; a <= 0\n", "assume S & F = 0\nassert [F] ; a <= 0\n"},
    {"Definition", [](Random& r) { return "assume a = " + term(r, 2) + "\n"; },
     "assume a = b ; t\nassert a ; a <= b ; t ; b ; t\n", "assume a = b | a\nassert a <= b\n"},
    {"Irreflexive", [](Random& r) { return "assume irreflexive " + term(r, 2) + "\n"; },
     "assume irreflexive a ; b ; a ; b\nassert irreflexive b ; a\n", "assume irreflexive a ; b\nassert irreflexive a\n"},
    {"TotalOrder", [](Random& r) { return "assume total t on S\nassume irreflexive t ; " + term(r, 1) + "\n"; },
     "assume total t on S\nassume irreflexive t ; [S] ; a ; [S]\nassume irreflexive [S] ; a ; [S]\n"
     "assert acyclic [S] ; a ; [S]\n",
     "assume total t on S\nassume irreflexive t ; [S] ; a ; [S]\nassert irreflexive [S] ; a ; [S]\n"},
};

const std::string kDeclarations = "declare a, b, t\ndeclare set S\n";

class Elimination : public ::testing::TestWithParam<std::tuple<unsigned, unsigned>> {};

TEST_P(Elimination, NeverProvesWhatASmallGraphRefutes) {
  const auto [index, shard] = GetParam();
  const Rule& rule = kRules[index];
  Random random(index * 100 + shard);
  const std::vector<Graph> graphs = smallGraphs(random);
  Count count;
  for (unsigned i = 0; i < kQueries && !HasFatalFailure(); ++i) {
    std::string text = kDeclarations + rule.assumption(random);
    if (below(random, 4) == 0) text += kRules[below(random, std::size(kRules))].assumption(random);
    const std::string small = term(random, 2);
    const bool related = below(random, 2) == 0;
    if (i % 3 == 0) {
      text += "assert irreflexive " + small + "\n";
    } else if (i % 3 == 1) {
      text += "assert " + small + " <= " + (related ? small + " ; " + term(random, 1) : term(random, 2)) + "\n";
    } else {
      text += "assert " + small + " <= a | " + term(random, 2) + "\n";
    }
    check(text, graphs, kLimits, count);
  }
  EXPECT_GT(count.proved, kQueries / 50);
  EXPECT_GT(count.refuted, kQueries / 50);
}

TEST(EliminationRules, ProveTheirTheoremsAndNotTheirFallacies) {
  const auto verdict = [](const std::string& text) {
    const QueryFile query = parseQuery(kDeclarations + text, "rule.prove");
    return decide(query, query.claims.at(0)).verdict;
  };
  for (const Rule& rule : kRules) {
    EXPECT_EQ(verdict(rule.theorem), Verdict::proved) << rule.theorem;
    EXPECT_EQ(verdict(rule.fallacy), Verdict::refuted) << rule.fallacy;
  }
}

INSTANTIATE_TEST_SUITE_P(Shards, Elimination,
                         ::testing::Combine(::testing::Range(0U, static_cast<unsigned>(std::size(kRules))),
                                            ::testing::Range(0U, kShards)),
                         [](const auto& instance) {
                           return std::string(kRules[std::get<0>(instance.param)].name) +
                                  std::to_string(std::get<1>(instance.param));
                         });

}  // namespace
}  // namespace heddle::prove::testing
