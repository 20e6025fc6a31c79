// Precompiled headers: which headers they hold, that they make no difference but to time, and that they are never
// stale.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <map>
#include <memory>

#include "native/compile/leading_includes.h"
#include "native/compile/precompiled.h"
#include "unit/native_compile_helpers.h"
#include "util/child_process.h"

namespace heddle::native {
namespace {

using Names = std::vector<std::string>;

Names leadingIncludes(std::string_view source) {
  return native::leadingIncludes(source, "main.c", [](const std::string&) { return std::nullopt; }).headers;
}

TEST(LeadingIncludes, AreTakenFromTheTop) {
  EXPECT_EQ(leadingIncludes("#include <atomic>\n#include <thread>\nint main() {}\n"), (Names{"atomic", "thread"}));
  EXPECT_EQ(leadingIncludes("// a\n/* b\n c */\n\n#pragma once\n  #  include\t<sys/types.h> // d\n"), Names{"sys/types.h"});
  EXPECT_EQ(leadingIncludes("#include <atomic>\r\n#include <thread>\r\n"), (Names{"atomic", "thread"}));
  EXPECT_EQ(leadingIncludes("#include <atomic>"), Names{"atomic"});
  EXPECT_EQ(leadingIncludes(""), Names{});
}

TEST(LeadingIncludes, StopAtAnythingElse) {
  EXPECT_EQ(leadingIncludes("#include <atomic>\n#include \"own.h\"\n#include <thread>\n"), Names{"atomic"});
  EXPECT_EQ(leadingIncludes("#include <atomic>\n#define X\n#include <thread>\n"), Names{"atomic"});
  EXPECT_EQ(leadingIncludes("#include <atomic>\n#if 0\n#include <thread>\n#endif\n"), Names{"atomic"});
  EXPECT_EQ(leadingIncludes("#pragma STDC x\n#include <thread>\n"), Names{});
  EXPECT_EQ(leadingIncludes("int x;\n#include <thread>\n"), Names{});
  EXPECT_EQ(leadingIncludes("#include <atomic> int x;\n#include <thread>\n"), Names{});
  EXPECT_EQ(leadingIncludes("#include MACRO\n#include <thread>\n"), Names{});
  EXPECT_EQ(leadingIncludes("/* #include <atomic>\n"), Names{});
  EXPECT_EQ(leadingIncludes("#include_next <atomic>\n"), Names{});
  EXPECT_EQ(leadingIncludes("#include <atomic\n"), Names{});
  EXPECT_EQ(leadingIncludes("// a \\\n#include <atomic>\n"), Names{});  // all of it is the comment
  EXPECT_EQ(leadingIncludes("#include <thread> // a \\\n#include <atomic>\n"), Names{});
  EXPECT_EQ(leadingIncludes("// a \\ \r\n#include <atomic>\n"), Names{});
  EXPECT_EQ(leadingIncludes("// a\r#define X\n#include <atomic>\n"), Names{});
}

TEST(LeadingIncludes, GoOnInTheProgramsOwnHeaders) {
  const std::map<std::string, std::string> files = {
      {"dir/a.h", "// a\n#ifndef A_H\n#define A_H\n#include <pthread.h>\n#include \"sub/b.h\"\n#include <late.h>\n#endif\n"},
      {"dir/sub/b.h", "#pragma once\n#include <stdint.h>\n"},
      {"dir/c.h", "#ifndef C_H\n#define D_H\n#include <stdint.h>\n#endif\n"},
      {"dir/d.h", "#include <stdint.h>\nint x;\n"},
      {"dir/e.h", "#include \"e.h\"\n#include <stdint.h>\n"},
      {"dir/f.h", "#ifndef A_H\n#define A_H\n#include <stdint.h>\n#endif\n"},
  };
  const auto read = [&](const std::string& path) {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  };
  const auto headers = [&](const std::string& text) { return native::leadingIncludes(text, "dir/main.c", read).headers; };
  const auto guards = [&](const std::string& text) { return native::leadingIncludes(text, "dir/main.c", read).guards; };
  EXPECT_EQ(headers("#include <stdio.h>\n#include \"a.h\"\n#include <never.h>\n"),
            (Names{"stdio.h", "pthread.h", "stdint.h", "late.h"}));
  EXPECT_EQ(guards("#include <stdio.h>\n#include \"a.h\"\n"), Names{"A_H"});
  EXPECT_EQ(headers("#include \"sub/b.h\"\n#include <stdio.h>\n"), (Names{"stdint.h", "stdio.h"}));
  EXPECT_EQ(headers("#include \"c.h\"\n"), Names{});  // no guard
  EXPECT_EQ(headers("#include \"d.h\"\n#include <stdio.h>\n"), Names{"stdint.h"});
  EXPECT_EQ(headers("#include \"e.h\"\n"), Names{});  // includes itself
  EXPECT_EQ(headers("#include \"absent.h\"\n#include <stdio.h>\n"), Names{});
  EXPECT_EQ(headers("#ifndef M\n#define M\n#include <stdio.h>\n#endif\n"), Names{});  // not of a header
  EXPECT_EQ(headers("#include \"a.h\"\n#include \"f.h\"\n"), (Names{"pthread.h", "stdint.h", "late.h"}));
}

const std::string kProgram = R"(#include <atomic>
#include <memory>
#include <thread>
#include <vector>

std::atomic<int> x;
int main() {
  std::vector<std::thread> threads;
  auto shared = std::make_shared<std::vector<int>>(3);
  for (int i = 0; i < 2; ++i) threads.emplace_back([shared] { x += (*shared)[1]; });
  for (auto& thread : threads) thread.join();
  return x.load();
}
)";

class PrecompiledTest : public CompileTest {
 protected:
  BuildOptions precompiled(const std::vector<std::string>& files, const std::vector<std::string>& flags = {}) const {
    BuildOptions options = optionsFor(files, flags);
    options.precompiled = true;
    return options;
  }

