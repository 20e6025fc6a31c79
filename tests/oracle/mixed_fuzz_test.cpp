// The fuzzer on programs of mixed sizes, with explorers that are right or wrong in a known way: it must notice, and
// shrink to something that a person can read.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "fuzz.h"
#include "litmus/test.h"
#include "mixed.h"
#include "random_program.h"
#include "shrink.h"

namespace heddle::oracle {
namespace {

// An explorer that is right: it asks the oracle.
ExplorerKeys askMixedOracle(Program& program, const std::string& model, const std::string& equivalence) {
  const auto loaded = loadMixedModels({model});
  const OracleResult result = runMixedOracle(program, {&loaded[0].model}, 1000000)[0];
  ExplorerKeys found;
  found.race = result.race;
  for (const std::string& key : equivalence == "co" ? result.coKeys : result.rfKeys) {
    found.keys.insert(found.keys.end(), result.multiplicity(key), key);
  }
  return found;
}

std::optional<FuzzFailure> firstFailure(const KeyExplorer& explorer, const std::string& model, const std::string& profile,
                                        std::uint64_t seeds) {
  Fuzzer fuzzer(loadMixedModels({model}), explorer, {"co", "rf"}, profile);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    if (auto failure = fuzzer.runSeed(seed)) return failure;
  }
  return std::nullopt;
}

std::size_t statements(const RandomProgram& program) {
  std::size_t count = 0;
  for (const Block& thread : program.threads) count += thread.size();
  return count;
}

// Does a read of the key take its bytes from several writes?
bool readsSeveral(const std::string& key) { return key.substr(0, key.find('|')).find(',') != std::string::npos; }

TEST(MixedFuzzer, AcceptsARightExplorer) {
  for (const std::string& profile : mixedProfileNames()) {
    EXPECT_FALSE(firstFailure(askMixedOracle, "rc20", profile, 60).has_value()) << profile;
  }
}

TEST(MixedFuzzer, NoticesReadsOfSeveralWritesThatAreLost) {
  const auto noSeveral = [](Program& program, const std::string& model, const std::string& equivalence) {
    ExplorerKeys found = askMixedOracle(program, model, equivalence);
    std::erase_if(found.keys, readsSeveral);
    return found;
  };
  for (const std::string& profile : mixedProfileNames()) {
    const auto failure = firstFailure(noSeveral, "rc20", profile, 200);
    ASSERT_TRUE(failure.has_value()) << profile;
    EXPECT_FALSE(failure->difference.missing.empty());
    EXPECT_TRUE(failure->difference.extra.empty());
    // A write to a byte and a read of two, or less: the read may be of one thread with the write.
    EXPECT_LE(statements(failure->program), 2u) << toString(*failure);
    EXPECT_NE(toString(*failure).find("(atomic_char*)"), std::string::npos) << toString(*failure);
  }
}

TEST(MixedFuzzer, NoticesAnExecutionTooManyAndADuplicate) {
  const auto tooWeak = [](Program& program, const std::string&, const std::string& equivalence) {
    return askMixedOracle(program, "ra-msa", equivalence);
  };
  for (const char* model : {"sc", "tso", "ra", "rc20", "rc11"}) {
    const auto failure = firstFailure(tooWeak, model, "mixed fences", 500);
    ASSERT_TRUE(failure.has_value()) << model;
    EXPECT_FALSE(failure->difference.extra.empty());
    EXPECT_TRUE(failure->difference.missing.empty());
    EXPECT_LE(statements(failure->program), 8u) << toString(*failure);
  }
  const auto twice = [](Program& program, const std::string& model, const std::string& equivalence) {
    ExplorerKeys found = askMixedOracle(program, model, equivalence);
    if (found.keys.size() > 2) found.keys.push_back(found.keys.back());
    return found;
  };
  const auto failure = firstFailure(twice, "rc20", "mixed", 100);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->difference.repeated.size(), 1u);
}

TEST(MixedRandomProgram, CoversTheDialect) {
  std::string all;
  std::size_t mixed = 0;
  for (const std::string& profile : mixedProfileNames()) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      const RandomProgram program = randomProgram(seed, profile);
      EXPECT_TRUE(program.mixedSizes);
      const std::string text = toLitmus(program, "a");
      mixed += litmus::parseLitmus(text, "a.litmus").program->hasMixedSizes();
      all += text;
    }
  }
  EXPECT_GT(mixed, 900u);
  for (const char* text : {"(atomic_char*)x", "(atomic_char*)x + 1", "(atomic_char*)x + 7", "(atomic_short*)x + 1",
                           "(atomic_int*)x + 1", "(atomic_short*)y", "*(char*)x = ", "*((char*)x + 1)",
                           "atomic_exchange_explicit((atomic_", "atomic_fetch_add_explicit((atomic_",
                           "compare_exchange_weak_explicit((atomic_", "compare_exchange_strong_explicit((atomic_", "0x101",
                           "atomic_thread_fence(memory_order_seq_cst)", "spawn(P", "lock(m)", "P3("}) {
    EXPECT_NE(all.find(text), std::string::npos) << text;
  }
  for (std::uint64_t seed = 1; seed <= 600; ++seed) EXPECT_FALSE(randomProgram(seed).mixedSizes);
}

// Accesses become narrow and move to the first bytes, and the location shrinks around them.
TEST(MixedShrink, NarrowsAccesses) {
  const auto hasLoad = [](const RandomProgram& program) {
    return toLitmus(program, "a").find("atomic_load_explicit") != std::string::npos;
  };
  std::uint64_t seed = 1;
  while (!hasLoad(randomProgram(seed, "mixed")) || statements(randomProgram(seed, "mixed")) < 6) ++seed;
  const RandomProgram small = shrink(randomProgram(seed, "mixed"), hasLoad);
  ASSERT_EQ(statements(small), 1u);
  const auto thread = std::ranges::find_if(small.threads, [](const Block& block) { return !block.empty(); });
  EXPECT_EQ(thread->front().size, 1u);
  EXPECT_EQ(thread->front().offset, 0u);
  EXPECT_EQ(small.locations[thread->front().location].size, 1u);
}

}  // namespace
}  // namespace heddle::oracle
