// `heddle check`: bad input and bad usage, and real programs from source to verdict.

#include <nlohmann/json.hpp>

#include "cli_helpers.h"

namespace heddle::cli {
namespace {

using nlohmann::json;

class CliCheck : public CliTest {
 protected:
  void expectBad(const std::vector<std::string>& arguments, const std::string& part) const {
    const Finished run = heddle(arguments);
    EXPECT_EQ(run.code, 2) << run.out << run.err;
    EXPECT_EQ(run.out, "");
    expectPart(run.err, part);
  }

  std::string trivial() const { return write("trivial.c", "int main(void) { return 0; }\n"); }
};

// Two threads, each a line of statements; `after` runs when both have been joined.
std::string twoThreads(const std::string& declarations, const std::string& one, const std::string& two,
                       const std::string& after = "") {
  return "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n" + declarations +
         "\nstatic void* one(void* unused) {\n  " + one + "\n  return unused;\n}\nstatic void* two(void* unused) {\n  " + two +
         "\n  return unused;\n}\nint main(void) {\n  pthread_t a, b;\n  pthread_create(&a, 0, one, 0);\n"
         "  pthread_create(&b, 0, two, 0);\n  pthread_join(a, 0);\n  pthread_join(b, 0);\n  " +
         after + "\n  return 0;\n}\n";
}

const char* const kStoreX = "atomic_store_explicit(&x, 1, memory_order_relaxed);";
const char* const kStoreY = "atomic_store_explicit(&y, 1, memory_order_relaxed);";

// Lines 6 and 10 hold the threads' statements.
std::string messagePassing(const std::string& order) {
  return twoThreads("atomic_int data, flag;",
                    "atomic_store_explicit(&data, 1, memory_order_relaxed); "
                    "atomic_store_explicit(&flag, 1, memory_order_" +
                        order + ");",
                    "if (atomic_load_explicit(&flag, memory_order_acquire))\n"
                    "    assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);");
}

// More executions than anyone can wait for.
std::string manyExecutions() {
  const std::string loop = "for (int i = 0; i < 12; ++i) atomic_fetch_add(&x, 1);";
  return twoThreads("atomic_int x;", loop, loop);
}

TEST_F(CliCheck, Usage) {
  const std::string file = trivial();
  expectBad({"check"}, "check needs a file");
  expectBad({"check", "--", file}, "check needs a file");
  expectBad({"check", "--bogus", file}, "--bogus");
  expectBad({"check", "--equivalence", "hb", file}, "--equivalence is one of co, rf, not `hb`");
  expectBad({"check", "--races", "maybe", file}, "--races is one of on, off, not `maybe`");
  expectBad({"check", "--volatile", "atomic", file}, "--volatile is one of plain, relaxed, not `atomic`");
  expectBad({"check", "--unroll", "0", file}, "--unroll needs a whole number, at least 1, not `0`");
  expectBad({"check", "--unroll", "many", file}, "--unroll");
  expectBad({"check", "--time", "soon", file}, "--time needs a number");
  expectBad({"check", "--stuck", "0", file}, "--stuck needs a number, at least 0.01");
  expectBad({"check", "--max-executions", "-1", file}, "--max-executions");
  for (const char* loop : {"x", "x.c", "x.c:3", "x.c=3", ":3=4", "x.c:=3", "x.c:3=", "x.c:0=1", "x.c:1=0", "x.c:a=b", "="}) {
    expectBad({"check", "--unroll-loop", loop, file}, std::string("--unroll-loop needs FILE:LINE=N"));
  }
  expectBad({"check", "--args", "one 'two", file}, "--args: no closing '");
}

TEST_F(CliCheck, BadModels) {
  const std::string file = trivial();
  expectBad({"check", "--model", "nowhere", file}, "no model `nowhere`");
  expectBad({"check", "--model", dir_, file}, "is a directory");
  const std::string weak = write("weak.cat", "\"weak\"\nlet eco = (rf | co | rb)+\nirreflexive (po ; eco) as coherence\n");
  expectBad({"check", "--model", weak, file}, "refused");
}

TEST_F(CliCheck, BadFiles) {
  expectBad({"check", dir_ + "/nowhere.c"}, "nowhere.c");
  expectBad({"check", write("notes.txt", "hello\n")}, "notes.txt");
  expectBad({"check", write("wrong.c", "int main(void) { return x; }\n")}, "wrong.c:1:25: error: use of undeclared");
  expectBad({"check", dir_}, dir_);
  expectBad({"check", "--dot", dir_ + "/no/such/folder.dot", trivial()}, "cannot write the file");
}

TEST_F(CliCheck, BadInputAsJson) {
  const std::string nowhere = dir_ + "/nowhere.c";
  const Finished run = heddle({"check", "--json", nowhere});
  EXPECT_EQ(run.code, 2);
  const json object = json::parse(run.out);
  EXPECT_EQ(object["verdict"], "incomplete");
  EXPECT_EQ(object["error"]["kind"], "bad-input");
  expectPart(object["error"]["message"].get<std::string>(), "nowhere.c");
  EXPECT_EQ(object["files"], json({nowhere}));
  EXPECT_EQ(object["model"], "rc20");
  EXPECT_EQ(object["executions"], 0);
  EXPECT_TRUE(object["trace"].empty());
}

TEST_F(CliCheck, Verified) {
  const std::string file = write(
      "sb.c", twoThreads("atomic_int x, y;", std::string(kStoreX) + " (void)atomic_load_explicit(&y, memory_order_relaxed);",
                         std::string(kStoreY) + " (void)atomic_load_explicit(&x, memory_order_relaxed);"));
  const Finished run = heddle({"check", file});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run.out.rfind("verified   " + file + " under rc20: 4 executions, 0 blocked, ", 0), 0U) << run.out;
  EXPECT_EQ(run.out.find('\n'), run.out.size() - 1) << "one line";
  expectPart(heddle({"check", "--model", "sc", file}).out, " under sc: 3 executions, 0 blocked, ");
  const json object = json::parse(heddle({"check", "--json", "--equivalence", "rf", file}).out);
  EXPECT_EQ(object["verdict"], "verified");
  EXPECT_EQ(object["equivalence"], "rf");
  EXPECT_EQ(object["executions"], 4);
  EXPECT_TRUE(object["error"].is_null());
  EXPECT_GT(object["peakBytes"], 1'000'000);
  EXPECT_GT(object["totalSeconds"], object["seconds"]);
}

TEST_F(CliCheck, AssertionFailure) {
  EXPECT_EQ(heddle({"check", write("good.c", messagePassing("release"))}).code, 0);
  const std::string file = write("mp.c", messagePassing("relaxed"));
  const Finished run = heddle({"check", file});
  EXPECT_EQ(run.code, 1);
  EXPECT_EQ(run.out.rfind("error      " + file + " under rc20: assertion failure; ", 0), 0U) << run.out;
  expectPart(run.out, file + ":11 in two, thread 2");
  expectPart(run.out, "store flag = 1, relaxed\n");
  expectPart(run.out, "load flag = 1, acquire  from ");
  expectPart(run.out, "load data = 0, relaxed");
  expectPart(run.out, "although");
  EXPECT_EQ(run.out.find('\x1b'), std::string::npos);
  EXPECT_EQ(heddle({"check", "--quiet", file}).out.find("store flag"), std::string::npos);

  const Finished asJson = heddle({"check", "--json", file});
  EXPECT_EQ(asJson.code, 1);
  const json object = json::parse(asJson.out);
  EXPECT_EQ(object["verdict"], "error");
  EXPECT_EQ(object["error"]["kind"], "assertion-failure");
  EXPECT_EQ(object["error"]["file"], file);
  EXPECT_EQ(object["error"]["line"], 11);
  EXPECT_EQ(object["error"]["thread"], 2);
  std::size_t reads = 0;
  for (const json& event : object["trace"]) {
    if (event.value("location", "") != "flag" || event["kind"] != "load") continue;
    ++reads;
    const json& source = object["trace"][event["from"].get<std::size_t>() - 1];
    EXPECT_EQ(source["kind"], "store");
    EXPECT_EQ(source["location"], "flag");
    EXPECT_EQ(source["thread"], 1);
    EXPECT_EQ(source["line"], 6);
  }
  EXPECT_EQ(reads, 1U);
}

TEST_F(CliCheck, DataRace) {
  const std::string file = write("race.c", twoThreads("int plain;", "plain = 1;", "plain = 2;"));
  const Finished run = heddle({"check", file});
  EXPECT_EQ(run.code, 1);
  expectPart(run.out, "under rc20: data race; ");
  expectPart(run.out, file + ":6 in one, thread 1");
  expectPart(run.out, file + ":10 in two, thread 2");
  const json object = json::parse(heddle({"check", "--json", file}).out);
  EXPECT_EQ(object["error"]["kind"], "data-race");
  ASSERT_GE(object["error"]["related"].size(), 1U);
  EXPECT_EQ(heddle({"check", "--races", "off", file}).code, 0);
}

TEST_F(CliCheck, Bounded) {
  const std::string file =
      write("spin.c", twoThreads("atomic_int x;", "while (atomic_fetch_add(&x, 2) % 2 == 0) { }", "atomic_fetch_add(&x, 1);"));
  const Finished run = heddle({"check", "--unroll", "3", file});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out.rfind("bounded    " + file, 0), 0U) << run.out;
  expectPart(run.out, file + ":6 after 3 rounds");
  expectPart(run.out, "--unroll 6");
  const json object = json::parse(heddle({"check", "--json", "--unroll-loop", file + ":6=2", file}).out);
  EXPECT_EQ(object["verdict"], "bounded");
  EXPECT_EQ(object["bounds"], json({{{"file", file}, {"line", 6}, {"bound", 2}}}));
}

