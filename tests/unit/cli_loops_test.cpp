// `heddle check --list-loops`: every loop of the program, and what becomes of it.

#include <nlohmann/json.hpp>

#include "cli_helpers.h"

namespace heddle::cli {
namespace {

using nlohmann::json;

class CliLoops : public CliTest {
 protected:
  // A line for each loop in the order of their places, without the file's folder.
  std::string list(const std::string& name, const std::string& text, std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"check", "--list-loops"});
    options.push_back(write(name, text));
    const Finished run = heddle(options);
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    std::string result = run.out;
    for (std::size_t at; (at = result.find(dir_ + "/")) != std::string::npos;) result.erase(at, dir_.size() + 1);
    return result;
  }
};

const char* const kLoops = R"(#include <stdatomic.h>
atomic_int x, lock, head;
int list[9];
static void wait(void) {
  while (atomic_load(&x) == 0)
    ;
}
int main(int n, char** words) {
  wait();
  for (int i = 0; i < 3; ++i) atomic_fetch_add(&x, 1);
  for (int i = 0; i < n; ++i) list[i % 9] = i;
  int old = atomic_load(&head);
  while (!atomic_compare_exchange_weak(&head, &old, old ? 1 : n)) atomic_fetch_add(&x, 1);
  for (int i = 0; i < 20; ++i)
    if (atomic_load(&x) == 5) break;
  while (atomic_fetch_add(&x, 1) < 5) {
  }
  wait();
  return words != 0;
}
)";

TEST_F(CliLoops, EveryTreatment) {
  EXPECT_EQ(list("a.c", kLoops),
            "a.c:5   wait  spin: effect-free\n"
            "a.c:10  main  finite, at most 3 rounds\n"
            "a.c:11  main  finite\n"
            "a.c:13  main  unbounded; each round changes something, as by a read-modify-write at a.c:13\n"
            "a.c:14  main  spin: effect-free, at most 20 rounds\n"
            "a.c:16  main  unbounded; each round changes something, as by a read-modify-write at a.c:16\n");
}

TEST_F(CliLoops, Bounds) {
  EXPECT_EQ(list("a.c", kLoops, {"--unroll", "4", "--unroll-loop", "a.c:16=1000"}),
            "a.c:5   wait  spin: effect-free, bounded by 4\n"
            "a.c:10  main  finite, at most 3 rounds\n"
            "a.c:11  main  finite\n"
            "a.c:13  main  bounded by 4; each round changes something, as by a read-modify-write at a.c:13\n"
            "a.c:14  main  spin: effect-free, at most 20 rounds\n"
            "a.c:16  main  bounded by 1,000; each round changes something, as by a read-modify-write at a.c:16\n");
}

const char* const kCauses = R"(#include <stdatomic.h>
#include <stdio.h>
atomic_int x, y;
int rounds;
int main(int n, char** words) {
  int tries = 0;
  while (!atomic_load(&x)) tries++;
  while (!atomic_load(&x))
    if (atomic_load(&y)) rounds++;
  while (!atomic_load(&x)) atomic_store(&y, rounds++);
  while (!atomic_load(&x)) puts("not yet");
  for (int i = 0; i < 20; ++i)
    if (atomic_load(&x) == i) break;
  while (n) n = n * 5 % 64;
  return tries + (words != 0);
}
)";

TEST_F(CliLoops, SaysWhyRoundsAreExploredOneByOne) {
  EXPECT_EQ(list("a.c", kCauses), "a.c:7   main  unbounded; tries changes in each round, and matters\n"
                                  "a.c:8   main  spin: dynamic; watches a store at a.c:9\n"
                                  "a.c:10  main  spin: dynamic; watches a store at a.c:10\n"
                                  "a.c:11  main  unbounded; each round changes something, as by a call of puts at a.c:11\n"
                                  "a.c:12  main  finite, at most 20 rounds\n"
                                  "a.c:14  main  unbounded; it reads nothing that another thread may change\n");
  expectPart(list("b.c", kLoops, {"--without", "spin-loops"}),
             "b.c:5   wait  unbounded; loops are not to wait (--without spin-loops)\n");
}

TEST_F(CliLoops, LibraryCodeIsNotListed) {
  EXPECT_EQ(list("a.cpp", "#include <atomic>\n#include <mutex>\n#include <thread>\n#include <vector>\n"
                          "std::atomic<int> x;\nstd::mutex m;\nint main() {\n  std::vector<int> v(3);\n"
                          "  std::thread t([] { std::lock_guard<std::mutex> g(m); x = 1; });\n"
                          "  while (x.load() == 0) std::this_thread::yield();\n  t.join();\n  return v[0];\n}\n"),
            "a.cpp:10  main  spin: effect-free\n");
  EXPECT_EQ(list("b.c", "int main(void) { return 0; }\n"), "no loops\n");
}

TEST_F(CliLoops, Json) {
  const json object = json::parse(list("a.c", kLoops, {"--json", "--unroll-loop", "a.c:13=7"}));
  ASSERT_EQ(object["loops"].size(), 6u);
  const json& wait = object["loops"][0];
  EXPECT_EQ(wait["line"], 5);
  EXPECT_EQ(wait["function"], "wait");
  EXPECT_EQ(wait["spin"], true);
  EXPECT_EQ(wait["treatment"], "effect-free");
  EXPECT_TRUE(wait["bound"].is_null());
  EXPECT_EQ(object["loops"][1]["treatment"], "finite");
  EXPECT_EQ(object["loops"][1]["rounds"], 3);
  EXPECT_EQ(object["loops"][3]["treatment"], "unbounded");
  EXPECT_EQ(object["loops"][3]["bound"], 7);
  EXPECT_EQ(object["loops"][3]["spin"], false);
  EXPECT_TRUE(wait["why"].is_null());
  EXPECT_TRUE(
      std::string(object["loops"][3]["why"]).starts_with("each round changes something, as by a read-modify-write at "));
}

TEST_F(CliLoops, ProgramsThatCannotBeChecked) {
  const std::string file = write("bad.c", "int main(void) { return x; }\n");
  EXPECT_EQ(heddle({"check", "--list-loops", file}).code, 2);
}

}  // namespace
}  // namespace heddle::cli
