#include <chrono>
#include <random>

#include "litmus_helpers.h"

namespace heddle::litmus {
namespace {

void bodyError(const std::string& body, const std::string& part) { expectError(oneThread(body), part); }
void bodyFine(const std::string& body) { EXPECT_EQ(errorOf(oneThread(body)), "") << body; }

TEST(LitmusError, PositionLineAndCaret) {
  const std::string error = errorOf("C t\n{}\nP0(int* x) {\n  *x = r7;\n}\n");
  EXPECT_EQ(error, "t.litmus:4:8: error: unknown variable `r7`\n"
                   "    *x = r7;\n"
                   "         ^\n"
                   "  hint: declare it, `int r7 = ...;`, or make it a parameter of P0");
  try {
    parseLitmus("C t\n{}\nP0(int* x) {\n  *x = r7;\n}\n", "t");
    FAIL();
  } catch (const LitmusError& e) {
    EXPECT_EQ(e.line(), 4U);
    EXPECT_EQ(e.column(), 8U);
  }
}

TEST(LitmusError, Files) {
  expectError("", "t.litmus:1:1: error: a litmus test begins with `C name`");
  expectError("ARM MP\n{}", "this is a litmus test for ARM, which is not supported");
  expectError("Hello MP\n{}", "a litmus test begins with `C name`, or with the name of a machine");
  expectError("C", "has no name");
  expectError("C t", "expected `{` (the initial state), found the end of the file");
  expectError("C t\nP0(int *x) { *x = 1; }", "2:1: error: expected the initial state");
  expectError("C t\nsome words\n", "expected `{` (the initial state)");
  expectError("C t\n{ x=1", "expected `;`");
  expectError("C t\n{ x=y; }", "pointers to locations are not supported");
  expectError("C t\n{ x=1; x=2; } P0() {}", "given twice");
  expectError("C t\n{ 0:r=1; 0:r=2; } P0() {}", "0:r is given twice");
  expectError("C t\n{ 3:r=1; } P0() {}", "there is no thread P3");
  expectError("C t\n{ int a[2] = {1,2,3}; } P0() {}", "`a` has 2 elements");
  expectError("C t\n{ int a[100000000]; } P0() {}", "between 1 and");
  expectError("C t\n{ x=99999999999999999999; } P0() {}", "does not fit in 64 bits");
  expectError("C t\n{}", "expected thread P0");
  expectError("C t\n{} P1() {}", "expected thread P0, found `P1`");
  expectError("C t\n{} P0() {} P0() {}", "expected thread P1");
  expectError("C t\n{} P0() {", "never closed");
  expectError("C t\n{} P0() {} /* ", "comment is never closed");
  expectError("C t\n{} P0() {} (* (* *)", "comment is never closed");
  expectError("C t\n{} P0() {} filter (true) exists true", "`filter` is not supported");
  expectError("C t\n{} P0() {} exists true true", "expected the end of the file");
  expectError("C t\n{} P0() {} exists (0:r=1)", "thread P0 has no register `r`");
  expectError("C t\n{} P0() {} exists (1:r=1)", "there is no thread 1");
  expectError("C t\n{} P0() {} exists (P1:r=1)", "there is no thread `P1`");
  expectError("C t\n{} P0() {} exists (x=1)", "there is no location `x`");
  expectError("C t\n{x;} P0() {} exists (x=1000000000000)", "does not fit in the 4 bytes of x");
  expectError("C t\n{int a[2];} P0() {} exists (a=1)", "`a` is an array");
  expectError("C t\n{int a[2];} P0() {} exists (a[2]=1)", "elements 0 to 1");
  expectError("C t\n{} P0(int x) {}", "is not a pointer");
  expectError("C t\n{} P0(int** x) {}", "pointers to locations");
  expectError("C t\n{} P0(int* x, int* x) {}", "two parameters");
  expectError("C t\n{} P0(foo* x) {}", "expected a parameter");
  try {
    loadLitmus("/nonexistent/file.litmus");
    FAIL();
  } catch (const LitmusError& e) {
    EXPECT_STREQ(e.what(), "/nonexistent/file.litmus: error: cannot open the file");
  }
}

TEST(LitmusError, Bodies) {
  bodyError("z = 1;", "unknown variable `z`");
  bodyError("{ int i; } i = 1;", "not in scope");
  bodyError("int i; int i;", "already declared");
  bodyError("int x;", "already the name of a location");
  bodyError("{ int i; } { long i; }", "another type");
  bodyError("int* r = x;", "pointers to locations cannot be stored");
  bodyError("int r = x;", "is the address of a location");
  bodyError("int r = &x;", "an address cannot be a value");
  bodyError("int r = (int*)x;", "casts to pointer types");
  bodyError("int r = *(int**)x;", "pointers to locations");
  bodyError("int r = *(void*)x;", "integer type");
  bodyError("int r = *(mutex*)x;", "a mutex is used by lock");
  bodyError("int r = *(char*)(a + 1);", "cast of the address of an element");
  bodyError("int r = *((char*)x + 4);", "elements 0 to 3");
  bodyError("int r[3];", "arrays of local variables");
  bodyError("int r; *r = 1;", "is a local variable, not a location");
  bodyError("atomic_load(zz);", "unknown variable `zz`");
  bodyError("atomic_load(a[1]);", "write `&` before it");
  bodyError("foo(1);", "unknown function `foo`");
  bodyError("atomic_foo_explicit(x, relaxed);", "unknown function `atomic_foo_explicit`");
  bodyError("atomic_load(x, memory_order_relaxed);", "too many arguments");
  bodyError("atomic_load_explicit(x);", "expected `,`");
  bodyError("atomic_load_explicit(x, memory_order_strange);", "expected a memory order");
  bodyError("atomic_load_explicit(x, memory_order_release);", "a load cannot have this order");
  bodyError("atomic_store_explicit(x, 1, acquire);", "a store cannot have this order");
  bodyError("int e; atomic_compare_exchange_strong_explicit(x, &e, 1, relaxed, release);", "failed compare-exchange");
  bodyError("atomic_compare_exchange_strong(x, 3, 1);", "by its address");
  bodyError("int e = 0; atomic_compare_exchange_strong(x, e, 1);", "by its address");
  bodyError("atomic_compare_exchange_strong(x, nowhere, 1);", "unknown variable");
  bodyError("int r = atomic_store(x, 1);", "this has no value");
  bodyError("1 = 2;", "cannot be assigned to");
  bodyError("atomic_load(x) = 2;", "cannot be assigned to");
  bodyError("*x *= 2;", "not supported on an atomic location");
  bodyError("a[4] = 2;", "`a` has the elements 0 to 3");
  bodyError("*m = 1;", "a mutex is used by lock, trylock and unlock only");
  bodyError("int r = atomic_load(m);", "a mutex is used by lock, trylock and unlock only");
  bodyError("int e = 0; atomic_compare_exchange_strong(m, &e, 1);", "a mutex is used by lock, trylock and unlock only");
  bodyError("trylock();", "expected a location");
  bodyError("trylock(m, 1);", "expected `)` after the arguments of trylock");
  bodyError("int r = lock(m);", "this has no value");
  bodyError("*x = 1; trylock(x);", "`x` is a mutex in one place and memory in another");
  expectError("C t {} P0(mutex* m) { lock(m); } P1(atomic_int* m) { *m = 0; }", "`m` is a mutex in one place");
  bodyError("break;", "outside a loop");
  bodyError("continue;", "outside a loop");
  bodyError("return 1;", "returns no value");
  bodyError("goto end;", "not supported");
  bodyError("#define X", "preprocessor");
  bodyError("int r = 0x;", "no digits");
  bodyError("int r = 12ab;", "not an integer");
  bodyError("int r = 1.5;", "not an integer");
  bodyError("int r = 'a';", "unexpected character `'`");
  bodyError("int r = 1", "expected `;`");
  bodyError("x.load();", "is the address");
  bodyError("choose(0);", "positive");
  bodyError("spawn(P7);", "there is no thread P7");
  bodyError("spawn(P0);", "cannot spawn itself");
  bodyError("spawn(x);", "expected a thread such as P1");
  expectError("C t {} P0() { spawn(P1); spawn(P1); } P1() {}", "spawned in two places");
  expectError("C t {} P0() { for (int i=0;i<1;i++) spawn(P1); } P1() {}", "spawn inside a loop");
  expectError("C t {} P0() { spawn(P1); } P1() { spawn(P0); }", "no thread runs from the start");
  expectError("C t {x;} P0() { *x = 1; }", "`x` is not a parameter of P0");
}

TEST(LitmusError, UnboundedLoops) {
  for (const char* body : {
           "while (1) {}",
           "int r = 1; while (r) {}",
           "while (atomic_exchange(x, 1)) {}",
           "do { *x = 1; } while (*y == 0);",
           "while (*y == 0) atomic_fetch_add(x, 1);",
           "for (;;) { if (*y) { break; } else { *x = 1; } }",
           "for (;;) { if (*y) *x = 1; else *x = 2; }",
           "while (1) { *x = 1; if (*y) continue; break; }",
           "for (;; *x = 1) { if (*y) break; }",
           "while (1) { lock(m); unlock(m); if (*y) break; }",
       }) {
    bodyError(body, "unbounded loop; ");
  }
  bodyError("\n  while (1) {}", "t.litmus:5:3: error: unbounded loop; it reads nothing");
}

// Rounds that change nothing end like a failed assumption.
TEST(LitmusError, WaitingLoops) {
  for (const char* body : {
           "while (atomic_load(x) == 0) {}",
           "int r; do r = *x; while (!r);",
           "for (;;) { if (*x) break; }",
           "int r = 0; while (r == 0) { int t = *x; r = t; }",
           "int go = 1; while (go) { if (*x) go = 0; }",
           "int i = 0; while (i < 3) { if (*x) continue; i++; }",
           "int i = 0; while (i < 3) { if (*x) i++; }",
           "for (int i = 0; i < 3; i++) { if (*x) i = 0; }",
           "for (int i = 0; i < 3; i++) i -= *x;",
           "for (int i = 0; i < 3 || *x; i++) {}",
           "int e = 0; while (!atomic_compare_exchange_strong(x, &e, 1)) e = 0;",
           "int e = 0; int i = 0; while (e < 3) atomic_compare_exchange_strong(x, &e, 1);",
           "int n = 0; while (n < 3) n += choose(2);",
           "int n = 0; for (int i = 0; n < 3; i++) { for (int j = 0; j < 2; j++) { if (*x) break; n++; } }",
           "int i = 0; while (1) { i++; if (i > 3) { if (*x) continue; break; } }",
           "int n = 0; while (n < 3) { *x && n++; }",
           "while (!trylock(m));",
           "while (1) { if (*y) continue; *x = 1; }",
       }) {
    bodyFine(body);
  }
}

TEST(LitmusError, BoundedLoops) {
  for (const char* body : {
           "for (int i = 0; i < 3; i++) *x = i;",
           "for (int i = 0; i < 3 && *x == 0; i++) {}",
           "for (int i = 0; *x == 0 && i != 3; i++) {}",
           "int r = 0; for (int i = 3; i > 0 && !r; i--) r = *x;",
           "int n = *x; for (int i = 0; i < n; i++) *y = i;",
           "int n = *x; while (n > 0) n--;",
           "for (int i = 0; i < 3; i++) { if (*x) i++; }",
           "for (int i = 0; i < 3; i++) { if (*x) continue; *y = 1; }",
           "int i = 0; while (i < 3) { i = i + 1; if (*x) continue; }",
           "int i = 0; while (1) { if (i == 3) break; if (*x) break; i++; }",
           "int i = 0; for (;;) { if (++i > 3 || *x) return; }",
           "do { *x = 1; } while (0);",
           "while (1) { *x = 1; break; }",
           "int i = 0; while (i++ < 3) *x;",
           "for (int i = 0; i < 3; i++) for (int j = i; j < 3; j++) { if (*x) break; }",
           "int e = 0; for (int i = 0; i < 2 && !atomic_compare_exchange_strong(x, &e, 1); i++) e = 0;",
       }) {
    bodyFine(body);
  }
}

TEST(LitmusError, LoopBoundAtRunTime) {
  const std::string text = oneThread("int s = 0; for (int i = 0; i < 100; i++) s++;");
  const litmus::Test ample = parseLitmus(text, "t", {.loopBound = 100});
  EXPECT_EQ(Machine(ample).run().kind, OperationKind::end);
  const litmus::Test scant = parseLitmus(text, "t", {.loopBound = 99});
  try {
    Machine(scant).run();
    FAIL();
  } catch (const LitmusError& e) {
    EXPECT_EQ(e.line(), 4U);
    EXPECT_NE(std::string(e.what()).find("does not seem to be bounded"), std::string::npos);
  }
}

// Garbage ends in an error, soon, and never in a crash.
std::string parseWithin(const std::string& text, double seconds) {
  const auto start = std::chrono::steady_clock::now();
  const std::string error = errorOf(text);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_LT(taken.count(), seconds) << text.substr(0, 80);
  return error.substr(0, error.find('\n'));
}

std::string repeat(const std::string& piece, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text;
}

TEST(LitmusError, Garbage) {
  constexpr double limit = 20;  // generous: for sanitizers and slow machines
  constexpr std::size_t many = 1000000;
  std::mt19937 random(7);
  std::string noise(10 << 20, '\0');
  for (char& c : noise) c = static_cast<char>(random());
  EXPECT_NE(parseWithin(noise, limit), "");
  EXPECT_NE(parseWithin("C t\n{" + noise, limit), "");
  EXPECT_NE(parseWithin("C t {} P0(int* x) {" + noise, limit), "");
  const auto body = [&](const std::string& text) { return parseWithin(oneThread(text), limit); };
  EXPECT_NE(body(repeat("(", many)).find("nested too deeply"), std::string::npos);
  EXPECT_NE(body(repeat("{", many)).find("nested too deeply"), std::string::npos);
  EXPECT_NE(body(repeat("!", many)).find("nested too deeply"), std::string::npos);
  EXPECT_NE(body(repeat("*", many)), "");
  EXPECT_NE(body("int r = 0; r " + repeat("= r", many)), "");
  EXPECT_NE(body("int r = 0; r = " + repeat("r ? r : ", many)).find("nested too deeply"), std::string::npos);
  EXPECT_NE(body("int r = 0; r = r " + repeat("+ r", many)).find("too long"), std::string::npos);
  EXPECT_NE(body(repeat("if (1) ", many)).find("nested too deeply"), std::string::npos);
  EXPECT_NE(body(repeat("atomic_load(", many)), "");
  EXPECT_NE(body(repeat("a[", many)).find("nested too deeply"), std::string::npos);
  EXPECT_NE(body("int r = " + repeat("9", many) + ";").find("64 bits"), std::string::npos);
  EXPECT_NE(body("int " + repeat("r", many) + ";").find("too long"), std::string::npos);
  EXPECT_NE(body(repeat("_Atomic(", many)), "");
  EXPECT_EQ(body(repeat("*x = 1;", many)), "");
  EXPECT_EQ(body("int i = 0;" + repeat("while(i<1)i++;", many / 4)), "");
  EXPECT_NE(parseWithin(repeat("(*", many), limit), "");
  const std::string start = "C t {} P0(int* x) {} exists ";
  EXPECT_NE(parseWithin(start + repeat("(", many), limit).find("nested too deeply"), std::string::npos);
  EXPECT_NE(parseWithin(start + repeat("~", many), limit).find("nested too deeply"), std::string::npos);
  EXPECT_NE(parseWithin(start + repeat("x=1 => ", many), limit).find("nested too deeply"), std::string::npos);
  EXPECT_EQ(parseWithin(start + repeat("x=1 /\\ ", many) + "true", limit), "");
  EXPECT_NE(parseWithin("C t {" + repeat("x=1;", many), limit), "");
  EXPECT_NE(parseWithin(start + "true\n" + repeat("//! m: Never\n", many), limit), "");
}

TEST(LitmusError, TruncatedFiles) {
  const std::string text =
      oneThread("int r0 = atomic_load_explicit(x, acquire); for (int i = 0; i < 3 && !r0; i++) { r0 += a[i] ? *p : 1; }\n"
                "int e = 0; if (atomic_compare_exchange_weak(y, &e, r0)) { lock(m); unlock(m); } else assert(e != 1);",
                "locations [x; 0:r0] exists (0:r0=1 /\\ ~(x=2 \\/ a[1]=3))\n//! sc: Never, executions 3");
  EXPECT_EQ(errorOf(text), "");
  for (std::size_t length = 0; length < text.size(); ++length) errorOf(text.substr(0, length));
}

// Valid files with a few bytes changed, pieces swapped, or pieces repeated.
TEST(LitmusError, Mutations) {
  const std::string base = oneThread(
      "int r0 = atomic_load_explicit(x, acquire); for (int i = 0; i < 3 && !r0; i++) { r0 += a[i] ? *p : 1; }\n"
      "int e = 0; if (atomic_compare_exchange_weak(y, &e, r0)) { lock(m); unlock(m); } else assert(e != 1);\n"
      "do { *q *= 2; r0 = choose(2); } while (0); WRITE_ONCE(*p, (char)r0 / e); spawn(P1);",
      "P1(int* x) { *x = 1; } locations [x; 0:r0] exists (0:r0=1 /\\ ~(x=2 \\/ a[1]=3))\n//! sc: Never, executions 3");
  ASSERT_EQ(errorOf(base), "");
  std::mt19937 random(11);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (int round = 0; round < 3000; ++round) {
    std::string text = base;
    for (std::size_t edits = 1 + below(4); edits > 0; --edits) {
      const std::size_t at = below(text.size());
      const std::size_t from = below(text.size());
      const std::size_t length = 1 + below(12);
      switch (below(4)) {
        case 0: text[at] = static_cast<char>(32 + below(95)); break;
        case 1: text.erase(at, length); break;
        case 2: text.insert(at, text.substr(from, length)); break;
        default: text.replace(at, length, text.substr(from, length)); break;
      }
      if (text.empty()) text = " ";
    }
    try {
      const litmus::Test test = parseLitmus(text, "t", {.loopBound = 200});
      for (unsigned thread = 0; thread < test.program->threadCount(); ++thread) {
        Machine(test).run(static_cast<ThreadId>(thread));
      }
    } catch (const LitmusError&) {}
  }
}

}  // namespace
}  // namespace heddle::litmus