TEST_F(CliCheck, StaleReads) {
  const std::string file =
      write("wait.c",
            twoThreads("atomic_int x, n;", "while (atomic_load(&x) == 0) atomic_fetch_add(&n, 1);", "atomic_store(&x, 1);"));
  const Finished run = heddle({"check", "--stale", "2", file});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out.rfind("bounded    " + file, 0), 0U) << run.out;
  expectPart(run.out, file + ":6 after 2 loads in a row, 1 time\n");
  const json object = json::parse(heddle({"check", "--json", "--stale", "3", file}).out);
  EXPECT_EQ(object["verdict"], "bounded");
  EXPECT_EQ(object["executions"], 4);
  EXPECT_EQ(object["bounds"], json({{{"file", file}, {"line", 6}, {"bound", 3}, {"staleReads", 1}}}));
  expectBad({"check", "--stale", "0", file}, "--stale needs a whole number, at least 1, not `0`");
  expectBad({"check", "--stale", "2", "--equivalence", "rf", file}, "not for --equivalence rf");
}

TEST_F(CliCheck, CutShort) {
  const std::string file = write("many.c", manyExecutions());
  const Finished few = heddle({"check", "--max-executions", "10", file});
  EXPECT_EQ(few.code, 3);
  EXPECT_EQ(few.out.rfind("incomplete " + file, 0), 0U) << few.out;
  expectPart(few.out, "10 executions, 0 blocked");
  const Finished late = heddle({"check", "--json", "--time", "0.5", file});
  EXPECT_EQ(late.code, 3);
  const json object = json::parse(late.out);
  EXPECT_EQ(object["verdict"], "incomplete");
  EXPECT_EQ(object["incomplete"], "out of time after 0.5 s");
  EXPECT_GT(object["executions"], 0);
  const Finished interrupted = heddle({"check", "--json", "--progress", "on", file}, true);
  EXPECT_EQ(interrupted.code, 3);
  EXPECT_EQ(json::parse(interrupted.out)["incomplete"], "interrupted");
  expectPart(interrupted.err, " executions, 0 blocked, ");
}

