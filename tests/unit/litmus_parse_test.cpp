#include "litmus_helpers.h"

namespace heddle::litmus {
namespace {

const char* const kMessagePassing = R"(C MP+rel+acq
"Message passing, with a (* comment *) in its title"
Cycle=Rfe PodRR Fre PodWW
(* a comment (* nested *) *)
{
  x=0; /* also */ atomic_int y=0; // and this
}
//! rc20: Never, executions 3, no race
//! sc: Never, executions 3, executions-rf 3, blocked 0, states 3
//! sc state 1:r0=0; 1:r1=0;
//! sc state 1:r1=1; P1:r0=0
//! sc state 1:r0=1; 1:r1=1;

P0 (atomic_int* y, int* x) {
  *x = 1;
  atomic_store_explicit(y, 1, memory_order_release);
}

P1 (atomic_int* y,int* x) {
  (* a comment where a statement may begin *)
  int r0 = atomic_load_explicit(y,memory_order_acquire);
  int r1 = READ_ONCE(*x);
}

exists (1:r0=1 /\ 1:r1=0)
)";

TEST(LitmusParse, MessagePassing) {
  const litmus::Test test = parseLitmus(kMessagePassing, "mp.litmus");
  EXPECT_EQ(test.name, "MP+rel+acq");
  EXPECT_EQ(test.file, "mp.litmus");
  EXPECT_EQ(test.quantifier, Quantifier::exists);
  EXPECT_EQ(test.conditionText, "exists (1:r0=1 /\\ 1:r1=0)");
  EXPECT_TRUE(test.hasPlainAccesses);
  EXPECT_FALSE(test.program->hasMixedSizes());
  ASSERT_EQ(test.program->threadCount(), 2U);
  EXPECT_EQ(test.program->initialThreads(), 2U);

  LitmusProgram& program = *test.program;
  Operation op = program.advance(0);
  EXPECT_EQ(op.kind, OperationKind::store);
  EXPECT_EQ(op.order, Order::plain);
  EXPECT_EQ(op.address, 16U);
  EXPECT_EQ(op.operand(), 1U);
  EXPECT_EQ(op.size, 4);
  EXPECT_EQ(program.locationName(op.address, op.size), "x");
  EXPECT_EQ(program.sourceText(op.source), "mp.litmus:15: *x = 1");
  program.resume(0, {});
  op = program.advance(0);
  EXPECT_EQ(op.order, Order::release);
  EXPECT_EQ(op.address, 32U);
  EXPECT_EQ(program.sourceText(op.source), "mp.litmus:16: atomic_store_explicit(y, 1, memory_order_release)");
  program.resume(0, {});
  EXPECT_EQ(program.advance(0).kind, OperationKind::end);

  op = program.advance(1);
  EXPECT_EQ(op.kind, OperationKind::load);
  EXPECT_EQ(op.order, Order::acquire);
  program.resume(1, {.value = 1});
  op = program.advance(1);
  EXPECT_EQ(op.order, Order::relaxed);
  program.resume(1, {.value = 0xffffffff});
  EXPECT_EQ(program.advance(1).kind, OperationKind::end);
  EXPECT_EQ(program.registerValue(1, 0), 1U);
  EXPECT_EQ(static_cast<std::int64_t>(program.registerValue(1, 1)), -1);
}

TEST(LitmusParse, Expectations) {
  const litmus::Test test = parseLitmus(kMessagePassing, "mp.litmus");
  ASSERT_EQ(test.expectations.size(), 2U);
  const Expectation& rc20 = test.expectations[0];
  EXPECT_EQ(rc20.model, "rc20");
  EXPECT_EQ(rc20.line, 8U);
  EXPECT_EQ(rc20.observation, Observation::never);
  EXPECT_EQ(rc20.executions, 3U);
  EXPECT_EQ(rc20.race, false);
  EXPECT_FALSE(rc20.blocked);
  const Expectation& sc = test.expectations[1];
  EXPECT_EQ(sc.executionsRf, 3U);
  EXPECT_EQ(sc.blocked, 0U);
  EXPECT_EQ(sc.states, 3U);
  EXPECT_FALSE(sc.error);
  const std::vector<std::string> states = {"1:r0=0; 1:r1=0;", "1:r0=0; 1:r1=1;", "1:r0=1; 1:r1=1;"};
  EXPECT_EQ(sc.stateLines, states);
}

TEST(LitmusParse, BadExpectations) {
  const std::string base = "C t\n{}\nP0(int* x) { int r0 = *x; }\nexists (0:r0=1)\n";
  expectError(base + "//! sc: Nevr", "t.litmus:5:9: error: unknown expectation");
  expectError(base + "//! sc: executions", "needs a number");
  expectError(base + "//! sc: executions 3x", "needs a number");
  expectError(base + "//! sc: executions 3 4", "expected `,`");
  expectError(base + "//! sc: Never, Always", "contradicts");
  expectError(base + "//! sc: no", "expected `no race`");
  expectError(base + "//! : Never", "name of a model");
  expectError(base + "//! sc Never", "expected `:` or `state`");
  expectError(base + "//! sc state 0:r1=0;", "`0:r1` is not among");
  expectError(base + "//! sc state ", "no value for `0:r0`");
  expectError(base + "//! sc state 0:r0=a;", "bad value");
  expectError(base + "//! sc state 0:r0=0; 0:r0=1", "given twice");
  expectError(base + "//!", "name of a model");
  EXPECT_EQ(errorOf(base + "  //! sc: race, error\n//! sc state [0:r0]=-1;"), "");
}

TEST(LitmusParse, InitialState) {
  const litmus::Test test =
      parseLitmus("C t\n{ x=1; [y]=2; long z = -1; uint8_t b = 0x1ff; int a[4] = {1,2}; a[3] = 9; c[2]; 0:r0=5; P0:r1=-6; "
                  "bool f = 7; atomic_int u; }\n"
                  "P0(int* x, int* y, long* z, short* c, int* n) { r0 = r0 + 1; int r1; int r2; }\n"
                  "locations [x; y; z; b; a; c; n; 0:r0; 0:r1; 0:r2; f; u]",
                  "t.litmus");
  Machine machine(test);
  machine.run();
  EXPECT_EQ(machine.state(),
            "0:r0=6; 0:r1=-6; 0:r2=0; a[0]=1; a[1]=2; a[2]=0; a[3]=9; b=255; c[0]=0; c[1]=0; f=1; n=0; u=0; x=1; "
            "y=2; z=-1;");
  EXPECT_EQ(test.quantifier, Quantifier::none);
  EXPECT_EQ(test.conditionText, "forall (true)");
  EXPECT_TRUE(test.holds(nullptr));
  for (const CompiledLocation& location : test.program->locations()) EXPECT_EQ(location.address % 16, 0U);
  const CompiledLocation& c = test.program->locations()[5];
  EXPECT_EQ(c.name, "c");
  EXPECT_EQ(test.program->locationName(c.address + 2, 2), "c[1]");
  EXPECT_EQ(test.program->locationName(c.address, 1), "c[0:0]");
}

TEST(LitmusParse, EmptyPieces) {
  EXPECT_EQ(errorOf("C t\n{}\nP0() {}\n"), "");
  EXPECT_EQ(errorOf("C t {} void P0(void) {;;{}} forall (true)"), "");
  EXPECT_EQ(errorOf("// c\nC t\n{ ; x=1 }\nP0(volatile int* x) { return; }\nforall true"), "");
}

TEST(LitmusParse, Types) {
  const auto sizeOf = [](const std::string& type) {
    const litmus::Test test = parseLitmus("C t {} P0(" + type + " x) { *x = -1; }", "t");
    const Operation op = test.program->advance(0);
    return std::to_string(op.size) + (op.order == Order::plain ? "p" : "a");
  };
  EXPECT_EQ(sizeOf("char*"), "1p");
  EXPECT_EQ(sizeOf("int8_t*"), "1p");
  EXPECT_EQ(sizeOf("unsigned short int*"), "2p");
  EXPECT_EQ(sizeOf("unsigned*"), "4p");
  EXPECT_EQ(sizeOf("long long unsigned*"), "8p");
  EXPECT_EQ(sizeOf("const volatile uint64_t* restrict"), "8p");
  EXPECT_EQ(sizeOf("size_t*"), "8p");
  EXPECT_EQ(sizeOf("_Bool*"), "1p");
  EXPECT_EQ(sizeOf("atomic_int*"), "4a");
  EXPECT_EQ(sizeOf("atomic_long *"), "8a");
  EXPECT_EQ(sizeOf("_Atomic int*"), "4a");
  EXPECT_EQ(sizeOf("_Atomic(long)*"), "8a");
  EXPECT_EQ(sizeOf("int _Atomic*"), "4a");
  EXPECT_EQ(sizeOf("atomic_uint_fast16_t*"), "2a");
}

TEST(LitmusParse, SpawnedThreadsComeLast) {
  const litmus::Test test =
      parseLitmus("C t {} P0(int* x) { int r0 = 10; } P1() { spawn(P0); int r0 = 11; join(P0); } P2() { int r0 = 12; }\n"
                  "exists (0:r0=10 /\\ 1:r0=11 /\\ P2:r0=12)",
                  "t");
  LitmusProgram& program = *test.program;
  EXPECT_EQ(program.threadCount(), 3U);
  EXPECT_EQ(program.initialThreads(), 2U);
  EXPECT_EQ(program.sourceNumber(0), 1U);
  EXPECT_EQ(program.sourceNumber(1), 2U);
  EXPECT_EQ(program.sourceNumber(2), 0U);
  EXPECT_EQ(program.threadName(2), "P0");
  const Operation spawn = program.advance(0);
  EXPECT_EQ(spawn.kind, OperationKind::spawn);
  EXPECT_EQ(spawn.thread, 2U);
  Machine machine(test);
  for (ThreadId thread = 0; thread < 3; ++thread) machine.run(thread);
  EXPECT_EQ(machine.trace[1].kind, OperationKind::join);
  EXPECT_EQ(machine.trace[1].thread, 2U);
  EXPECT_EQ(machine.state(), "0:r0=10; 1:r0=11; 2:r0=12;");
  EXPECT_TRUE(test.holds(machine.observed().data()));
}

TEST(LitmusParse, SpawnedThreadsWithHighNumbersStay) {
  const litmus::Test test = parseLitmus("C t {} P0() { spawn(P1); spawn(P2); } P1() {} P2() {}", "t");
  EXPECT_EQ(test.program->initialThreads(), 1U);
  for (ThreadId thread = 0; thread < 3; ++thread) EXPECT_EQ(test.program->sourceNumber(thread), thread);
}

TEST(LitmusCondition, Connectives) {
  const auto holds = [](const std::string& condition, std::int64_t r0, std::int64_t r1) {
    const litmus::Test test = parseLitmus("C t {} P0() { int r0; int r1; } locations [0:r0; 0:r1;] exists " + condition, "t");
    const std::int64_t observed[] = {r0, r1};
    return test.holds(observed);
  };
  for (const int a : {0, 1}) {
    for (const int b : {0, 1}) {
      EXPECT_EQ(holds("(0:r0=1 /\\ 0:r1=1)", a, b), a && b);
      EXPECT_EQ(holds("(0:r0=1 \\/ 0:r1=1)", a, b), a || b);
      EXPECT_EQ(holds("(0:r0=0 \\/ 0:r0=1 /\\ 0:r1=1)", a, b), !a || b);
      EXPECT_EQ(holds("((0:r0=0 \\/ 0:r0=1) /\\ 0:r1=1)", a, b), b == 1);
      EXPECT_EQ(holds("(0:r0=1 => 0:r1=1)", a, b), !a || b);
      EXPECT_EQ(holds("~(0:r0=1 /\\ 0:r1=1)", a, b), !(a && b));
      EXPECT_EQ(holds("not (0:r0!=1 \\/ not (0:r1=1))", a, b), a && b);
      EXPECT_EQ(holds("(0:r0=1 && (0:r1<>1 || false))", a, b), a && !b);
      EXPECT_EQ(holds("true", a, b), true);
      EXPECT_EQ(holds("(true /\\ false)", a, b), false);
    }
  }
  EXPECT_TRUE(holds("(0:r0=-1 /\\ 0:r1=0xffffffff)", -1, -1));
}

TEST(LitmusCondition, TextIsNormalised) {
  const auto text = [](const std::string& condition) {
    return parseLitmus("C t {} P0(int* x, int* a) { int r0; int r1; } " + condition, "t").conditionText;
  };
  EXPECT_EQ(text("exists P0:r0 = 0x10/\\[x] = 2"), "exists (0:r0=16 /\\ x=2)");
  EXPECT_EQ(text("~exists ((x=1 \\/ x!=2) /\\ not x=3)"), "~exists ((x=1 \\/ x!=2) /\\ ~(x=3))");
  EXPECT_EQ(text("forall (a[0]=1 => true)"), "forall (~(a=1) \\/ true)");
}

TEST(LitmusCondition, ObservablesAreSorted) {
  const litmus::Test test = parseLitmus("C t\n{ int b[12]; }\nP0(uint64_t* y, int* x) { int r1; int r0; } P1() { int s; }\n"
                                        "locations [y; x; b[10]; b[9];] exists (1:s=0 /\\ 0:r1=1 /\\ 0:r0=1)",
                                        "t");
  std::vector<std::string> names;
  for (const Observable& o : test.observables) names.push_back(o.name);
  const std::vector<std::string> expected = {"0:r0", "0:r1", "1:s", "b[9]", "b[10]", "x", "y"};
  EXPECT_EQ(names, expected);
  const std::int64_t values[] = {-1, 0, 1, 2, 3, -4, -1};
  EXPECT_EQ(test.stateText(values), "0:r0=-1; 0:r1=0; 1:s=1; b[9]=2; b[10]=3; x=-4; y=18446744073709551615;");
  EXPECT_EQ(test.observables[5].fromMemory(0xfffffffe), -2);
}

}  // namespace
}  // namespace heddle::litmus
