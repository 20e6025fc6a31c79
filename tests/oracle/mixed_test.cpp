// The oracle for mixed sizes, held against everything that is not it: the ordinary oracle on programs of one size,
// itself without cutting, an interleaving machine of bytes, the examples of the paper, and counts made by hand.
#include "mixed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "litmus/test.h"
#include "mixed_examples.h"
#include "random_program.h"
#include "sc_machine.h"

namespace heddle::oracle {
namespace {

constexpr std::size_t plenty = 10000000;

std::vector<const model::Model*> pointers(const std::vector<NamedModel>& models) {
  std::vector<const model::Model*> result;
  for (const NamedModel& m : models) result.push_back(&m.model);
  return result;
}

// The key of oracle.h, of an execution of a program of one size.
std::string ordinaryKey(const std::string& key) {
  static const std::regex access("([RWU])(\\d+):(\\d+)=");
  std::set<std::string> locations;
  for (std::sregex_iterator i(key.begin(), key.end(), access), end; i != end; ++i) locations.insert((*i)[2].str());
  const std::size_t bar = key.find('|');
  std::string result = std::regex_replace(key.substr(0, bar), access, "$1$2=");
  if (bar == std::string::npos) return result;
  result += "|";
  static const std::regex order("(\\d+):([^;]*);");
  for (std::sregex_iterator i(key.begin() + static_cast<std::ptrdiff_t>(bar) + 1, key.end(), order), end; i != end; ++i) {
    if (locations.contains((*i)[1].str())) result += i->str();
  }
  return result;
}

OracleResult ordinary(const OracleResult& mixed) {
  OracleResult result;
  result.race = mixed.race;
  for (const std::string& key : mixed.coKeys) result.coKeys.insert(ordinaryKey(key));
  for (const std::string& key : mixed.rfKeys) result.rfKeys.insert(ordinaryKey(key));
  for (const auto& [key, count] : mixed.repeated) result.repeated[ordinaryKey(key)] = count;
  return result;
}

// Where no two accesses overlap in part, lifting changes nothing, under any model.
TEST(MixedOracle, IsTheOrdinaryOneOnOneSize) {
  const auto models = loadModels(allModelNames());
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; compared < 1000; ++seed) {
    const std::string text = toLitmus(randomProgram(seed), "random");
    const auto test = litmus::parseLitmus(text, "random.litmus");
    std::vector<OracleResult> expected, found;
    try {
      expected = runOracle(*test.program, pointers(models), 20000);
      found = runMixedOracle(*test.program, pointers(models), 100000);
    } catch (const OracleLimit&) {
      continue;
    }
    ++compared;
    for (std::size_t m = 0; m < models.size(); ++m) {
      SCOPED_TRACE(models[m].name + ", seed " + std::to_string(seed) + "\n" + text);
      const OracleResult result = ordinary(found[m]);
      ASSERT_EQ(result.coKeys, expected[m].coKeys);
      ASSERT_EQ(result.rfKeys, expected[m].rfKeys);
      ASSERT_EQ(result.repeated, expected[m].repeated);
      ASSERT_EQ(result.race, expected[m].race);
    }
  }
}

// Without cutting, rf and co are chosen freely on every byte, the initial writes are single bytes, and only whole
// executions are judged: the definition and nothing else.
TEST(MixedOracle, CuttingLosesNothing) {
  const auto models = loadMixedModels();
  std::size_t compared = 0, several = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    const std::vector<std::string> profiles = mixedProfileNames();
    const std::string text = toLitmus(randomProgram(seed, profiles[seed % profiles.size()]), "random");
    const auto test = litmus::parseLitmus(text, "random.litmus");
    std::vector<OracleResult> expected;
    try {
      expected = runMixedOracle(*test.program, pointers(models), 20000, Cutting::off);
    } catch (const OracleLimit&) {
      continue;
    }
    ++compared;
    const auto found = runMixedOracle(*test.program, pointers(models), plenty);
    for (std::size_t m = 0; m < models.size(); ++m) {
      SCOPED_TRACE(models[m].name + ", seed " + std::to_string(seed) + "\n" + text);
      ASSERT_EQ(found[m].coKeys, expected[m].coKeys);
      ASSERT_EQ(found[m].rfKeys, expected[m].rfKeys);
      ASSERT_EQ(found[m].repeated, expected[m].repeated);
      ASSERT_EQ(found[m].race, expected[m].race);
    }
    several += found[0].coKeys.size() > 5;
  }
  EXPECT_GT(compared, 100u);
  EXPECT_GT(several, 50u);
}

