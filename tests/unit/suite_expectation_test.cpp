// The comments with expectations: what is understood, and that anything else is an error and not passed over.
#include <gtest/gtest.h>

#include "suite/expectation.h"

namespace heddle::suite {
namespace {

TEST(SuiteExpectation, AllItems) {
  const auto found = parseExpectations(
      "//! rc11: verified executions=2 blocked=0\n"
      "//! sc, tso: error=data-race|deadlock line=@here|9 thread=1 text=\"two words\" text=x flags=\"-a 1 -- -DB "
      "-DC\"\n"
      "int main() {}  // @here\n");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].model, "rc11");
  EXPECT_EQ(found[0].verdict, "verified");
  EXPECT_EQ(found[0].executions, 2u);
  EXPECT_EQ(found[0].blocked, 0u);
  EXPECT_EQ(found[1].model, "sc");
  EXPECT_EQ(found[2].model, "tso");
  EXPECT_EQ(found[2].line, 2u);
  EXPECT_EQ(found[2].verdict, "error");
  EXPECT_EQ(found[2].errorKinds, (std::vector<std::string>{"data-race", "deadlock"}));
  EXPECT_EQ(found[2].errorLines, (std::vector<unsigned>{3, 9}));
  EXPECT_EQ(found[2].thread, 1u);
  EXPECT_EQ(found[2].texts, (std::vector<std::string>{"two words", "x"}));
  EXPECT_EQ(found[2].flags, (std::vector<std::string>{"-a", "1"}));
  EXPECT_EQ(found[2].compilerFlags, (std::vector<std::string>{"-DB", "-DC"}));
  EXPECT_FALSE(found[2].executions.has_value());
}

TEST(SuiteExpectation, AssemblyComments) {
  const auto found = parseExpectations(";! rc11: rejected\n; no expectation\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].model, "rc11");
  EXPECT_EQ(found[0].verdict, "rejected");
}

TEST(SuiteExpectation, MistakesAreErrors) {
  for (const char* text : {"//! rc11 verified", "//! rc11:", "//! rc11: verify", "//! rc11: verified execution=2",
                           "//! rc11: verified executions=two", "//! rc11: error", "//! rc11: error= line=1",
                           "//! rc11: error=abort line=@nowhere", "//! : verified", "//! rc11: error=aborted",
                           "//! rc11: verified line=1", "a; // @here\nb; // @here\n"}) {
    EXPECT_THROW(parseExpectations(text), ExpectationError) << text;
  }
}

}  // namespace
}  // namespace heddle::suite
