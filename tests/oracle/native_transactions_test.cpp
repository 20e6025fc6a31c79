// Random programs with transactions through `heddle check` on fixed seeds.
#include "native_transactions.h"

#include <gtest/gtest.h>

namespace heddle::oracle {
namespace {

TEST(NativeTransactions, AgreeWithLitmus) {
  TransactionsFuzzer fuzzer;
  for (std::uint64_t first = 1; first <= 200; first += 50) {
    const auto failure = fuzzer.runSeeds(first, 50);
    ASSERT_FALSE(failure.has_value()) << *failure;
  }
  EXPECT_GT(fuzzer.counts().branching, fuzzer.counts().programs);
  EXPECT_LT(fuzzer.counts().skipped, fuzzer.counts().programs / 10);
}

}  // namespace
}  // namespace heddle::oracle
