// Bad input and bad usage: always a message that says what and where, and exit code 2; never a crash.

#include <nlohmann/json.hpp>

#include "cli_helpers.h"

namespace heddle::cli {
namespace {

class CliInput : public CliTest {
 protected:
  void expectBad(const std::vector<std::string>& arguments, const std::string& part) const {
    const Finished run = heddle(arguments);
    EXPECT_EQ(run.code, 2);
    expectPart(run.err, part);
  }
};

TEST_F(CliInput, Usage) {
  const std::string file = write("sb.litmus", storeBuffering("exists (0:r0=0)"));
  expectBad({}, "Usage: heddle");
  expectBad({"frobnicate"}, "no command `frobnicate`");
  expectBad({"litmus"}, "needs a file or a directory");
  expectBad({"litmus", "--bogus", file}, "--bogus");
  expectBad({"litmus", "--equivalence", "hb", file}, "--equivalence is one of co, rf, not `hb`");
  expectBad({"litmus", "--time", "soon", file}, "--time needs a number, at least 0.001, not `soon`");
  expectBad({"litmus", "--time", "-1", file}, "--time");
  expectBad({"litmus", "--time", "nan", file}, "--time");
  expectBad({"litmus", "--max-executions", "1.5", file}, "--max-executions needs a whole number");
  expectBad({"litmus", "--max-executions", "99999999999999999999", file}, "--max-executions");
  expectBad({"litmus", "--compare", "sc,,tso", file}, "--compare: an empty name");
  expectBad({"litmus", file, "--model"}, "--model");
  expectBad({"help", "frobnicate"}, "no command `frobnicate`");
}

TEST_F(CliInput, Files) {
  expectBad({"litmus", dir_ + "/nowhere.litmus"}, "nowhere.litmus: error: cannot open the file");
  std::filesystem::create_directory(dir_ + "/empty");
  expectBad({"litmus", dir_ + "/empty"}, "no .litmus file in this directory");
  expectBad({"litmus", "/dev/zero"}, "too large");
  expectBad({"litmus", write("none.litmus", "")}, "none.litmus:1:1: error:");
}

TEST_F(CliInput, Tests) {
  const std::string sb = storeBuffering("exists (0:r0=0)");
  expectBad({"litmus", write("t.litmus", sb.substr(0, sb.size() / 2))}, "t.litmus:");
  expectBad({"litmus", write("u.litmus", "C u\n{ x=0; }\nP0(atomic_int* x) {\n  frobnicate(x);\n}\nexists (x=1)\n")},
            "u.litmus:4:3: error: unknown function `frobnicate`");
  expectBad({"litmus", write("l.litmus", "C l\n{ x=0; }\nP0(atomic_int* x) {\n  while (1) { }\n}\nexists (x=1)\n")},
            "l.litmus:4:3: error: unbounded loop");
}

TEST_F(CliInput, Garbage) {
  std::string garbage;
  std::uint64_t state = 1;
  for (int i = 0; i < 10'000'000; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    garbage += static_cast<char>(state >> 56);
  }
  expectBad({"litmus", write("g.litmus", garbage)}, "g.litmus:1:");
  expectBad({"litmus", write("p.litmus", "C p\n{ x=0; }\nP0(atomic_int* x) { int r = " + std::string(1'000'000, '('))},
            "p.litmus:3:");
  const std::string good = write("sb.litmus", storeBuffering("exists (0:r0=0)"));
  expectBad({"litmus", "--model", write("g.cat", garbage), good}, "g.cat:");
  expectBad({"litmus", "--model", write("p.cat", "acyclic " + std::string(1'000'000, '(')), good}, "p.cat:1:");
}

TEST_F(CliInput, TheRestIsRunAllTheSame) {
  const std::string bad = write("bad.litmus", "C bad\n");
  const std::string good = write("good.litmus", storeBuffering("exists (0:r0=0)"));
  const Finished run = heddle({"litmus", "--json", bad, good});
  EXPECT_EQ(run.code, 2);
  const auto tests = nlohmann::json::parse(run.out)["tests"];
  ASSERT_EQ(tests.size(), 2U);
  EXPECT_EQ(tests[0]["name"], "SB");
  EXPECT_TRUE(tests[1]["name"].is_null());
  EXPECT_EQ(tests[1]["file"], bad);
  expectPart(tests[1]["error"].get<std::string>(), "bad.litmus:");
}

TEST_F(CliInput, Models) {
  const std::string file = write("sb.litmus", storeBuffering("exists (0:r0=0)"));
  expectBad({"litmus", "--model", "nowhere", file}, "no model `nowhere`");
  expectBad({"litmus", "--compare", "sc,nowhere", file}, "no model `nowhere`");
  expectBad({"litmus", "--model", "/dev/zero", file}, "is a device");
  expectBad({"litmus", "--model", dir_, file}, "is a directory");
  const std::string wrong = write("wrong.cat", "\"wrong\"\nacyclic po | rff as x\n");
  expectBad({"litmus", "--model", wrong, file}, "wrong.cat:2:14: error: unknown name `rff`");
  expectBad({"models", wrong}, "wrong.cat:2:14: error:");
  const Finished json = heddle({"litmus", "--json", "--model", wrong, file});
  EXPECT_EQ(json.code, 2);
  expectPart(nlohmann::json::parse(json.out)["error"].get<std::string>(), "wrong.cat:2:14");
}

TEST_F(CliInput, RefusedModel) {
  const std::string file = write("sb.litmus", storeBuffering("exists (0:r0=0 /\\ 1:r0=0)"));
  const std::string weak = write("weak.cat", "\"weak\"\nlet eco = (rf | co | rb)+\nirreflexive (po ; eco) as coherence\n");
  const Finished refused = heddle({"litmus", "--model", weak, file});
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.out, "");
  expectPart(refused.err, "refused");
  expectPart(refused.err, "no cycle in po | rf (load buffering): no axiom forbids");
  expectPart(refused.err, "atomic read-modify-writes: there is no axiom");
  EXPECT_EQ(refused.err.find("prefix-closed"), std::string::npos) << "that one is established";
  const Finished assumed = heddle({"litmus", "--assume-requirements", "--model", weak, file});
  EXPECT_EQ(assumed.code, 0);
  expectPart(assumed.err, "warning");
  expectPart(assumed.out, "Observation SB Sometimes 1 3\n");
  expectPart(assumed.out, "requirements assumed");
}

class CliHelp : public CliTest {};

TEST_F(CliHelp, TheManualIsWhatTheProgramPrints) {
  const Finished run = heddle({"help", "--markdown"});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out, contentOf(HEDDLE_SOURCE_DIR "/docs/manual.md"))
      << "make it again: heddle help --markdown > docs/manual.md";
}

