// `heddle replay --gdb`: a failing execution in gdb, which stops at events, shows the program's threads, frames and variables, and goes
// backwards by running again.

#include <nlohmann/json.hpp>
#include <regex>

#include "cli_helpers.h"

namespace heddle::cli {
namespace {

// Reader, in a call that is not inlined, sees the flag but not the data.
constexpr const char* kStale = R"(#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int data, flag;
int plain;

__attribute__((noinline)) void check(int expected) {
  int found = atomic_load_explicit(&data, memory_order_relaxed);
  int difference = expected - found;
  assert(difference == 0);
}

void* writer(void* argument) {
  int* count = argument;
  plain = 7;
  atomic_store_explicit(&data, *count, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return 0;
}

void* reader(void* argument) {
  int rounds = 0;
  for (int i = 0; i < 2; ++i) rounds += i;
  if (atomic_load_explicit(&flag, memory_order_relaxed) == 1) check(42);
  return argument;
}

int main(void) {
  pthread_t a, b;
  int count = 42;
  pthread_create(&a, 0, writer, &count);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
)";

class CliGdb : public CliTest {
 protected:
  // What gdb prints when it is given these commands after it has stopped at the failure.
  std::string gdb(const std::vector<std::string>& commands, const std::string& file) const {
    std::vector<std::string> words = {"replay", "--gdb", file, "--", "-nx", "--batch"};
    for (const std::string& command : commands) words.insert(words.end(), {"-ex", command});
    const Finished run = heddle(words);
    EXPECT_EQ(run.err.find("Error"), std::string::npos) << run.err;
    return run.out + run.err;
  }
  std::string failureOf(const std::string& source, const std::vector<std::string>& options = {}) const {
    const std::string file = dir_ + "/failure";
    std::vector<std::string> words = {"check", "--save", file};
    words.insert(words.end(), options.begin(), options.end());
    words.push_back(source);
    const Finished run = heddle(words);
    EXPECT_EQ(run.code, 1) << run.out << run.err;
    return file;
  }
  static void expectInOrder(const std::string& text, const std::vector<std::string>& patterns) {
    auto from = text.begin();
    for (const std::string& pattern : patterns) {
      std::smatch match;
      if (!std::regex_search(from, text.end(), match, std::regex(pattern))) {
        ADD_FAILURE() << "looking for: " << pattern << "\nin:\n" << text;
        return;
      }
      from = match[0].second;
    }
  }
};

TEST_F(CliGdb, StopsAtTheFailureWithFramesAndVariables) {
  const std::string file = failureOf(write("stale.c", kStale));
  expectInOrder(
      gdb({"bt", "info locals", "info args", "up", "info locals", "print data", "print flag", "print plain", "heddle-threads"},
          file),
      {R"(event 7 \(the failure\)  assertion 'difference == 0' failed)",
       R"(check \(expected=42\) at .*stale\.c:11)",  // bt
       R"(#\d+ .*check \(expected=42\) at .*stale\.c:11)", R"(#\d+ .*reader \(argument=0x0\) at .*stale\.c:25)", R"(found = 0)",
       R"(difference = 42)",                           // locals
       R"(expected = 42)",                             // arguments
       R"(reader \(argument=0x0\))", R"(rounds = 1)",  // one frame up
       R"(\$1 = 42)", R"(\$2 = 1)", R"(\$3 = 7)",      // atomics, as they are by now
       R"(main +main at .*stale\.c:3\d)", R"(thread 1 \(writer\) )", R"(\* +\d+ +thread 2 +check at .*stale\.c:11)"});
}

TEST_F(CliGdb, StepsByEventsBothWays) {
  const std::string file = failureOf(write("stale.c", kStale));
  const std::string text = gdb({"heddle-goto 1", "print data", "heddle-next 2", "info locals", "print *count", "print data",
                                "print flag", "heddle-back", "print data", "heddle-goto 4", "print flag", "heddle-thread 0",
                                "print count", "heddle-events", "heddle-goto", "info locals", "heddle-next"},
                               file);
  expectInOrder(text, {R"(event 7 \(the failure\))",
                       R"(event 1 of 6  main: spawn thread 1 \(writer\))",
                       R"(main \(\) at .*stale\.c:32)",
                       R"(\$1 = 0)",
                       R"(event 3 of 6  thread 1 \(writer\): store data = 42, relaxed)",
                       R"(writer \(.*stale\.c:1[78])",
                       R"(count = 0x)",
                       R"(\$2 = 42)",
                       R"(\$3 = 42)",
                       R"(\$4 = 0)",
                       R"(event 2 of 6  main: spawn thread 2)",
                       R"(\$5 = 0)",
                       R"(event 4 of 6  thread 1 \(writer\): store flag = 1)",
                       R"(\$6 = 1)",
                       R"(main \(\) at .*stale\.c:3\d)",
                       R"(\$7 = 42)",
                       R"(->   4  thread 1 \(writer\): store flag = 1)",
                       R"(event 7 \(the failure\))",
                       R"(found = 0)",
                       R"(This is the failure)"});
}

// Breakpoints and steps are those of gdb.
TEST_F(CliGdb, BreakpointsAndSteps) {
  const std::string file = failureOf(write("stale.c", kStale));
  expectInOrder(
      gdb({"break stale.c:25", "break stale.c:9", "heddle-goto 1", "continue", "print rounds", "next", "info args", "next",
           "next", "print found", "print difference", "heddle-goto 4", "next", "continue", "continue", "continue"},
          file),
      {R"(event 7)", R"(event 1)", R"(Breakpoint 1, reader)", R"(\$1 = 1)", R"(Breakpoint 2, check \(expected=42\))",
       R"(expected = 42)", R"(\$2 = 0)", R"(\$3 = 42)", R"(event 4)", R"(19\s+return 0)", R"(Breakpoint 2, check)",
       R"(event 7 \(the failure\))", R"(exited with code 01)"});
}

TEST_F(CliGdb, OtherErrors) {
  const auto stops = [&](const char* source, const char* name, const std::vector<std::string>& options,
                         const std::string& pattern) {
    const std::string file = failureOf(std::string(source).empty() ? name : write(name, source), options);
    expectInOrder(gdb({"bt"}, file), {pattern});
  };
  stops("", "tests/native/why/mp_race.c", {},
        R"(event 5 \(the failure\)  data race[\s\S]*reader \([^)]*\) at .*mp_race\.c:19)");
  stops("", "tests/native/why/two_mutexes.cpp", {}, R"(the failure\)  deadlock[\s\S]*forwards\(?.*two_mutexes\.cpp:12)");
  stops("", "tests/native/why/use_after_free.cpp", {}, R"(the failure\)[\s\S]*use_after_free\.cpp:17)");
  stops("", "tests/native/why/thrown.cpp", {}, R"(the failure\)  uncaught exception)");
  stops("", "tests/native/why/mixed_sizes.c", {}, R"(the failure\)  assertion)");
  stops("", "tests/native/why/never_written.c", {}, R"(the failure\)[\s\S]*never_written\.c:10)");
  stops("int main(void) { int* volatile p = (int*)8; return *p; }\n", "null.c", {}, R"(null\.c:1)");
}

TEST_F(CliGdb, WithoutGdbThereIsAMessage) {
  const std::string file = failureOf(write("wrong.c", "#include <assert.h>\nint main(void) { assert(0); }\n"));
  const Finished run = ChildProcess({"/usr/bin/env", "PATH=" + dir_, HEDDLE_EXECUTABLE, "replay", "--gdb", file}).wait();
  EXPECT_EQ(run.code, 2);
  expectPart(run.err, "gdb was not found");
}

// For IDEs, gdb's machine interface: the program is run when they say so.
TEST_F(CliGdb, MachineInterface) {
  const std::string file = failureOf(write("stale.c", kStale));
  const Finished run =
      ChildProcess({"/bin/sh", "-c",
                    "(echo -exec-run; sleep 5; echo -stack-list-frames; echo -stack-list-variables --simple-values; echo "
                    "-thread-info; sleep 1; echo -gdb-exit) | " +
                        std::string(HEDDLE_EXECUTABLE) + " replay --gdb " + file + " -- -nx -i=mi"})
          .wait();
  expectInOrder(run.out, {R"(\*stopped)", R"(func="check")", R"(name="thread 1 \(writer\))"});
}

// What --json prints is as good as a file of --save.
TEST_F(CliGdb, TakesJson) {
  const std::string source = write("stale.c", kStale);
  const std::string file = write("result.json", heddle({"check", "--json", source}).out);
  const Finished replay = heddle({"replay", "--json", file});
  EXPECT_EQ(replay.code, 1) << replay.err;
  EXPECT_EQ(nlohmann::json::parse(replay.out)["trace"], nlohmann::json::parse(contentOf(file))["trace"]);
  expectPart(gdb({"info locals"}, file), "difference = 42");
  const std::string right =
      write("right.json", heddle({"check", "--json", write("right.c", "int main(void) { return 0; }\n")}).out);
  const Finished none = heddle({"replay", right});
  EXPECT_EQ(none.code, 2);
  expectPart(none.err, "it has no failing execution to run again: the verdict is verified");
}

}  // namespace
}  // namespace heddle::cli
