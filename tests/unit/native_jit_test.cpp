// Lowering of globals and the JIT: programs run natively, in program memory, and behave as the language says.
#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>

#include "native/jit/cold.h"
#include "native/jit/jit.h"
#include "native_jit_helpers.h"

namespace heddle::native {
namespace {

TEST(NativeJit, GlobalsHaveTheirInitialValuesAndRelocations) {
  const TestProgram program(R"(
    struct Pair { int a; const int* p; };
    int x = 42, zero, array[5] = {1, 2, 3};
    static Pair pairs[2] = {{1, &x}, {2, &array[2]}};
    extern Pair self; struct Loop { Loop* next; } loop = {&loop};
    const char* text = "hello";
    int (*function)(int) = [](int i) { return i + 1; };
    int main() { return *pairs[0].p + *pairs[1].p + zero + text[1] + function(4) + (loop.next == &loop); }
  )");
  EXPECT_EQ(program.function<int()>("main")(), 42 + 3 + 0 + 'e' + 5 + 1);
  EXPECT_EQ(program.global<int>("x"), 42);
  EXPECT_EQ(program.global<int[5]>("array")[2], 3);
  program.global<int>("x") = 1;
  EXPECT_EQ(program.function<int()>("main")(), 1 + 3 + 0 + 'e' + 5 + 1);
}

TEST(NativeJit, EveryGlobalHasARedzoneAndKeepsItsAlignment) {
  const TestProgram program(R"(
    char a[3] = "ab"; char b = 1; alignas(64) int c = 2; long d[100]; const int e[] = {1, 2, 3}; alignas(8192) char f;
    struct V { virtual int get() { return 1; } } v;
    const char* s = "one"; const char* t = "two";
    int main(int argc, char**) { return a[argc] + b + c + d[argc] + e[argc] + v.get() + s[0] + t[0] + f; }
  )");
  std::vector<std::pair<Address, Address>> ranges;
  for (const std::uint32_t index : program.info.globals) {
    const runtime::Variable& variable = program.info.variables[index];
    const Address address = program.addressOf(variable.symbol);
    ASSERT_NE(address, 0U) << variable.name;
    EXPECT_GE(address, memory::kImage);
    EXPECT_LE(address + variable.size, memory::kImage + memory::kImageSize);
    EXPECT_EQ(address % 8, 0U) << variable.name;
    ranges.emplace_back(address, address + variable.size);
  }
  ASSERT_GE(ranges.size(), 10U);  // a to f, v, s, t, two literals, the virtual table and type information
  std::sort(ranges.begin(), ranges.end());
  for (std::size_t i = 1; i < ranges.size(); ++i) EXPECT_GE(ranges[i].first, ranges[i - 1].second + 16);
  EXPECT_EQ(program.addressOf("c") % 64, 0U);
  EXPECT_EQ(program.addressOf("f") % 8192, 0U);
  EXPECT_EQ(program.variable("a").size, 3U);
  EXPECT_EQ(program.variable("d").size, 800U);
  EXPECT_TRUE(program.variable("e").constant);
  EXPECT_FALSE(program.variable("d").constant);
  EXPECT_TRUE(program.variable("\"one\"").constant);
  EXPECT_TRUE(program.variable("vtable for V").constant);
}

TEST(NativeJit, AddressesDependOnTheModuleOnly) {
  const std::string text = "int x = 1; const char* s = \"x\"; int main() { return x + s[0]; }";
  Address x = 0, mainAddress = 0;
  {
    const TestProgram program(text);
    x = program.addressOf("x");
    mainAddress = program.addressOf("main");
    program.global<int>("x") = 7;
  }
  const TestProgram program(text);
  EXPECT_EQ(program.addressOf("x"), x);
  EXPECT_EQ(program.addressOf("main"), mainAddress);
  EXPECT_EQ(program.global<int>("x"), 1);
}

TEST(NativeJit, VirtualCallsAndRunTimeTypes) {
  const TestProgram program(R"(
    #include <typeinfo>
    #include <cstring>
    // The test outlives the program: nothing of it may run at exit.
    extern "C" int __cxa_atexit(void (*)(void*), void*, void*) { return 0; }
    struct Base { virtual ~Base() {} virtual int get() const { return 1; } };
    struct Left : virtual Base { int get() const override { return 2; } };
    struct Right : virtual Base {};
    struct Bottom : Left, Right { int extra = 5; };
    Bottom bottom; Base base;
    Base* choose(int n) { return n ? static_cast<Base*>(&bottom) : &base; }
    int main(int argc, char**) {
      Base* p = choose(argc);
      Bottom* b = dynamic_cast<Bottom*>(p);
      return p->get() * 100 + (b ? b->extra : 0) * 10 + (std::strcmp(typeid(*p).name(), "6Bottom") == 0);
    }
  )",
                            ".cpp", {"main", "heddle_constructors"});
  program.function<void()>("heddle_constructors")();
  EXPECT_EQ((program.function<int(int, char**)>("main")(0, nullptr)), 100);
  EXPECT_EQ((program.function<int(int, char**)>("main")(1, nullptr)), 251);
}

constexpr const char* kThrowing = R"(
    #include <stdexcept>
    #include <string>
    struct Count { int& n; ~Count() { ++n; } };
    int unwound = 0;
    [[gnu::noinline]] int deep(int n) {
      Count count{unwound};
      if (n == 0) throw std::runtime_error("bottom");
      if (n == -1) throw 17;
      return deep(n > 0 ? n - 1 : n + 1) + 1;
    }
    extern "C" int caught(int n) {
      try { return deep(n); }
      catch (const std::logic_error&) { return -1; }
      catch (const std::exception& e) { return static_cast<int>(std::string(e.what()).size()); }
      catch (int i) { return i; }
    }
    extern "C" int uncaught(int n) { return deep(n); }
    extern "C" int rethrown() {
      try {
        try { deep(2); } catch (...) { throw; }
      } catch (std::runtime_error&) { return 3; }
      return 0;
    }
    int main() { return caught(1) + uncaught(2) + rethrown(); }
)";

