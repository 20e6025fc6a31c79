// compile(): what it accepts, what it makes of it, and what it says when it cannot.
#include <sys/stat.h>
#include <unistd.h>

#include "unit/native_compile_helpers.h"

namespace heddle::native {
namespace {

TEST_F(CompileTest, CIsCompiledAsC17WithSystemHeaders) {
  const auto program = compileText("a.c", R"(
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
_Static_assert(__STDC_VERSION__ == 201710L, "C17");
atomic_int x;
static void* run(void* p) { atomic_fetch_add(&x, 1); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, 0); assert(x == 1); return 0; }
)");
  expectVerified(*program.module);
  EXPECT_TRUE(contains(bodyOf(*program.module, "run"), "atomicrmw add ptr @x, i32"));
  EXPECT_TRUE(contains(bodyOf(*program.module, "main"), "call i32 @pthread_create"));
  EXPECT_TRUE(contains(bodyOf(*program.module, "main"), "call void @__assert_fail"));
}

TEST_F(CompileTest, EveryStandardOfC) {
  for (const char* standard : {"c11", "gnu11", "c17", "c23", "gnu23"}) {
    const auto program = compileText("a.c",
                                     "#include <stdatomic.h>\n#include <threads.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
                                     "int main(void) { mtx_t m; mtx_init(&m, mtx_plain); atomic_int i = 0; return i; }\n",
                                     {std::string("-std=") + standard, "-Wall", "-Werror"});
    EXPECT_FALSE(bodyOf(*program.module, "main").empty()) << standard;
  }
}

TEST_F(CompileTest, CxxIsCompiledAsCxx20) {
  const auto program = compileText("a.cpp", "static_assert(__cplusplus == 202002L);\nint main() {}\n");
  EXPECT_FALSE(bodyOf(*program.module, "main").empty());
  for (const char* suffix : {".cc", ".cxx", ".c++", ".C"})
    EXPECT_NO_THROW(compileText(std::string("a") + suffix, "int main() { return nullptr == nullptr; }\n")) << suffix;
}

TEST_F(CompileTest, CodeIsAsTheSourceHasIt) {
  const auto program = compileText("a.c", R"(
int g;
static int unused(int* p) { return *p; }
int main(void) {
  int local = 1;
  local = local + 1;
  if (g) return unused(0);
  for (;;) {}
}
)");
  const std::string text = bodyOf(*program.module, "main");
  EXPECT_TRUE(contains(text, "alloca i32")) << text;  // no pass has run
  EXPECT_TRUE(contains(text, "add i32")) << text;     // an overflow wraps
  EXPECT_TRUE(contains(text, "lifetime")) << text;    // the ends of blocks are there
  EXPECT_FALSE(contains(text, "tbaa")) << text;
  const llvm::Function* main = program.module->getFunction("main");
  EXPECT_FALSE(main->hasFnAttribute(llvm::Attribute::NoInline));
  EXPECT_FALSE(main->hasFnAttribute(llvm::Attribute::OptimizeNone));
  EXPECT_FALSE(main->hasFnAttribute(llvm::Attribute::MustProgress));       // an endless loop is one
  EXPECT_TRUE(main->hasFnAttribute(llvm::Attribute::NullPointerIsValid));  // a null pointer is not assumed away
  EXPECT_FALSE(program.module->getFunction("unused")->hasParamAttribute(0, llvm::Attribute::NoUndef));
}

TEST_F(CompileTest, InstructionsHaveLinesAndColumns) {
  const auto program = compileText("a.c", "int g;\nint main(void) {\n  g = 1;\n  return g + g;\n}\n");
  std::vector<std::pair<unsigned, unsigned>> places;
  for (const llvm::Instruction& instruction : program.module->getFunction("main")->getEntryBlock())
    if (llvm::isa<llvm::LoadInst>(instruction))
      places.emplace_back(instruction.getDebugLoc().getLine(), instruction.getDebugLoc().getCol());
  EXPECT_EQ(places, (std::vector<std::pair<unsigned, unsigned>>{{4, 10}, {4, 14}}));
}

TEST_F(CompileTest, FlagsAreTheUsers) {
  write("include/own.h", "#define OWN 9\n");
  const std::string source =
      "#include <own.h>\n_Static_assert(VALUE == 7 && OWN == 9 && __STDC_VERSION__ == 201112L, \"\");\nint main(void) "
      "{ return 0; }\n";
  EXPECT_NO_THROW(compileText("a.c", source, {"-I" + path("include"), "-D", "VALUE=7", "-std=c11"}));
}

TEST_F(CompileTest, SixteenByteAtomicsAreInstructions) {
  const auto program = compileText("a.cpp", R"(
#include <atomic>
struct Tagged { void* pointer; long tag; };
std::atomic<Tagged> top;
int main() { return top.load().tag != 0; }
)");
  EXPECT_TRUE(contains(textOf(*program.module), "load atomic i128, ptr"));
}

TEST_F(CompileTest, FortificationIsOff) {
  const auto program =
      compileText("a.c", "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { printf(\"%d\", atoi(\"1\")); return 0; }\n",
                  {"-D_FORTIFY_SOURCE=2", "-O2"});
  EXPECT_TRUE(contains(bodyOf(*program.module, "main"), "@printf"));
  EXPECT_EQ(program.module->getFunction("__printf_chk"), nullptr);
  EXPECT_TRUE(program.module->getFunction("atoi")->isDeclaration());  // no inline copy of the C library's function
}

TEST_F(CompileTest, UndefinedBehaviourIsMarkedWhenAskedFor) {
  write("a.c", "int table[4];\nint f(int a, int b) { return table[a]\n  + table[b]; }\nint main(void) { return f(1, 2); }\n");
  BuildOptions options = optionsFor({"a.c"});
  const std::string plain = textOf(*compile(options).module);
  EXPECT_FALSE(contains(plain, "add nsw"));
  EXPECT_FALSE(contains(plain, "ubsan"));
  options.undefinedBehaviour = true;
  const auto program = compile(options);
  EXPECT_TRUE(contains(textOf(*program.module), "add nsw i32"));
  std::vector<unsigned> checks;  // one for each subscript, on its line
  for (const llvm::BasicBlock& block : *program.module->getFunction("f"))
    for (const llvm::Instruction& instruction : block)
      if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (const llvm::Function* callee = call->getCalledFunction())
          if (callee->getName() == "__ubsan_handle_out_of_bounds_abort") checks.push_back(call->getDebugLoc().getLine());
  EXPECT_EQ(checks, (std::vector<unsigned>{2, 3}));
}

TEST_F(CompileTest, SanitizersCoverageAndOutputsOfTheUserAreIgnored) {
  const std::vector<std::string> flags = {"-fsanitize=thread,address",
                                          "--coverage",
                                          "-flto",
                                          "-pg",
                                          "-c",
                                          "-o",
                                          "a.o",
                                          "-MD",
                                          "-MF",
                                          "a.d",
                                          "-pthread",
                                          "-lm",
                                          "-O3",
                                          "-g0",
                                          "-fPIC"};
  const auto program = compileText("a.c", "int g;\nint main(void) { return g; }\n", flags);
  EXPECT_EQ(textOf(*compileText("a.c", "int g;\nint main(void) { return g; }\n").module), textOf(*program.module));
  EXPECT_FALSE(std::filesystem::exists("a.o"));
  EXPECT_FALSE(std::filesystem::exists("a.d"));
}

// ---- Several files, and LLVM's own.

TEST_F(CompileTest, FilesOfSeveralLanguagesAreLinked) {
  write("a.c", "_Static_assert(__STDC_VERSION__ == 201112L, \"C11\");\nint twice(int x) { return 2 * x; }\n");
  write("b.cpp", "static_assert(__cplusplus == 201703L);\nextern \"C\" int twice(int);\nint thrice(int);\n"
                 "int main() { return twice(1) + thrice(2); }\n");
  write("c.ll", "define i32 @_Z6thricei(i32 %x) noinline optnone {\n  %p = alloca i32\n"
                "  call void @llvm.lifetime.start.p0(i64 4, ptr %p)\n  store i32 %x, ptr %p, !tbaa !0\n  ret i32 3\n}\n"
                "declare void @llvm.lifetime.start.p0(i64, ptr)\n"
                "!0 = !{!1, !1, i64 0}\n!1 = !{!\"int\", !2, i64 0}\n!2 = !{!\"root\"}\n");
  const auto program = compile(optionsFor({"a.c", "b.cpp", "c.ll"}, {"-std=c11", "-std=c++17"}));
  expectVerified(*program.module);
  for (const char* name : {"main", "twice", "_Z6thricei"}) EXPECT_FALSE(bodyOf(*program.module, name).empty()) << name;
  const std::string thrice = bodyOf(*program.module, "_Z6thricei");
  for (const char* unwanted : {"lifetime", "tbaa", "optnone"}) EXPECT_FALSE(contains(thrice, unwanted)) << thrice;
}

TEST_F(CompileTest, BitcodeIsRead) {
  const auto original = compileText("a.c", "int g;\nint main(void) { return g; }\n");
  std::error_code error;
  {
    llvm::raw_fd_ostream out(path("b.ll"), error);
    original.module->print(out, nullptr);
  }
  const auto copy = compile(optionsFor({"b.ll"}));
  EXPECT_EQ(bodyOf(*original.module, "main"), bodyOf(*copy.module, "main"));
}

TEST_F(CompileTest, WhatCannotBeLinkedIsAnError) {
  write("a.c", "int main(void) { return 0; }\n");
  write("b.c", "int main(void) { return 1; }\n");
  const Failure failure = failureOf(optionsFor({"a.c", "b.c"}));
  EXPECT_TRUE(contains(failure.message, "b.c")) << failure.message;
  EXPECT_TRUE(contains(failure.message, "main")) << failure.message;
  EXPECT_TRUE(contains(failure.message, "multiply defined")) << failure.message;
}

TEST_F(CompileTest, ModulesForAnotherMachineAreAnError) {
  write("a.ll", "target triple = \"aarch64-linux-gnu\"\ndefine i32 @main() {\n  ret i32 0\n}\n");
  EXPECT_TRUE(contains(failureOf(optionsFor({"a.ll"})).message, "aarch64-linux-gnu"));
  EXPECT_TRUE(contains(failureOfText("b.c", "int main(void) { return 0; }\n", {"-m32"}).message, "i386"));
}

// ---- Input that cannot be used.

TEST_F(CompileTest, ErrorsOfTheSourceAreClangsOwn) {
  const Failure failure = failureOfText("bad.c", "int main(void) {\n  return y;\n}\n");
  EXPECT_TRUE(contains(failure.message, "bad.c does not compile")) << failure.message;
  EXPECT_TRUE(contains(failure.printed, "bad.c:2:10: error: use of undeclared identifier 'y'")) << failure.printed;
  EXPECT_TRUE(contains(failure.printed, "1 error generated.")) << failure.printed;
  EXPECT_FALSE(contains(failure.printed, "\x1b[")) << failure.printed;  // not a terminal
}

TEST_F(CompileTest, WarningsAreClangsAndDoNotStop) {
  const std::string source = "int main(void) { int x; return 1 == 1 ? 0 : \"a\" == 0; if (x = 1) {} }\n";
  write("a.c", source);
  testing::internal::CaptureStderr();
  compile(optionsFor({"a.c"}));
  EXPECT_TRUE(contains(testing::internal::GetCapturedStderr(), "warning:"));
  testing::internal::CaptureStderr();
  compile(optionsFor({"a.c"}, {"-w"}));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_TRUE(contains(failureOf(optionsFor({"a.c"}, {"-Werror"})).printed, "[-Werror"));
}

TEST_F(CompileTest, FilesThatCannotBeRead) {
  EXPECT_TRUE(contains(failureOf(optionsFor({"none.c"})).message, "none.c: No such file or directory"));
  write("a.txt", "");
  EXPECT_TRUE(contains(failureOf(optionsFor({"a.txt"})).message, "unknown suffix '.txt'"));
  write("program", "");
  EXPECT_TRUE(contains(failureOf(optionsFor({"program"})).message, "no suffix"));
  std::filesystem::create_directory(path("d.c"));
  EXPECT_TRUE(contains(failureOf(optionsFor({"d.c"})).message, "d.c: is a directory"));
  EXPECT_TRUE(contains(failureOf(BuildOptions{}).message, "no input files"));
  if (geteuid() != 0) {
    write("secret.c", "int main(void) { return 0; }\n");
    chmod(path("secret.c").c_str(), 0);
    EXPECT_TRUE(contains(failureOf(optionsFor({"secret.c"})).message, "secret.c: Permission denied"));
  }
}

TEST_F(CompileTest, LlvmCodeThatIsWrong) {
  write("a.ll", "define i32 @main() {\n  ret i32 %x\n}\n");
  const Failure failure = failureOf(optionsFor({"a.ll"}));
  EXPECT_TRUE(contains(failure.message, "a.ll:2:11: error: use of undefined value '%x'")) << failure.message;
  write("a.bc", "this is not bitcode");
  EXPECT_TRUE(contains(failureOf(optionsFor({"a.bc"})).message, "a.bc"));
  write("b.ll", "define i32 @main() {\n  %a = add i32 %b, 1\n  %b = add i32 %a, 1\n  ret i32 %b\n}\n");
  EXPECT_TRUE(contains(failureOf(optionsFor({"b.ll"})).message, "not valid LLVM code"));
}

TEST_F(CompileTest, FlagsThatAreWrong) {
  const std::string source = "int main(void) { return 0; }\n";
  const Failure unknown = failureOfText("a.c", source, {"-fno-such-thing"});
  EXPECT_TRUE(contains(unknown.printed, "unknown argument: '-fno-such-thing'")) << unknown.printed;
  EXPECT_TRUE(contains(unknown.message, "a.c")) << unknown.message;
  EXPECT_TRUE(contains(failureOfText("a.c", source, {"b.o"}).message, "'b.o'"));
  EXPECT_TRUE(contains(failureOfText("a.c", source, {"-I"}).message, "-I"));
}

// ---- compile_commands.json.

class CompilationDatabaseTest : public CompileTest {
 protected:
  void SetUp() override {
    CompileTest::SetUp();
    write("project/src/queue.cpp",
          "#include \"queue.h\"\n#include <fixed.h>\nstatic_assert(SIZE == 4 && FIXED == 5 && FORCED == 6);\n"
          "static_assert(__cplusplus == 201703L);\nint main() { return 0; }\n");
    write("project/include/queue.h", "#pragma once\n");
    write("project/third/fixed.h", "#define FIXED 5\n");
    write("project/forced.h", "#define FORCED 6\n");
    write("project/other/queue.cpp", "int main() { return 1; }\n");
    write("project/plain.c", "int main(void) { return VALUE; }\n");
    std::filesystem::create_directory(path("project/build"));
    std::string text = R"json([
{"directory": "@/build", "file": "../src/queue.cpp",
 "arguments": ["ccache", "c++", "-I../include", "-isystem", "../third", "-include", "../forced.h", "-DSIZE=4",
               "-std=c++17", "-O3", "-Werror", "-fno-such-flag-of-gcc", "-Wmaybe-uninitialized", "-MD", "-MT", "q.o",
               "-MF", "q.d", "-o", "q.o", "-c", "../src/queue.cpp"]},
{"directory": "@/build", "file": "@/other/queue.cpp", "command": "c++ -c '@/other/queue.cpp'"},
{"directory": "@", "file": "plain.c", "arguments": ["cc", "-DVALUE=(1 + 1)", "-c", "plain.c", "-o", "plain.o"]}
])json";
    for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@', at))
      text.replace(at, 1, path("project"));
    write("project/build/compile_commands.json", text);
  }

  BuildOptions optionsOf(const std::string& file, const std::string& database = "project/build") const {
    BuildOptions options;
    options.files = {file};
    options.compilationDatabase = path(database);
    options.precompiled = false;
    return options;
  }
};

