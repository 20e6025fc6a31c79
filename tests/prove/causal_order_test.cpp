// That the models with dependencies which come with Heddle meet what their exploration needs, and that others are refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/cat.h"
#include "model/library.h"
#include "prove/prover.h"
#include "prove/query.h"
#include "prove/requirements.h"

namespace heddle::prove {
namespace {

constexpr const char* kCausalOrder = "a causal order without cycles";

// `but`: shown by another test.
void expectProved(model::Model model, const std::string& but) {
  model.builtin = false;  // so that it counts only what is proved here
  model::CompiledModel compiled = compile(model);
  EXPECT_FALSE(compiled.requirementsEstablished()) << model.name;
  establish(compiled, model);
  for (const model::Requirement& requirement : compiled.requirements) {
    if (requirement.what == but) continue;
    EXPECT_TRUE(requirement.established) << model.name << ": " << requirement.what << ": " << requirement.why;
  }
}

TEST(CausalOrder, IsProvedOfEveryModelThatHasDependencies) {
  unsigned models = 0;
  for (const model::BuiltinModel& builtin : model::builtinModels()) {
    const model::Model model = model::loadModel(std::string(builtin.name));
    if (!compile(model).hasDependencies) continue;
    expectProved(model, model.name == "power" ? kCausalOrder : "");
    ++models;
  }
  EXPECT_EQ(models, 6u);
}

void expectProved(const std::string& text) {
  const QueryFile query = parseQuery(text, "power.prove");
  for (const Claim& claim : query.claims) EXPECT_EQ(decide(query, claim).verdict, Verdict::proved) << claim.text;
}

// The prover does not show it of POWER in one step, because of detour, (coe ; rfe) & int, which goes from a write to a later read.
// There are four ways to the issue of the write. What comes after a fence, a branch or a read-modify-write includes the read itself, so there
// the detour adds nothing. What is left is (addr | data) ; detour, from read to read: that is in the model's preserved program order,
// at the place of ii0. And any relation d from reads to later reads may be added to ii0, and to the causal order, without
// a cycle.
TEST(CausalOrder, OfPowerIsProvedInThreeSteps) {
  std::string text;
  for (const model::BuiltinModel& builtin : model::builtinModels()) {
    if (builtin.name == "power") text = builtin.text;
  }
  const std::size_t begin = text.find('\n'), axioms = text.find("\nacyclic"), commits = text.find("\ncommit-by ");
  const std::size_t barriers = text.find("\nbarrier-by ");
  ASSERT_LT(begin, axioms);
  ASSERT_LT(axioms, commits);
  ASSERT_LT(commits, barriers);
  const std::string definitions = text.substr(begin, axioms - begin);
  const std::string commit = text.substr(commits + 11, barriers - commits - 11), barrier = text.substr(barriers + 12);
  const std::string programs = "assume ctrl ; (po & int) <= ctrl\nassume rmw ; (po & int) <= ctrl\n";

  expectProved(fmt::format("{}{}\nlet barrier = {}\nassert barrier ; [W] ; po ; [R] <= barrier\n"
                           "assert (ctrl | rmw) ; [W] ; po ; [R] <= ctrl\n",
                           programs, definitions, barrier));
  expectProved(fmt::format("{}\nlet more = ii0 | (addr | data) ; detour\n"
                           "assert (more | cc0* ; ci0) ; more* ; (cc0* ; ci0 ; more*)* = begun\n",
                           definitions));

  std::string extended = definitions;
  const std::string initiation = "let ii0 = addr | data | rfi | rdw";
  ASSERT_NE(extended.find(initiation), std::string::npos);
  extended.replace(extended.find(initiation), initiation.size(), initiation + " | [R] ; d ; [R]");
  expectProved(fmt::format("{}declare d\nassume d <= [R] ; po ; [R]\n{}\nmodel extended{}\nend\nmodel required\n"
                           "acyclic ((addr | data | ctrl | rmw | rfi | [R] ; d ; [R])* ; ({})* ; (rfe | {}))\nend\n"
                           "assert extended stronger required\n",
                           programs, extended, text.substr(axioms, commits - axioms), commit, barrier));
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