TEST(NativeJit, ExceptionsUnwindThroughItsFrames) {
  const TestProgram program(kThrowing, ".cpp", {"caught", "uncaught", "rethrown"});
  const auto caught = program.function<int(int)>("caught");
  EXPECT_EQ(caught(4), 6);
  EXPECT_EQ(program.global<int>("unwound"), 5);
  EXPECT_EQ(caught(-3), 17);
  EXPECT_EQ(program.global<int>("unwound"), 8);
  EXPECT_EQ(program.function<int()>("rethrown")(), 3);
  EXPECT_THROW(program.function<int(int)>("uncaught")(1), std::runtime_error);
}

TEST(NativeJit, FramesAreForgottenWithTheCode) {
  for (int i = 0; i < 3; ++i) {
    const TestProgram program(kThrowing, ".cpp", {"caught"});
    EXPECT_EQ(program.function<int(int)>("caught")(2), 6);
  }
}

TEST(NativeJit, ConstructorsRunByPriorityThenOrderAndDestructorsAfterThem) {
  const TestProgram program(R"(
    extern "C" { char order[32]; int length = 0; }
    struct Mark { char c; Mark(char m) : c(m) { order[length++] = m; } };
    Mark late __attribute__((init_priority(300))) ('c');
    Mark early __attribute__((init_priority(200))) ('b');
    Mark first('d'), second('e');
    __attribute__((constructor(150))) void zeroth() { order[length++] = 'a'; }
    __attribute__((destructor(400))) void before() { order[length++] = 'y'; }
    __attribute__((destructor(150))) void after() { order[length++] = 'z'; }
    extern "C" void (*registered)(void*) = nullptr;
    extern "C" int __cxa_atexit(void (*function)(void*), void*, void*) { registered = function; return 0; }
    int main(int argc, char** argv, char** envp) { order[length++] = 'm'; return argc + argv[0][0] + envp[0][0]; }
  )");
  std::string argument = "\1", variable = "\2";
  char* argv[] = {argument.data(), nullptr};
  char* envp[] = {variable.data(), nullptr};
  EXPECT_EQ(program.run(39, argv, envp), 42);
  EXPECT_STREQ(program.global<char[32]>("order"), "abcdem");
  program.global<void (*)(void*)>("registered")(nullptr);
  EXPECT_STREQ(program.global<char[32]>("order"), "abcdemyz");
}

TEST(NativeJit, MainTakesWhatItTakes) {
  EXPECT_EQ(TestProgram("int main(void) { return 3; }", ".c").run(1), 3);
  EXPECT_EQ(TestProgram("int main(int n) { return n; }", ".c").run(5), 5);
  EXPECT_EQ(TestProgram("int main() {}").run(1), 0);
  EXPECT_THROW(TestProgram("int f() { return 1; }"), InputError);
}