  // What is in the cache: sizes by name.
  std::map<std::string, std::uintmax_t> files() const {
    std::map<std::string, std::uintmax_t> result;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(path("cache/heddle"), error))
      result[entry.path().string()] = entry.file_size();
    return result;
  }
  std::vector<std::uintmax_t> cached() const {
    std::vector<std::uintmax_t> sizes;
    for (const auto& [name, size] : files()) sizes.push_back(size);
    return sizes;
  }

  // As if a file had been used that many seconds ago.
  static void setUsed(const std::string& file, std::time_t ago) {
    const timespec times[] = {{std::time(nullptr) - ago, 0}, {0, UTIME_OMIT}};
    ASSERT_EQ(utimensat(AT_FDCWD, file.c_str(), times, 0), 0);
  }
  static struct stat statusOf(const std::string& file) {
    struct stat result{};
    EXPECT_EQ(stat(file.c_str(), &result), 0) << file;
    return result;
  }

  static double processorTime(const BuildOptions& options) {
    const std::clock_t start = std::clock();
    compile(options);
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  }

  // Three of them compile the file at the same time.
  void compileInSeveralProcesses(const std::string& file) const {
    std::vector<std::unique_ptr<util::ChildProcess>> children;
    for (int i = 0; i < 3; ++i) {
      children.push_back(std::make_unique<util::ChildProcess>([&] {
        try {
          compile(precompiled({file}));
        } catch (...) {
          return 1;
        }
        return 0;
      }));
    }
    for (const auto& child : children) EXPECT_EQ(child->wait().code, 0);
  }

  static std::string codeOf(const BuildOptions& options) {
    auto program = compile(options);
    expectVerified(*program.module);
    llvm::StripDebugInfo(*program.module);
    return textOf(*program.module);
  }
};

TEST_F(PrecompiledTest, TheSecondRunIsFasterAndGivesTheSame) {
  write("a.cpp", kProgram);
  const std::string without = codeOf(optionsFor({"a.cpp"}));
  EXPECT_TRUE(cached().empty());
  const double first = processorTime(precompiled({"a.cpp"}));
  ASSERT_EQ(cached().size(), 2u);  // of <thread>, and of what the others add
  for (const std::uintmax_t size : cached()) EXPECT_GT(size, 1000u);
  const double second = processorTime(precompiled({"a.cpp"}));
  EXPECT_LT(second, first / 2);
  EXPECT_EQ(codeOf(precompiled({"a.cpp"})), without);
  EXPECT_EQ(cached().size(), 2u);
}

