// The oracle under a model with dependencies: known counts of small programs.
#include <gtest/gtest.h>

#include <algorithm>

#include "litmus/test.h"
#include "model/cat.h"
#include "oracle.h"

namespace heddle::oracle {
namespace {

constexpr const char* modelText = R"("deps"
let dob = addr | data | ctrl ; [W] | addr ; (po & int) ; [W] | (addr | data) ; rfi
let bob = po ; [F & SC | T] ; po | [R & ACQ] ; po | po ; [W & REL]
acyclic (po-loc | rf | co | rb) as coherence
acyclic (rfe | coe | rbe | dob | bob | rmw) as order
empty rmw & (rb ; co) as atomicity
)";

// Of a test over x, y and two arrays from the bodies of its threads.
OracleResult run(const std::vector<std::string>& threads) {
  std::string text = "C test\n{ x=0; y=0; int a[2]; int b[2]; }\n";
  for (std::size_t t = 0; t < threads.size(); ++t) {
    text += "P" + std::to_string(t) + "(atomic_int* x, atomic_int* y, atomic_int* a, atomic_int* b, mutex* m) { " + threads[t] +
            "}\n";
  }
  const auto test = litmus::parseLitmus(text + "exists (x=0)\n", "test.litmus");
  const model::Model model = model::parseCat(modelText, "deps.cat");
  return runOracle(*test.program, {&model}, 1000000, false)[0];
}

std::size_t executions(const std::vector<std::string>& threads) { return run(threads).coKeys.size(); }

std::string store(const std::string& location, const std::string& value) {
  return "atomic_store_explicit(" + location + ", " + value + ", memory_order_relaxed); ";
}
std::string load(const std::string& reg, const std::string& location) {
  return "int " + reg + " = atomic_load_explicit(" + location + ", memory_order_relaxed); ";
}

const std::string dependent = load("r", "y") + store("x", "(r ^ r) + 1");

TEST(Dependencies, LoadBuffering) {
  const std::string free = load("r", "y") + store("x", "1");
  EXPECT_EQ(executions({load("r", "x") + store("y", "1"), free}), 4u);
  EXPECT_EQ(executions({load("r", "x") + store("y", "1"), dependent}), 4u);
  EXPECT_EQ(executions({load("r", "x") + store("y", "(r ^ r) + 1"), dependent}), 3u);
  EXPECT_EQ(executions({load("r", "x") + store("y", "1 - (r - r)"), dependent}), 3u);
  EXPECT_EQ(executions({load("r", "x") + "int s = r; s = 1; " + store("y", "s"), dependent}), 4u);
}

TEST(Dependencies, Control) {
  const std::string branch = load("r", "x") + "if ((r ^ r) == 0) { " + store("y", "1") + "} ";
  EXPECT_EQ(executions({branch, load("r", "y") + store("x", "1")}), 4u);
  EXPECT_EQ(executions({branch, dependent}), 3u);
  // What comes after the branch depends on it, too, and a read that does is in no order.
  EXPECT_EQ(executions({load("r", "x") + "if (r == 5) { } " + store("y", "1"), dependent}), 3u);
  EXPECT_EQ(executions({load("r", "x") + "if ((r ^ r) == 0) { " + load("s", "y") + "} ",
                        store("y", "1") + "atomic_thread_fence(memory_order_seq_cst); " + store("x", "1")}),
            4u);
  EXPECT_EQ(executions({load("r", "x") + "assume((r ^ r) == 0); " + store("y", "1"), dependent}), 3u);
}

TEST(Dependencies, Addresses) {
  EXPECT_EQ(executions({load("r", "&b[0]") + store("&a[r ^ r]", "1"), load("r", "&a[0]") + store("&b[r ^ r]", "1")}), 3u);
  EXPECT_EQ(executions({load("r", "&b[0]") + store("&a[0]", "1"), load("r", "&a[0]") + store("&b[r ^ r]", "1")}), 4u);
  // Where the write goes depends on what was read.
  EXPECT_EQ(executions({load("r", "x") + store("&a[r & 1]", "1"), load("r", "&a[1]") + store("x", "1")}), 3u);
  EXPECT_EQ(executions({load("r", "x") + store("&a[r & 1]", "1"), load("r", "&a[1]") + store("x", "(r ^ r) + 1")}), 2u);
  // A later write waits until it is known that it goes elsewhere.
  EXPECT_EQ(executions({load("r", "x") + load("s", "&a[r ^ r]") + store("y", "1"), dependent}), 3u);
  EXPECT_EQ(executions({load("r", "x") + load("s", "&a[0]") + store("y", "1"), dependent}), 4u);
}

TEST(Dependencies, ReadModifyWrites) {
  const auto exchange = [](const std::string& location, const std::string& value) {
    return "int s = atomic_exchange_explicit(" + location + ", " + value + ", memory_order_relaxed); ";
  };
  // Everything after one depends on it.
  EXPECT_EQ(executions({exchange("x", "5") + store("y", "1"), dependent}), 3u);
  EXPECT_EQ(executions({exchange("x", "5") + store("y", "1"), load("r", "y") + store("x", "1")}), 4u);
  EXPECT_EQ(executions({load("r", "x") + exchange("y", "(r ^ r) + 1"), dependent}), 3u);
  EXPECT_EQ(executions({load("r", "x") + exchange("y", "1"), dependent}), 4u);
  const std::string cas =
      "int t = atomic_compare_exchange_strong_explicit(y, &e, 1, memory_order_relaxed, memory_order_relaxed); ";
  EXPECT_EQ(executions({load("r", "x") + "int e = r ^ r; " + cas, dependent}), 3u);
  EXPECT_EQ(executions({load("r", "x") + "int e = 0; " + cas, dependent}), 4u);
  // Values that no execution has are not waited for.
  const std::string increment = "atomic_fetch_add_explicit(x, 1, memory_order_relaxed); ";
  EXPECT_EQ(executions({increment, increment, increment}), 6u);
}

TEST(Dependencies, NothingComesOutOfThinAir) {
  const std::string there = load("r", "x") + store("y", "r"), back = load("r", "y") + store("x", "r");
  const OracleResult copies = run({there, back});
  EXPECT_EQ(copies.coKeys.size(), 3u);
  for (const std::string& key : copies.coKeys) EXPECT_EQ(key.find("=1"), std::string::npos) << key;
  EXPECT_EQ(executions({load("r", "x") + store("y", "r + 1"), load("r", "y") + store("x", "r + 1")}), 3u);
  const auto once = [](const char* from, const char* to) { return load("r", from) + "if (r == 1) { " + store(to, "1") + "} "; };
  EXPECT_EQ(executions({once("x", "y"), once("y", "x")}), 1u);
  // A value that somebody writes does not go round in a circle.
  for (const std::string& key : run({there, back, store("x", "1")}).coKeys) {
    EXPECT_TRUE(key.find("<1.2") == std::string::npos || key.find("<0.2") == std::string::npos) << key;
  }
}

// Choices are no events. Two that lead to the same events may differ in dependencies.
TEST(Dependencies, Choices) {
  const OracleResult chosen = run({"int c = choose(2); " + load("r", "x") + store("y", "(c ^ c) + 1"), dependent});
  EXPECT_EQ(chosen.coKeys.size(), 4u);
  for (const std::string& key : chosen.coKeys) EXPECT_EQ(chosen.multiplicity(key), 2u);
  const OracleResult either = run({"int c = choose(2); " + load("r", "x") + "if (c == 0) { " + store("y", "1") + "} else { " +
                                       store("y", "(r ^ r) + 1") + "} ",
                                   dependent});
  EXPECT_EQ(either.coKeys.size(), 4u);
  const auto once = [&](const std::string& key) { return either.multiplicity(key) == 1; };
  EXPECT_EQ(std::ranges::count_if(either.coKeys, once), 1);
}

TEST(Dependencies, LocksAndThreads) {
  const std::string section = "lock(m); " + load("r", "x") + store("x", "r + 1") + "unlock(m); ";
  EXPECT_EQ(executions({section, section}), 2u);
  EXPECT_EQ(executions({load("r", "x") + "spawn(P1); ", store("x", "1")}), 1u);
  EXPECT_EQ(executions({load("r", "x") + "spawn(P1); join(P1); " + load("s", "x"), store("x", "1")}), 1u);
  EXPECT_EQ(executions({load("r", "x") + "if (r == 1) { spawn(P1); } ", store("x", "1")}), 1u);
}

}  // namespace
}  // namespace heddle::oracle