TEST(MixedOracle, AgreesWithInterleavingOfBytes) {
  const auto models = loadMixedModels({"sc"});
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    const std::vector<std::string> profiles = mixedProfileNames();
    const std::string text = toLitmus(randomProgram(seed, profiles[seed % profiles.size()]), "random");
    const auto test = litmus::parseLitmus(text, "random.litmus");
    try {
      const std::set<std::string> expected = interleaveBytes(*test.program, 3000);
      ASSERT_EQ(runMixedOracle(*test.program, pointers(models), plenty)[0].coKeys, expected) << text;
      ++compared;
    } catch (const OracleLimit&) {}
  }
  EXPECT_GT(compared, 500u);
}

// The stronger models are in the weaker ones, as for accesses of one size.
TEST(MixedOracle, Inclusions) {
  const auto models = loadMixedModels();  // sc, tso, ra, rc20, rc11, ra-msa
  std::vector<std::size_t> fewer(models.size(), 0);
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const std::vector<std::string> profiles = mixedProfileNames();
    const std::string text = toLitmus(randomProgram(seed, profiles[seed % profiles.size()]), "random");
    const auto test = litmus::parseLitmus(text, "random.litmus");
    std::vector<OracleResult> found;
    try {
      found = runMixedOracle(*test.program, pointers(models), 20000);
    } catch (const OracleLimit&) {
      continue;
    }
    for (const auto& [strong, weak] :
         std::vector<std::pair<unsigned, unsigned>>{{0, 1}, {1, 2}, {1, 4}, {4, 3}, {3, 5}, {2, 5}}) {
      ASSERT_TRUE(std::ranges::includes(found[weak].coKeys, found[strong].coKeys))
          << models[strong].name << " in " << models[weak].name << ", seed " << seed << "\n"
          << text;
      fewer[strong] += found[weak].coKeys.size() > found[strong].coKeys.size();
    }
  }
  for (const unsigned strong : {0, 1, 2, 3}) EXPECT_GT(fewer[strong], 2u) << models[strong].name;
}

// Examples by hand ------------------------------------------------------------------------------------------------

using Keys = std::set<std::string>;

Keys keysOf(const Threads& threads, const std::string& model) {
  const auto test = litmus::parseLitmus(toLitmus(threads), "t.litmus");
  const auto models = loadMixedModels({model});
  return runMixedOracle(*test.program, pointers(models), plenty)[0].coKeys;
}

void expectKeys(const Threads& threads, const Keys& expected) {
  for (const std::string& model : mixedModelNames()) EXPECT_EQ(keysOf(threads, model), expected) << model;
}

std::vector<std::size_t> counts(const Threads& threads) {
  std::vector<std::size_t> result;
  for (const std::string& model : mixedModelNames()) result.push_back(keysOf(threads, model).size());
  return result;
}

using Counts = std::vector<std::size_t>;  // under sc, tso, ra, rc20, rc11, ra-msa

// Where the write of T2 is before that of T1 on x0, T1 must read it on x1: the execution "I" is not there.
TEST(MixedPaper, Example2_3) {
  expectKeys({{"x0 = 2", "a = x1"}, {"x0:1 = 0x101"}},
             {"0[W16:1=2 R17:1=1<1.1]1[W16:2=257]|16:0.1,1.1;17:1.1;", "0[W16:1=2 R17:1=0<i]1[W16:2=257]|16:0.1,1.1;17:1.1;",
              "0[W16:1=2 R17:1=1<1.1]1[W16:2=257]|16:1.1,0.1;17:1.1;"});
}

TEST(MixedPaper, Example2_4) {
  const Threads threads = {{"x0 = 2", "a = x2"}, {"x0:3 += 0x1010101"}, {"x1 = 1"}};
  EXPECT_EQ(counts(threads), Counts({6, 6, 6, 6, 6, 6}));
  const std::string rightToLeft =
      "0[W16:1=2 R18:1=1<1.2]1[R16:4=256<i,2.1,i,i U16:4=16843265]2[W17:1=1]|16:1.2,0.1;17:2.1,1.2;18:1.2;19:1.2;";
  for (const std::string& model : mixedModelNames()) EXPECT_TRUE(keysOf(threads, model).contains(rightToLeft)) << model;
}