TEST_F(PrecompiledTest, FilesWithTheSameHeadersShareOne) {
  write("a.cpp", "#include <cstddef>\nstd::size_t x;\nstd::size_t f() { return x; }\n");
  write("sub/b.cpp", "#include <cstddef>\nextern std::size_t x;\nint main() { return x != 0; }\n");
  compile(precompiled({"a.cpp", "sub/b.cpp"}));
  EXPECT_EQ(cached().size(), 1u);
  compile(precompiled({"a.cpp", "sub/b.cpp"}, {"-DNDEBUG"}));
  compile(precompiled({"a.cpp", "sub/b.cpp"}, {"-std=c++17"}));
  EXPECT_EQ(cached().size(), 3u);  // one for each set of flags
}

// Here <thread> is a file of the test's, so that it can change.
class LayersTest : public PrecompiledTest {
 protected:
  void SetUp() override {
    PrecompiledTest::SetUp();
    write("a.cpp", "#include <cstddef>\n#include <thread>\n#include <value.h>\nint main() { return THREAD + VALUE; }\n");
    write("b.cpp", "#include <cstddef>\n#include <thread>\nint main() { return THREAD; }\n");
    write("system/thread", "#define THREAD 100\n");
    write("system/value.h", "#define VALUE 1\n");
  }
  BuildOptions options(const std::string& file, const Names& flags = {}) const {
    Names all = {"-isystem" + path("system")};
    all.insert(all.end(), flags.begin(), flags.end());
    return precompiled({file}, all);
  }
  bool returns(const std::string& file, int value, const Names& flags = {}) const {
    return contains(codeOf(options(file, flags)), "ret i32 " + std::to_string(value) + "\n");
  }
};

TEST_F(LayersTest, ShareTheFirst) {
  EXPECT_TRUE(returns("a.cpp", 101));
  EXPECT_EQ(cached().size(), 2u);
  EXPECT_TRUE(returns("b.cpp", 100));
  EXPECT_EQ(cached().size(), 3u);
  write("c.cpp", "#include <thread>\nint main() { return THREAD; }\n");
  EXPECT_TRUE(returns("c.cpp", 100));
  EXPECT_EQ(cached().size(), 3u);  // is the first
  for (const std::uintmax_t size : cached()) EXPECT_GT(size, 1000u);
}

TEST_F(LayersTest, AreReplacedWhenAHeaderChanges) {
  for (int value = 1; value <= 3; ++value) {
    write("system/value.h", "#define VALUE " + std::to_string(value) + std::string(value, ' ') + "\n");
    for (int run = 0; run < 2; ++run) {
      EXPECT_TRUE(returns("a.cpp", 100 + value));
      EXPECT_TRUE(returns("b.cpp", 100));
    }
  }
  for (int value = 1; value <= 3; ++value) {
    write("system/thread", "#define THREAD " + std::to_string(value) + std::string(value, ' ') + "\n");
    for (int run = 0; run < 2; ++run) {
      EXPECT_TRUE(returns("a.cpp", 3 + value));
      EXPECT_TRUE(returns("b.cpp", value));
    }
  }
  EXPECT_EQ(cached().size(), 3u);
}

TEST_F(LayersTest, StayWhenAnotherIsReplaced) {
  EXPECT_TRUE(returns("b.cpp", 100));
  const auto before = files();
  std::map<std::string, ino_t> versions;
  for (const auto& [file, size] : before) versions[file] = statusOf(file).st_ino;
  EXPECT_TRUE(returns("a.cpp", 101));
  write("system/value.h", "#define VALUE 33\n");
  EXPECT_TRUE(returns("a.cpp", 133));
  for (const auto& [file, inode] : versions) EXPECT_EQ(statusOf(file).st_ino, inode);
}