TEST(NativeJit, ThreadLocalsAreOffsetsFromTheRunningThreadsBlock) {
  const TestProgram program(R"(
    thread_local int counter = 5;
    static thread_local char bytes[3] = {1, 2, 3};
    alignas(32) thread_local long wide = 7;
    struct Made { int value; Made() : value(counter * 10) {} };
    thread_local Made made;
    thread_local int* pointer = &counter;
    extern "C" int* address(bool first) { return first ? &counter : &made.value; }
    extern "C" int sum() { return ++counter + made.value + bytes[2] + static_cast<int>(wide) + *pointer; }
    int main() { return sum() + *address(true); }
  )",
                            ".cpp", {"sum", "address"});
  EXPECT_EQ(program.info.threadLocals.size(), 6U);  // and the guard
  EXPECT_EQ(program.info.tlsAlignment, 32U);
  EXPECT_TRUE(program.variable("counter").threadLocal);
  EXPECT_EQ(program.variable("wide").offset % 32, 0U);
  const auto sum = program.function<int()>("sum");
  auto one = program.enterThread();
  EXPECT_EQ(sum(), 6 + 60 + 3 + 7 + 6);
  EXPECT_EQ(sum(), 7 + 60 + 3 + 7 + 7);
  auto two = program.enterThread();
  EXPECT_EQ(sum(), 6 + 60 + 3 + 7 + 6);
  EXPECT_EQ(*program.function<int*(bool)>("address")(true), 6);
  testTls = reinterpret_cast<std::uint64_t>(one.data());
  EXPECT_EQ(*program.function<int*(bool)>("address")(true), 7);
}

TEST(NativeJit, ThreadLocalsOfOtherFiles) {
  const SourceFile user("extern thread_local int plain; struct M { int v; M(); }; extern thread_local M made;\n"
                        "extern \"C\" int use() { return plain + made.v; } int main() { return use(); }",
                        ".cpp", "user");
  const SourceFile owner("thread_local int plain = 1; struct M { int v; M() : v(20) {} }; thread_local M made;", ".cpp",
                         "owner");
  BuildOptions options;
  options.files = {user.path(), owner.path()};
  options.precompiled = false;
  const TestProgram program(compile(options), {"use"});
  const auto block = program.enterThread();
  EXPECT_EQ(program.function<int()>("use")(), 21);
}

TEST(NativeJit, ThreadLocalsMustBeDefined) {
  EXPECT_THROW(TestProgram("extern thread_local int nowhere; int main() { return nowhere; }"), InputError);
}

TEST(NativeJit, AliasesAndWeakReferences) {
  const TestProgram program(R"(
    extern int real; int real = 4;
    extern int other __attribute__((alias("real")));
    int twice(int n) { return 2 * n; }
    int alias(int n) __attribute__((alias("twice")));
    void missing(void) __attribute__((weak));
    extern int absent __attribute__((weak));
    int main(void) { other = 6; if (missing) missing(); return alias(real) + (&absent == 0); }
  )",
                            ".c");
  EXPECT_EQ(program.function<int()>("main")(), 13);
}

TEST(NativeJit, WideArithmeticAndCopiesUseTheHostsHelpers) {
  const TestProgram program(R"(
    struct Big { char bytes[5000]; };
    Big big = {{1, 2, 3}};
    // A model, and not what code generation means by the name.
    extern "C" void* memcpy(void*, const void*, unsigned long) { return nullptr; }
    void* (*volatile model)(void*, const void*, unsigned long) = memcpy;
    extern "C" unsigned long divide(unsigned long n, unsigned shift) {
      return ((static_cast<__int128>(1) << shift) / n) >> 64;
    }
    extern "C" int copy() {
      Big local = big;
      volatile char* p = local.bytes;
      p[1] = 9;
      Big again = local;
      return again.bytes[1];
    }
    int main() { return copy() + (model(nullptr, nullptr, 0) == nullptr) + static_cast<int>(divide(4, 66)); }
  )",
                            ".cpp", {"divide", "copy"});
  EXPECT_EQ((program.function<std::uint64_t(std::uint64_t, unsigned)>("divide")(1U << 20, 100)), 1U << 16);
  EXPECT_EQ(program.function<int()>("copy")(), 9);
}