TEST_F(CliCheck, ALimitThatIsNotReached) {
  const std::string file = write("two.c", twoThreads("atomic_int x;", "atomic_store(&x, 1);", "atomic_store(&x, 2);"));
  const Finished run = heddle({"check", "--max-executions", "2", file});
  EXPECT_EQ(run.code, 0);
  expectPart(run.out, "verified");
  expectPart(run.out, "2 executions");
}

TEST_F(CliCheck, ArgumentsAndFlags) {
  const std::string file = write("args.c", "#include <assert.h>\n#include <string.h>\nint main(int argc, char** argv) {\n"
                                           "  assert(argc == COUNT);\n  assert(argc < 3 || strcmp(argv[2], \"a b\") == 0);\n"
                                           "  assert(argc < 4 || strcmp(argv[3], \"-c d\") == 0);\n  return 0;\n}\n");
  EXPECT_EQ(heddle({"check", file, "--", "-DCOUNT=1"}).code, 0);
  EXPECT_EQ(heddle({"check", file, "--", "-DCOUNT=2"}).code, 1);
  EXPECT_EQ(heddle({"check", file, "--args", "one 'a b'", "--", "-DCOUNT=3"}).code, 0);
  EXPECT_EQ(heddle({"check", file, "--args", "one \"a b\"", "--arg=-c d", "--arg", "", "--", "-DCOUNT=5"}).code, 0);
  EXPECT_EQ(heddle({"check", file}).code, 2) << "COUNT is not known";
}

