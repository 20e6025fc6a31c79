// Transactions: the explorer against interleavings of whole transactions (sc), and against what the literature counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "explore/observer.h"
#include "litmus/source.h"
#include "litmus/test.h"
#include "mixed.h"
#include "mixed_explorer.h"
#include "runs.h"
#include "sc_machine.h"
#include "transaction_program.h"

namespace heddle::oracle {
namespace {

std::vector<std::string> explored(const std::string& text, const std::string& model, std::uint64_t split = 0) {
  const auto test = litmus::parseLitmus(text, "transactions.litmus");
  return exploreTransactionKeys(*test.program, model, split).keys;
}

std::string testOf(const std::vector<std::string>& threads) { return toLitmus({.threads = threads}); }

std::size_t executions(const std::vector<std::string>& threads, const std::string& model = "sc") {
  const std::vector<std::string> keys = explored(testOf(threads), model);
  EXPECT_EQ(std::set<std::string>(keys.begin(), keys.end()).size(), keys.size()) << "something is explored twice";
  return keys.size();
}

// ---- Random programs.

// Compares so many programs with the interleavings of whole transactions. `split`: explored in parts.
void compareWithInterleavings(const TransactionProfile& profile, std::uint64_t programs, bool split = false) {
  std::size_t executionsCompared = 0;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 1; compared < programs; ++seed) {
    const std::string text = toLitmus(randomTransactions(seed, profile));
    const auto test = litmus::parseLitmus(text, "random.litmus");
    std::set<std::string> expected;
    try {
      expected = interleaveBytes(*test.program, 20000);
    } catch (const OracleLimit&) {
      continue;
    }
    test.program->reset();
    const ExplorerKeys found = exploreTransactionKeys(*test.program, "sc", split ? seed : 0);
    const std::multiset<std::string> keys(found.keys.begin(), found.keys.end());
    ASSERT_EQ(keys, std::multiset<std::string>(expected.begin(), expected.end())) << "seed " << seed << "\n" << text;
    ++compared;
    executionsCompared += keys.size();
  }
  EXPECT_GT(executionsCompared, 3 * programs);
}

TEST(Transactions, RandomProgramsAreInterleavingsOfWholeTransactions) { compareWithInterleavings({}, 5000); }
TEST(Transactions, RandomProgramsWithMixedSizes) { compareWithInterleavings({.accesses = 8, .mixedSizes = true}, 2000); }
TEST(Transactions, RandomProgramsWithLocks) { compareWithInterleavings({.accesses = 8, .locks = true}, 2000); }
TEST(Transactions, RandomProgramsWithChoices) { compareWithInterleavings({.accesses = 7, .choices = true}, 1000); }
TEST(Transactions, RandomProgramsWithSpawns) { compareWithInterleavings({.accesses = 8, .spawns = true}, 1000); }
TEST(Transactions, RandomProgramsInParts) { compareWithInterleavings({.accesses = 8}, 500, true); }

// The oracle of mixed sizes enumerates single accesses, and asks the lifted axioms in the end.
void compareWithAxioms(const TransactionProfile& profile, std::uint64_t programs) {
  const std::vector<NamedModel> models = loadMixedModels({"sc", "tso", "pso", "ra", "rc11", "rc20", "mca-no-lb", "mca-rr"});
  std::vector<const model::Model*> asked;
  for (const NamedModel& model : models) asked.push_back(&model.model);
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 1; compared < programs; ++seed) {
    const std::string text = toLitmus(randomTransactions(seed, profile));
    const auto test = litmus::parseLitmus(text, "random.litmus");
    std::vector<OracleResult> expected;
    try {
      expected = runMixedOracle(*test.program, asked, 20000);
    } catch (const OracleLimit&) {
      continue;
    }
    for (std::size_t m = 0; m < models.size(); ++m) {
      test.program->reset();
      const ExplorerKeys found = exploreTransactionKeys(*test.program, models[m].name);
      ASSERT_EQ(std::multiset<std::string>(found.keys.begin(), found.keys.end()),
                std::multiset<std::string>(expected[m].coKeys.begin(), expected[m].coKeys.end()))
          << models[m].name << " seed " << seed << "\n"
          << text;
    }
    ++compared;
  }
}

TEST(Transactions, RandomProgramsFollowTheLiftedAxioms) { compareWithAxioms({.accesses = 7}, 2000); }
TEST(Transactions, RandomProgramsWithMixedSizesFollowTheLiftedAxioms) {
  compareWithAxioms({.accesses = 5, .mixedSizes = true}, 500);
}

// ---- Counts.

const std::string increment = "atomic { int r = *x; *x = r + 1; }\n";

TEST(Transactions, ThoseThatDoNotConflictHaveOneExecution) {
  EXPECT_EQ(executions({"atomic { *x = 1; }\n", "atomic { *y = 1; }\n", "atomic { *z = 1; }\n"}), 1u);
  EXPECT_EQ(executions({"atomic { int r = *x; *x = r + 1; }\n", "atomic { int r = *y; *y = r + 1; }\n",
                        "atomic { int r = *z; *z = r + 1; }\n"}),
            1u);
}

TEST(Transactions, ThoseThatConflictHaveAllOrders) {
  std::size_t factorial = 1;
  for (std::size_t n = 1; n <= 6; ++n) {
    factorial *= n;
    EXPECT_EQ(executions(std::vector<std::string>(n, increment)), factorial) << n;
  }
}

