// `heddle litmus` on good input: what it prints and how it ends.

#include <nlohmann/json.hpp>

#include "cli_helpers.h"

namespace heddle::cli {
namespace {

using nlohmann::json;

const char* const kExists = "exists (0:r0=0 /\\ 1:r0=0)";

class CliLitmus : public CliTest {};

// Each test of a directory has its model, unless one is named.
TEST_F(CliLitmus, AssemblyTestsRunUnderTheModelOfTheirMachine) {
  const std::string x86 = write("sb.litmus", "X86 SB\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n"
                                             " MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n");
  const std::string arm = write("lb.litmus", "AArch64 LB\n{ 0:X1=x; 0:X2=y; 1:X1=y; 1:X2=x; 0:X3=1; 1:X3=1; }\n P0 | P1 ;\n"
                                             " LDR W0,[X1] | LDR W0,[X1] ;\n STR W3,[X2] | STR W3,[X2] ;\n"
                                             "exists (0:X0=1 /\\ 1:X0=1)\n");
  const Finished own = heddle({"litmus", x86, arm});
  EXPECT_EQ(own.code, 0) << own.err;
  expectPart(own.out, "Observation SB Sometimes 1 3\n");
  expectPart(own.out, "Model tso, equivalence co");
  expectPart(own.out, "Observation LB Sometimes 1 3\n");
  expectPart(own.out, "Model armv8, equivalence co");
  const Finished both = heddle({"litmus", "--compare", "sc,armv8", x86, arm});
  expectPart(both.out, "SB    Never 3  Sometimes 4\nLB    Never 3  Sometimes 4\n");
}

TEST_F(CliLitmus, PrintsTheSimulatorsLayout) {
  const Finished run = heddle({"litmus", write("sb.litmus", storeBuffering(kExists))});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.err, "");
  const std::string time = "Time SB ";
  const std::size_t digits = run.out.find(time) + time.size();
  const std::string rest = "\nModel rc20, equivalence co\nExecutions 4\nBlocked 0\n\n";
  EXPECT_EQ(run.out.substr(0, digits),
            "Test SB Allowed\nStates 4\n0:r0=0; 1:r0=0;\n0:r0=0; 1:r0=1;\n0:r0=1; 1:r0=0;\n0:r0=1; 1:r0=1;\nOk\n"
            "Witnesses\nPositive: 1 Negative: 3\nCondition exists (0:r0=0 /\\ 1:r0=0)\nObservation SB Sometimes 1 3\n"
            "Time SB ");
  EXPECT_EQ(run.out.substr(run.out.find('\n', digits)), rest);
}

TEST_F(CliLitmus, AnswersByQuantifier) {
  struct Case {
    const char *condition, *model, *question, *answer;
    int code;
  };
  const Case cases[] = {
      {"exists (0:r0=0 /\\ 1:r0=0)", "sc", "Allowed", "\nNo\n", 0},  // an outcome, not an error
      {"exists (0:r0=0 /\\ 1:r0=0)", "tso", "Allowed", "\nOk\n", 0},
      {"~exists (0:r0=0 /\\ 1:r0=0)", "sc", "Forbidden", "\nOk\n", 0},
      {"~exists (0:r0=0 /\\ 1:r0=0)", "tso", "Forbidden", "\nNo\n", 1},
      {"forall (0:r0=1 \\/ 1:r0=1)", "sc", "Required", "\nOk\n", 0},
      {"forall (0:r0=1 \\/ 1:r0=1)", "tso", "Required", "\nNo\n", 1},
      {"locations [x; 0:r0]", "tso", "Required", "\nOk\n", 0},
  };
  for (const Case& c : cases) {
    const Finished run = heddle({"litmus", "--model", c.model, write("sb.litmus", storeBuffering(c.condition))});
    EXPECT_EQ(run.code, c.code) << c.condition << " " << c.model;
    expectPart(run.out, std::string("Test SB ") + c.question);
    expectPart(run.out, c.answer);
  }
}

TEST_F(CliLitmus, FinalMemoryUnderBothEquivalences) {
  const std::string file = write("w.litmus", "C W\n{ x=0; unused=7; }\n"
                                             "P0(atomic_int* x) { atomic_store_explicit(x, 1, memory_order_relaxed); }\n"
                                             "P1(atomic_int* x) { atomic_store_explicit(x, -2, memory_order_relaxed); }\n"
                                             "locations [unused]\nexists (x=1)\n");
  for (const char* equivalence : {"co", "rf"}) {
    const Finished run = heddle({"litmus", "--equivalence", equivalence, file});
    EXPECT_EQ(run.code, 0);
    expectPart(run.out, "States 2\nunused=7; x=-2;\nunused=7; x=1;\nOk\n");
    expectPart(run.out, "Positive: 1 Negative: 1\n");
    expectPart(run.out, std::string("Executions ") + (equivalence == std::string("co") ? "2\n" : "1\n"));
  }
}

TEST_F(CliLitmus, Race) {
  const std::string file = write("race.litmus", "C R\n{ d=0; }\nP0(int* d) {\n  *d = 1;\n}\nP1(int* d) {\n  int r0 = *d;\n}\n"
                                                "exists (1:r0=1)\n");
  const Finished run = heddle({"litmus", file});
  EXPECT_EQ(run.code, 1);
  expectPart(run.out, "Observation R Sometimes 1 1\n");
  expectPart(run.out, "Race on d");
  expectPart(run.out, "P0 line 4: plain write d   *d = 1\n");
  expectPart(run.out, "P1 line 7: plain read d   int r0 = *d\n");
  const json object = json::parse(heddle({"litmus", "--json", file}).out);
  EXPECT_EQ(object["tests"][0]["race"], true);
  EXPECT_EQ(object["tests"][0]["verdict"], "ok");
  EXPECT_EQ(object["tests"][0]["raceDetail"]["second"]["line"], 7);
}

TEST_F(CliLitmus, FailedAssertionWithTrace) {
  const std::string file = write("a.litmus", "C A\n{ x=0; }\nP0(atomic_int* x) {\n"
                                             "  int r0 = atomic_fetch_add_explicit(x, 2, memory_order_acq_rel);\n"
                                             "  assert(r0 == 0);\n}\n"
                                             "P1(atomic_int* x) {\n  atomic_store_explicit(x, 5, memory_order_release);\n}\n"
                                             "exists (x=2)\n");
  const Finished run = heddle({"litmus", file});
  EXPECT_EQ(run.code, 1);
  expectPart(run.out, "\nError\n");
  expectPart(run.out, "Error P0 line 5: assertion failed");
  expectPart(run.out, "               P0                                    P1\n"
                      "  1  a.litmus:8                                        store x = 5, release\n"
                      "  2  a.litmus:4  fetch_add x: 5 -> 7, acq_rel  from 1\n"
                      "  !  a.litmus:5  assertion failed\n"
                      "  Coherence of x: initial, 1, 2\n");
  const json test = json::parse(heddle({"litmus", "--json", file}).out)["tests"][0];
  EXPECT_EQ(test["verdict"], "error");
  EXPECT_EQ(test["errorDetail"]["line"], 5);
  EXPECT_EQ(test["errorDetail"]["threads"], json({"P0", "P1"}));
  EXPECT_EQ(test["errorDetail"]["trace"][0]["kind"], "store");
  EXPECT_EQ(test["errorDetail"]["trace"][1]["from"], 1);
  EXPECT_EQ(test["executions"], 2);
  EXPECT_EQ(test["failed"], 1);
}

// The execution that is drawn: a failed assertion or a race, or one that answers the question; one graph a test and model.
TEST_F(CliLitmus, Dot) {
  const std::string dot = dir_ + "/graph.dot";
  const std::string sb = write("sb.litmus", storeBuffering(kExists));
  EXPECT_EQ(heddle({"litmus", "--dot", dot, sb}).code, 0);
  const std::string graph = contentOf(dot);
  expectPart(graph, "digraph execution {\n  graph [label=\"SB under rc20: 0:r0=0; 1:r0=0;\"");
  expectPart(graph, "label=\"P1\";");
  expectPart(graph, "store x = 1, relaxed");
  expectPart(graph, "load y = 0, relaxed");
  heddle({"litmus", "--dot", dot, "--compare", "sc,tso", sb});
  expectPart(contentOf(dot), "SB under sc: no execution to show");
  expectPart(contentOf(dot), "SB under tso: 0:r0=0; 1:r0=0;");
  const std::string all = write("all.litmus", storeBuffering("forall (0:r0=1)"));
  for (const char* jobs : {"1", "2"}) {
    heddle({"litmus", "--dot", dot, "-j", jobs, all});
    EXPECT_EQ(contentOf(dot).find("0:r0=1"), std::string::npos) << "one in which the formula does not hold";
    expectPart(contentOf(dot), "SB under rc20: 0:r0=0;");
  }
  const std::string race = write("race.litmus", "C R\n{ d=0; }\nP0(int* d) {\n  *d = 1;\n}\nP1(int* d) {\n  int r0 = *d;\n}\n"
                                                "exists (1:r0=1)\n");
  heddle({"litmus", "--dot", dot, race});
  expectPart(contentOf(dot), "R under rc20: data race on d");
  expectPart(contentOf(dot), "plain write d = 1\\n" + race + ":4\", color=red");
  EXPECT_EQ(heddle({"litmus", "--dot", dir_ + "/no/such/folder.dot", sb}).code, 2);
}

TEST_F(CliLitmus, Json) {
  const Finished run = heddle({"litmus", "--json", "--model", "sc", write("sb.litmus", storeBuffering(kExists))});
  EXPECT_EQ(run.code, 0);
  const json test = json::parse(run.out).at("tests").at(0);
  EXPECT_EQ(test["name"], "SB");
  EXPECT_EQ(test["file"], dir_ + "/sb.litmus");
  EXPECT_EQ(test["model"], "sc");
  EXPECT_EQ(test["verdict"], "no");
  EXPECT_EQ(test["observation"], "Never");
  EXPECT_EQ(test["race"], false);
  EXPECT_EQ(test["complete"], true);
  EXPECT_EQ(test["states"].size(), 3U);
  EXPECT_EQ(test["states"][0], "0:r0=0; 1:r0=1;");
  EXPECT_EQ(test["executions"], 3);
  EXPECT_EQ(test["blocked"], 0);
  EXPECT_TRUE(test["seconds"].is_number());
}

TEST_F(CliLitmus, DirectoriesAreSearchedInOrder) {
  write("tests/b/two.litmus", storeBuffering(kExists, "seq_cst"));
  write("tests/a/one.litmus", storeBuffering(kExists));
  write("tests/a/readme.txt", "not a test");
  const Finished run = heddle({"litmus", dir_ + "/tests"});
  EXPECT_EQ(run.code, 0);
  EXPECT_LT(run.out.find("Sometimes"), run.out.find("Never"));
  expectPart(run.out, "\nTest  Verdict  Observation");
  expectPart(run.out, "2 runs: 1 ok, 1 no\n");
}

TEST_F(CliLitmus, Compare) {
  const std::string file = write("sb.litmus", storeBuffering(kExists));
  const Finished run = heddle({"litmus", "--compare", "sc,tso,rc20", file});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out, "Test  sc       tso          rc20\nSB    Never 3  Sometimes 4  Sometimes 4\n");
  const json object = json::parse(heddle({"litmus", "--json", "--compare", "sc,tso", file}).out);
  ASSERT_EQ(object["tests"].size(), 2U);
  EXPECT_EQ(object["tests"][1]["model"], "tso");
}

