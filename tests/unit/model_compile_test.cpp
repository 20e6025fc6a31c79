// From text to automata: what is recognised, what is refused, and what is established of a model.

#include <gtest/gtest.h>

#include <algorithm>

#include "model/cat.h"
#include "model/compile.h"
#include "model/library.h"

namespace heddle::model {
namespace {

CompiledModel compiled(const std::string& text) { return compile(parseCat(text, "test.cat")); }

RegexPtr relation(const std::string& definition) {
  const Model model = parseCat("let r = " + definition, "test.cat");
  return toRegex(*model.definition("r"));
}

bool sameLanguage(const std::string& a, const std::string& b) {
  const Automaton x = toAutomaton(relation(a)), y = toAutomaton(relation(b));
  return included(x, y) && included(y, x);
}

const Requirement& requirement(const CompiledModel& model, const std::string& what) {
  const auto found = std::find_if(model.requirements.begin(), model.requirements.end(),
                                  [&](const Requirement& r) { return r.what.find(what) != std::string::npos; });
  EXPECT_NE(found, model.requirements.end()) << what;
  return *found;
}

const std::string kCommon = "let eco = (rf | co | rb)+\n"
                            "empty rmw & (rb ; co) as atomicity\n";

TEST(ModelCompile, BuiltinModelsMeetEveryRequirement) {
  ASSERT_EQ(builtinModels().size(), 17u);
  for (const BuiltinModel& builtin : builtinModels()) {
    const CompiledModel model = compile(loadModel(std::string(builtin.name)));
    EXPECT_TRUE(model.builtin);
    EXPECT_TRUE(model.coherence.has_value() || model.hasDependencies || model.evaluated) << builtin.name;
    EXPECT_FALSE(model.requirements.empty()) << builtin.name;
    for (const Requirement& r : model.requirements) EXPECT_TRUE(r.established) << builtin.name << ": " << r.what;
  }
}

TEST(ModelCompile, LoadBufferingMustBeForbidden) {
  const CompiledModel lax = compiled(kCommon + "acyclic (po & loc) | rf | co | rb as coherence");
  EXPECT_FALSE(requirement(lax, "po | rf").established);
  EXPECT_FALSE(lax.requirementsEstablished());
  const CompiledModel strict = compiled(kCommon + "acyclic (po & loc) | rf | co | rb as coherence\nacyclic po | rf as nlb");
  EXPECT_TRUE(strict.requirementsEstablished());
  EXPECT_EQ(requirement(strict, "po | rf").why, "axiom `nlb`");
}

TEST(ModelCompile, CoherenceMustFollow) {
  EXPECT_FALSE(requirement(compiled(kCommon + "acyclic po | rf as nlb"), "coherence").established);
  // Implied by a stronger axiom that does not have its form.
  EXPECT_TRUE(requirement(compiled(kCommon + "acyclic po | rf | co | rb as sc"), "coherence").established);
}

TEST(ModelCompile, AtomicityMustBeThere) {
  EXPECT_FALSE(requirement(compiled("acyclic po | rf | co | rb as sc"), "atomic").established);
  EXPECT_TRUE(requirement(compiled("empty rmw & (fre ; coe)\nacyclic po | rf | co | rb as sc"), "atomic").established);
}

TEST(ModelCompile, CoherenceIsRecognisedHoweverEcoIsWritten) {
  for (const std::string eco : {"(rf | co | rb)+", "rf | (co | rb) ; rf?", "(co | rf | fr)+", "rf | co ; rf? | rb ; rf?"}) {
    const CompiledModel model = compiled("let eco = " + eco + "\nirreflexive ((po | rf)+ ; eco)\nempty rmw & (rb ; co)");
    EXPECT_TRUE(model.coherence.has_value()) << eco;
    EXPECT_TRUE(model.cycleAxioms.empty()) << eco;
  }
  EXPECT_FALSE(compiled("irreflexive ((po | rf)+ ; co)\nempty rmw & (rb ; co)").coherence.has_value());
}

TEST(ModelCompile, AxiomsThatViewsKeepAreNotSearchedFor) {
  EXPECT_TRUE(compile(loadModel("ra")).cycleAxioms.size() == 1);  // only the fences
  const ClassSet withoutFences = kAllClasses & ~classes::kFence;
  EXPECT_TRUE(cycleAxioms(compile(loadModel("ra")), withoutFences).empty());
  EXPECT_TRUE(cycleAxioms(compile(loadModel("rc20")), kAllClasses & ~classes::ofOrder(Order::seq_cst)).empty());
}

// No graph that is searched has a cycle of po | rf.
TEST(ModelCompile, WhatLeadsAlongProgramOrderAndReadsFromIsNotSearchedFor) {
  const auto names = [](const std::string& model, ClassSet classes) {
    std::string result;
    for (const CycleAxiom& axiom : cycleAxioms(compile(loadModel(model)), classes)) result += axiom.name + " ";
    return result;
  };
  const ClassSet withoutSeqCst = kAllClasses & ~classes::ofOrder(Order::seq_cst);
  EXPECT_EQ(names("c11-lb", kAllClasses), "psc ");
  EXPECT_EQ(names("power", kAllClasses), "propagation observation ");
  EXPECT_EQ(names("imm", kAllClasses), "no-thin-air ");  // for its seq_cst fences
  EXPECT_EQ(names("imm", withoutSeqCst), "");
  EXPECT_EQ(names("armv8", withoutSeqCst), "external ");
  const auto searches = [](const std::string& axiom) { return !compiled(kCommon + axiom).cycleAxioms.empty(); };
  EXPECT_FALSE(searches("acyclic (po | rfe | (coe ; rfe) & int | (rbe ; rfe) & int)"));
  EXPECT_TRUE(searches("acyclic (po | rfe | coe ; rfe)"));
  EXPECT_TRUE(searches("acyclic (po | rfe | (coe ; rfe) & ext)"));
  EXPECT_TRUE(searches("acyclic (po | rf | (po ; coe ; po) & int)"));
}

TEST(ModelCompile, AutomataAreSmall) {
  const auto axioms = cycleAxioms(compile(loadModel("sc")), kAllClasses);
  ASSERT_EQ(axioms.size(), 1u);
  EXPECT_EQ(axioms[0].automaton.states(), 1u);
  EXPECT_EQ(axioms[0].automaton.transitions[0].size(), 4u);
  EXPECT_LE(cycleAxioms(compile(loadModel("tso")), kAllClasses)[0].automaton.states(), 3u);
}

// proofs/seq-cst.prove has the same of RC11, by other means.
TEST(ModelCompile, StrictAccessesAreThoseWhoseCyclesAreAllForbidden) {
  const ClassSet sequential = classes::kAccess & classes::ofOrder(Order::seq_cst);
  const auto strict = [](const CompiledModel& model) { return model.cycleAxioms.at(0).strict; };
  EXPECT_EQ(strict(compile(loadModel("sc"))), classes::kAccess);
  EXPECT_EQ(strict(compile(loadModel("rc20"))), sequential);
  for (const char* name : {"tso", "pso", "ra", "mca-no-lb", "mca-rr"})
    EXPECT_TRUE(strict(compile(loadModel(name))).empty()) << name;
  const auto inProgram = [&](ClassSet accesses) {
    return cycleAxioms(compile(loadModel("rc20")), (kAllClasses & ~classes::kAccess) | accesses).at(0).strict;
  };
  EXPECT_EQ(inProgram(sequential), classes::kAccess);
  EXPECT_EQ(inProgram(sequential & classes::kWrite), classes::kAccess);
  EXPECT_EQ(inProgram((sequential & classes::kWrite) | classes::kRead), sequential);
  EXPECT_TRUE(inProgram(classes::ofOrder(Order::relaxed)).empty());

  // A model of one's own: what counts is the relation, however it is written.
  const auto of = [&](const std::string& axiom) { return strict(compiled(kCommon + "let hb = (po | rf)+\n" + axiom)); };
  EXPECT_EQ(of("acyclic [SC] ; (po | rf | co | rb) ; [SC]"), sequential);
  EXPECT_EQ(of("acyclic [SC] ; (po | hb & loc | co | rb) ; [SC]"), sequential);
  EXPECT_EQ(of("acyclic [SC] ; (hb | co | rf^-1 ; co) ; [SC]"), sequential);
  EXPECT_EQ(of("acyclic po | rf | co | rb"), classes::kAccess);
  EXPECT_EQ(of("acyclic [SC] ; (po | po ; rf | co | rb) ; [SC]"), ClassSet());    // no rf by itself
  EXPECT_EQ(of("acyclic [SC] ; (po | hb \\ loc | co | rb) ; [SC]"), ClassSet());  // rf is within a location
  EXPECT_EQ(of("acyclic [SC] ; (po | rfe | co | rb) ; [SC]"), ClassSet());
  EXPECT_EQ(of("acyclic [SC] ; (po | rf | co) ; [SC]"), ClassSet());
  EXPECT_EQ(of("acyclic [SC] ; (po \\ loc | rf | co | rb) ; [SC]"), ClassSet());
  EXPECT_EQ(of("acyclic [SC & W] ; (po | rf | co | rb) ; [SC]"), ClassSet());
  EXPECT_EQ(of("irreflexive [SC] ; (po | rf | co | rb)+ ; [SC]"), ClassSet());  // says it, but not of every edge
}

TEST(ModelCompile, ViewsNeedProgramOrderAndTransitivity) {
  EXPECT_TRUE(viewRelation(relation("(po | rf)+"))->isPorf);
  EXPECT_TRUE(viewRelation(relation("(po | rfe)+ | (po | rf)+"))->isPorf);
  EXPECT_FALSE(viewRelation(relation("po | rf")));     // not transitive
  EXPECT_FALSE(viewRelation(relation("rf+")));         // without po
  EXPECT_FALSE(viewRelation(relation("(po | co)+")));  // co is not known when an event is added
  EXPECT_TRUE(viewRelation(relation("(po | [W] ; (po-loc & int) ; [W] ; rf)+")));
  EXPECT_TRUE(viewRelation(relation("(po | [W] ; (po & int & loc) ; [W] ; rf)+")));
  EXPECT_FALSE(viewRelation(relation("(po | [W] ; po-loc ; [W] ; rf)+")));  // a thread's own accesses are, others' not
  EXPECT_FALSE(viewRelation(relation("(po | [W] ; (po & int \\ loc) ; [W] ; rf)+")));
  const auto c11 = viewRelation(cpp20HappensBefore());
  ASSERT_TRUE(c11);
  EXPECT_FALSE(c11->isPorf);
  EXPECT_EQ(planView(*c11, kAllClasses).partial, 4u);  // release fence, message, acquired so far, acquired by earlier reads
  EXPECT_EQ(planView(*c11, kAllClasses & ~classes::kFence).partial, 2u);
  EXPECT_EQ(planView(*c11, kAllClasses & ~classes::kFence & ~classes::kRmw).partial, 0u);
}

// A message is passed on by later writes of the thread: in the view of a relaxed write only, since a release write has
// one of its own, and nothing if there is no release write.
TEST(ModelCompile, ViewsAlongALocation) {
  const ViewRelation hb = compile(loadModel("rc11")).happensBefore;
  const ClassSet some = kAllClasses & ~classes::kFence & ~classes::kRmw;
  EXPECT_EQ(planView(hb, some).partial, 1u);
  EXPECT_EQ(planView(hb, some).reachedInLocation() & ~classes::kWrite, ClassSet());
  EXPECT_EQ(planView(hb, some).reachedInLocation() & classes::ofOrder(Order::release), ClassSet());
  EXPECT_NE(planView(hb, some).reachedInLocation() & classes::ofOrder(Order::relaxed), ClassSet());
  const ClassSet strong =
      classes::ofOrder(Order::release) | classes::ofOrder(Order::acq_rel) | classes::ofOrder(Order::seq_cst);
  EXPECT_EQ(planView(hb, some & ~strong).reachedInLocation(), ClassSet());
  EXPECT_EQ(planView(compile(loadModel("rc20")).happensBefore, kAllClasses).reachedInLocation(), ClassSet());
}

// If every write releases and every read acquires, happens-before is (po | rf)+.
TEST(ModelCompile, OnlyReleasesAndAcquiresNeedNoViews) {
  using namespace classes;
  const ClassSet reads = kRead & ofOrder(Order::acquire) & ~kRmw, writes = kWrite & ofOrder(Order::release) & ~kRmw;
  const ClassSet some = reads | writes | kInitial | kThread;
  for (const char* name : {"rc11", "rc20", "c11-orig"}) {
    const ViewRelation hb = compile(loadModel(name)).happensBefore;
    EXPECT_TRUE(planView(hb, some).isPorf) << name;
    EXPECT_EQ(planView(hb, some).views(), 0u) << name;
    EXPECT_FALSE(planView(hb, some | (kRead & ofOrder(Order::relaxed))).isPorf) << name;
    EXPECT_FALSE(planView(hb, some | (kWrite & ofOrder(Order::relaxed))).isPorf) << name;
    EXPECT_FALSE(planView(hb, some | (kWrite & ofOrder(Order::plain))).isPorf) << name;
    EXPECT_FALSE(planView(hb, kAllClasses).isPorf) << name;
  }
}

TEST(ModelCompile, RacesAreJudgedByTheModelsHappensBefore) {
  const ViewPlan cpp20 = planView(*viewRelation(cpp20HappensBefore()), kAllClasses);
  const auto plan = [](const CompiledModel& model) { return planView(model.happensBefore, kAllClasses); };
  for (const char* name : {"sc", "tso", "pso", "ra", "ra-msa", "rc20", "mca-no-lb", "mca-rr"}) {
    EXPECT_EQ(plan(compile(loadModel(name))), cpp20) << name;
  }
  for (const char* name : {"rc11", "c11-orig"}) {
    const CompiledModel model = compile(loadModel(name));
    EXPECT_NE(plan(model), cpp20) << name;
    EXPECT_EQ(plan(model), planView(*model.coherence, kAllClasses)) << name;  // one view serves for both
  }
  const std::string text = kCommon + "let hb = (po | rfe)+\nirreflexive (hb ; eco) as coherence\nacyclic (po | rf) as nlb\n";
  EXPECT_EQ(plan(compiled(text)), cpp20);  // a name alone says nothing
  EXPECT_NE(plan(compiled(text + "races-by hb\n")), cpp20);
  for (const char* relation : {"po | rf", "(po | co)+", "(rf ; po)+", "po-loc"}) {
    EXPECT_THROW(compiled(text + "races-by " + relation), CatError) << relation;
  }
}

TEST(ModelCompile, RecursionIsSolved) {
  const auto solved = [](const std::string& group, const std::string& name) {
    const Model model = parseCat("let rec " + group, "test.cat");
    return toAutomaton(toRegex(*model.definition(name)));
  };
  const auto equals = [&](const Automaton& a, const std::string& text) {
    const Automaton b = toAutomaton(relation(text));
    return included(a, b) && included(b, a);
  };
  EXPECT_TRUE(equals(solved("x = rf | po ; x", "x"), "po* ; rf"));
  EXPECT_TRUE(equals(solved("x = rf | x ; po", "x"), "rf ; po*"));
  EXPECT_TRUE(equals(solved("x = po | rf | x ; x", "x"), "(po | rf)+"));
  EXPECT_TRUE(equals(solved("x = rf ; y and y = po | co ; x", "x"), "(rf ; co)* ; rf ; po"));
  EXPECT_THROW(solved("x = po | rf ; x ; co", "x"), CatError);
}

TEST(ModelCompile, LanguagesAreCompared) {
  EXPECT_TRUE(sameLanguage("(po | rf)+ ; (po | rf)*", "(po | rf)+"));
  EXPECT_TRUE(sameLanguage("rf", "rfe | rfi"));
  EXPECT_TRUE(sameLanguage("[W] ; po", "[W & SC] ; po | [W \\ SC] ; po"));
  EXPECT_TRUE(sameLanguage("rf^-1 ; co", "rb"));
  EXPECT_TRUE(sameLanguage("rf ; rf", "0"));
  std::string word;
  EXPECT_FALSE(included(toAutomaton(relation("po ; rf?")), toAutomaton(relation("po ; rf")), &word));
  EXPECT_NE(word.find("po"), std::string::npos);
  EXPECT_FALSE(included(toAutomaton(relation("po")), toAutomaton(relation("po & int"))));
  EXPECT_TRUE(included(toAutomaton(relation("po & int")), toAutomaton(relation("po"))));
}

TEST(ModelCompile, WhatIsNotRegularIsNamed) {
  const auto message = [](const std::string& axiom) -> std::string {
    try {
      compile(parseCat(axiom, "m.cat"));
    } catch (const CatError& e) {
      return e.what();
    }
    return "";
  };
  for (const std::string bad : {"acyclic po & rf", "acyclic ~po", "acyclic po^-1 ; rf", "acyclic R * W", "acyclic po \\ rf",
                                "acyclic loc", "empty po ; rf", "irreflexive po | id", "acyclic (rf | co)^-1"}) {
    const std::string text = message(bad);
    EXPECT_NE(text.find("m.cat:1:"), std::string::npos) << bad << ": " << text;
  }
  EXPECT_NE(message("acyclic po & rf").find("po & rf"), std::string::npos);
}

}  // namespace
}  // namespace heddle::model