TEST_F(LayersTest, AreMadeAgainWhenTheyAreGone) {
  EXPECT_TRUE(returns("a.cpp", 101));
  const auto before = files();
  for (const auto& [gone, size] : before) {
    for (const bool broken : {false, true}) {
      if (broken)
        std::filesystem::resize_file(gone, 100);
      else
        std::filesystem::remove(gone);
      for (int run = 0; run < 2; ++run) EXPECT_TRUE(returns("a.cpp", 101));
      EXPECT_EQ(files().size(), 2u);
      EXPECT_GT(files().at(gone), 1000u);
    }
  }
}

TEST_F(LayersTest, AreNoneWhereTheOrderCounts) {
  write("c.cpp", "#include <cstddef>\n#include <before.h>\n#include <thread>\nint main() { return THREAD; }\n");
  write("system/before.h", "#define BEFORE\n");
  write("system/thread", "#ifdef BEFORE\n#define THREAD 7\n#else\n#define THREAD 8\n#endif\n");
  for (int run = 0; run < 2; ++run) EXPECT_TRUE(returns("c.cpp", 7));
  EXPECT_EQ(cached().size(), 1u);
  EXPECT_TRUE(returns("b.cpp", 8));
}

TEST_F(LayersTest, BothAreAskedForMacros) {
  write("system/thread", "#ifdef M\n#define THREAD M\n#else\n#define THREAD 100\n#endif\n");
  write("system/value.h", "#ifdef N\n#define VALUE N\n#else\n#define VALUE 1\n#endif\n");
  for (int run = 0; run < 2; ++run) {
    EXPECT_TRUE(returns("a.cpp", 101));
    EXPECT_TRUE(returns("a.cpp", 201, {"-DM=200"}));
    EXPECT_TRUE(returns("a.cpp", 102, {"-DN=2"}));
    EXPECT_TRUE(returns("a.cpp", 202, {"-DM=200", "-DN=2"}));
    EXPECT_TRUE(returns("a.cpp", 101, {"-DL=2"}));
  }
  EXPECT_EQ(cached().size(), 2u);
}

TEST_F(LayersTest, ThatReadHeadersOfTheUserAreNotKept) {
  write("include/inner.h", "#define THREAD 5\n");
  write("system/thread", "#include <inner.h>\n");
  for (int run = 0; run < 2; ++run) EXPECT_TRUE(returns("a.cpp", 6, {"-I" + path("include")}));
  EXPECT_EQ(cached(), std::vector<std::uintmax_t>{0});
}

TEST_F(LayersTest, AreUsedAndStayTheSame) {
  EXPECT_TRUE(returns("a.cpp", 101));
  std::map<std::string, struct stat> before;
  for (const auto& [file, size] : files()) {
    setUsed(file, 100'000);
    before[file] = statusOf(file);
  }
  EXPECT_TRUE(returns("a.cpp", 101));
  for (const auto& [file, status] : before) {
    EXPECT_GT(statusOf(file).st_atime, status.st_atime + 50'000);
    EXPECT_EQ(statusOf(file).st_mtime, status.st_mtime);
    EXPECT_EQ(statusOf(file).st_ino, status.st_ino);
  }
}

TEST_F(LayersTest, MayBeMadeBySeveralProcessesAtOnce) {
  write("c.cpp", kProgram);
  compileInSeveralProcesses("c.cpp");
  EXPECT_EQ(cached().size(), 2u);
  EXPECT_EQ(codeOf(precompiled({"c.cpp"})), codeOf(optionsFor({"c.cpp"})));
}

const std::string kProgramInC = R"(#include <stdatomic.h>
#include <stdio.h>
#include "threads.h"
#include <string.h>
#ifndef N
#define N 1
#endif
static atomic_int x;
static void* run(void* argument) {
  atomic_fetch_add(&x, N + (int)strlen(argument));
  return 0;
}
int main(void) {
  pthread_t thread = start(run);
  pthread_join(thread, 0);
  printf("%d\\n", x);
  return 0;
}
)";
const std::string kThreads = R"(#ifndef THREADS_H
#define THREADS_H
#include <pthread.h>
static inline pthread_t start(void* (*function)(void*)) {
  pthread_t thread;
  pthread_create(&thread, 0, function, "abc");
  return thread;
}
#endif
)";

