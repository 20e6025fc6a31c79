#include <cstring>
#include <random>

#include "litmus_helpers.h"

namespace heddle::litmus {
namespace {

TEST(LitmusProgram, Arithmetic) {
  EXPECT_EQ(finalState("int r0 = 1 + 2 * 3 - 4 / 2 % 3;", "0:r0"), "0:r0=5;");
  EXPECT_EQ(finalState("int r0 = 3; int r1 = r0 * r0 + (r0 - 1) * (r0 + 1) - -r0;", "0:r1"), "0:r1=20;");
  EXPECT_EQ(finalState("int r0 = 7; long r1 = (r0 << 40) >> 38 | 1 ^ r0 & 6;", "0:r1"), "0:r1=31;");
  EXPECT_EQ(
      finalState("int r0 = 5; int r1 = 10 - r0; int r2 = 100 / r0; int r3 = -7 % r0; int r4 = ~r0;", "0:r1; 0:r2; 0:r3; 0:r4"),
      "0:r1=5; 0:r2=20; 0:r3=-2; 0:r4=-6;");
  EXPECT_EQ(finalState("int r0 = 2; int r1 = 1 < r0; int r2 = r0 <= 1; int r3 = (r0 > 1) + (2 >= r0) + (r0 == 2) + "
                       "(3 != r0) + !r0 + !!r0;",
                       "0:r1; 0:r2; 0:r3"),
            "0:r1=1; 0:r2=0; 0:r3=5;");
  EXPECT_EQ(finalState("int r0 = 0; int r1 = r0 ? 10 : r0 == 0 ? 20 : 30; int r2 = r0 || r1 && 3;", "0:r1; 0:r2"),
            "0:r1=20; 0:r2=1;");
}

TEST(LitmusProgram, NarrowTypes) {
  EXPECT_EQ(finalState("char c = 200; uint8_t u = -1; short s = 70000; unsigned w = -1; int i = 0x80000000; "
                       "bool b = 256; long l = 0x123456789abcdef0;",
                       "0:c; 0:u; 0:s; 0:w; 0:i; 0:b; 0:l"),
            "0:b=1; 0:c=-56; 0:i=-2147483648; 0:l=1311768467463790320; 0:s=4464; 0:u=255; 0:w=4294967295;");
  EXPECT_EQ(finalState("int r = 300; char c = r; bool b = r; uint8_t u = r; u += 250; c++; r = (char)r; "
                       "long l = (unsigned)-r;",
                       "0:c; 0:b; 0:u; 0:r; 0:l"),
            "0:b=1; 0:c=45; 0:l=4294967252; 0:r=44; 0:u=38;");
}

TEST(LitmusProgram, Assignments) {
  EXPECT_EQ(
      finalState("int r = 1; r += 2; r *= 5; r -= 1; r <<= 2; r |= 1; r ^= 3; r &= 0x3f; r %= 50; r /= 2; r >>= 1;", "0:r"),
      "0:r=2;");
  EXPECT_EQ(finalState("int i = 5; int a0 = i++; int b0 = ++i; int c0 = i--; int d0 = --i; int e0; int f0; "
                       "e0 = f0 = i + 1; int g0 = (i = 3, i + 4);",
                       "0:a0; 0:b0; 0:c0; 0:d0; 0:e0; 0:f0; 0:g0"),
            "0:a0=5; 0:b0=7; 0:c0=7; 0:d0=5; 0:e0=6; 0:f0=6; 0:g0=7;");
  EXPECT_EQ(finalState("*x = 5; int r = 2; r = atomic_load(x) + r; r = r + *x; r = *x - r * *x;", "0:r"), "0:r=-55;");
}

TEST(LitmusProgram, Control) {
  EXPECT_EQ(finalState("int s = 0; for (int i = 0; i < 10; i++) { if (i == 3) continue; if (i == 6) break; s += i; }", "0:s"),
            "0:s=12;");
  EXPECT_EQ(finalState("int s = 0, i = 4; while (i) s += i--; do s *= 2; while (0); do { s++; i++; } while (i < 2);", "0:s"),
            "0:s=22;");
  EXPECT_EQ(finalState("int s = 1; if (s) if (!s) s = 2; else s = 3; else s = 4; return; s = 5;", "0:s"), "0:s=3;");
  EXPECT_EQ(finalState("int s = 0; for (int i = 0, j = 9; i < j; ++i, --j) for (int k = 0; k < i; k++) s++;", "0:s"),
            "0:s=10;");
  EXPECT_EQ(finalState("int s = 0; for (int i = 0; ; i++) { if (i >= 4) break; s += 2; }", "0:s"), "0:s=8;");
  EXPECT_EQ(finalState("{ int t = 1; } { int t = 2; *x = t; }", "0:t; x"), "0:t=2; x=2;");
}

TEST(LitmusProgram, Memory) {
  EXPECT_EQ(finalState("*p = 3; p[0] += 4; (*p)++; int r = (*p)--; int s = *p *= 2; int t = ++*p; int u = (*q = 300);",
                       "p; q; 0:r; 0:s; 0:t; 0:u"),
            "0:r=8; 0:s=14; 0:t=15; 0:u=300; p=15; q=300;");
  EXPECT_EQ(
      finalState("*x = 3; int r = *x += 4; int s = (*x)++; int t = --*x; *x |= 16; int u = *x -= r;", "x; 0:r; 0:s; 0:t; 0:u"),
      "0:r=7; 0:s=7; 0:t=7; 0:u=16; x=16;");
  EXPECT_EQ(finalState("int i = 1; a[i] = a[i + 1] + *(a + 3); a[0] = a[i]; int r = atomic_load(&a[i]); "
                       "int s = atomic_fetch_add(a + i, 1); WRITE_ONCE(a[i + 2], 8); a[i]++;",
                       "a; 0:r; 0:s"),
            "0:r=25; 0:s=25; a[0]=25; a[1]=27; a[2]=12; a[3]=8;");
}

TEST(LitmusProgram, AtomicFunctions) {
  EXPECT_EQ(finalState("atomic_init(x, 5); int r = atomic_exchange(x, 6); int s = atomic_fetch_sub_explicit(x, r, "
                       "memory_order_acq_rel); int t = atomic_fetch_or(x, 6); int u = atomic_fetch_and(x, 3); "
                       "int v = atomic_fetch_xor(&x, 1); int w = atomic_fetch_max(x, 9); int z = atomic_fetch_min(x, -4);",
                       "x; 0:r; 0:s; 0:t; 0:u; 0:v; 0:w; 0:z"),
            "0:r=5; 0:s=6; 0:t=1; 0:u=7; 0:v=3; 0:w=2; 0:z=9; x=-4;");
  EXPECT_EQ(finalState("int e = 1; int r = atomic_compare_exchange_strong(x, &e, 5); "
                       "int s = atomic_compare_exchange_weak_explicit(x, &e, e + 7, acq_rel, relaxed);",
                       "x; 0:e; 0:r; 0:s"),
            "0:e=0; 0:r=0; 0:s=1; x=7;");
  EXPECT_EQ(finalState("*x = 300; uint8_t e = 1; if (!atomic_compare_exchange_strong(x, &e, 5)) *y = 1;", "y; 0:e"),
            "0:e=44; y=1;");
}

TEST(LitmusProgram, OperationsCarryTheirDetails) {
  const litmus::Test test = parseLitmus(oneThread(R"(
    atomic_store_explicit(x, -1, relaxed);
    atomic_thread_fence(memory_order_acquire);
    atomic_thread_fence(memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    int e = 3;
    atomic_compare_exchange_weak_explicit(x, &e, 4, memory_order_release, memory_order_consume);
    lock(&m); unlock(m); pthread_mutex_lock(m); mtx_unlock(&m);
    int r = choose(e + 3);
    *x;
    r = *p;
    atomic_fetch_max_explicit(x, r, acquire);)"),
                                        "t.litmus");
  Machine machine(test);
  machine.run();
  const std::vector<Operation>& ops = machine.trace;
  ASSERT_EQ(ops.size(), 12U);
  EXPECT_EQ(ops[0].operand(), 0xffffffffU);
  EXPECT_EQ(ops[0].order, Order::relaxed);
  EXPECT_EQ(ops[1].kind, OperationKind::fence);
  EXPECT_EQ(ops[1].order, Order::acquire);
  EXPECT_EQ(ops[2].kind, OperationKind::cas);
  EXPECT_TRUE(ops[2].mayFailSpuriously);
  EXPECT_EQ(ops[2].order, Order::release);
  EXPECT_EQ(ops[2].failureOrder, Order::acquire);
  EXPECT_EQ(ops[2].expected(), 3U);
  EXPECT_EQ(ops[2].operand(), 4U);
  EXPECT_EQ(ops[3].kind, OperationKind::lock);
  EXPECT_EQ(test.program->locationName(ops[3].address, 4), "m");
  EXPECT_EQ(ops[4].kind, OperationKind::unlock);
  EXPECT_EQ(ops[5].kind, OperationKind::lock);
  EXPECT_EQ(ops[6].kind, OperationKind::unlock);
  EXPECT_EQ(ops[6].address, ops[3].address);
  EXPECT_EQ(ops[7].kind, OperationKind::choose);
  EXPECT_EQ(ops[7].choices(), 2U);  // e is -1 after the failed compare-exchange
  EXPECT_EQ(ops[8].order, Order::seq_cst);
}

TEST(LitmusProgram, TrylockIsACompareExchange) {
  const litmus::Test test = parseLitmus(oneThread(R"(
    int r0 = trylock(m), r1 = trylock(&m), r2 = mtx_trylock(m), r3 = pthread_mutex_trylock(m), r4 = mutex_trylock(m);
    unlock(m); if (!trylock(m) || mtx_trylock(m) == 0) *x = 1; trylock(m);)",
                                                  "locations [0:r0; 0:r1; 0:r2; 0:r3; 0:r4; x]"),
                                        "t.litmus");
  Machine machine(test);
  machine.run();
  ASSERT_EQ(machine.trace.size(), 10U);
  for (const unsigned i : {0U, 1U, 2U, 3U, 4U, 6U, 7U, 8U}) {
    const Operation& op = machine.trace[i];
    EXPECT_EQ(op.kind, OperationKind::cas);
    EXPECT_EQ(op.address, machine.trace[5].address);
    EXPECT_EQ(op.size, 4U);
    EXPECT_EQ(op.expected(), 0U);
    EXPECT_EQ(op.operand(), 1U);
    EXPECT_EQ(op.order, Order::acquire);
    EXPECT_EQ(op.failureOrder, Order::relaxed);
    EXPECT_FALSE(op.mayFailSpuriously);
  }
  EXPECT_EQ(machine.trace[5].kind, OperationKind::unlock);
  EXPECT_EQ(machine.state(), "0:r0=1; 0:r1=0; 0:r2=1; 0:r3=1; 0:r4=0; x=0;");
}

TEST(LitmusProgram, ChooseNeedsAPositiveNumber) {
  const litmus::Test test = parseLitmus(oneThread("int n = 0; int r = choose(n);"), "t");
  Machine machine(test);
  const Operation last = machine.run();
  ASSERT_EQ(last.kind, OperationKind::error);
  EXPECT_EQ(test.program->errorText(last.message()), "choose needs a positive number");
  EXPECT_EQ(finalState("int r = choose(3);", "0:r"), "0:r=2;");
}

TEST(LitmusProgram, AssumeAndAssert) {
  const auto last = [](const std::string& body) {
    const litmus::Test test = parseLitmus(oneThread(body), "t");
    Machine machine(test);
    const Operation op = machine.run();
    std::string text = std::to_string(static_cast<int>(op.kind));
    if (op.kind == OperationKind::error) text = test.program->errorText(op.message());
    if (op.kind == OperationKind::block) text = "block";
    if (op.kind == OperationKind::end) text = "end";
    return text + " at " + test.program->sourceText(op.source);
  };
  EXPECT_EQ(last("assume(*x == 1);"), "block at t:4: assume(*x == 1)");
  EXPECT_EQ(last("assume(*x == 0);"), "end at t:5: }");
  EXPECT_EQ(last("assert(*x ==\n 1);"), "assertion failed: *x ==  1 at t:4: assert(*x == 1)");
  EXPECT_EQ(last("assert(*x == 0 || *p);"), "end at t:5: }");
  EXPECT_EQ(last("int r = 1 / *x;"), "division by zero at t:4: int r = 1 / *x");
  EXPECT_EQ(last("1 % 0;"), "division by zero at t:4: 1 % 0");
  EXPECT_EQ(last("int i = 4; a[i] = 1;"), "index outside `a`, which has 4 elements at t:4: a[i] = 1");
  EXPECT_EQ(last("int i = -1; a[i];"), "index outside `a`, which has 4 elements at t:4: a[i]");
}

TEST(LitmusProgram, MixedSizes) {
  const litmus::Test test = parseLitmus(
      "C t\n{ long x = 0x0102030405060708; }\nP0(uint8_t* x) { int r0 = x[1]; x[7] = 0xff; }\nP1(int* x) { int r0 = "
      "x[1]; }\nlocations [x; 0:r0; 1:r0]",
      "t");
  EXPECT_TRUE(test.program->hasMixedSizes());
  Machine machine(test);
  machine.run(0);
  machine.run(1);
  EXPECT_EQ(machine.state(), "0:r0=7; 1:r0=-16645372; x=-71491328285473016;");
  EXPECT_EQ(test.program->locationName(machine.trace[0].address, 1), "x[1:1]");
}

// A cast gives one thread several views of a location.
TEST(LitmusProgram, CastPlaces) {
  const litmus::Test test = parseLitmus(
      "C t\n{ long x = 0x0102030405060708; }\nP0(atomic_long* x) { atomic_store_explicit((atomic_short*)x + 1, 0x1122, "
      "relaxed); int r0 = *((uint8_t*)x + 2); int r1 = atomic_load((atomic_int*)x); long r2 = atomic_load(x); }\n"
      "locations [0:r0; 0:r1; 0:r2]",
      "t");
  EXPECT_TRUE(test.program->hasMixedSizes());
  Machine machine(test);
  machine.run(0);
  EXPECT_EQ(machine.state(), "0:r0=34; 0:r1=287442696; 0:r2=72623859993544456;");
  EXPECT_EQ(machine.trace[0].size, 2);
  EXPECT_EQ(machine.trace[1].order, Order::plain);
  EXPECT_EQ(machine.trace[2].order, Order::seq_cst);
}

TEST(LitmusProgram, EvaluationIsLeftToRight) {
  const litmus::Test test = parseLitmus(oneThread("int r = *x + *y * *p - *q; a[*x] = *y;"), "t");
  Machine machine(test);
  machine.run();
  std::string order;
  for (const Operation& op : machine.trace) {
    if (op.kind == OperationKind::load) order += test.program->locationName(op.address, op.size);
  }
  EXPECT_EQ(order, "xypqxy");
}

TEST(LitmusProgram, StatesAreSmall) {
  const litmus::Test test = parseLitmus(
      "C t {} P0(atomic_int* x, atomic_int* y) { atomic_store(x, 1); int r0 = atomic_load(y); int r1 = *x + 2 * r0; }", "t");
  EXPECT_EQ(test.program->stateBytes(0), 32U);
}

TEST(LitmusProgram, AdvanceIsRepeatable) {
  const litmus::Test test = parseLitmus(oneThread("int r = 0; r++; *x = r; r++; *y = r;"), "t");
  EXPECT_EQ(test.program->advance(0).operand(), 1U);
  EXPECT_EQ(test.program->advance(0).operand(), 1U);
  test.program->resume(0, {});
  EXPECT_EQ(test.program->advance(0).operand(), 2U);
  test.program->reset();
  EXPECT_EQ(test.program->advance(0).operand(), 1U);
}

bool same(const Operation& a, const Operation& b) {
  return a.kind == b.kind && a.rmw == b.rmw && a.order == b.order && a.size == b.size && a.source == b.source &&
         a.address == b.address && a.operand() == b.operand() && a.expected() == b.expected();
}

// Walks at random over two threads, marking at each step, rewinding to marks, and checks that a rewound thread
// does again exactly what it did.
TEST(LitmusProgram, MarksRoundTrip) {
  const litmus::Test test = parseLitmus(
      "C t {} P0(atomic_int* x, atomic_int* y) { int s = 0; for (int i = 0; i < 50; i++) { int r = *x; s = s * 3 + r; "
      "*y = s + *x; } }\n"
      "P1(atomic_int* x, atomic_int* y) { long a0; long b0; long c0; long d0; long e0; long f0; long g0; long h0; long "
      "k0 = 1; for (int i "
      "= 0; i < 60; i++) { int e = i; k0 += atomic_compare_exchange_strong(x, &e, k0 * i); h0 = k0 + e; "
      "atomic_fetch_add(y, h0); } }",
      "t");
  LitmusProgram& program = *test.program;
  EXPECT_GT(program.stateBytes(1), 64U);
  struct Step {
    ThreadId thread;
    Mark mark;
    Operation op;
  };
  std::mt19937 random(1);
  std::vector<Step> trail;
  program.reset();
  Operation current[2] = {program.advance(0), program.advance(1)};
  for (int i = 0; i < 20000; ++i) {
    const auto thread = static_cast<ThreadId>(random() % 2);
    if (!trail.empty() && random() % 100 < 3) {
      // Undo a random part of the trail: the earliest mark of each thread in it is the state to return to.
      const std::size_t keep = random() % trail.size();
      bool rewound[2] = {false, false};
      for (std::size_t at = keep; at < trail.size(); ++at) {
        const Step& step = trail[at];
        if (rewound[step.thread]) continue;
        rewound[step.thread] = true;
        program.rewind(step.thread, step.mark);
        ASSERT_TRUE(same(program.advance(step.thread), step.op));
        current[step.thread] = step.op;
      }
      program.release(trail[keep].mark);
      trail.resize(keep);
      continue;
    }
    if (current[thread].kind == OperationKind::end) continue;
    trail.push_back({thread, program.mark(thread), current[thread]});
    program.resume(thread, {.value = random() % 1000, .success = random() % 2 == 0});
    current[thread] = program.advance(thread);
  }
  EXPECT_GT(trail.size(), 10U);
}

TEST(LitmusProgram, ManyMarks) {
  const litmus::Test test = parseLitmus(oneThread("int r = *x; *y = r;"), "t");
  LitmusProgram& program = *test.program;
  program.advance(0);
  std::vector<Mark> marks;
  for (int i = 0; i < 100000; ++i) marks.push_back(program.mark(0));
  program.resume(0, {.value = 7});
  EXPECT_EQ(program.advance(0).operand(), 7U);
  program.rewind(0, marks[99999]);
  program.release(marks[0]);
  EXPECT_EQ(program.mark(0), marks[0]);
  program.resume(0, {.value = 8});
  EXPECT_EQ(program.advance(0).operand(), 8U);
}

}  // namespace
}  // namespace heddle::litmus