TEST_F(CliCheck, CompileCommands) {
  const std::string file = write("flag.c", "int main(void) { return FLAG; }\n");
  write("compile_commands.json", json({{{"directory", dir_}, {"file", file}, {"command", "cc -DFLAG=0 -c flag.c"}}}).dump());
  EXPECT_EQ(heddle({"check", "--compile-commands", dir_, file}).code, 0);
  EXPECT_EQ(heddle({"check", "--compile-commands", dir_ + "/compile_commands.json", file}).code, 0);
  expectBad({"check", "--compile-commands", dir_ + "/nowhere", file}, "nowhere");
}

TEST_F(CliCheck, UnknownFunctions) {
  const std::string file = write("unknown.c", "int frobnicate(int);\nint main(void) {\n  return frobnicate(1);\n}\n");
  const Finished run = heddle({"check", file});
  EXPECT_EQ(run.code, 2);
  expectPart(run.err, "frobnicate");
  expectPart(run.err, "unknown.c:3");
  const std::string pure = write("pure.c", "#include <assert.h>\n#include <stdlib.h>\nint main(void) {\n"
                                           "  assert(a64l(\"/\") == 1);\n  return 0;\n}\n");
  EXPECT_EQ(heddle({"check", pure}).code, 2);
  EXPECT_EQ(heddle({"check", "--pure", "a64l", pure}).code, 0);
}

TEST_F(CliCheck, OutputOfTheProgram) {
  const std::string program = "#include <assert.h>\n#include <stdio.h>\nint main(int argc, char** argv) {\n"
                              "  (void)argv;\n  printf(\"hello %d\\n\", argc);\n  assert(argc == 1);\n  return 0;\n}\n";
  const std::string file = write("hello.c", program);
  EXPECT_EQ(heddle({"check", file}).out.find("hello 1"), std::string::npos) << "not asked for";
  expectPart(heddle({"check", "--output", file}).out, "hello 1\n");
  expectPart(heddle({"check", "--arg", "x", file}).out, "The program's output in this execution:\n\n  hello 2\n");
  const json object = json::parse(heddle({"check", "--json", "--output", "--arg", "x", file}).out);
  EXPECT_EQ(object["output"], "hello 2\n");
}

TEST_F(CliCheck, GraphAndTiming) {
  const std::string dot = dir_ + "/graph.dot";
  const Finished run = heddle({"check", "--timing", "--dot", dot, write("mp.c", messagePassing("relaxed"))});
  EXPECT_EQ(run.code, 1);
  for (const char* step :
       {"\ncompile ", "\nlink ", "\ninstrument ", "\noptimise ", "\ngenerate code ", "\nexplore ", "\ntotal "}) {
    expectPart(run.out, step);
  }
  const std::string graph = contentOf(dot);
  EXPECT_EQ(graph.rfind("digraph execution {\n", 0), 0U);
  expectPart(graph, "[label=rf, ");
  expectPart(graph, "error [label=\"assertion ");
  EXPECT_EQ(heddle({"check", "--dot", dot, trivial()}).code, 0);
  expectPart(contentOf(dot), "verified, no execution to show");
}

TEST_F(CliCheck, Cplusplus) {
  const std::string file =
      write("counter.cpp", "#include <atomic>\n#include <cassert>\n#include <thread>\n"
                           "struct Counter { std::atomic<int> spare{0}, value{0}; };\nCounter counter;\nint main() {\n"
                           "  auto work = [] { counter.value.store(counter.value.load() + 1); };\n"
                           "  std::thread one(work), two(work);\n  one.join();\n  two.join();\n"
                           "  assert(counter.value.load() == 2);\n}\n");
  const Finished run = heddle({"check", file, "--", "-std=c++17"});
  EXPECT_EQ(run.code, 1) << run.err;
  expectPart(run.out, "assertion failure");
  expectPart(run.out, "store counter.value = 1");
  expectPart(run.out, file + ":11 in main");
}

TEST_F(CliCheck, EveryOptionIsExplained) {
  const std::string help = heddle({"check", "--help"}).out;
  for (const char* option : {"--model",
                             "--equivalence",
                             "--unroll N",
                             "--unroll-loop FILE:LINE=N",
                             "--stale N",
                             "--fair",
                             "--ub",
                             "--races on|off",
                             "--volatile plain|relaxed",
                             "--no-spurious",
                             "--leaks",
                             "--pure NAME",
                             "--args",
                             "--arg WORD",
                             "--compile-commands",
                             "--no-precompiled",
                             "--json",
                             "--dot FILE",
                             "--output",
                             "--timing",
                             "--time SECONDS",
                             "--max-executions N",
                             "--quiet",
                             "--progress",
                             "--color",
                             "-- FLAG...",
                             "Exit codes"}) {
    expectPart(help, option);
  }
}

}  // namespace
}  // namespace heddle::cli