TEST_F(CliLitmus, Check) {
  const std::string right = "//! rc20: Sometimes, executions 4, executions-rf 4, states 4\n//! sc: Always\n";
  const std::string good = write("good.litmus", storeBuffering(right + "forall (0:r0=1 \\/ 1:r0=1)"));
  EXPECT_EQ(heddle({"litmus", "--check", good}).code, 0) << "the file announces that its claim is broken";
  EXPECT_EQ(heddle({"litmus", good}).code, 1);
  EXPECT_EQ(heddle({"litmus", "--check", "--model", "sc", good}).code, 0);
  const std::string bad = write("bad.litmus", storeBuffering("//! rc20: Never, executions 3, states 3, race, error\n"
                                                             "//! rc20 state 0:r0=0; 1:r0=7;\n" +
                                                             std::string(kExists)));
  EXPECT_EQ(heddle({"litmus", bad}).code, 0);
  const Finished run = heddle({"litmus", "--check", bad});
  EXPECT_EQ(run.code, 1);
  expectPart(run.out, "Unexpected observation: expected Never, found Sometimes\n");
  expectPart(run.out, "Unexpected executions: expected 3, found 4\n");
  expectPart(run.out, "Unexpected states: expected 3, found 4\n");
  expectPart(run.out, "Unexpected race: expected one, found none\n");
  expectPart(run.out, "Unexpected error: expected a failed assertion, found none\n");
  expectPart(run.out, "Unexpected state 0:r0=0; 1:r0=7; expected, not found\n");
  expectPart(run.out, "Unexpected state 0:r0=0; 1:r0=0; found, not expected\n");
  EXPECT_EQ(heddle({"litmus", "--check", "--compare", "rc20,sc", bad}).code, 1);
}

