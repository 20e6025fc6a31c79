// Model files as other tools write them: titles, names and included files that they take for granted.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "model/automaton.h"
#include "model/cat.h"
#include "model/library.h"
#include "model/regex.h"
#include "model/supplied_files.h"

namespace heddle::model {
namespace {

Model parse(const std::string& text) {
  return parseCat(text, "m.cat", [](const std::string& name, const std::string&) { return suppliedFile(name); });
}

std::string onlyAxiom(const std::string& text) {
  const Model model = parse(text);
  EXPECT_EQ(model.axioms.size(), 1U);
  return toString(*model.axioms.front().expr);
}

TEST(CatOfOthers, TitleMayBeginWithALanguage) {
  EXPECT_EQ(parse("C RC11\nacyclic po").name, "RC11");
  EXPECT_EQ(parse("RISCV \"a partial order\"\nacyclic po").name, "a partial order");
  EXPECT_EQ(parse("X86 TSO (* total *)\nacyclic po").name, "TSO");
  EXPECT_EQ(parse("Partial\nacyclic po").name, "Partial");
  EXPECT_EQ(parse("acyclic po").name, "m");
  EXPECT_THROW(parse("acyclc po\nacyclic rf"), CatError);  // a mistake, and no title
}

TEST(CatOfOthers, HashBeginsAComment) { EXPECT_EQ(onlyAxiom("#one\nacyclic po # two\n"), "po"); }

TEST(CatOfOthers, TryTakesAnyExpression) {
  EXPECT_EQ(onlyAxiom("let f = try fencerel(NOSUCHFENCE) with 0\nacyclic f | po"), onlyAxiom("acyclic 0 | po"));
  EXPECT_EQ(onlyAxiom("let f = try po ; po with 0\nacyclic f"), "po ; po");
  EXPECT_EQ(onlyAxiom("let A = (try NOSUCH with {}) | (try R with {})\nacyclic [A] ; po"), onlyAxiom("acyclic [{} | R] ; po"));
  EXPECT_THROW(parse("let f = try po"), CatError);
}

TEST(CatOfOthers, EmptySetInBraces) {
  EXPECT_EQ(onlyAxiom("acyclic [{}] ; po"), onlyAxiom("acyclic [0] ; po"));
  EXPECT_THROW(parse("acyclic [{R}] ; po"), CatError);
}

TEST(CatOfOthers, ControlAndFence) {
  EXPECT_EQ(onlyAxiom("acyclic ctrlcfence(Fence.i)"), onlyAxiom("acyclic ctrl ; [Fence.i] ; po"));
}

// In assembly `fence r,rw` is the acquire fence of C, so a model that speaks of the machine's has to mean both.
TEST(CatOfOthers, FencesOfMachinesThatCHas) {
  EXPECT_EQ(onlyAxiom("acyclic fencerel(Fence.r.rw)"), "po ; [Fence.r.rw | F & ACQ] ; po");
  EXPECT_EQ(onlyAxiom("acyclic fencerel(Fence.r.r)"), "po ; [Fence.r.r] ; po");
}

TEST(CatOfOthers, NamesForSetsOfOurs) {
  EXPECT_EQ(onlyAxiom("let AcqRel = AcqRel | Sc\nacyclic [AcqRel & X] ; po"), onlyAxiom("acyclic [(ACQ_REL | SC) & RMW] ; po"));
  EXPECT_EQ(onlyAxiom("acyclic amo | po"), "rmw | po");
}

TEST(CatOfOthers, FinalWrites) {
  const Model model = parse("empty [FW \\ A] ; po & loc ; [W]");
  EXPECT_EQ(toString(*model.axioms.at(0).expr),
            toString(*parse("empty [W \\ domain(co) \\ A] ; po & loc ; [W]").axioms.at(0).expr));
  EXPECT_NE(model.evaluatedBecause, "");
}

TEST(CatOfOthers, SuppliedFilesDefineInstructions) {
  for (const char* text :
       {"include \"aarch64fences.cat\"\n"
        "let bob = po ; [DMB.SY | DSB.ISH] ; po | po ; ([A] ; amo ; [L]) ; po | [L] ; po ; [A] | [A | Q] ; po\n"
        "acyclic (ctrl | addr ; po) ; [ISB] ; po ; [R] | bob",
        "include \"ppcfences.cat\"\nacyclic sync | lwsync | eieio & (W * W) | ctrlisync",
        "include \"x86fences.cat\"\ninclude \"filters.cat\"\nacyclic mfence | WW(po) | RM(po) | MA(WR(po))",
        "include \"c11_cos.cat\"\ninclude \"c11_los.cat\"\nirreflexive lo ; po"}) {
    EXPECT_EQ(parse(text).axioms.size(), 1U) << text;
  }
}

// Products of sets are filters at both ends, for automata as well.
TEST(CatOfOthers, ProductsBetweenRelations) {
  const auto sameAutomaton = [](const std::string& one, const std::string& other) {
    const auto automatonOf = [](const std::string& text) {
      return toAutomaton(toRegex(*parse("acyclic " + text).axioms.at(0).expr));
    };
    const Automaton a = automatonOf(one), b = automatonOf(other);
    return included(a, b) && included(b, a);
  };
  EXPECT_TRUE(sameAutomaton("po & (R * W)", "[R] ; po ; [W]"));
  EXPECT_TRUE(sameAutomaton("(R * W) & po & loc", "[R] ; (po & loc) ; [W]"));
  EXPECT_TRUE(sameAutomaton("po & ((R * M) | (W * W))", "[R] ; po ; [M] | [W] ; po ; [W]"));
  EXPECT_TRUE(sameAutomaton("po & W * R & (M * RMW | RMW * M)", "[W] ; po ; [R & RMW] | [W & RMW] ; po ; [R]"));
  EXPECT_TRUE(sameAutomaton("rf \\ (W * RMW)", "rf ; [~RMW]"));
  EXPECT_TRUE(
      sameAutomaton("po \\ (W * R) \\ ((R * _) | (F * F))", "[~(R | F)] ; po ; [~R] | [F] ; po ; [~F] | [~W & ~R & ~F] ; po"));
  EXPECT_TRUE(sameAutomaton("(rf^-1 ; co) \\ id", "rb"));
  EXPECT_FALSE(sameAutomaton("po & (R * W)", "[R] ; po ; [M]"));
  EXPECT_THROW(toRegex(*parse("acyclic R * W").axioms.at(0).expr), CatError);
  EXPECT_THROW(toRegex(*parse("acyclic (po ; rf) \\ id").axioms.at(0).expr), CatError);
  EXPECT_THROW(toRegex(*parse("acyclic (R * W) & (W * R)").axioms.at(0).expr), CatError);
}

// Tests of C11 have no locks, and so no tags of the kernel's.
TEST(CatOfOthers, LocksOfC11AreNone) {
  const Model model = parse("include \"c11_los.cat\"\nirreflexive [LS] ; lo^-1 ; [UL] ; po as a");
  EXPECT_FALSE(namesTags(model));
  EXPECT_EQ(model.evaluatedBecause, "");
}

// Some tools know the sections of RCU by themselves; a .bell file says what they are otherwise.
TEST(CatOfOthers, SectionsOfRcu) {
  EXPECT_NE(onlyAxiom("include \"lock.cat\"\nirreflexive rcu-rscs ; po"), "rcu-rscs ; po");
  EXPECT_EQ(onlyAxiom("let rcu-rscs = po\ninclude \"lock.cat\"\nirreflexive rcu-rscs ; po"), "po ; po");
}

TEST(CatOfOthers, FileWithTheNameOfABuiltInModel) {
  const std::filesystem::path before = std::filesystem::current_path();
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "cat_of_others";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "sc.cat") << "\"mine\"\nacyclic po | rf\n";
  std::filesystem::current_path(folder);
  EXPECT_EQ(loadModel("sc.cat").name, "mine");
  EXPECT_EQ(loadModel("sc").name, "sc");
  EXPECT_TRUE(loadModel("tso.cat").builtin);
  std::filesystem::current_path(before);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace heddle::model