TEST_F(PrecompiledTest, FilesInCShareOneWhateverTheirOwnMacrosAre) {
  write("a.c", kProgramInC);
  write("threads.h", kThreads);
  for (int run = 0; run < 2; ++run) {
    for (const Names& flags : {Names{}, Names{"-DN=2"}, Names{"-DN=3"}, Names{"-DN=3", "-DTWICE(x)=x"}}) {
      EXPECT_EQ(codeOf(precompiled({"a.c"}, flags)), codeOf(optionsFor({"a.c"}, flags)));
    }
  }
  EXPECT_EQ(cached().size(), 1u);
  for (const std::uintmax_t size : cached()) EXPECT_GT(size, 1000u);
}

TEST_F(PrecompiledTest, MacrosThatHeadersMentionCount) {
  write("a.c", "#include <value.h>\nint main(void) { return VALUE; }\n");
  write("system/value.h", "#ifdef N\n#define VALUE N\n#else\n#define VALUE 1\n#endif\n");
  const std::string system = "-isystem" + path("system");
  for (int run = 0; run < 2; ++run) {
    EXPECT_TRUE(contains(codeOf(precompiled({"a.c"}, {system})), "ret i32 1"));
    EXPECT_TRUE(contains(codeOf(precompiled({"a.c"}, {system, "-DN=5"})), "ret i32 5"));
    EXPECT_TRUE(contains(codeOf(precompiled({"a.c"}, {system, "-DN=6"})), "ret i32 6"));
  }
  write("b.c", "#include \"own.h\"\nint main(void) { return VALUE; }\n");
  write("own.h", "#ifndef N\n#define N 7\n#include <value.h>\n#endif\n");  // no include guard: it has a value
  write("c.c", "#include \"guarded.h\"\nint main(void) { return VALUE; }\n");
  write("guarded.h", "#ifndef N\n#define N\n#include <other.h>\n#endif\n");
  write("system/other.h", "#ifdef N\n#define VALUE 8\n#else\n#define VALUE 9\n#endif\n");
  for (int run = 0; run < 2; ++run) {
    EXPECT_TRUE(contains(codeOf(precompiled({"b.c"}, {system})), "ret i32 7"));
    EXPECT_TRUE(contains(codeOf(precompiled({"c.c"}, {system})), "ret i32 8"));
  }
}

// What the header includes is left out, and with it everything that the program would find there.
TEST_F(PrecompiledTest, AGuardThatAFlagDefinesIsRespected) {
  write("a.c", "#include \"own.h\"\nint main(void) {\n#ifdef INT8_MAX\n return 1;\n#else\n return 2;\n#endif\n}\n");
  write("own.h", "#ifndef OWN_H\n#define OWN_H\n#include <stdint.h>\n#endif\n");
  for (int run = 0; run < 2; ++run) {
    EXPECT_TRUE(contains(codeOf(precompiled({"a.c"})), "ret i32 1"));
    EXPECT_TRUE(contains(codeOf(precompiled({"a.c"}, {"-DOWN_H"})), "ret i32 2"));
    EXPECT_TRUE(contains(codeOf(precompiled({"a.c"}, {"-DOWN_H", "-UOWN_H"})), "ret i32 1"));
  }
}

TEST_F(PrecompiledTest, AChangedHeaderIsSeen) {
  write("a.cpp", "#include <value.h>\nint main() { return VALUE; }\n");
  const BuildOptions options = precompiled({"a.cpp"}, {"-isystem" + path("system")});
  for (const char* value : {"1", "22", "333"}) {
    write("system/value.h", std::string("#define VALUE ") + value + "\n");
    for (int run = 0; run < 2; ++run)
      EXPECT_TRUE(contains(codeOf(options), std::string("ret i32 ") + value)) << value << ", run " << run;
  }
  EXPECT_EQ(cached().size(), 1u);
}