// Examples 3.1 and 3.3 are about one program; 11 is the execution in which both bytes are read as 1.
TEST(MixedPaper, Examples3_1And3_3) {
  const std::string writes = "1[W16:1=1]2[W17:1=1]|16:1.1;17:2.1;";
  expectKeys({{"a = x0:1"}, {"x0 = 1"}, {"x1 = 1"}}, {"0[R16:2=0<i]" + writes, "0[R16:2=1<1.1,i]" + writes,
                                                      "0[R16:2=256<i,2.1]" + writes, "0[R16:2=257<1.1,2.1]" + writes});
}

// The wide read sees the two writes in their order even if all is relaxed: w0 is hb-before w1, and w1 eco-before w0.
TEST(MixedPaper, Example3_2) {
  const std::string writes = "1[W16:1=1 W17:1=1]|16:1.1;17:1.2;";
  expectKeys({{"a = x0:1"}, {"x0 = 1", "x1 = 1"}},
             {"0[R16:2=0<i]" + writes, "0[R16:2=1<1.1,i]" + writes, "0[R16:2=257<1.1,1.2]" + writes});
}

TEST(MixedPaper, Example3_4) {
  const Threads threads = {{"x0 = 2"}, {"a = x0:3"}, {"x0:1 = 0x101"}, {"x2:3 = 0x101"}};
  EXPECT_EQ(counts(threads), Counts({12, 12, 12, 12, 12, 12}));
  const std::string ones =
      "0[W16:1=2]1[R16:4=16843009<2.1,2.1,3.1,3.1]2[W16:2=257]3[W18:2=257]|16:2.1,0.1;17:2.1;18:3.1;19:3.1;";
  for (const std::string& model : mixedModelNames()) EXPECT_TRUE(keysOf(threads, model).contains(ones)) << model;
}

TEST(MixedPaper, Example4_1) { EXPECT_EQ(counts({{"x0:7 += 1"}, {"x0:7 += 1"}}), Counts({2, 2, 2, 2, 2, 2})); }

// A relaxed access is not torn: two orders of the writes, three states for the read. With `hb ; eco` for coherence
// ra-msa would have 4 orders and 9 reads.
TEST(MixedCounts, NothingIsTorn) {
  EXPECT_EQ(counts({{"x0:1 = 0x101"}, {"x0:1 = 0x202"}, {"a = x0:1"}}), Counts({6, 6, 6, 6, 6, 6}));
  EXPECT_EQ(counts({{"x0:7 = 1"}, {"x0:7 = 2"}}), Counts({2, 2, 2, 2, 2, 2}));
  // Two reads of one byte each have nothing to agree on.
  EXPECT_EQ(counts({{"x0:1 = 0x101"}, {"x0:1 = 0x202"}, {"a = x0"}, {"a = x1"}}), Counts({18, 18, 18, 18, 18, 18}));
}

