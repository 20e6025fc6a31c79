// The built-in models parse, and each has what the engine needs to find in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "model/compile.h"
#include "model/library.h"

namespace heddle::model {
namespace {

class BuiltInModel : public testing::TestWithParam<BuiltinModel> {};

TEST_P(BuiltInModel, HasTheAxiomsTheEngineNeeds) {
  const std::string given(GetParam().name);
  const Model model = loadModel(given);

  EXPECT_EQ(model.name, given);
  if (!model.evaluatedBecause.empty()) {
    EXPECT_FALSE(model.flags.empty());
    return;
  }
  auto axiom = [&](const std::string& name) -> std::string {
    auto it = std::find_if(model.axioms.begin(), model.axioms.end(), [&](const Axiom& a) { return a.name == name; });
    return it == model.axioms.end() ? "" : toString(*it->expr);
  };
  EXPECT_TRUE(std::ranges::any_of(model.axioms, [](const Axiom& a) { return a.name == "atomicity" && isAtomicity(a); }));
  if (hasDependencies(model)) {
    EXPECT_NE(model.causality.commit, nullptr);
    EXPECT_NE(model.causality.barrier, nullptr);
    return;
  }
  EXPECT_EQ(axiom("no-load-buffering"), "po | rf");
  EXPECT_TRUE(axiom("coherence").ends_with(" ; (rf | co | rb)+")) << axiom("coherence");
}

INSTANTIATE_TEST_SUITE_P(All, BuiltInModel, testing::ValuesIn(builtinModels()));

}  // namespace
}  // namespace heddle::model