// Of the same size and age, so that only a compiler that reads it knows.
TEST_F(PrecompiledTest, HeadersOfTheUserAreNotKept) {
  write("a.cpp", "#include <cstddef>\n#include <value.h>\nint main() { return VALUE; }\n");
  const BuildOptions options = precompiled({"a.cpp"}, {"-I" + path("include")});
  write("include/value.h", "#define VALUE 1\n");
  const auto age = std::filesystem::last_write_time(path("include/value.h"));
  EXPECT_TRUE(contains(codeOf(options), "ret i32 1"));
  write("include/value.h", "#define VALUE 2\n");
  std::filesystem::last_write_time(path("include/value.h"), age);
  EXPECT_TRUE(contains(codeOf(options), "ret i32 2"));
  ASSERT_EQ(cached().size(), 1u);  // of <cstddef>
  EXPECT_GT(cached()[0], 1000u);
}

TEST_F(PrecompiledTest, SystemHeadersThatIncludeOnesOfTheUserAreNotKept) {
  write("a.cpp", "#include <outer.h>\nint main() { return VALUE; }\n");
  write("system/outer.h", "#include <value.h>\n");
  write("include/value.h", "#define VALUE 1\n");
  const BuildOptions options = precompiled({"a.cpp"}, {"-I" + path("include"), "-isystem" + path("system")});
  for (int run = 0; run < 2; ++run) {
    EXPECT_TRUE(contains(codeOf(options), "ret i32 1"));
    EXPECT_EQ(cached(), std::vector<std::uintmax_t>{0});  // a note that there is nothing to gain
  }
}

TEST_F(PrecompiledTest, AHeaderThatComesBeforeTheSystemsIsSeen) {
  write("a.c", "#include <outer.h>\nint main(void) { return VALUE; }\n");
  write("system/outer.h", "#include <inner/value.h>\n");
  write("system/inner/value.h", "#define VALUE 1\n");
  write("include/inner/unrelated.h", "");
  const BuildOptions options = precompiled({"a.c"}, {"-I" + path("include"), "-isystem" + path("system")});
  for (int run = 0; run < 2; ++run) EXPECT_TRUE(contains(codeOf(options), "ret i32 1"));
  write("include/inner/value.h", "#define VALUE 2\n");
  for (int run = 0; run < 2; ++run) EXPECT_TRUE(contains(codeOf(options), "ret i32 2"));
}

TEST_F(PrecompiledTest, FoldersThatAreTooLargeToLookThroughAreDoneWithout) {
  write("a.c", "#include <outer.h>\nint main(void) { return VALUE; }\n");
  write("system/outer.h", "#include <value.h>\n");
  write("system/value.h", "#define VALUE 1\n");
  for (int i = 0; i < 5000; ++i) write("include/" + std::to_string(i) + ".h", "");
  const BuildOptions options = precompiled({"a.c"}, {"-I" + path("include"), "-isystem" + path("system")});
  EXPECT_TRUE(contains(codeOf(options), "ret i32 1"));
  EXPECT_TRUE(cached().empty());
  write("include/value.h", "#define VALUE 2\n");
  EXPECT_TRUE(contains(codeOf(options), "ret i32 2"));
}

TEST_F(PrecompiledTest, RelativeFoldersAreThoseOfTheWorkingDirectory) {
  write("a.c", "#include <value.h>\nint main(void) { return VALUE; }\n");
  write("one/system/value.h", "#define VALUE 1\n");
  write("two/system/value.h", "#define VALUE 2\n");
  const auto before = std::filesystem::current_path();
  for (const char* folder : {"one", "two", "one"}) {
    std::filesystem::current_path(path(folder));
    const std::string code = codeOf(precompiled({"a.c"}, {"-isystem", "system"}));
    EXPECT_TRUE(contains(code, folder == std::string("one") ? "ret i32 1" : "ret i32 2")) << folder;
  }
  std::filesystem::current_path(before);
}

