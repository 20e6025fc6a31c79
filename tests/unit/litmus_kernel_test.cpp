// The kernel's dialect: what the front end refuses and how it says so, what a run refuses, and what the report shows. Verdicts are
// in tests/litmus/lkmm.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "litmus/test.h"
#include "model/cat.h"
#include "model/compile.h"
#include "model/library.h"
#include "run/run_litmus.h"

namespace heddle::litmus {
namespace {

constexpr ParseOptions kKernel{.dialect = Dialect::preferKernel};

std::string inThread(const std::string& body) { return "C t\n{}\nP0(int *x, int *y)\n{\n" + body + "\n}\nexists (x=0)\n"; }

std::string errorOf(const std::string& text) {
  try {
    parseLitmus(text, "t.litmus", kKernel);
  } catch (const LitmusError& error) {
    return error.what();
  }
  return "no error";
}

void expectError(const std::string& text, const std::string& expected) {
  EXPECT_NE(errorOf(text).find(expected), std::string::npos) << text << "\ngave\n" << errorOf(text);
}

run::Outcome outcomeOf(const std::string& text) {
  static const model::CompiledModel lkmm = model::compiledModel("lkmm");
  return run::runLitmus(parseLitmus(text, "t.litmus", kKernel), lkmm, {});
}

// A model for a tool in which a read-modify-write is one event does not say that nothing comes in between.
TEST(EvaluatedModels, ReadModifyWritesAreAtomic) {
  const std::string text =
      "C t\n{}\nP0(atomic_int *x) { int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed); }\n"
      "P1(atomic_int *x) { int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed); }\nexists (0:r0=0 /\\ 1:r0=0)\n";
  const auto executionsUnder = [&](const std::string& axioms) {
    const model::CompiledModel model = model::toEvaluate(model::parseCat(axioms, "m.cat"), "it is asked for");
    return run::runLitmus(parseLitmus(text, "t.litmus", {}), model, {}).executions;
  };
  EXPECT_EQ(executionsUnder("acyclic po | rf as a"), 2U);
  EXPECT_EQ(executionsUnder("acyclic po | rf as a\nempty rmw & 0 as b"), 6U);
}

// A weak compare-exchange may fail although the value is right, and each way counts once.
TEST(EvaluatedModels, WeakCompareExchanges) {
  const std::string text =
      "C t\n{}\nP0(atomic_int *x) { int e = 0; int r0 = atomic_compare_exchange_weak_explicit(x, &e, 1, memory_order_relaxed, "
      "memory_order_relaxed); }\nP1(atomic_int *x) { atomic_store_explicit(x, 2, memory_order_relaxed); }\nexists (0:r0=0)\n";
  const model::CompiledModel rc11 = model::compiledModel("rc11");
  const model::CompiledModel evaluated = model::toEvaluate(rc11.source(), "it is asked for");
  const litmus::Test test = parseLitmus(text, "t.litmus", {});
  EXPECT_EQ(run::runLitmus(test, evaluated, {}).executions, run::runLitmus(test, rc11, {}).executions);
}

TEST(KernelLitmus, ErrorsNameThePlaceAndWhatToWrite) {
  expectError(inThread("smp_mbb();"), "t.litmus:5:1: error: unknown function `smp_mbb`");
  expectError(inThread("READ_ONCE(x);"), "READ_ONCE needs a place in memory");
  expectError(inThread("smp_store_release(x);"), "`smp_store_release` takes 2 arguments, not 1");
  expectError(inThread("smp_mb(x);"), "`smp_mb` takes 0 arguments, not 1");
  expectError(inThread("int r0 = z;"), "unknown name `z`");
  expectError(inThread("x = 1;"), "this cannot be assigned to");
  expectError(inThread("int x;"), "`x` is a parameter");
  expectError(inThread("continue;"), "t.litmus:5:1: error: `continue` is in no loop");
  expectError(inThread("switch (1) { case 1: continue; }"), "`continue` is in no loop");
  expectError(inThread("break;"), "`break` is in no loop");
  expectError(inThread("goto end;"), "t.litmus:5:6: error: there is no label `end`");
  expectError(inThread("goto in; if (1) { in: smp_mb(); }"), "`goto in` leads into a block");
  expectError(inThread("in: smp_mb(); in: smp_mb();"), "the label `in` is there already");
  expectError(inThread("switch (1) { smp_mb(); }"), "expected `case` or `default` first in the switch");
  expectError(inThread("switch (1) { case r0: smp_mb(); }"), "expected");
  expectError("C t\n{ x = *y; }\nP0(int *x) {}\nexists (x=0)", "expected `&`, found `y`");
  expectError(inThread("for (;;"), "expected");
  expectError(inThread("int a[2];"), "an array is a location: declare it in the initial state");
  expectError(inThread("int r0 = x->next;"), "no structure has a member `next`");
  expectError("C t\n{}\nP0(int *x)\n{\nif (1) {", "expected `}` before the end of the file");
  expectError("C t\n{ int a[2] = {1, 2, 3}; }\nP0(int *a) {}\nexists (a[0]=0)", "`a` has fewer elements");
  expectError("C t\n{ int a[2]; }\nP0(int *a) {}\nexists (a[2]=0)", "there is no location `a[2]`");
  expectError("C t\n{}\nP1(int *x) {}\nexists (x=0)", "expected the thread `P0`, found `P1`");
  expectError("C t\n{ 3:r0 = 1; }\nP0(int *x) {}\nexists (x=0)", "a register of thread 3, which does not exist");
  expectError("C t\n{}\nP0(int *x) {}\nexists (y=0)", "there is no location `y`");
  expectError("C t\n{}\nP0(int *x) {}\nexists (0:r0=0)", "thread P0 has no register `r0`");
  expectError("C t\n{}\nP0(int *x) {}\nexists (x=0) x", "expected the end of the file, found `x`");
  expectError("C t\n{}\nexists (x=0)", "expected a thread");
}

TEST(KernelLitmus, DialectIsSeenInTheText) {
  EXPECT_TRUE(parseLitmus(inThread("smp_mb();"), "t.litmus").kernel);
  EXPECT_FALSE(parseLitmus(inThread("int r0 = READ_ONCE(*x);"), "t.litmus").kernel);
  EXPECT_TRUE(parseLitmus(inThread("int r0 = READ_ONCE(*x);"), "t.litmus", kKernel).kernel);
  const std::string c11 = "C t\n{}\nP0(atomic_int *x) { atomic_store_explicit(x, 1, memory_order_relaxed); }\nexists (x=1)";
  EXPECT_FALSE(parseLitmus(c11, "t.litmus", kKernel).kernel);
}

TEST(KernelLitmus, PrimitivesComputeWhatTheySay) {
  const auto last = [](const std::string& body) {
    const run::Outcome outcome =
        outcomeOf("C t\n{ x = 6; }\nP0(int *x, int *y)\n{\n" + body + "\n}\nlocations [0:r0;]\nexists (x=0)");
    return outcome.states.size() == 1 ? outcome.states[0] : "not one state";
  };
  EXPECT_EQ(last("int r0 = atomic_fetch_sub(2, x);"), "0:r0=6; x=4;");
  EXPECT_EQ(last("int r0 = atomic_add_return_relaxed(2, x);"), "0:r0=8; x=8;");
  EXPECT_EQ(last("int r0 = atomic_fetch_andnot(2, x);"), "0:r0=6; x=4;");
  EXPECT_EQ(last("int r0 = atomic64_fetch_or_acquire(1, x);"), "0:r0=6; x=7;");
  EXPECT_EQ(last("int r0 = atomic_long_xchg(x, 9);"), "0:r0=6; x=9;");
  EXPECT_EQ(last("int r0 = atomic_sub_and_test(6, x);"), "0:r0=1; x=0;");
  EXPECT_EQ(last("int r0 = atomic_add_negative(-7, x);"), "0:r0=1; x=-1;");
  EXPECT_EQ(last("int r0 = cmpxchg(x, 6, 1);"), "0:r0=6; x=1;");
  EXPECT_EQ(last("int r0 = cmpxchg_release(x, 5, 1);"), "0:r0=6; x=6;");
  EXPECT_EQ(last("int r0 = atomic_add_unless(x, 1, 6);"), "0:r0=0; x=6;");
  EXPECT_EQ(last("int r0 = 1; while (r0 < 3) r0++; *x = r0;"), "0:r0=3; x=3;");
  EXPECT_EQ(last("int r0 = 0; for (int i = 0; i < 3; i++) r0 += i; *x = r0;"), "0:r0=3; x=3;");
  EXPECT_EQ(last("int r0 = (*x > 5 && !(*x == 7)) ? *x << 1 : -1;"), "0:r0=12; x=6;");
}

TEST(KernelLitmus, ConditionalUpdates) {
  const auto last = [](const std::string& body) {
    const run::Outcome outcome =
        outcomeOf("C t\n{ x = 6; }\nP0(int *x, int *y)\n{\n" + body + "\n}\nlocations [0:r0;]\nexists (x=0)");
    return outcome.states.size() == 1 ? outcome.states[0] : "not one state";
  };
  EXPECT_EQ(last("int r0 = atomic_inc_not_zero(x);"), "0:r0=1; x=7;");
  EXPECT_EQ(last("int r0 = atomic_inc_not_zero(y);"), "0:r0=0; x=6;");
  EXPECT_EQ(last("int r0 = atomic_add_unless(x, 3, 5);"), "0:r0=1; x=9;");
}

// Under a model of the kernel, what the kernel has no word for is refused, and not taken for something else.
TEST(KernelLitmus, TestsInC11AreRefusedWhereTheKernelHasNoWord) {
  static const model::CompiledModel lkmm = model::compiledModel("lkmm");
  const auto problemOf = [](const std::string& text) -> std::string {
    try {
      run::runLitmus(parseLitmus(text, "t.litmus"), lkmm, {});
    } catch (const ProgramError& error) {
      return error.what();
    }
    return "none";
  };
  const auto inC11 = [](const std::string& body) {
    return "C t\n{}\nP0(atomic_int *x, atomic_int *y) {\n" + body + "\n}\nexists (x=1)\n";
  };
  for (const char* order : {"acquire", "release", "acq_rel"}) {
    const std::string problem = problemOf(inC11(std::string("atomic_thread_fence(memory_order_") + order + ");"));
    EXPECT_NE(problem.find("the kernel has no such fence"), std::string::npos) << problem;
  }
  const std::string taken = problemOf(inC11("int r0 = atomic_load_explicit(x, memory_order_relaxed);\n"
                                            "if (r0 == 0) r0 = 2;\natomic_store_explicit(x, r0, memory_order_relaxed);"));
  EXPECT_NE(taken.find("this write comes after a branch"), std::string::npos) << taken;
  EXPECT_EQ(problemOf(inC11("atomic_store_explicit(x, 1, memory_order_relaxed);")), "none");
  const std::string assembly = problemOf("X86 t\n{}\nP0;\nMOV [x],$1;\nexists (x=1)\n");
  EXPECT_NE(assembly.find("the test is in assembly"), std::string::npos) << assembly;
}

TEST(KernelLitmus, RunsSayWhatTheyCannotDo) {
  const run::Outcome loop = outcomeOf(inThread("while (READ_ONCE(*y) == 0) {}"));
  EXPECT_EQ(loop.cut, run::Cut::limit);
  EXPECT_NE(loop.cutReason.find("a loop goes round more than 3 times"), std::string::npos) << loop.cutReason;
  EXPECT_THROW(outcomeOf(inThread("int *r0 = NULL; int r1 = READ_ONCE(*r0);")), ProgramError);
  const run::Outcome deadlock = outcomeOf("C t\n{}\nP0(spinlock_t *l) { spin_lock(l); spin_lock(l); }\nexists (true)");
  EXPECT_EQ(deadlock.cut, run::Cut::blocked);
  std::string many;
  for (int i = 0; i < 70; ++i) many += "smp_mb();\n";
  EXPECT_EQ(outcomeOf(inThread(many)).cut, run::Cut::limit);
}

// One that is enumerated can be drawn, too.
TEST(KernelLitmus, WitnessHasTheEvents) {
  static const model::CompiledModel lkmm = model::compiledModel("lkmm");
  const heddle::litmus::Test test =
      parseLitmus("C t\n{}\nP0(int *x, int *y) { WRITE_ONCE(*x, 1); smp_wmb(); WRITE_ONCE(*y, 1); }\n"
                  "P1(int *x, int *y) { int r0 = READ_ONCE(*y); int r1 = READ_ONCE(*x); }\nexists (1:r0=1 /\\ 1:r1=0)",
                  "t.litmus", kKernel);
  run::LitmusOptions options;
  options.witness = true;
  const run::Outcome outcome = run::runLitmus(test, lkmm, options);
  ASSERT_TRUE(outcome.witness);
  const trace::Execution& witness = *outcome.witness;
  EXPECT_EQ(witness.title, "1:r0=1; 1:r1=0;");
  EXPECT_EQ(witness.threads, (std::vector<std::string>{"P0", "P1"}));
  ASSERT_EQ(witness.events.size(), 5U);
  const auto find = [&](ThreadId thread, unsigned index) {
    return *std::ranges::find_if(witness.events,
                                 [&](const trace::Event& event) { return event.thread == thread && event.index == index; });
  };
  EXPECT_EQ(find(1, 1).from, find(0, 3).number);
  EXPECT_EQ(find(1, 2).from, 0U);
  EXPECT_EQ(find(0, 2).order, "wmb");
  EXPECT_EQ(find(1, 1).location, "y");
}

TEST(KernelLitmus, ModelThatAllowsNothingIsNamed) {
  const model::Model model = model::parseCat("let r = rf\nflag ~empty r as f\nacyclic po as fine\nempty W as wrong", "m.cat");
  const model::CompiledModel compiled = model::compile(model, model::kBuiltinParts);
  const run::Outcome outcome = run::runLitmus(parseLitmus(inThread("WRITE_ONCE(*x, 1);"), "t.litmus", kKernel), compiled, {});
  EXPECT_EQ(outcome.cut, run::Cut::blocked);
  EXPECT_NE(outcome.cutReason.find("`wrong` holds in none"), std::string::npos) << outcome.cutReason;
}

TEST(KernelLitmus, FlagsAreRaised) {
  const auto flags = [](const std::string& body) { return outcomeOf(inThread(body)).flags; };
  using Flags = std::vector<std::string>;
  EXPECT_EQ(flags("rcu_read_lock();"), Flags{"unmatched-rcu-lock"});
  EXPECT_EQ(flags("rcu_read_unlock();"), Flags{"unmatched-rcu-unlock"});
  EXPECT_EQ(flags("rcu_read_lock(); synchronize_srcu(y); rcu_read_unlock();"), Flags{"invalid-sleep"});
  EXPECT_EQ(outcomeOf(inThread("rcu_read_lock(); synchronize_rcu(); rcu_read_unlock();")).cut, run::Cut::blocked);
  EXPECT_EQ(flags("int r0 = srcu_read_lock(x);"), Flags{"unmatched-srcu-lock"});
  EXPECT_EQ(flags("spin_unlock(x);"), Flags{"unmatched-unlock"});
  EXPECT_EQ(flags("rcu_read_lock(); rcu_read_lock(); rcu_read_unlock(); rcu_read_unlock();"), Flags{});
}

TEST(KernelLitmus, MutationsDoNotCrash) {
  const std::string text =
      "C t\n{ int *p = &x; 1:r0 = 5; }\nP0(int *x, spinlock_t *l) { spin_lock(l); if (*x == 1) atomic_inc(x); "
      "spin_unlock(l); }\nP1(int *x, int **p) { int *r1 = rcu_dereference(*p); WRITE_ONCE(*r1, r0 + 1); }\n"
      "locations [x; 1:r1;]\nfilter (1:r1=x)\nexists (x=6 /\\ ~1:r0=0:r9 \\/ true)";
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    std::string mutated = text;
    for (std::size_t k = 1 + random() % 3; k > 0; --k) {
      const std::size_t at = random() % mutated.size();
      if (random() % 2 == 0) {
        mutated.erase(at, 1 + random() % 8);
      } else {
        mutated.insert(at, 1, text[random() % text.size()]);
      }
      if (mutated.empty()) mutated = "C";
    }
    errorOf(mutated);
  }
}

}  // namespace
}  // namespace heddle::litmus