// The write of four bytes is before or after each of the others; these have no order of their own.
TEST(MixedCounts, CoherenceIsAPartialOrder) {
  EXPECT_EQ(counts({{"x0:3 = 1"}, {"x0:1 = 2"}, {"x2:3 = 3"}}), Counts({4, 4, 4, 4, 4, 4}));
  EXPECT_EQ(counts({{"x0 = 1"}, {"x1 = 1"}, {"x2 = 1"}, {"x3 = 1"}}), Counts({1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(counts({{"x0:3 = 1"}, {"x0 = 1"}, {"x1 = 1"}, {"x2 = 1"}}), Counts({8, 8, 8, 8, 8, 8}));
}

TEST(MixedCounts, UpdatesAreAtomicOnEveryByte) {
  EXPECT_EQ(counts({{"x0:1 += 0x101"}, {"x1 = 1"}}), Counts({2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(counts({{"x0:1 += 0x101"}, {"x0 += 1"}}), Counts({2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(counts({{"x0:1 += 0x101"}, {"x0 += 1"}, {"x1 += 1"}}), Counts({4, 4, 4, 4, 4, 4}));
  EXPECT_EQ(counts({{"x0:3 += 1"}, {"x0:1 += 1"}, {"x1 += 1"}}), Counts({6, 6, 6, 6, 6, 6}));
}

// Store buffering on two bytes of a word. A read of both bytes closes the cycle with its own thread's write, under
// every model; a store buffer that hands out single bytes would not.
TEST(MixedCounts, StoreBuffering) {
  EXPECT_EQ(counts({{"x0 = 1", "a = x1"}, {"x1 = 1", "a = x0"}}), Counts({3, 4, 4, 4, 4, 4}));
  EXPECT_EQ(counts({{"x0 = 1 seq_cst", "a = x1 seq_cst"}, {"x1 = 1 seq_cst", "a = x0 seq_cst"}}), Counts({3, 3, 4, 3, 3, 4}));
  EXPECT_EQ(counts({{"x0 = 1", "a = x0:1"}, {"x1 = 1", "a = x0:1"}}), Counts({3, 3, 3, 3, 3, 3}));
}

// A read that takes one byte from a release synchronizes with it; so does one that takes a byte from a
// read-modify-write that took another byte from it.
TEST(MixedCounts, Synchronization) {
  EXPECT_EQ(counts({{"y0 = 1", "x0:1 = 0x101"}, {"a = x1", "b = y0"}}), Counts({3, 3, 3, 4, 4, 4}));
  EXPECT_EQ(counts({{"y0 = 1", "x0:1 = 0x101 release"}, {"a = x1 acquire", "b = y0"}}), Counts({3, 3, 3, 3, 3, 3}));
  const auto passedOn = [](const std::string& model) {
    const Keys keys = keysOf({{"y0 = 1", "x0 = 1 release"}, {"x0:1 += 0x100"}, {"a = x1 acquire", "b = y0"}}, model);
    return std::ranges::any_of(keys, [](const std::string& key) {
      return key.find("R16:2=1<") != std::string::npos && key.find("R17:1=1<1.2 R32:1=0<i") != std::string::npos;
    });
  };
  for (const std::string& model : mixedModelNames()) EXPECT_FALSE(passedOn(model)) << model;
}

bool reaches(const Threads& threads, const std::string& model, const std::vector<std::string>& reads) {
  return std::ranges::any_of(keysOf(threads, model), [&](const std::string& key) {
    return std::ranges::all_of(reads, [&](const std::string& read) { return key.find(read) != std::string::npos; });
  });
}

// `loc` in the order of seq_cst events is overlap. A read of one byte of a write comes after it in that order.
TEST(MixedCounts, SeqCstOrderThroughOverlap) {
  const Threads threads = {
      {"x0:1 = 0x101 seq_cst"}, {"a = x1 seq_cst", "b = y0 seq_cst"}, {"y0 = 1 seq_cst", "a = x0 seq_cst"}};
  const std::vector<std::string> weak = {"R17:1=1<0.1 R32:1=0<i", "R16:1=0<i"};
  for (const char* model : {"sc", "tso", "rc20"}) EXPECT_FALSE(reaches(threads, model, weak)) << model;
  for (const char* model : {"ra", "ra-msa"}) EXPECT_TRUE(reaches(threads, model, weak)) << model;
}

// From a seq_cst write the order goes on through a release by the same thread only if that is disjoint from it.
TEST(MixedCounts, SeqCstOrderPastDisjointAccesses) {
  const auto threads = [](const std::string& first) -> Threads {
    return {{first + " seq_cst", "x1 = 2 release"}, {"a = x1 acquire", "b = y0 seq_cst"}, {"y0 = 1 seq_cst", "a = x0 seq_cst"}};
  };
  const std::vector<std::string> weak = {"R17:1=2<0.2 R32:1=0<i", "R16:1=0<i"};
  EXPECT_TRUE(reaches(threads("x0:1 = 0x101"), "rc20", weak));
  EXPECT_FALSE(reaches(threads("x0 = 1"), "rc20", weak));
  for (const char* model : {"sc", "tso"}) EXPECT_FALSE(reaches(threads("x0:1 = 0x101"), model, weak)) << model;
}

// Two plain accesses race if they share a byte, and only then.
TEST(MixedCounts, RacesAreByBytes) {
  const auto races = [](const std::string& first, const std::string& second) {
    const auto test = litmus::parseLitmus("C t {long x;} P0(long* x) { " + first + " } P1(long* x) { " + second + " }", "t");
    const auto models = loadMixedModels({"rc20"});
    return runMixedOracle(*test.program, pointers(models), plenty)[0].race;
  };
  EXPECT_TRUE(races("*((short*)x + 1) = 1;", "int r = *((char*)x + 3);"));
  EXPECT_TRUE(races("*x = 1;", "atomic_load_explicit((atomic_char*)x + 7, relaxed);"));
  EXPECT_FALSE(races("*((short*)x + 1) = 1;", "int r = *((char*)x + 1);"));
  EXPECT_FALSE(races("int r = *x;", "int r = *((char*)x + 1);"));
  EXPECT_FALSE(races("atomic_store(x, 1);", "atomic_load((atomic_char*)x);"));
}

}  // namespace
}  // namespace heddle::oracle