TEST_F(CliHelp, EveryOptionIsExplained) {
  const std::string help = heddle({"litmus", "--help"}).out;
  for (const char* option : {"--model", "--equivalence", "--compare", "--json", "--no-spurious", "--time", "--check",
                             "--max-executions", "--quiet", "--progress", "--color", "--assume-requirements"}) {
    expectPart(help, option);
  }
  EXPECT_EQ(heddle({"help", "litmus"}).out, help);
  EXPECT_EQ(heddle({"--help"}).code, 0);
  const Finished version = heddle({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(version.out.rfind("heddle ", 0), 0U);
}

TEST_F(CliHelp, Models) {
  const Finished list = heddle({"models"});
  EXPECT_EQ(list.code, 0);
  expectPart(list.out, "rc20       RC11 with the release sequences of C++20, the C/C++ model of today\n");
  EXPECT_EQ(heddle({"models", "rc20"}).out, contentOf(HEDDLE_MODELS_DIR "/rc20.cat"));
  const Finished requirements = heddle({"models", "--requirements", "tso"});
  EXPECT_EQ(requirements.code, 0);
  expectPart(requirements.out, "prefix-closed");
}

// What the examples say about themselves holds, under built-in models and the one that comes with them.
TEST_F(CliHelp, Examples) {
  const std::string examples = HEDDLE_SOURCE_DIR "/examples";
  for (const std::string model : {"sc", "tso", "mca", "rc20", "my-model"}) {
    const std::string path = model == "my-model" ? examples + "/my-model.cat" : model;
    const Finished run = heddle({"litmus", "--check", "--json", "--model", path, examples});
    const auto object = nlohmann::json::parse(run.out);
    EXPECT_GE(object["tests"].size(), 5U);
    for (const auto& test : object["tests"]) EXPECT_FALSE(test.contains("unexpected")) << test.dump(2);
  }
}

}  // namespace
}  // namespace heddle::cli