TEST_F(CompilationDatabaseTest, AnEntryGivesFlagsAndFolder) {
  EXPECT_TRUE(contains(bodyOf(*compile(optionsOf(path("project/src/queue.cpp"))).module, "main"), "ret i32 0"));
  EXPECT_TRUE(contains(bodyOf(*compile(optionsOf("src/queue.cpp")).module, "main"), "ret i32 0"));
  EXPECT_TRUE(contains(bodyOf(*compile(optionsOf(path("project/src/../plain.c"))).module, "main"), "ret i32 2"));
  EXPECT_NO_THROW(compile(optionsOf("src/queue.cpp", "project/build/compile_commands.json")));
  EXPECT_FALSE(std::filesystem::exists(path("project/build/q.d")));
}

TEST_F(CompilationDatabaseTest, FlagsOfTheUserComeAfterThoseOfTheEntry) {
  BuildOptions options = optionsOf("plain.c");
  options.flags = {"-UVALUE", "-DVALUE=7"};
  EXPECT_TRUE(contains(bodyOf(*compile(options).module, "main"), "ret i32 7"));
}

TEST_F(CompilationDatabaseTest, WhatIsNotThereIsSaid) {
  const Failure ambiguous = failureOf(optionsOf("queue.cpp"));
  EXPECT_TRUE(contains(ambiguous.message, "project/src/queue.cpp")) << ambiguous.message;
  EXPECT_TRUE(contains(ambiguous.message, "project/other/queue.cpp")) << ambiguous.message;
  EXPECT_TRUE(contains(failureOf(optionsOf("stack.cpp")).message, "stack.cpp: no entry"));
  EXPECT_TRUE(contains(failureOf(optionsOf("queue.cpp", "project")).message, "no such compilation database"));
  write("bad/compile_commands.json", "{");
  EXPECT_TRUE(contains(failureOf(optionsOf("queue.cpp", "bad")).message, "compile_commands.json"));
}

}  // namespace
}  // namespace heddle::native