TEST_F(CliLitmus, MaxExecutions) {
  const std::string file = write("sb.litmus", storeBuffering(kExists));
  const Finished cut = heddle({"litmus", "--max-executions", "2", file});
  EXPECT_EQ(cut.code, 3);
  expectPart(cut.out, "\nIncomplete\n");
  expectPart(cut.out, "Incomplete SB: stopped after 2 executions; covered 2 executions");
  EXPECT_EQ(heddle({"litmus", "--max-executions", "4", file}).code, 0) << "there are no more than 4";
}

TEST_F(CliLitmus, TimeBudget) {
  const std::string file = write("endless.litmus", endless());
  for (const char* equivalence : {"co", "rf"}) {
    const Finished run = heddle({"litmus", "--time", "0.2", "--equivalence", equivalence, file});
    EXPECT_EQ(run.code, 3);
    expectPart(run.out, "Incomplete endless: out of time after 0.2 s; covered ");
  }
  const json test = json::parse(heddle({"litmus", "--json", "--time", "0.2", file}).out)["tests"][0];
  EXPECT_EQ(test["verdict"], "incomplete");
  EXPECT_EQ(test["complete"], false);
}

TEST_F(CliLitmus, TimeBudgetIsForEachRun) {
  const std::string slow = write("endless.litmus", endless());
  const std::string fast = write("sb.litmus", storeBuffering(kExists));
  const Finished run = heddle({"litmus", "--time", "0.2", slow, fast});
  EXPECT_EQ(run.code, 3);
  expectPart(run.out, "Observation SB Sometimes 1 3\n");
}

