// The instrumentation: which hooks are called where, and which are not.
#include "native/instrument/hook_condition.h"
#include "runtime/hooks.h"
#include "unit/native_instrument_helpers.h"

namespace heddle::native {

using runtime::ErrorKind;
using runtime::isSpin;

namespace {

unsigned packed(Order order, unsigned size, Order failure = Order::relaxed, RmwOp rmw = RmwOp::exchange, bool weak = false) {
  return runtime::packAccess(static_cast<unsigned>(order), static_cast<unsigned>(failure), size, static_cast<unsigned>(rmw),
                             weak);
}

// ---- Plain accesses

TEST_F(InstrumentTest, PlainAccessesCallHooks) {
  const auto program = c("int x, y; int main(void) {\n  x = 1;\n  return y;\n}");
  ASSERT_EQ(program.count("heddle_plain_write"), 1u);
  ASSERT_EQ(program.count("heddle_plain_read"), 1u);
  const llvm::CallBase& write = *program.calls("heddle_plain_write")[0];
  EXPECT_EQ(Instrumented::number(write, 1), 4u);
  EXPECT_EQ(Instrumented::number(write, 3), 1u);
  EXPECT_EQ(program.source(write, 2).line, 2u);
  EXPECT_EQ(program.source(*program.calls("heddle_plain_read")[0], 2).line, 3u);
}

// With the checks inlined, each hook is on a way that is not the usual one; there are no more and no fewer of them.
TEST_F(InstrumentTest, ChecksCanBeInlined) {
  auto program = c("int x; short y; long long *p; struct { char c; long long l; } __attribute__((packed)) q;\n"
                   "int main(void) {\n  x = 1;\n  y = 2;\n  q.l = *p;\n  return 0;\n}");
  llvm::Module& module = *program.program.module;
  EXPECT_EQ(program.count("heddle_plain_write", "main"), 3u);
  EXPECT_EQ(program.count("heddle_plain_read", "main"), 2u);
  inlineHookConditions(module, module.getNamedGlobal("heddle_epoch"));
  expectVerified(module);
  EXPECT_EQ(program.count("heddle_plain_write", "main"), 3u);
  EXPECT_EQ(program.count("heddle_plain_read", "main"), 2u);
  for (const char* hook : {"heddle_plain_write", "heddle_plain_read"}) {
    for (const llvm::CallBase* call : program.calls(hook, "main")) {
      const llvm::BasicBlock* before = call->getParent()->getSinglePredecessor();
      ASSERT_NE(before, nullptr);
      EXPECT_TRUE(before->getTerminator()->hasMetadata(llvm::LLVMContext::MD_prof));
      EXPECT_EQ(call->getParent()->size(), 2u);  // and a way back
    }
  }
}

TEST_F(InstrumentTest, LoadWhoseValueIsNotUsedStays) {
  EXPECT_EQ(c("int x; int main(void) { int r = x; (void)r; return 0; }").count("heddle_plain_read", "main"), 1u);
  EXPECT_EQ(c("int x; static int f(void) { return x; } int main(void) { f(); return 0; }").count("heddle_plain_read"), 1u);
}

TEST_F(InstrumentTest, LoadIsNotMadeUnconditional) {
  const auto program = c("#include <stdatomic.h>\natomic_int f; int x;\n"
                         "int main(void) { int r = 0; if (f) r = x; return r; }");
  const auto reads = program.calls("heddle_plain_read", "main");
  ASSERT_EQ(reads.size(), 1u);
  EXPECT_NE(reads[0]->getParent(), &reads[0]->getFunction()->getEntryBlock());  // but behind the test of the flag
}

TEST_F(InstrumentTest, ConstantsAndPrivateVariablesNeedNoCheck) {
  const auto program =
      c("static const int table[4] = {1, 2, 3, 4};\n"
        "int main(int argc, char **argv) { int a = argc; int b[2]; b[0] = a; b[1] = 2; return b[0] + b[1] + table[2]; }");
  EXPECT_EQ(program.count("heddle_plain_read", "main"), 0u);
  EXPECT_EQ(program.count("heddle_plain_write", "main"), 0u);
  EXPECT_EQ(program.count("heddle_frame_push", "main"), 0u);
}

TEST_F(InstrumentTest, SecondCheckOfAnAddressIsLeftOut) {
  EXPECT_EQ(c("int *p; int f(int *q) { return *q + *q; } int main(void) { return f(p); }").count("heddle_plain_read"), 2u);
  EXPECT_EQ(c("#include <stdatomic.h>\natomic_int a; int x;\n"
              "int main(void) { int r = x; atomic_store(&a, 1); return r + x; }")
                .count("heddle_plain_read", "main"),
            2u);
  // A write may be an event, if it meets an atomic object.
  EXPECT_EQ(c("int x, y; int main(void) { int r = x; y = 1; return r + x; }").count("heddle_plain_read", "main"), 2u);
  // And so may the next one to the same address.
  EXPECT_EQ(c("int x; int main(void) { x = x + 1; x = 2; return x; }").count("heddle_plain_write", "main"), 2u);
  EXPECT_EQ(c("int x; int main(void) { x = x + 1; x = 2; return x; }").count("heddle_plain_read", "main"), 1u);
}

TEST_F(InstrumentTest, OverrunOfAKnownObjectIsTested) {
  const auto program = c("int a[4], b[4]; int main(int argc, char **argv) { a[argc] = 1; return b[2]; }");
  EXPECT_EQ(program.failures(ErrorKind::outOfBounds, "main"), 1u);
  EXPECT_EQ(c("int main(int argc, char **argv) { int a[4] = {0}; a[argc] = 1; return a[1]; }").failures(ErrorKind::outOfBounds),
            1u);
  EXPECT_EQ(c("int a[4]; int main(void) { int *p = a; return p[4]; }").failures(ErrorKind::outOfBounds), 1u);
  EXPECT_EQ(c("int main(void) { int a[2] = {1, 2}; int *p = a; return p[2]; }").failures(ErrorKind::outOfBounds), 1u);
}

TEST_F(InstrumentTest, CopiesAndSetsAreHooks) {
  const auto program = c("#include <string.h>\nstruct S { int a[20]; } x, y;\n"
                         "int main(void) { x = y; memset(&y, 0, sizeof y); return 0; }");
  EXPECT_EQ(program.count("heddle_copy", "main"), 1u);
  EXPECT_EQ(program.count("heddle_set", "main"), 1u);
}

TEST_F(InstrumentTest, BytesMayBeCopiedUninitialised) {
  const auto program =
      c("char a[8], b[8]; int main(int argc, char **argv) { for (int i = 0; i < 8; ++i) a[i] = b[i]; return 0; }");
  EXPECT_EQ(program.count("heddle_copy", "main"), 1u);
  EXPECT_EQ(program.count("heddle_plain_read", "main"), 0u);
  EXPECT_EQ(program.count("heddle_plain_write", "main"), 1u);
}

TEST_F(InstrumentTest, ByteMayBeCopiedOntoItself) {
  const auto program = c("struct cell { char byte; }; struct cell* cell;\nint main(void) { cell->byte = cell->byte; }\n");
  EXPECT_EQ(program.count("heddle_copy", "main"), 1u);
  EXPECT_EQ(program.count("heddle_plain_write", "main"), 1u);
}

TEST_F(InstrumentTest, BitFieldsAreWritesOfTheirUnit) {
  const auto program = c("struct { unsigned a : 3, b : 5; } f; int main(void) { f.a = 1; return 0; }");
  EXPECT_EQ(program.count("heddle_plain_read", "main"), 0u);
  EXPECT_EQ(program.count("heddle_plain_peek", "main"), 1u) << "the bits around it may be uninitialised";
  EXPECT_EQ(program.count("heddle_plain_write", "main"), 1u);
}

TEST_F(InstrumentTest, VolatileIsPlainUnlessAskedFor) {
  const std::string text = "volatile int x; int main(void) { x = 1; return x; }";
  EXPECT_EQ(c(text).count("heddle_plain_write"), 1u);
  BuildOptions options;
  options.volatileRelaxed = true;
  const auto relaxed = c(text, options);
  EXPECT_EQ(relaxed.count("heddle_plain_write"), 0u);
  ASSERT_EQ(relaxed.count("heddle_atomic_store"), 1u);
  EXPECT_EQ(Instrumented::number(*relaxed.calls("heddle_atomic_store")[0], 2), packed(Order::relaxed, 4));
  EXPECT_EQ(relaxed.count("heddle_atomic_load"), 1u);
}

TEST_F(InstrumentTest, WhereRacesAreNoErrorsEveryAccessIsChecked) {
  const std::string text = "int x; int main(void) { x = 1; return x + x; }";
  EXPECT_EQ(c(text).count("heddle_plain_write", "main"), 1u);
  EXPECT_EQ(c(text).count("heddle_plain_read", "main"), 0u);
  BuildOptions options;
  options.races = false;
  EXPECT_EQ(c(text, options).count("heddle_plain_write", "main"), 1u);
  EXPECT_EQ(c(text, options).count("heddle_plain_read", "main"), 2u);
}

// ---- Frames

TEST_F(InstrumentTest, EscapingVariablesMoveToFrameMemory) {
  const auto program = c("void *g; int main(void) { int x = 1; g = &x; return x; }");
  ASSERT_EQ(program.count("heddle_frame_push", "main"), 1u);
  EXPECT_EQ(program.count("heddle_frame_pop", "main"), 1u);
  EXPECT_EQ(program.count("heddle_plain_write", "main"), 2u);
  const llvm::CallBase& push = *program.calls("heddle_frame_push", "main")[0];
  EXPECT_EQ(Instrumented::number(push, 2), 1u);
  const auto* table = llvm::cast<llvm::GlobalVariable>(push.getArgOperand(1));
  const auto* row = llvm::cast<llvm::ConstantArray>(table->getInitializer())->getOperand(0);
  EXPECT_EQ(llvm::cast<llvm::ConstantInt>(row->getAggregateElement(1U))->getZExtValue(), 4u);
  const auto tag = llvm::cast<llvm::ConstantInt>(row->getAggregateElement(2U))->getZExtValue();
  EXPECT_EQ(program.info.variables.at(tag).name, "main()::x");
}

TEST_F(InstrumentTest, FunctionsWithFramesAreNotInlinedBefore) {
  const std::string text = "int *g; static void f(void) { int x = 1; g = &x; } static int h(int n) { return n + 1; }\n"
                           "int main(int n, char **argv) { f(); return h(*g); }";
  const auto program = c(text);
  EXPECT_EQ(program.count("f", "main"), 1u);
  EXPECT_EQ(program.count("h", "main"), 0u);
  EXPECT_EQ(program.count("heddle_frame_push", "f"), 1u);
  EXPECT_FALSE(program.module().getFunction("f")->hasFnAttribute(llvm::Attribute::NoInline));
}

TEST_F(InstrumentTest, VariableLengthArraysAreFramesOfTheirOwn) {
  const auto program = c("int main(int n, char **argv) { { int a[n]; a[0] = n; } return 0; }");
  EXPECT_EQ(program.count("heddle_alloca", "main"), 1u);
  EXPECT_EQ(program.count("heddle_frame_push", "main"), 2u);
  EXPECT_EQ(program.count("heddle_frame_pop", "main"), 2u);
}

TEST_F(InstrumentTest, LandingPadsDropTheFramesAbove) {
  const auto program =
      cxx("void f(int *p) { if (*p) throw 1; }\n"
          "__attribute__((noinline)) int g(int n) { int x = n; try { f(&x); } catch (int) { return 1; } return x; }\n"
          "int main(int n, char **) { return g(n); }");
  EXPECT_GE(program.count("heddle_frame_unwind", "_Z1gi"), 1u);
}

TEST_F(InstrumentTest, FramesEndBeforeATailCallThatMustBeOne) {
  const auto program =
      c("int *g; __attribute__((noinline)) int f(int n) { return n; }\n"
        "__attribute__((noinline)) int t(int n) { int x = n; g = &x; __attribute__((musttail)) return f(n); }\n"
        "int main(int n, char **argv) { return t(n); }");
  EXPECT_EQ(program.count("heddle_frame_pop", "t"), 1u);
}

TEST_F(InstrumentTest, ArgumentsByValueAreCopied) {
  const auto program = c("struct S { int a[20]; } s; __attribute__((noinline)) int f(struct S x, int i) { return x.a[i]; }\n"
                         "int main(int n, char **argv) { return f(s, n); }");
  EXPECT_EQ(program.count("heddle_copy", "main"), 1u);
  EXPECT_EQ(program.count("heddle_frame_push", "f"), 1u);
  EXPECT_EQ(program.failures(ErrorKind::outOfBounds, "f"), 1u);
}

TEST_F(InstrumentTest, VariableArgumentsStayNative) {
  const auto program = c("#include <stdarg.h>\n__attribute__((noinline)) int sum(int n, ...) {\n"
                         "  va_list l; va_start(l, n); int s = 0; while (n--) s += va_arg(l, int); va_end(l); return s; }\n"
                         "int main(void) { return sum(2, 3, 4); }");
  EXPECT_EQ(program.count("heddle_frame_push", "sum"), 0u);
}

// ---- Atomics

TEST_F(InstrumentTest, AtomicsCarryTheirOrders) {
  const auto program = c("#include <stdatomic.h>\natomic_int x; _Atomic(long) y; atomic_uchar z; int main(void) {\n"
                         "  int e = 0;\n"
                         "  atomic_store_explicit(&x, 5, memory_order_release);\n"
                         "  atomic_fetch_sub_explicit(&y, 3, memory_order_acq_rel);\n"
                         "  atomic_compare_exchange_weak_explicit(&x, &e, 2, memory_order_seq_cst, memory_order_acquire);\n"
                         "  atomic_thread_fence(memory_order_acquire);\n"
                         "  atomic_signal_fence(memory_order_seq_cst);\n"
                         "  return atomic_load_explicit(&z, memory_order_relaxed);\n}");
  ASSERT_EQ(program.count("heddle_atomic_store"), 1u);
  EXPECT_EQ(Instrumented::number(*program.calls("heddle_atomic_store")[0], 2), packed(Order::release, 4));
  EXPECT_EQ(Instrumented::number(*program.calls("heddle_atomic_rmw")[0], 2),
            packed(Order::acq_rel, 8, Order::relaxed, RmwOp::sub) | runtime::kBlindAccess);
  EXPECT_EQ(Instrumented::number(*program.calls("heddle_atomic_cas")[0], 3),
            packed(Order::seq_cst, 4, Order::acquire, RmwOp::exchange, true));
  EXPECT_EQ(Instrumented::number(*program.calls("heddle_atomic_load")[0], 1), packed(Order::relaxed, 1));
  ASSERT_EQ(program.count("heddle_fence"), 1u);
  EXPECT_EQ(Instrumented::number(*program.calls("heddle_fence")[0], 0), static_cast<unsigned>(Order::acquire));
  EXPECT_EQ(program.count("heddle_plain_read", "main"), 0u);
  const auto isWeakCas = [](const Operation& operation) {
    return operation.kind == OperationKind::cas && operation.mayFailSpuriously;
  };
  EXPECT_TRUE(std::any_of(program.info.operations.begin(), program.info.operations.end(), isWeakCas));
}

TEST_F(InstrumentTest, OrdersOfStdAtomicAreConstants) {
  const auto program =
      cxx("#include <atomic>\nstd::atomic<int> x; std::atomic<int *> p; std::atomic<bool> b;\n"
          "int main() { x.store(1, std::memory_order_release); p = nullptr; b.exchange(true, std::memory_order_acquire);\n"
          "  return x.load(std::memory_order_acquire); }");
  EXPECT_EQ(program.count("heddle_atomic_store", "main"), 2u);
  EXPECT_EQ(program.count("heddle_atomic_load", "main"), 1u);
  EXPECT_EQ(program.count("heddle_atomic_rmw", "main"), 1u);
}

TEST_F(InstrumentTest, ArithmeticWithoutAnEventIsACompareExchange) {
  const auto program = cxx("#include <atomic>\nstd::atomic<double> d; __int128 w;\n"
                           "int main() { d.fetch_add(1.5); __atomic_fetch_add(&w, 1, __ATOMIC_SEQ_CST); return 0; }");
  EXPECT_GE(program.count("heddle_atomic_cas", "main"), 1u);
  EXPECT_EQ(program.count("heddle_atomic_cas16", "main"), 1u);
  EXPECT_EQ(program.count("heddle_atomic_load16", "main"), 1u);
  EXPECT_GE(program.count("heddle_spin", "main"), 1u);
}

TEST_F(InstrumentTest, CallsOfLibatomicAreAtomics) {
  const auto program = c("int main(int n, char **argv) { static int x; int r, v = 1, e = 2;\n"
                         "  __atomic_load(&x, &r, __ATOMIC_ACQUIRE);\n"
                         "  void __atomic_store_4(volatile void *, unsigned, int); __atomic_store_4(&x, 3, n);\n"
                         "  return r; }");
  EXPECT_EQ(program.count("__atomic_store_4"), 0u);
  EXPECT_EQ(program.count("heddle_atomic_store", "main"), 6u);
  EXPECT_EQ(program.count("heddle_atomic_load", "main"), 1u);
}

TEST_F(InstrumentTest, LargeAtomicsAreLeftToTheLibrary) {
  const auto program =
      cxx("#include <atomic>\nstruct S { long a[3]; }; std::atomic<S> s; int main() { return s.load().a[0]; }");
  EXPECT_EQ(program.count("__atomic_load"), 1u);
  EXPECT_EQ(program.failures(ErrorKind::unsupported), 0u);
}

// ---- Assembly

TEST_F(InstrumentTest, AssemblyIdiomsAreUnderstood) {
  const auto program =
      c("int x; static int add(int *p, int n) { __asm__ volatile(\"lock; xaddl %0, %1\" : \"+r\"(n), \"+m\"(*p) :: "
        "\"memory\"); return n; }\n"
        "static int swap(int *p, int n) { __asm__ volatile(\"xchgl %0, %1\" : \"+r\"(n), \"+m\"(*p)); return n; }\n"
        "static int cas(int *p, int e, int n) { char ok; __asm__ volatile(\"lock cmpxchgl %3, %1\\n\\tsete %0\" : \"=q\"(ok), "
        "\"+m\"(*p), \"+a\"(e) : \"r\"(n) : \"memory\"); return ok; }\n"
        "int main(void) { __asm__ volatile(\"\" ::: \"memory\"); __asm__ volatile(\"pause\"); __asm__ volatile(\"rep; nop\");\n"
        "  __asm__ volatile(\"mfence\" ::: \"memory\"); __asm__ volatile(\"lock; addl $0, 0(%%rsp)\" ::: \"memory\", \"cc\"); "
        "__asm__ volatile(\"lock; incl %0\" : \"+m\"(x));\n"
        "  int k = 3; __asm__ volatile(\"\" : \"+r\"(k)); return add(&x, 2) + swap(&x, 5) + cas(&x, 1, 2) + k; }");
  ASSERT_EQ(program.count("heddle_atomic_rmw", "main"), 3u);
  EXPECT_EQ(Instrumented::number(*program.calls("heddle_atomic_rmw", "main")[0], 2),
            packed(Order::seq_cst, 4, Order::relaxed, RmwOp::add));
  EXPECT_EQ(program.count("heddle_atomic_cas", "main"), 1u);
  EXPECT_EQ(program.count("heddle_fence", "main"), 2u);
  EXPECT_EQ(program.count("heddle_plain_read", "main") + program.count("heddle_plain_write", "main"), 0u);
}

TEST_F(InstrumentTest, IntrinsicsOfFencesAreFences) {
  const auto program =
      c("#include <emmintrin.h>\nint main(void) { _mm_mfence(); _mm_lfence(); _mm_sfence(); _mm_pause(); return 0; }");
  const auto fences = program.calls("heddle_fence", "main");
  ASSERT_EQ(fences.size(), 3u);
  EXPECT_EQ(Instrumented::number(*fences[0], 0), static_cast<unsigned>(Order::seq_cst));
  EXPECT_EQ(Instrumented::number(*fences[1], 0), static_cast<unsigned>(Order::acquire));
  EXPECT_EQ(Instrumented::number(*fences[2], 0), static_cast<unsigned>(Order::release));
  const auto other = c("__attribute__((target(\"rdpid\"))) int main(void) { return (int)__builtin_ia32_rdpid(); }");
  EXPECT_EQ(other.failures(ErrorKind::unsupported, "main"), 1u);
}

TEST_F(InstrumentTest, OtherAssemblyStopsTheProgram) {
  const auto program = c("int x; int main(void) { __asm__ volatile(\"incl %0\" : \"+m\"(x)); return x; }");
  EXPECT_EQ(program.failures(ErrorKind::unsupported, "main"), 1u);
}

// ---- External functions

TEST_F(InstrumentTest, UnknownFunctionsOfTheSystemStopTheProgram) {
  const auto program = c("#include <unistd.h>\nint main(void) { return nice(1); }");
  EXPECT_EQ(program.failures(ErrorKind::unsupported, "nice"), 1u);
}

TEST_F(InstrumentTest, MissingFunctionsOfTheProgramAreErrorsWithTheirPlaces) {
  const std::string message =
      inputError("a.cpp", "namespace n { int f(int); }\nextern \"C\" void g();\nint main() {\n  g();\n  return n::f(1);\n}");
  EXPECT_NE(message.find("a.cpp:5: error: n::f(int) is declared but not defined: add the file that defines it"),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("a.cpp:4: error: g is declared but not defined"), std::string::npos) << message;
}

TEST_F(InstrumentTest, PureFunctionsAndMathsAreCalledAsTheyAre) {
  BuildOptions options;
  options.pure = {"g"};
  const auto program = c("#include <math.h>\nint g(int); int main(int n, char **argv) { return g(n) + (int)sin(n); }", options);
  EXPECT_EQ(program.count("g"), 1u);
  EXPECT_EQ(program.count("sin"), 1u);
  EXPECT_EQ(inputError("a.c", "void unused(void); static void f(void) { unused(); } int main(void) { return 0; }"), "");
}

// ---- Checks

TEST_F(InstrumentTest, DivisionsAreTested) {
  const auto program = c("int main(int n, char **argv) { return 10 / n + n % 7; }");
  EXPECT_EQ(program.failures(ErrorKind::divisionByZero, "main"), 1u);
  EXPECT_EQ(program.failures(ErrorKind::signedOverflow, "main"), 0u);
  EXPECT_EQ(c("int main(int n, char **argv) { return n / argv[0][0]; }").failures(ErrorKind::signedOverflow, "main"), 1u);
}

TEST_F(InstrumentTest, UnreachablePointsAndTrapsAreErrors) {
  EXPECT_EQ(c("int main(int n, char **argv) { if (n > 5) __builtin_unreachable(); return 0; }")
                .failures(ErrorKind::unreachable, "main"),
            1u);
  EXPECT_EQ(c("#include <stdlib.h>\nint main(int n, char **argv) { if (n > 5) abort(); return 0; }")
                .failures(ErrorKind::unreachable, "main"),
            0u);
  EXPECT_EQ(c("int main(int n, char **argv) { if (n > 5) __builtin_trap(); return 0; }").failures(ErrorKind::abort, "main"),
            1u);
}

TEST_F(InstrumentTest, UndefinedBehaviourIsTestedWhenAskedFor) {
  const std::string text =
      "unsigned u; double d; int main(int n, char **argv) { u = u + 1; return (n + 1) * 2 - (1 << n) + (int)d; }";
  EXPECT_EQ(c(text).failures(ErrorKind::signedOverflow), 0u);
  BuildOptions options;
  options.undefinedBehaviour = true;
  const auto program = c(text, options);
  EXPECT_EQ(program.failures(ErrorKind::signedOverflow, "main"), 4u);
  EXPECT_EQ(program.failures(ErrorKind::undefinedBehaviour, "main"), 2u);
}

TEST_F(InstrumentTest, CallsThroughPointersAreTestedForNull) {
  EXPECT_EQ(c("int (*f)(void); int main(void) { return f(); }").failures(ErrorKind::nullPointer, "main"), 1u);
}

// ---- Uninitialised variables

TEST_F(InstrumentTest, ReadsBeforeTheFirstWriteAreTested) {
  EXPECT_EQ(
      c("int main(int n, char **argv) { int x; if (n > 1) x = 2; return x; }").failures(ErrorKind::uninitialisedRead, "main"),
      1u);
  EXPECT_EQ(c("int main(int n, char **argv) { int x; if (n > 1) x = 2; else x = 3; return x; }")
                .failures(ErrorKind::uninitialisedRead, "main"),
            0u);
  EXPECT_EQ(c("int main(int n, char **argv) { struct { int a, b; } s; s.a = n; return s.b; }")
                .failures(ErrorKind::uninitialisedRead, "main"),
            1u);
  EXPECT_EQ(c("int main(int n, char **argv) { struct { int a, b; } s; s.a = n; return s.a; }")
                .failures(ErrorKind::uninitialisedRead, "main"),
            0u);
  EXPECT_EQ(c("static void set(int *p) { *p = 1; } int main(void) { int x; set(&x); return x; }")
                .failures(ErrorKind::uninitialisedRead),
            0u);
  EXPECT_EQ(c("static void get(int *p, int n) { if (n) *p = 1; } int main(int n, char **argv) { int x; get(&x, n); return x; }")
                .failures(ErrorKind::uninitialisedRead),
            1u);
}

TEST_F(InstrumentTest, CopyingIsNoUse) {
  // Passed in a register as one 8-byte value.
  EXPECT_EQ(c("struct S { int a, b; }; __attribute__((noinline)) int f(struct S s) { return s.a; }\n"
              "int main(int n, char **argv) { struct S s; s.a = n; return f(s); }")
                .failures(ErrorKind::uninitialisedRead),
            0u);
  // Copied to memory: the shadow remembers which part is good.
  const auto program = c("struct S { int a, b; } g; int main(int n, char **argv) { struct S s; s.a = n; g = s; return g.a; }");
  EXPECT_EQ(program.failures(ErrorKind::uninitialisedRead), 0u);
  EXPECT_EQ(program.count("heddle_copy", "main"), 1u);
  // A copy of what is certainly initialised needs no memory of its own.
  const auto whole = c("struct S { int a, b; } g; int main(int n, char **argv) { struct S s = {n, 2}; g = s; return 0; }");
  EXPECT_EQ(whole.count("heddle_frame_push", "main"), 0u);
  EXPECT_EQ(whole.count("heddle_plain_write", "main"), 2u);
  EXPECT_EQ(c("struct { unsigned a : 3, b : 4; int c; } s; int main(int n, char **argv) { struct { unsigned a : 3, b : 4; } f; "
              "f.a = n; f.b = 1; return f.a; }")
                .failures(ErrorKind::uninitialisedRead),
            0u);
}

TEST_F(InstrumentTest, FunctionThatEndsWithoutAReturnIsNoUse) {
  EXPECT_EQ(c("__attribute__((noinline)) void *f(void *p) { *(int *)p = 1; } int x; int main(void) { f(&x); return 0; }")
                .failures(ErrorKind::uninitialisedRead),
            0u);
}

// ---- Loops

TEST_F(InstrumentTest, SpinLoopsWait) {
  const auto program = c("#include <stdatomic.h>\natomic_int x; int main(void) {\n  while (x != 1)\n    ;\n  return 0;\n}");
  ASSERT_EQ(program.loops().size(), 1u);
  EXPECT_TRUE(isSpin(program.loops()[0].kind));
  EXPECT_EQ(program.info.sources[program.loops()[0].source].line, 3u);
  EXPECT_EQ(program.count("heddle_spin", "main"), 1u);
}

TEST_F(InstrumentTest, CompareExchangeLoopsWait) {
  const auto program = cxx("#include <atomic>\n#include <thread>\nstd::atomic<int> x; int main() { int e = 0;\n"
                           "while (!x.compare_exchange_weak(e, 1)) { e = 0; std::this_thread::yield(); }\nreturn 0; }");
  ASSERT_EQ(program.loops().size(), 1u);
  EXPECT_TRUE(isSpin(program.loops()[0].kind));
}

TEST_F(InstrumentTest, CountsThatOnlyDecideHowToWaitDoNotMatter) {
  const auto idle = [](const Instrumented& program) {
    // The wait is unconditional if nothing that the loop carries round matters.
    const auto calls = program.calls("heddle_spin", "main");  // one for each back edge
    return !calls.empty() && std::all_of(calls.begin(), calls.end(), [](const llvm::CallBase* call) {
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(call->getParent()->getSinglePredecessor()->getTerminator());
      return branch && llvm::isa<llvm::ConstantInt>(branch->getCondition());
    });
  };
  EXPECT_TRUE(idle(c("#include <stdatomic.h>\n#include <sched.h>\natomic_int x; int main(void) { int n = 0, delay = 1;\n"
                     "while (x) { if (++n > 10) { sched_yield(); n = 0; } else { for (int i = 0; i < delay; ++i) "
                     "__builtin_ia32_pause(); delay *= 2; } }\n"
                     "return 0; }")));
  EXPECT_FALSE(idle(c(
      "#include <stdatomic.h>\natomic_int x; int main(void) { int n = 0; while (x) { if (++n > 10) return 1; } return 0; }")));
}

TEST_F(InstrumentTest, OperationsInLoopsAreInlined) {
  const auto program = c("#include <stdatomic.h>\natomic_int head, tail; int slots[4];\n"
                         "int take(int *out) { int h = head; do { if (h == tail) return 0; *out = slots[h % 4]; } while "
                         "(!atomic_compare_exchange_weak(&head, &h, h + 1)); return 1; }\n"
                         "int main(void) { int a, b; take(&b);\nwhile (!take(&a)) ;\nreturn a; }");
  const auto loops = program.loops();
  // The loop around the second call begins in the function since it is decided there whether to go round. All of them wait.
  EXPECT_EQ(loops.size(), 3u);
  EXPECT_TRUE(std::all_of(loops.begin(), loops.end(), [&](const runtime::Loop& loop) { return isSpin(loop.kind); }));
  EXPECT_EQ(program.count("heddle_frame_push", "main"), 0u);
}

TEST_F(InstrumentTest, LoopsThatWriteDoNotWait) {
  EXPECT_EQ(
      c("#include <stdatomic.h>\natomic_int x; int main(void) { do x++; while (!x); return 0; }").count("heddle_spin", "main"),
      0u);
  const auto inner = c("#include <stdatomic.h>\natomic_int x, y; int main(void) {\nwhile (atomic_exchange(&x, 1)) {\n  while "
                       "(x) ;\n y++; }\nreturn 0; }");
  ASSERT_EQ(inner.loops().size(), 2u);
  EXPECT_EQ(inner.loops()[0].kind, runtime::LoopKind::unbounded);
  EXPECT_EQ(inner.loops()[1].kind, runtime::LoopKind::effectFree);
  EXPECT_EQ(inner.info.sources[inner.loops()[1].source].line, 4u);
}

TEST_F(InstrumentTest, UnboundedLoopsGetTheBound) {
  BuildOptions options;
  options.unroll = 5;
  const std::string text =
      "#include <stdatomic.h>\natomic_int x; int main(int n, char **argv) {\nfor (int i = 0; i < n; ++i) x += i;\n"
      "while (atomic_exchange(&x, 1)) ;\nint s = 0; while (n != 1) { n = n & 1 ? 3 * n + 1 : n / 2; ++s; } return s; }";
  const auto bounds = [](const Instrumented& program) {
    std::vector<std::uint64_t> found;
    for (const runtime::Loop& loop : program.loops()) found.push_back(loop.bound);
    return found;
  };
  const auto program = c(text, options);
  EXPECT_EQ(bounds(program), (std::vector<std::uint64_t>{0, 5, 0}));
  EXPECT_EQ(program.count("heddle_loop_bound", "main"), 1u);
  options.unroll = 0;
  EXPECT_EQ(bounds(c(text, options)), (std::vector<std::uint64_t>{0, 0, 0}));
  options.unrollLoops = {"a.c:3=7"};
  EXPECT_EQ(bounds(c(text, options)), (std::vector<std::uint64_t>{7, 0, 0}));
}

// ---- Places

// The constants that a function stores to a variable of the runtime.
std::vector<std::uint64_t> storesTo(const Instrumented& program, const std::string& function, const std::string& variable) {
  std::vector<std::uint64_t> values;
  for (const llvm::Instruction& instruction : llvm::instructions(*program.module().getFunction(function))) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (!store || store->getPointerOperand()->getName() != variable) continue;
    // What is not a constant was loaded before: it is put back after the program's code was called.
    if (const auto* value = llvm::dyn_cast<llvm::ConstantInt>(store->getValueOperand()))
      values.push_back(value->getZExtValue());
  }
  return values;
}

TEST_F(InstrumentTest, CallsOfLibraryModelsLeaveTheirPlace) {
  const auto program = c("#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  free(p);\n  return 0;\n}");
  const auto places = storesTo(program, "main", "heddle_call_source");
  ASSERT_EQ(places.size(), 2u);
  EXPECT_EQ(program.info.sources.at(places[0]).line, 3u);
  EXPECT_EQ(program.info.sources.at(places[1]).line, 4u);
  EXPECT_FALSE(program.info.sources.at(places[0]).library);
  const auto types = storesTo(program, "main", "heddle_heap_type");
  ASSERT_EQ(types.size(), 1u);
  EXPECT_EQ(program.info.variables.at(types[0]).name, "int");
}

TEST_F(InstrumentTest, FunctionsOfSystemHeadersAreLibrary) {
  const auto program = cxx("#include <map>\n#include <string>\nint main(int n, char **a) {\n"
                           "  std::map<std::string, int> m; m[a[0]] = n; m[a[1]] = 1; m.erase(a[0]);\n  return m.at(a[2]);\n}");
  EXPECT_FALSE(storesTo(program, "main", "heddle_call_source").empty());
  for (const llvm::Function& function : program.module()) {
    if (function.isDeclaration()) continue;
    for (const std::uint64_t place : storesTo(program, function.getName().str(), "heddle_call_source")) {
      auto index = static_cast<std::uint32_t>(place);
      while (program.info.sources.at(index).library && program.info.sources[index].caller != 0) {
        index = program.info.sources[index].caller;
      }
      EXPECT_FALSE(program.info.sources[index].library)
          << program.info.sources[index].file << " in " << function.getName().str();
    }
  }
}

TEST_F(InstrumentTest, EndlessLoopsWithoutAVisibleOperationLeaveTheirPlace) {
  const auto program =
      c("unsigned n, r; int main(void) {\n  unsigned h = 1;\n  do {\n    h = h * 31 + n;\n  } while (h != r);\n  return 0;\n}");
  const auto places = storesTo(program, "main", "heddle_call_source");
  ASSERT_EQ(places.size(), 1u);
  EXPECT_EQ(program.info.sources.at(places[0]).line, 3u);
}

TEST_F(InstrumentTest, InlinedPlacesKnowTheirCaller) {
  const auto program = cxx("#include <atomic>\nstd::atomic<int> x;\nint main() {\n  return x.load();\n}");
  const runtime::Source& place = program.source(*program.calls("heddle_atomic_load", "main")[0], 2);
  EXPECT_TRUE(place.library);
  ASSERT_NE(place.caller, 0u);
  std::uint32_t caller = place.caller;
  while (program.info.sources[caller].library) caller = program.info.sources[caller].caller;
  EXPECT_EQ(program.info.sources[caller].line, 4u);
}

}  // namespace
}  // namespace heddle::native
