// Messages that say what to do: mistakes in the command line, functions that are not modelled, and runs that are cut short.

#include <nlohmann/json.hpp>

#include "cli_helpers.h"

namespace heddle::cli {
namespace {

class CliAdvice : public CliTest {
 protected:
  void expectError(const std::vector<std::string>& arguments, const std::string& text) const {
    const Finished run = heddle(arguments);
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.err, text);
  }

  // What is said of a call of this function.
  std::string callOf(const std::string& declarations, const std::string& call) const {
    const std::string file = write("call.c", declarations + "\nint main(void) { " + call + "; }\n");
    const Finished run = heddle({"check", "--quiet", file});
    EXPECT_EQ(run.code, 2) << call;
    return run.out;
  }
};

TEST_F(CliAdvice, UnknownOptions) {
  expectError({"check", "--modle", "sc", "a.c"},
              "heddle: check has no option --modle\nDid you mean --model?\nTry `heddle check --help`.\n");
  expectError({"litmus", "--equivalance=rf", "a.litmus"},
              "heddle: litmus has no option --equivalance=rf\nDid you mean --equivalence?\nTry `heddle litmus --help`.\n");
  expectError(
      {"check", "--compare", "sc,tso", "a.c"},
      "heddle: check has no option --compare\n--compare is an option of `heddle litmus`.\nTry `heddle check --help`.\n");
  expectError({"check", "--frobnicate", "a.c"}, "heddle: check has no option --frobnicate\nTry `heddle check --help`.\n");
  expectError({"check", "--foo", "a.c"}, "heddle: check has no option --foo\nTry `heddle check --help`.\n");
  expectError({"--model", "sc", "a.c"}, "heddle: a command comes first, before --model\nTry `heddle --help`.\n");
}

TEST_F(CliAdvice, Values) {
  const std::string more = "\nTry `heddle check --help`.\n";
  expectError({"check", "a.c", "--model"}, "heddle: --model needs a value: NAME|FILE" + more);
  expectError({"check", "--json=3", "a.c"}, "heddle: --json takes no value" + more);
  expectError({"check", "--model", "sc", "--model", "tso", "a.c"}, "heddle: --model can be given only once" + more);
  expectError({"check", "--unroll", "0", "a.c"}, "heddle: --unroll needs a whole number, at least 1, not `0`" + more);
  expectPart(heddle({"check", "--model", "rc02", "a.c"}).err, "\nDid you mean rc20?\n");
}

TEST_F(CliAdvice, FlagsForClang) {
  for (const std::string flag : {"-DBUG", "-Iinclude", "-std=c++20", "-O2", "-pthread"}) {
    expectError({"check", "a.cpp", flag}, "heddle: check has no option " + flag +
                                              "\nPut clang's flags after `--`: heddle check FILE -- " + flag +
                                              "\nTry `heddle check --help`.\n");
  }
}

TEST_F(CliAdvice, UnknownCommands) {
  expectError({"chekc", "a.c"}, "heddle: no command `chekc`\nDid you mean `heddle check`?\nTry `heddle --help`.\n");
  expectError({"queue.cpp"}, "heddle: no command `queue.cpp`\nDid you mean `heddle check queue.cpp`?\nTry `heddle --help`.\n");
  expectError({"sb.litmus"}, "heddle: no command `sb.litmus`\nDid you mean `heddle litmus sb.litmus`?\nTry `heddle --help`.\n");
  expectError({"frobnicate"}, "heddle: no command `frobnicate`\nTry `heddle --help`.\n");
  expectError({"help", "chekc"}, "heddle: no command `chekc`\nDid you mean `heddle check`?\nTry `heddle --help`.\n");
}

TEST_F(CliAdvice, PureIsProposedOnlyWhereItCanBeRight) {
  const auto proposesPure = [&](const std::string& declarations, const std::string& call) {
    const std::string said = callOf(declarations, call);
    expectPart(said, "is not modelled: define a stub of it in the program, between `#ifdef __HEDDLE__` and `#endif`");
    return said.find("--pure") != std::string::npos;
  };
  EXPECT_FALSE(proposesPure("#include <unistd.h>", "fork()"));
  EXPECT_FALSE(proposesPure("#include <pthread.h>", "pthread_cancel(pthread_self())"));
  EXPECT_FALSE(proposesPure("#include <stdio.h>", "popen(\"ls\", \"r\")"));
  EXPECT_FALSE(proposesPure("#include <unistd.h>", "vhangup()"));
  EXPECT_TRUE(proposesPure("#include <stdlib.h>", "a64l(\"x\")"));
}

TEST_F(CliAdvice, LoadBufferingThatTheModelLeavesOut) {
  const auto program = [&](const std::string& name, const std::string& between) {
    return write(name, R"(
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
static void* first(void* p) {
  atomic_load_explicit(&x, memory_order_relaxed);)" +
                           between + R"(
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return p;
}
static void* second(void* p) {
  atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return p;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
)");
  };
  const std::string said = "rc20 leaves out load buffering";
  const std::string shape = program("lb.c", ""), fenced = program("fenced.c", "atomic_thread_fence(memory_order_seq_cst);");
  expectPart(heddle({"check", shape}).out, said);
  EXPECT_EQ(heddle({"check", "--model", "sc", shape}).out.find("load buffering"), std::string::npos);
  EXPECT_EQ(heddle({"check", "--model", "c11-lb", shape}).out.find("leaves out"), std::string::npos);
  EXPECT_EQ(heddle({"check", fenced}).out.find(said), std::string::npos);
}

TEST_F(CliAdvice, RunsThatAreCutShort) {
  const std::string file = write("writers.c", R"(
#include <pthread.h>
#include <stdatomic.h>
atomic_int shared;
static void* writer(void* n) {
  for (int i = 0; i < 4; ++i) atomic_store_explicit(&shared, (int)(long)n, memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t t[6];
  for (long i = 0; i < 6; ++i) pthread_create(&t[i], 0, writer, (void*)i);
  for (int i = 0; i < 6; ++i) pthread_join(t[i], 0);
}
)");
  const Finished run = heddle({"check", "--time", "0.5", file});
  EXPECT_EQ(run.code, 3);
  expectPart(run.out, "several threads write to shared: --equivalence rf does not tell their orders apart");
  expectPart(run.out, "7 threads take part");
  expectPart(run.out, "--estimate says about how many executions there are");
  const Finished rf = heddle({"check", "--time", "20", "--equivalence", "rf", file});
  EXPECT_EQ(rf.code, 0) << rf.out;
}

}  // namespace
}  // namespace heddle::cli