TEST_F(CliLitmus, Interrupt) {
  const std::string file = write("endless.litmus", endless());
  const Finished run = heddle({"litmus", "--json", "--progress", "on", file, file}, true);
  EXPECT_EQ(run.code, 3);
  const json object = json::parse(run.out);
  ASSERT_EQ(object["tests"].size(), 1U);
  EXPECT_EQ(object["tests"][0]["incomplete"], "interrupted");
  EXPECT_GT(object["tests"][0]["executions"], 0);
  expectPart(run.err, "1 of 2 files were not run");
}

TEST_F(CliLitmus, SpuriousFailures) {
  const std::string file = write("weak.litmus", "C weak\n{ x=0; }\nP0(atomic_int* x) {\n  int e = 0;\n  int r0 = "
                                                "atomic_compare_exchange_weak_explicit(x, &e, 1, memory_order_relaxed, "
                                                "memory_order_relaxed);\n}\nexists (0:r0=0)\n");
  expectPart(heddle({"litmus", file}).out, "Sometimes 1 1");
  expectPart(heddle({"litmus", "--no-spurious", file}).out, "Never 0 1");
}

TEST_F(CliLitmus, StaleReads) {
  const std::string load = "atomic_load_explicit(x, memory_order_relaxed);\n";
  const std::string file = write("look.litmus", "C look\n{ x=0; }\nP0(atomic_int* x) {\nint r0 = " + load + "int r1 = " + load +
                                                    "int r2 = " + load + "}\nP1(atomic_int* x) {\n" +
                                                    "atomic_store_explicit(x, 1, memory_order_relaxed);\n}\nexists (0:r2=0)\n");
  const Finished cut = heddle({"litmus", "--stale", "1", file});
  EXPECT_EQ(cut.code, 3);
  expectPart(cut.out, "Executions 2\n");
  expectPart(cut.out, "Incomplete look: --stale 1 has left out a load of an overwritten value;");
  EXPECT_EQ(json::parse(heddle({"litmus", "--json", "--stale", "2", file}).out)["tests"][0]["staleReads"], 1);
  const Finished whole = heddle({"litmus", "--stale", "3", file});
  EXPECT_EQ(whole.code, 0);
  expectPart(whole.out, "Executions 4\n");
}

TEST_F(CliLitmus, QuietAndColor) {
  const std::string file = write("sb.litmus", storeBuffering(kExists));
  EXPECT_EQ(heddle({"litmus", "--quiet", file}).out, "Observation SB Sometimes 1 3\n");
  expectPart(heddle({"litmus", "--color", "always", file}).out, "\x1b[32mOk\x1b[0m");
  EXPECT_EQ(heddle({"litmus", file}).out.find('\x1b'), std::string::npos) << "not a terminal";
  expectPart(heddle({"litmus", "--progress", "on", file}).err, "[0/1] SB");
}

}  // namespace
}  // namespace heddle::cli
