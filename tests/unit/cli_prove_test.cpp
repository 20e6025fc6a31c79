// `heddle prove` as a person runs it: answers, exit codes, files for refutations, and the explorer's opinion of them.
#include <nlohmann/json.hpp>

#include "unit/cli_helpers.h"

namespace heddle::cli {
namespace {

const std::string kModels = "include \"sc.cat\" as sc\ninclude \"tso.cat\" as tso\n";

class CliProve : public CliTest {};

TEST_F(CliProve, AnswersAndExitCodes) {
  const std::string good = write("good.prove", kModels + "assert sc stronger tso as a\n");
  const Finished proved = heddle({"prove", good});
  EXPECT_EQ(proved.code, 0);
  expectPart(proved.out, good + ":3: a: proved (");
  const std::string bad = write("bad.prove", kModels + "assert tso stronger sc as b\n");
  const Finished refuted = heddle({"prove", bad});
  EXPECT_EQ(refuted.code, 1);
  expectPart(refuted.out, bad + ":3: b: refuted (");
  expectPart(refuted.out, "but proved was expected");
  expectPart(refuted.out, "thread 0");
  expectPart(refuted.out, "by exploration: tso allows it, sc does not allow it");
  const std::string expected = write("expected.prove", kModels + "assert tso stronger sc as b expect refuted\n");
  EXPECT_EQ(heddle({"prove", expected}).code, 0);
  // What cannot be expressed is not decided, and the reason names it.
  const std::string outside = write("outside.prove", "assert (po & rf) <= po\n");
  const Finished undecided = heddle({"prove", outside});
  EXPECT_EQ(undecided.code, 3);
  expectPart(undecided.out, "not decided");
  expectPart(undecided.out, "because: ");
}

TEST_F(CliProve, MistakesNameTheirPlaceAndOtherFilesAreAnswered) {
  const std::string wrong = write("wrong.prove", kModels + "assert sc stronger tsoo\n");
  const std::string good = write("good.prove", kModels + "assert sc stronger tso as a\n");
  const Finished run = heddle({"prove", wrong, dir_ + "/none.prove", write("empty.prove", kModels), good});
  EXPECT_EQ(run.code, 2);
  expectPart(run.err, wrong + ":3:20: error: there is no model `tsoo`");
  expectPart(run.err, "none.prove: error: cannot read the file");
  expectPart(run.err, "empty.prove: error: there is no `assert`");
  expectPart(run.out, "a: proved");
}

// Files of other tools: what they include is supplied although it lies beside them, and the answer says what cannot be proved about.
TEST_F(CliProve, FilesOfOthers) {
  write("cos.cat", "if \"cos-opt\"\n  include \"cos-ok-opt.cat\"\nend\n");
  write("theirs.cat", "TSO\ninclude \"cos.cat\"\nacyclic po-loc | rf | fr | co as uniproc\nempty rmw & (fre ; coe) as atomic\n"
                      "acyclic po & ((R * M) | (W * W)) | po & (W * R & (RMW * M | M * RMW)) | co | fr | rfe as ghb\n");
  const std::string sc = "include \"sc.cat\" as sc\n";
  const Finished proved = heddle({"prove", write("a.prove", sc + "include \"theirs.cat\" as t\nassert sc stronger t as a\n")});
  expectPart(proved.out, "a: proved");
  write("ranges.cat", "include \"cos.cat\"\nacyclic [range(rmw)] ; po | rf as a\n");
  const Finished ranges = heddle({"prove", write("b.prove", sc + "include \"ranges.cat\" as r\nassert sc stronger r as b\n")});
  EXPECT_EQ(ranges.code, 3) << ranges.out << ranges.err;
  expectPart(ranges.out, "ranges.cat:2:");
  write("unsettled.cat", "let rec x = po \\ x\nacyclic x as a\n");
  const Finished unsettled =
      heddle({"prove", write("c.prove", sc + "include \"unsettled.cat\" as u\nassert sc stronger u as c\n")});
  EXPECT_NE(unsettled.code, 0);
  EXPECT_NE(unsettled.code, 4) << unsettled.err;
  write("tags.cat", "acyclic [Plain] ; po as a\n");
  write("tags.bell", "let Plain = M \\ Once\n");
  const Finished tags = heddle({"prove", write("d.prove", sc + "include \"tags.cat\" as t\nassert sc stronger t as d\n")});
  EXPECT_EQ(tags.code, 2) << tags.out << tags.err;
  expectPart(tags.out + tags.err, "`Once` is a tag of the Linux kernel's primitives");
  write("negated.cat", "~empty rf as a\n");
  const Finished negated =
      heddle({"prove", write("e.prove", sc + "include \"negated.cat\" as n\nassert sc stronger n as e\n")});
  EXPECT_EQ(negated.code, 2);
  expectPart(negated.err, "negated.cat:1:1: error: an axiom with `~`");
}

TEST_F(CliProve, RefutationsAreLitmusTestsThatTellTheModelsApart) {
  const std::string file = write("q.prove", kModels + "assert sc equivalent tso as same expect refuted\n");
  const Finished run = heddle({"prove", "--litmus", dir_ + "/out", "--dot", dir_ + "/out", file});
  EXPECT_EQ(run.code, 0);
  const std::string test = dir_ + "/out/q-same.litmus";
  expectPart(run.out, "to run it: heddle litmus --compare sc,tso " + test);
  expectPart(contentOf(dir_ + "/out/q-same.dot"), "store y = 1, ");
  expectPart(run.out, "  initial value\n");
  expectPart(run.out, "  rb: ");
  const Finished compared = heddle({"litmus", "--json", "--compare", "sc,tso", test});
  const auto tests = nlohmann::json::parse(compared.out)["tests"];
  EXPECT_EQ(tests[0]["observation"], "Never") << contentOf(test);
  EXPECT_EQ(tests[1]["observation"], "Sometimes") << contentOf(test);
}

TEST_F(CliProve, SchemesHaveASourceAndWhatItBecomes) {
  const std::string file = write("q.prove", "include \"prove/x86-tso.cat\" as x86\ninclude \"sc.cat\" as sc\n"
                                            "mapping half\n  W & SC -> W ; F & SC\nend\n"
                                            "assert x86 stronger sc by half as half expect refuted\n");
  const Finished run = heddle({"prove", "--litmus", dir_, file});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  expectPart(run.out, "what it is compiled to: " + dir_ + "/q-half-compiled.litmus");
  expectPart(run.out, "x86 allows it, sc does not allow it");
}

TEST_F(CliProve, Json) {
  const std::string file = write("q.prove", kModels + "assert sc stronger tso as a\nassert tso stronger sc as b\n");
  const Finished run = heddle({"prove", "--json", file});
  EXPECT_EQ(run.code, 1);
  const auto assertions = nlohmann::json::parse(run.out)["assertions"];
  ASSERT_EQ(assertions.size(), 2U);
  EXPECT_EQ(assertions[0]["answer"], "proved");
  EXPECT_EQ(assertions[0]["line"], 3);
  EXPECT_EQ(assertions[1]["answer"], "refuted");
  EXPECT_EQ(assertions[1]["expected"], "proved");
  expectPart(assertions[1]["litmus"], "exists (");
  EXPECT_EQ(assertions[1]["threads"][0], "thread 0");
  EXPECT_TRUE(std::ranges::any_of(assertions[1]["trace"], [](const auto& event) { return event["kind"] == "store"; }));
  EXPECT_EQ(nlohmann::json::parse(heddle({"prove", "--json", dir_ + "/none"}).out)["errors"].size(), 1U);
}

TEST_F(CliProve, QuestionsAboutOneModel) {
  const Finished requirements = heddle({"prove", "--requirements", "sc"});
  EXPECT_EQ(requirements.code, 0);
  expectPart(requirements.out, "no load buffering");
  const Finished swaps = heddle({"prove", "--transform", "--json", "tso"});
  EXPECT_EQ(swaps.code, 0);
  for (const auto& swap : nlohmann::json::parse(swaps.out)["models"][0]["swaps"]) {
    const bool writeThenRead =
        swap["first"] != "W sc" && swap["first"].get<std::string>()[0] == 'W' && swap["second"].get<std::string>()[0] == 'R';
    EXPECT_EQ(swap["answer"], writeThenRead ? "yes" : "no") << swap;
  }
}

TEST_F(CliProve, AFenceThatAddsBehaviourIsShown) {
  const std::string torn =
      write("torn.cat", "\"torn\"\nacyclic ([M] ; (po \\ (po ; [F & SC] ; po)) ; [M] | rf | co | rb) as order\n");
  const Finished run = heddle({"prove", "--requirements", torn});
  EXPECT_EQ(run.code, 0) << run.err;
  expectPart(run.out, "monotone under inserted release fences  proved");
  expectPart(run.out, "Not monotone under inserted seq_cst fences: axiom order fails without the inserted fence");
  expectPart(run.out, "inserted fence, seq_cst");
  const auto list = nlohmann::json::parse(heddle({"prove", "--requirements", "--json", torn}).out)["models"][0]["requirements"];
  const nlohmann::json& last = list.back();
  EXPECT_EQ(last["what"], "monotone under inserted seq_cst fences");
  EXPECT_EQ(last["answer"], "refuted");
  EXPECT_TRUE(std::ranges::any_of(last["counterexample"]["trace"],
                                  [](const auto& event) { return event["kind"] == "inserted fence"; }));
}

// The first axiom alone does not forbid load buffering; with coherence it does.
TEST_F(CliProve, ModelsOfOnesOwnAreProvedFit) {
  const std::string mine =
      write("mine.cat", "\"mine\"\nacyclic ([R] ; po | po ; [W] | rfe | co | rb) as order\n"
                        "irreflexive (po ; (rf | co | rb)+) as coherence\nempty rmw & (rb ; co) as atomicity\n");
  const std::string test = write("sb.litmus", storeBuffering("exists (0:r0=0 /\\ 1:r0=0)"));
  const Finished run = heddle({"litmus", "--model", mine, test});
  EXPECT_EQ(run.code, 0) << run.err;
  expectPart(run.err, "model mine (" + mine + "): established: no cycle in po | rf");
  expectPart(run.err, "assumed: nothing");
  expectPart(run.out, "Observation SB Sometimes 1 3\n");
  EXPECT_EQ(heddle({"litmus", "--quiet", "--model", mine, test}).err, "");
  EXPECT_EQ(heddle({"litmus", "--model", "tso", test}).err, "");
  // A proof does not cover programs that create threads.
  const std::string program = write("p.c", "int main(void) { return 0; }\n");
  const Finished refused = heddle({"check", "--model", mine, program});
  EXPECT_EQ(refused.code, 2);
  expectPart(refused.err, "only of programs whose threads all exist from the beginning");
}

TEST_F(CliProve, AnEqualityThatDoesNotHoldNamesTheSide) {
  const Finished right = heddle({"prove", write("right.prove", "assert po ; po = po expect refuted\n")});
  EXPECT_EQ(right.code, 0);
  expectPart(right.out, "is a pair of the right side only");
  const Finished left = heddle({"prove", write("left.prove", "assert po = po ; po expect refuted\n")});
  EXPECT_EQ(left.code, 0);
  expectPart(left.out, "is a pair of the left side only");
}

}  // namespace
}  // namespace heddle::cli
