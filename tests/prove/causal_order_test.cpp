// That the models with dependencies which come with Heddle meet what their exploration needs, and that others are refused.
#include <gtest/gtest.h>

#include "model/cat.h"
#include "model/library.h"
#include "prove/requirements.h"

namespace heddle::prove {
namespace {

void expectProved(model::Model model) {
  model.builtin = false;  // so that it counts only what is proved here
  model::CompiledModel compiled = compile(model);
  EXPECT_FALSE(compiled.requirementsEstablished()) << model.name;
  establish(compiled, model);
  for (const model::Requirement& requirement : compiled.requirements) {
    EXPECT_TRUE(requirement.established) << model.name << ": " << requirement.what << ": " << requirement.why;
  }
}

TEST(CausalOrder, IsProvedOfEveryModelThatHasDependencies) {
  unsigned models = 0;
  for (const model::BuiltinModel& builtin : model::builtinModels()) {
    const model::Model model = model::loadModel(std::string(builtin.name));
    if (!compile(model).hasDependencies) continue;
    expectProved(model);
    ++models;
  }
  EXPECT_EQ(models, 6u);
}

// The published IMM, where `data ; rfi ; [acquire] ; po` is not ordered.
TEST(CausalOrder, IsRefutedWhereAReadIsGivenItsOwnThreadsValue) {
  model::Model model =
      model::parseCat("let Acq = ACQ | ACQ_REL | SC\n"
                      "acyclic (po-loc | rf | co | rb) as coherence\n"
                      "empty rmw & (rb ; co) as atomicity\n"
                      "acyclic (rfe | [R & Acq] ; po | [R] ; (data | ctrl | addr ; (po & int)? | rfi)+ ; [W]) as no-thin-air\n"
                      "barrier-by [R & Acq] ; po\n",
                      "published.cat");
  model::CompiledModel compiled = compile(model);
  establish(compiled, model);
  EXPECT_FALSE(compiled.requirements[0].established);
  EXPECT_NE(compiled.requirements[0].why.find("it allows"), std::string::npos) << compiled.requirements[0].why;
}

TEST(CausalOrder, IsRefutedWhereDependenciesAreNotKept) {
  model::Model model = model::parseCat(
      "acyclic (po-loc | rf | co | rb) as coherence\nempty rmw & (rb ; co) as atomicity\nacyclic (data | rfe) as order\n",
      "weak.cat");
  model::CompiledModel compiled = compile(model);
  EXPECT_TRUE(compiled.hasDependencies);
  establish(compiled, model);
  EXPECT_FALSE(compiled.requirementsEstablished());
}

}  // namespace
}  // namespace heddle::prove
