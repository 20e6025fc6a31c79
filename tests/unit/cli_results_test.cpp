// What is written for those who collect results: --junit, --sarif, --github, and --require.

#include <nlohmann/json.hpp>

#include "abi/heddle_kinds.h"
#include "cli_helpers.h"
#include "report/results/results.h"
#include "report/results/rules.h"

namespace heddle::cli {
namespace {

using nlohmann::json;

class CliResults : public CliTest {
 protected:
  Finished run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--junit", junit(), "--sarif", sarif()});
    return heddle(arguments);
  }

  std::string junit() const { return dir_ + "/results.xml"; }
  std::string sarif() const { return dir_ + "/results.sarif"; }
  json sarifRun() const { return json::parse(contentOf(sarif())).at("runs").at(0); }
};

// The race is in line 7 after the lines of `before`.
std::string racy(const std::string& before = "") {
  return before + "#include <pthread.h>\n"
                  "int shared;\n"
                  "static void* other(void* unused) { shared = 1; return unused; }\n"
                  "int main(void) {\n"
                  "  pthread_t thread;\n"
                  "  pthread_create(&thread, 0, other, 0);\n"
                  "  int seen = shared;\n"
                  "  pthread_join(thread, 0);\n"
                  "  return seen & 0;\n"
                  "}\n";
}

TEST_F(CliResults, OfAProgramThatIsRight) {
  const std::string file = write("right.c", "int main(void) { return 0; }\n");
  EXPECT_EQ(run({"check", file}).code, 0);
  const std::string xml = contentOf(junit());
  expectPart(xml, R"(tests="1" failures="0" errors="0")");
  expectPart(xml, "right.c under rc20");
  EXPECT_EQ(sarifRun().at("results"), json::array());
  EXPECT_EQ(sarifRun().at("invocations").at(0).at("executionSuccessful"), true);
}

TEST_F(CliResults, OfAnError) {
  const std::string file = write("a race.c", racy());
  EXPECT_EQ(run({"check", file, "--github"}).code, 1);
  const std::string xml = contentOf(junit());
  expectPart(xml, R"(tests="1" failures="1" errors="0")");
  expectPart(xml, R"(<failure type="data-race" message="data race)");
  const json found = sarifRun().at("results").at(0);
  EXPECT_EQ(found.at("ruleId"), "data-race");
  const json place = found.at("locations").at(0).at("physicalLocation");
  EXPECT_EQ(place.at("artifactLocation").at("uri"), "file://" + dir_ + "/a%20race.c");
  EXPECT_TRUE(place.at("region").at("startLine") == 7 || place.at("region").at("startLine") == 3);
  EXPECT_EQ(found.at("relatedLocations").size(), 1U);
  const json flows = found.at("codeFlows").at(0).at("threadFlows");
  EXPECT_GE(flows.size(), 1U);
  EXPECT_EQ(flows.at(0).at("id"), "main");
}

// A mistake is the same one when lines are added above it, and another one when it is in another function.
TEST_F(CliResults, FingerprintsStay) {
  const auto identity = [&](const std::string& text) {
    run({"check", write("race.c", text)});
    return sarifRun().at("results").at(0).at("partialFingerprints").at("heddle/v1").get<std::string>();
  };
  const std::string first = identity(racy());
  EXPECT_EQ(identity(racy("// a line more\n\n")), first);
  std::string renamed = racy();
  for (std::size_t at = 0; (at = renamed.find("other", at)) != std::string::npos; at += 5) renamed.replace(at, 5, "third");
  EXPECT_NE(identity(renamed), first);
}

TEST_F(CliResults, Annotations) {
  const Finished text = heddle({"check", "--quiet", "--github", write("race.c", racy())});
  expectPart(text.out, "\n::error file=" + dir_ + "/race.c,line=");
  expectPart(text.out, "\n::notice file=" + dir_ + "/race.c,line=");
  const Finished object = heddle({"check", "--json", "--github", dir_ + "/race.c"});
  EXPECT_TRUE(json::accept(object.out));  // which is all of standard output
  expectPart(object.err, "::error file=");
}

TEST(Results, AnnotationsAreOneLine) {
  report::Result result;
  result.name = "a, b: 100%";
  result.file = "x.c";
  result.status = report::Result::Status::failed;
  result.message = "first\nsecond, third";
  std::string text;
  for (const report::ResultFormat& format : report::resultFormats()) {
    if (!format.toFile) text += format.text({&result, 1}, "1");
  }
  EXPECT_EQ(text, "::error file=x.c,title=heddle a%2C b%3A 100%25::first%0Asecond, third\n");
}

TEST_F(CliResults, OfBadInput) {
  EXPECT_EQ(run({"check", write("broken.c", "int main(void) {\n")}).code, 2);
  expectPart(contentOf(junit()), R"(<error type="bad-input")");
  const json invocation = sarifRun().at("invocations").at(0);
  EXPECT_EQ(invocation.at("executionSuccessful"), false);
  EXPECT_EQ(invocation.at("toolExecutionNotifications").size(), 1U);
  EXPECT_EQ(heddle({"check", dir_ + "/broken.c", "--junit", dir_ + "/none/x.xml"}).code, 2);
}

TEST_F(CliResults, OfLitmusTests) {
  write("tests/a.litmus", storeBuffering("~exists (0:r0=0 /\\ 1:r0=0)"));
  write("tests/b.litmus", "//! sc: executions 7\n" + storeBuffering("exists (0:r0=0 /\\ 1:r0=0)"));
  write("tests/c.litmus", "C broken\n");
  EXPECT_EQ(run({"litmus", "--check", "--model", "sc", dir_ + "/tests"}).code, 2);
  const std::string xml = contentOf(junit());
  expectPart(xml, R"(tests="3" failures="1" errors="1")");
  expectPart(xml, R"(<failure type="expectation" message="executions: expected 7, found 3">)");
  EXPECT_EQ(run({"litmus", "--model", "tso", dir_ + "/tests/a.litmus"}).code, 1);
  expectPart(contentOf(junit()), R"(<failure type="claim")");
  EXPECT_EQ(sarifRun().at("results").at(0).at("ruleId"), "claim");
}

TEST_F(CliResults, OfClaims) {
  const std::string file = write("x.prove", "assert po <= rf as wrong\nassert po <= po as right\n");
  EXPECT_EQ(run({"prove", file}).code, 1);
  expectPart(contentOf(junit()), R"(tests="2" failures="1" errors="0")");
  const json found = sarifRun().at("results");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.at(0).at("locations").at(0).at("physicalLocation").at("region").at("startLine"), 1);
}

