// Budgets and interrupts while the checked program computes and does nothing visible.

#include <chrono>
#include <nlohmann/json.hpp>

#include "cli_helpers.h"

namespace heddle::cli {
namespace {

using nlohmann::json;

class CliStop : public CliTest {
 protected:
  // Three threads, of which one computes for so many rounds as the argument says, or for years.
  std::string computes() const {
    return write("computes.c", R"(
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x, y;
static volatile unsigned long rounds;
static void *add(void *unused) { atomic_fetch_add(&x, 1); return unused; }
static void *compute(void *unused) {
  atomic_fetch_add(&y, atomic_load(&x));
  for (unsigned long i = 0, sum = 0; i != rounds; i++) sum += i * i;
  atomic_fetch_add(&y, 1);
  return unused;
}
int main(int argc, char **argv) {
  rounds = argc > 1 ? strtoul(argv[1], 0, 10) : (unsigned long)-1;
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, i < 2 ? add : compute, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
}
)");
  }

  // Allocates a little, again and again, for ever.
  std::string allocates() const {
    return write("allocates.c", R"(
#include <stdlib.h>
#include <string.h>
int main(void) {
  for (;;) memset(malloc(10000), 1, 10000);
}
)");
  }

  struct Timed {
    Finished run;
    double seconds = 0;
  };
  Timed timed(const std::vector<std::string>& arguments, double interruptAfter = 0) const {
    const auto start = std::chrono::steady_clock::now();
    Timed timed{.run = heddle(arguments, false, interruptAfter)};
    timed.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return timed;
  }
};

// Long enough for a loaded machine to compile the program, and short enough to tell from --stuck.
constexpr double kSoon = 15;
const std::vector<std::string> kPatient = {"check", "--json", "--stuck", "1000"};

std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST_F(CliStop, TimeIsUp) {
  const std::string file = computes();
  for (const char* jobs : {"1", "2"}) {
    const Timed ended = timed(with(kPatient, {"--time", "0.5", "-j", jobs, file}));
    EXPECT_EQ(ended.run.code, 3) << ended.run.err;
    const json object = json::parse(ended.run.out);
    EXPECT_EQ(object["verdict"], "incomplete");
    EXPECT_EQ(object["incomplete"], "out of time after 0.5 s");
    EXPECT_LT(object["seconds"], 3);
    EXPECT_LT(ended.seconds, kSoon);
  }
}

TEST_F(CliStop, TimeIsUpForRandomExecutions) {
  const Timed ended = timed(with(kPatient, {"--time", "0.5", "--sample", "5", computes()}));
  EXPECT_EQ(ended.run.code, 3) << ended.run.err;
  EXPECT_EQ(json::parse(ended.run.out)["incomplete"], "out of time after 0.5 s");
  EXPECT_LT(ended.seconds, kSoon);
}

TEST_F(CliStop, TooMuchMemory) {
  const Timed ended = timed(with(kPatient, {"--memory", "300", allocates()}));
  EXPECT_EQ(ended.run.code, 3) << ended.run.err;
  const json object = json::parse(ended.run.out);
  EXPECT_EQ(object["incomplete"], "more than 300 MB of memory in use");
  EXPECT_LT(object["peakBytes"], 2'000'000'000);
  EXPECT_LT(ended.seconds, kSoon);
}

// One execution, of many events, which alone takes longer than there is time.
TEST_F(CliStop, TimeIsUpWithinAnExecution) {
  const std::string file = write("long.c", R"(
#include <pthread.h>
#include <stdatomic.h>
static atomic_long x;
static void *count(void *unused) {
  for (long i = 0; i < 4000; i++) { atomic_store(&x, i); atomic_load(&x); }
  return unused;
}
int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, count, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
}
)");
  for (const char* jobs : {"1", "2"}) {
    const Timed ended = timed(with(kPatient, {"--time", "0.2", "-j", jobs, file}));
    EXPECT_EQ(ended.run.code, 3) << ended.run.err;
    const json object = json::parse(ended.run.out);
    EXPECT_EQ(object["incomplete"], "out of time after 0.2 s");
    EXPECT_LT(object["seconds"], 1.2);
  }
}

TEST_F(CliStop, Interrupt) {
  const std::string file = computes();
  for (const char* jobs : {"1", "2"}) {
    const Timed ended = timed(with(kPatient, {"-j", jobs, file}), 2);
    EXPECT_EQ(ended.run.code, 3) << ended.run.err;
    const json object = json::parse(ended.run.out);
    EXPECT_EQ(object["verdict"], "incomplete");
    expectPart(object["incomplete"], "interrupted");
    EXPECT_LT(ended.seconds, kSoon);
  }
}

TEST_F(CliStop, InterruptBeforeItIsCompiled) {
  std::string text = "#include <regex>\n#include <iostream>\n";
  for (int i = 0; i < 4000; i++) text += "std::regex r" + std::to_string(i) + "{\"a+\"};\n";
  const std::string file = write("slow.cpp", text + "int main() {}\n");
  const Timed ended = timed({"check", "--json", "--no-precompiled", file}, 0.3);
  EXPECT_EQ(ended.run.code, 3) << ended.run.err;
  EXPECT_EQ(json::parse(ended.run.out)["incomplete"], "interrupted before it was compiled");
}

// What was stopped in the middle of a step is explored after all.
TEST_F(CliStop, NothingIsLost) {
  const std::string file = computes(), checkpoint = dir_ + "/checkpoint";
  const std::vector<std::string> program = {"check", "--json", "--args", "30000000", file};
  const json whole = json::parse(heddle(with(program, {"-j", "1"})).out);
  ASSERT_EQ(whole["verdict"], "verified");
  for (const char* jobs : {"1", "2"}) {
    json last = json::parse(heddle(with(program, {"-j", jobs, "--time", "0.05", "--checkpoint", checkpoint})).out);
    for (int i = 0; i < 400 && last["verdict"] == "incomplete"; i++) {
      last = json::parse(heddle({"resume", checkpoint, "-j", jobs, "--time", i < 20 ? "0.05" : "0.5", "--json"}).out);
    }
    EXPECT_EQ(last["verdict"], "verified") << jobs;
    EXPECT_EQ(last["executions"], whole["executions"]) << jobs;
    EXPECT_EQ(last["blocked"], whole["blocked"]) << jobs;
  }
}

TEST_F(CliStop, NoProgress) {
  const Finished run = heddle({"check", "--stuck", "0.3", computes()});
  EXPECT_EQ(run.code, 1);
  expectPart(run.out, "no progress");
  expectPart(run.out, "--stuck 0.3");
  EXPECT_EQ(run.out.find("endless"), std::string::npos) << run.out;
}

}  // namespace
}  // namespace heddle::cli