TEST(Transactions, CountsOfTheLiterature) {
  EXPECT_EQ(executions({"atomic { int r = *x; *y = 1; }\n", "atomic { int s = *y; *x = 1; }\n"}), 2u);
  EXPECT_EQ(executions({"atomic { *x = 1; *y = 1; }\n", "atomic { int r = *x; int s = *y; }\n"}), 2u);
  EXPECT_EQ(executions({"atomic { *x = 1; *y = 1; }\n", "int r = *x; int s = *y;\n"}), 3u);
  EXPECT_EQ(executions({"atomic { *z = 1; } atomic { int a = *x; }\n",
                        "atomic { int a = *z; if (a == 0) { int b = *y; if (b == 0) *x = 1; } }\n", "atomic { *y = 1; }\n"}),
            3u);
}

// What is only known of litmus tests, that a body does not read what another one writes, spares work and nothing else.
class ForgetfulProgram final : public Program {
 public:
  explicit ForgetfulProgram(Program& program) : program_(program) {}
  unsigned threadCount() const override { return program_.threadCount(); }
  unsigned initialThreads() const override { return program_.initialThreads(); }
  void reset() override { program_.reset(); }
  Operation advance(ThreadId thread) override { return program_.advance(thread); }
  void resume(ThreadId thread, Result result) override { program_.resume(thread, result); }
  Mark mark(ThreadId thread) override { return program_.mark(thread); }
  void rewind(ThreadId thread, Mark mark) override { program_.rewind(thread, mark); }
  void release(Mark mark) override { program_.release(mark); }
  std::vector<Operation> operations() const override { return program_.operations(); }
  Value initialValue(Address address, unsigned size) const override { return program_.initialValue(address, size); }
  std::string locationName(Address address, unsigned size) const override { return program_.locationName(address, size); }
  std::string sourceText(std::uint32_t source) const override { return program_.sourceText(source); }

 private:
  Program& program_;
};

TEST(Transactions, NeedNotBeKnownBeforehand) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const std::string text = toLitmus(randomTransactions(seed, {.accesses = 8}));
    const auto test = litmus::parseLitmus(text, "random.litmus");
    const std::vector<std::string> expected = exploreTransactionKeys(*test.program, "sc").keys;
    test.program->reset();
    ForgetfulProgram forgetful(*test.program);
    const std::vector<std::string> found = exploreTransactionKeys(forgetful, "sc").keys;
    ASSERT_EQ(std::multiset<std::string>(found.begin(), found.end()),
              std::multiset<std::string>(expected.begin(), expected.end()))
        << "seed " << seed << "\n"
        << text;
  }
}

// ---- Data races: transactions that conflict synchronize.

bool races(const std::vector<std::string>& threads, const std::string& model) {
  std::string text = "C races\n{ }\n";
  for (std::size_t i = 0; i < threads.size(); ++i) {
    text += "P" + std::to_string(i) + "(int* x, atomic_int* y) {\n" + threads[i] + "}\n";
  }
  const auto test = litmus::parseLitmus(text, "races.litmus");
  return exploreTransactionKeys(*test.program, model).race;
}

TEST(Transactions, OrderPlainAccesses) {
  for (const std::string model : {"sc", "tso", "ra", "rc11", "rc20"}) {
    SCOPED_TRACE(model);
    EXPECT_FALSE(races({"atomic { *x = 1; }\n", "atomic { *x = 2; }\n"}, model));
    EXPECT_TRUE(races({"atomic { *x = 1; }\n", "*x = 2;\n"}, model));
    // A handover, by a write that is read, and by a read that comes before the write (privatization).
    EXPECT_FALSE(races({"*x = 1; atomic { *y = 1; }\n", "int r = 0; atomic { r = *y; } if (r == 1) { int s = *x; }\n"}, model));
    EXPECT_FALSE(races({"atomic { int r = *y; if (r == 0) *x = 1; }\n", "atomic { *y = 1; } *x = 2;\n"}, model));
    EXPECT_TRUE(races({"atomic { int r = *y; *x = 1; }\n", "atomic { *y = 1; } *x = 2;\n"}, model));
    // Those that do not conflict synchronize nothing.
    EXPECT_TRUE(races({"*x = 1; atomic { int r = *y; }\n", "atomic { int r = *y; } *x = 2;\n"}, model));
  }
}

// ---- Refusals.

TEST(Transactions, RefuseWhatCannotBeTakenBack) {
  EXPECT_THROW(explored(testOf({"atomic { lock(m); *x = 1; unlock(m); }\n", "*x = 2;\n"}), "sc"), ProgramError);
  EXPECT_THROW(explored(testOf({"atomic { barrier_wait(y, 2); }\n", "barrier_wait(y, 2);\n"}), "sc"), ProgramError);
  EXPECT_THROW(explored(testOf({"atomic { spawn(P1); }\n", "*x = 2;\n"}), "sc"), ProgramError);
}

TEST(Transactions, AreLeftAtTheirEndsOnly) {
  for (const char* body :
       {"atomic { return; }\n", "while (1) { atomic { break; } }\n", "while (1) { atomic { continue; } }\n"}) {
    EXPECT_THROW(litmus::parseLitmus(testOf({body}), "test.litmus"), litmus::LitmusError) << body;
  }
  EXPECT_EQ(executions({"atomic { while (1) { break; } *x = 1; }\n"}), 1u);
}

TEST(Transactions, AreUnknownToOtherExplorers) {
  const auto test = litmus::parseLitmus(testOf({"atomic { *x = 1; }\n"}), "test.litmus");
  EXPECT_THROW(exploreMixedKeys(*test.program, "sc", "co"), explore::Transactions);
}

}  // namespace
}  // namespace heddle::oracle