TEST_F(CliResults, RequiredVerdict) {
  const std::string loop = write("loop.c", "#include <stdatomic.h>\nint main(void) {\n  atomic_int x = 0;\n"
                                           "  while (atomic_fetch_add(&x, 1) < 100) {\n  }\n  return 0;\n}\n");
  EXPECT_EQ(heddle({"check", "--unroll-loop", "loop.c:4=3", loop}).code, 3);
  const Finished cut = run({"check", "--require", "verified", "--sample", "1", loop});
  EXPECT_EQ(cut.code, 1);
  expectPart(cut.err, "heddle: the verdict is `sampled`, and `verified` is required");
  expectPart(contentOf(junit()), R"(<failure type="required-verdict")");
  EXPECT_EQ(heddle({"check", "--require", "verified", loop}).code, 0);
  EXPECT_EQ(heddle({"check", "--require", "bounded", loop}).code, 2);
  EXPECT_EQ(heddle({"check", "--require", "verified", write("race.c", racy())}).code, 1);
}

// Whatever can be wrong has a name and a word of advice.
TEST(Results, EveryKindHasARule) {
#define HEDDLE_KIND(name, kind, title) kind,
  for (const std::string kind : {HEDDLE_ERROR_KINDS(HEDDLE_KIND) "claim", "expectation", "required-verdict"}) {
#undef HEDDLE_KIND
    EXPECT_NE(report::ruleTitle(kind), "") << kind;
    EXPECT_NE(report::ruleHelp(kind), "") << kind;
  }
}

}  // namespace
}  // namespace heddle::cli