TEST(NativeJit, UnknownNamesAreErrorsAndOnlyGivenOnesAreUsed) {
  const char* text =
      "extern \"C\" double cos(double); extern int nowhere(int); int main() { return nowhere(1) + (int)cos(0); }";
  memory::Memory memory;
  const auto link = [&](const JitOptions& options) {
    CompiledProgram program = compileText(text);
    runtime::ProgramInfo info;
    DebugNames names(*program.module, info);
    lowerGlobals(*program.module, info, names);
    return Jit(std::move(program.context), std::move(program.module), options).address(kStartSymbol) != nullptr;
  };
  JitOptions options;
  options.host["exit"] = reinterpret_cast<void*>(&throwExitCode);
  try {
    link(options);
    FAIL() << "linked";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "error: the program uses what it does not define and heddle does not model:\n  nowhere(int)\n  cos");
  }
  options.allowed = [](const std::string& name) { return name == "cos" || name == "_Z7nowherei"; };
  EXPECT_THROW(link(options), InputError);  // allowed, but the process has none
  options.host["_Z7nowherei"] = reinterpret_cast<void*>(&throwExitCode);
  EXPECT_TRUE(link(options));
}

TEST(NativeJit, TheImageHasALimit) {
  EXPECT_THROW(TestProgram("char big[2000000000]; int main(int argc, char**) { return big[argc]; }"), InputError);
}

TEST(NativeJit, ColdCodeIsWhatOnlyFailuresReach) {
  CompiledProgram program = compileText(R"(
    extern "C" [[noreturn]] void heddle_fail_hook(unsigned, const char*);
    extern "C" [[noreturn]] void heddle_end_program(int);
    static int length(const char* text) { int n = 0; while (text[n]) ++n; return n; }
    static int shared(int n) { return n * 2; }
    struct Error { virtual ~Error() {} virtual int code() { return 1; } };
    struct Thing { virtual int get() { return 2; } };
    [[noreturn]] static void failed(const char* text) { heddle_fail_hook(length(text) + shared(1), text); }
    [[noreturn]] static void leave(int n) { heddle_end_program(n); }
    static void check(Thing* thing) { if (thing->get() == 0) throw Error(); }
    int main(int argc, char**) {
      Thing thing;
      check(&thing);
      if (argc > 1) failed("no");
      leave(shared(argc));
    }
  )");
  for (llvm::Function& function : *program.module)
    if (!function.isDeclaration() && function.getName() != "main") function.setLinkage(llvm::GlobalValue::InternalLinkage);
  markCold(*program.module);
  const auto isCold = [&](const char* symbol) {
    return program.module->getFunction(symbol)->hasFnAttribute(llvm::Attribute::Cold);
  };
  EXPECT_TRUE(isCold("_ZL6failedPKc"));
  EXPECT_TRUE(isCold("_ZL6lengthPKc"));
  EXPECT_TRUE(isCold("_ZN5Error4codeEv"));  // by a virtual table that only the throw refers to
  EXPECT_FALSE(isCold("_ZL6sharedi"));
  EXPECT_FALSE(isCold("_ZL5leavei"));
  EXPECT_FALSE(isCold("_ZL5checkP5Thing"));
  EXPECT_FALSE(isCold("_ZN5Thing3getEv"));
  EXPECT_FALSE(isCold("main"));
}

TEST(NativeJit, StandardLibraryInHeaders) {
  const TestProgram program(R"(
    #include <algorithm>
    #include <functional>
    #include <memory>
    #include <string>
    #include <vector>
    int main() {
      std::vector<std::string> words = {"delta", "alpha", "a word that is too long for the small buffer"};
      std::sort(words.begin(), words.end());
      std::function<int(int)> add = [&](int n) { return n + static_cast<int>(words.size()); };
      auto shared = std::make_shared<int>(10);
      return add(*shared) + (words.front() == "a word that is too long for the small buffer");
    }
  )");
  EXPECT_EQ(program.run(), 14);
  EXPECT_GT(program.jit->times().optimisation, 0);
  EXPECT_GT(program.jit->times().codeGeneration, 0);
}