TEST_F(PrecompiledTest, ErrorsAndWarningsAreAsWithout) {
  write("a.cpp", "#include <cstddef>\nint main() { return undeclared; }\n");
  write("b.cpp", "#include <cstddef>\n#include <no_such_header>\nint main() {}\n");
  write("c.cpp", "#include <unguarded.h>\nint main() { return Unguarded().x; }\n");
  write("system/unguarded.h", "struct Unguarded { int x = 3; };\n");  // cannot be read twice
  for (const char* file : {"a.cpp", "b.cpp"}) {
    const std::string expected = failureOf(optionsFor({file})).printed;
    EXPECT_TRUE(contains(expected, file));
    for (int run = 0; run < 2; ++run) EXPECT_EQ(failureOf(precompiled({file})).printed, expected);
  }
  for (int run = 0; run < 2; ++run) {
    testing::internal::CaptureStderr();
    EXPECT_NO_THROW(compile(precompiled({"c.cpp"}, {"-isystem" + path("system")})));
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  }
  write("d.cpp", "#include <cstddef>\nint main() { int unused; return 0; }\n");
  for (int run = 0; run < 2; ++run) {
    testing::internal::CaptureStderr();
    compile(precompiled({"d.cpp"}, {"-Wall"}));
    const std::string printed = testing::internal::GetCapturedStderr();
    EXPECT_TRUE(contains(printed, "d.cpp:2:18: warning: unused variable 'unused'")) << printed;
    EXPECT_TRUE(contains(printed, "1 warning generated.")) << printed;
  }
}

TEST_F(PrecompiledTest, ABrokenFileInTheCacheIsReplaced) {
  write("a.cpp", "#include <cstddef>\nint main() { return std::size_t{1} == 0; }\n");
  const std::string expected = codeOf(precompiled({"a.cpp"}));
  ASSERT_EQ(cached().size(), 1u);
  const auto file = std::filesystem::directory_iterator(path("cache/heddle"))->path();
  const auto size = std::filesystem::file_size(file);
  for (const std::uintmax_t left : {std::uintmax_t{10}, size / 2}) {
    std::filesystem::resize_file(file, left);
    testing::internal::CaptureStderr();
    EXPECT_EQ(codeOf(precompiled({"a.cpp"})), expected);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  }
}

TEST_F(PrecompiledTest, TheCacheIsBounded) {
  const auto add = [&](const std::string& name, std::uintmax_t size) {
    const std::string file = write("cache/heddle/" + name, "");
    std::filesystem::resize_file(file, size);  // takes no room on the disk
    return file;
  };
  setUsed(add("old.pch", 300'000'000), 1800);
  setUsed(add("recent.pch", 300'000'000), 1200);
  const auto now = std::filesystem::file_time_type::clock::now();
  std::filesystem::last_write_time(add("abandoned.tmp", 10), now - std::chrono::minutes(90));
  std::filesystem::last_write_time(add("busy.tmp", 10), now - std::chrono::minutes(5));
  write("a.cpp", "#include <cstddef>\nint main() { return 0; }\n");
  compile(precompiled({"a.cpp"}));
  const auto kept = [&](const char* name) { return std::filesystem::exists(path("cache/heddle/") + name); };
  EXPECT_FALSE(kept("old.pch"));
  EXPECT_TRUE(kept("recent.pch"));
  EXPECT_FALSE(kept("abandoned.tmp"));
  EXPECT_TRUE(kept("busy.tmp"));
  EXPECT_EQ(cached().size(), 3u);
}

TEST_F(PrecompiledTest, WithoutACacheItWorksToo) {
  write("a.cpp", "#include <cstddef>\nint main() { return 0; }\n");
  write("file", "");
  setenv("XDG_CACHE_HOME", path("file").c_str(), 1);  // no folder can be made in it
  EXPECT_NO_THROW(compile(precompiled({"a.cpp"})));
}

TEST_F(PrecompiledTest, SeveralProcessesMayBuildItAtOnce) {
  write("a.cpp", "#include <cstddef>\nint main() { return 0; }\n");
  compileInSeveralProcesses("a.cpp");
  EXPECT_EQ(cached().size(), 1u);
  EXPECT_NO_THROW(compile(precompiled({"a.cpp"})));
}

}  // namespace
}  // namespace heddle::native