// Every function comes when it is called: with all kinds of arguments, by its address, by a virtual call, through exceptions,
// and from itself.
TEST(NativeJit, FunctionsComeWhenTheyAreCalled) {
  constexpr const char* text = R"(
    #include <cstdarg>
    #include <stdexcept>
    #include <string>
    #define OUT [[gnu::noinline]] static
    OUT double many(int a, long b, char c, short d, long e, long f, long g, double h, float i, double j, double k, double l,
                    double m, double n, double o, double p, long double q) {
      return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8 + i * 9 + j * 10 + k * 11 + l * 12 + m * 13 + n * 14 +
             o * 15 + p * 16 + static_cast<double>(q) * 17;
    }
    OUT double sum(int count, ...) {
      va_list list;
      va_start(list, count);
      double total = 0;
      for (int i = 0; i < count; ++i) total += i % 2 ? va_arg(list, double) : va_arg(list, int);
      va_end(list);
      return total;
    }
    struct Large { long a[5]; };
    OUT Large twice(Large l) { for (long& a : l.a) a *= 2; return l; }
    OUT int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
    OUT int even(int n);
    OUT int odd(int n) { return n == 0 ? 0 : even(n - 1); }
    OUT int even(int n) { return n == 0 ? 1 : odd(n - 1); }
    struct Shape { virtual int sides() const { return 0; } };
    struct Square : Shape { int sides() const override { return 4; } };
    Square square; const Shape* volatile shape = &square;
    OUT int thrown(int n) { if (n == 0) throw std::runtime_error("thrown"); return thrown(n - 1); }
    OUT int number() { static int counter = 40; return ++counter; }
    OUT int jump(int n) {
      static void* const to[] = {&&zero, &&one};
      goto* to[n];
    zero: return 10;
    one: return 11;
    }
    int (*table[2])(int) = {even, odd};
    int main() {
      if (many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17) != 1785) return 1;
      if (sum(4, 1, 2.5, 3, 4.5) != 11) return 2;
      if (twice({{1, 2, 3, 4, 5}}).a[4] != 10) return 3;
      if (fibonacci(12) != 144) return 4;
      if (table[0](7) != 0 || table[1](7) != 1 || table[0] != even || table[1] == even) return 5;
      if (shape->sides() != 4) return 6;
      try { thrown(3); return 7; } catch (const std::exception& e) { if (std::string(e.what()) != "thrown") return 8; }
      if (number() + number() != 83) return 9;
      return jump(0) + jump(1);
    }
  )";
  for (const std::size_t atOnce : {std::size_t{0}, std::size_t{1'000'000}}) {
    const TestProgram program(text, ".cpp", {"main"}, atOnce);
    EXPECT_EQ(program.function<int()>("main")(), 21) << atOnce;
  }
}

// Plain code for a function that may compute, until it has; the code that is running stays.
TEST(NativeJit, FunctionsThatComputeAreGeneratedAgain) {
  const TestProgram program(R"(
    [[gnu::noinline]] static unsigned hash(const unsigned char* text, unsigned size, unsigned depth) {
      unsigned value = depth ? hash(text, size / 2, depth - 1) : 17;
      for (unsigned i = 0; i < size; ++i) value = value * 31 + text[i];
      return value;
    }
    unsigned char text[1000];
    extern "C" unsigned once(unsigned size, unsigned depth) { return hash(text, size, depth); }
    extern "C" void fill() { for (unsigned i = 0; i < 1000; ++i) text[i] = static_cast<unsigned char>(i * i); }
    int main() { fill(); return static_cast<int>(once(10, 1)); }
  )",
                            ".cpp", {"once", "fill", "main"}, 0);
  program.function<void()>("fill")();
  const auto once = program.function<unsigned(unsigned, unsigned)>("once");
  const unsigned first = once(1000, 3);
  const double plain = program.jit->times().codeGeneration;
  EXPECT_EQ(once(1000, 3), first);
  EXPECT_EQ(program.jit->times().codeGeneration, plain);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(once(1000, 3), first);
  const double better = program.jit->times().codeGeneration;
  EXPECT_GT(better, plain);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(once(1000, 3), first);
  EXPECT_EQ(program.jit->times().codeGeneration, better);
}

TEST(NativeJit, FramesOfLaterFunctionsAreForgottenWithTheCode) {
  for (int i = 0; i < 3; ++i) {
    const TestProgram program(kThrowing, ".cpp", {"caught"}, 0);
    EXPECT_EQ(program.function<int(int)>("caught")(2), 6);
  }
}

}  // namespace
}  // namespace heddle::native
