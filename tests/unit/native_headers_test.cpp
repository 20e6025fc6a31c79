// The headers that heddle adds: <heddle/heddle.h>, and what it changes in libstdc++ (src/native/overlay).
#include <llvm/Passes/PassBuilder.h>

#include "unit/native_compile_helpers.h"

namespace heddle::native {
namespace {

const std::vector<std::string> kStrict = {"-Wall", "-Wextra", "-Wpedantic", "-Werror"};

std::vector<std::string> strictFlags(const std::string& standard) {
  std::vector<std::string> flags = kStrict;
  flags.push_back("-std=" + standard);
  return flags;
}

using HeadersTest = CompileTest;

const std::string kHeddleProgram = R"(
#include <heddle/heddle.h>
#include <heddle/heddle.h>
#include <assert.h>
#ifdef __cplusplus
template <typename A, typename B> struct Same { static const int value = 1; };
#endif
int main(int argc, char** argv) {
  int x = (int)heddle_choose(3);
  heddle_assume(argv);
  heddle_assume(x < 3 && heddle_choose(argc) < 7);
  heddle_assert(x >= 0);
#ifdef __cplusplus
  heddle_assert(Same<int, char>::value == 1);
#endif
  assert(x != 3);
  if (x == 4) heddle_assert(0);
  return 0;
}
)";

TEST_F(HeadersTest, HeddleHeaderInEveryStandard) {
  for (const char* standard : {"c11", "c17", "gnu17", "c23"})
    for (const char* define : {"-DANY", "-DNDEBUG", "-U__HEDDLE__"}) {
      std::vector<std::string> flags = strictFlags(standard);
      flags.push_back(define);
      EXPECT_NO_THROW(compileText("a.c", kHeddleProgram, flags)) << standard << " " << define;
    }
  for (const char* standard : {"c++11", "c++14", "c++17", "c++20", "c++23", "gnu++20"})
    for (const char* define : {"-DANY", "-DNDEBUG", "-U__HEDDLE__"}) {
      std::vector<std::string> flags = strictFlags(standard);
      flags.push_back(define);
      EXPECT_NO_THROW(compileText("a.cpp", kHeddleProgram, flags)) << standard << " " << define;
    }
}

TEST_F(HeadersTest, HeddleHeaderCallsTheRuntimeFromTheLineOfUse) {
  const auto program =
      compileText("a.c",
                  "#include <heddle/heddle.h>\nint main(int n, char** v) {\n  heddle_assume(heddle_choose(2) == 1);\n"
                  "  heddle_assert(n + 1 == 2 && v);\n}\n",
                  {"-DNDEBUG"});
  std::vector<std::pair<std::string, unsigned>> calls;
  for (const llvm::BasicBlock& block : *program.module->getFunction("main"))
    for (const llvm::Instruction& instruction : block)
      if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        calls.emplace_back(call->getCalledFunction()->getName().str(), call->getDebugLoc().getLine());
  EXPECT_EQ(calls, (std::vector<std::pair<std::string, unsigned>>{
                       {"heddle_choose_hook", 3}, {"heddle_assume_hook", 3}, {"__assert_fail", 4}}));
  EXPECT_TRUE(contains(textOf(*program.module), "c\"n + 1 == 2 && v\\00\""));
}

TEST_F(HeadersTest, TheUsersCopyOfTheHeaderWillDo) {
  EXPECT_NO_THROW(compileText("a.c", "#include <heddle/heddle.h>\nint main(void) { heddle_assume(1); return 0; }\n",
                              {"-I" + std::string(HEDDLE_SOURCE_DIR) + "/include"}));
}

const std::string kSince11 = R"(
#include <atomic>
#include <condition_variable>
#include <future>
#include <iostream>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#if __cplusplus >= 201402L
#include <shared_mutex>
#endif
void since11() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  promise.set_value(1);
  future.wait();
  (void)future.wait_for(std::chrono::seconds(1));
  (void)future.wait_until(std::chrono::system_clock::now());
  (void)future.wait_until(std::chrono::steady_clock::now());
  future.get();
  std::async(std::launch::async, [] { return 2; }).get();
  std::packaged_task<int(int)> task([](int x) { return x; });
  task(3);
  task.get_future().share().wait();
  std::string s = "x";
  s += 'y';
  s.append("abc").insert(0, "q");
  std::wstring w = L"x";
  w += L"y";
  std::ostringstream stream;
  stream << 1 << s;
  std::cout << stream.str() << std::endl;
  std::once_flag once;
  std::call_once(once, [] {});
}
)";

const std::string kSince20 = R"(
#if __cplusplus >= 202002L
#include <barrier>
#include <latch>
#include <semaphore>
#include <stop_token>
struct Pair { int a, b; };
struct Triple { char a[3]; };
struct Wide { long a, b; };
struct Huge { long a, b, c; };
enum class Colour : short { red };
template <typename T> void waitFor(T old) {
  std::atomic<T> a(old);
  const std::atomic<T>& c = a;
  c.wait(old);
  a.wait(old, std::memory_order_acquire);
  a.notify_one();
  a.notify_all();
  std::atomic_wait(&a, old);
  std::atomic_wait_explicit(&a, old, std::memory_order_relaxed);
  std::atomic_notify_one(&a);
  std::atomic_notify_all(&a);
}
template <typename T> void waitForReference(T old) {
  T object = old;
  std::atomic_ref<T> a(object);
  a.wait(old);
  a.notify_one();
  a.notify_all();
}
void waits() {
  static int x;
  waitFor(0);
  waitFor(char{0});
  waitFor(short{0});
  waitFor(0ul);
  waitFor(0.0f);
  waitFor(0.0);
  waitFor(0.0L);
  waitFor(&x);
  waitFor(Pair{});
  waitFor(Triple{});
  waitFor(Wide{});
  waitFor(Huge{});
  waitFor(Colour::red);
  waitFor(true);
  waitForReference(0);
  waitForReference(0.0);
  waitForReference(&x);
  waitForReference(Pair{});
  std::atomic_flag flag;
  flag.wait(false);
  flag.notify_one();
  flag.notify_all();
  std::atomic<std::shared_ptr<int>> shared(std::make_shared<int>(1));
  shared.wait(nullptr);
  shared.notify_all();
  shared.store(shared.load());
  std::shared_ptr<int> expected;
  shared.compare_exchange_strong(expected, nullptr);
  std::atomic<std::weak_ptr<int>> weak;
  weak.wait(std::weak_ptr<int>());
}
void primitives() {
  std::counting_semaphore<5> semaphore(1);
  semaphore.acquire();
  (void)semaphore.try_acquire();
  semaphore.release();
  semaphore.release(2);
  (void)semaphore.try_acquire_for(std::chrono::milliseconds(1));
  (void)semaphore.try_acquire_until(std::chrono::system_clock::now());
  static_assert(std::binary_semaphore::max() >= 1 && std::counting_semaphore<>::max() > 1000);
  std::latch latch(1);
  latch.count_down();
  (void)latch.try_wait();
  latch.wait();
  latch.arrive_and_wait();
  std::barrier barrier(2, []() noexcept {});
  barrier.wait(barrier.arrive());
  barrier.arrive_and_wait();
  barrier.arrive_and_drop();
  std::jthread thread([](std::stop_token token) { std::stop_callback callback(token, [] {}); });
  thread.request_stop();
  std::condition_variable_any any;
  std::mutex mutex;
  std::unique_lock lock(mutex);
  any.wait(lock, std::stop_source().get_token(), [] { return true; });
}
#endif
int main() {}
)";

bool calls(const llvm::Module& module, const std::string& name) {
  const llvm::Function* function = module.getFunction(name);
  return function != nullptr && !function->use_empty();
}

TEST_F(HeadersTest, LibstdcxxInEveryStandard) {
  for (const char* standard : {"c++11", "c++14", "c++17", "c++20", "c++23"}) {
    SCOPED_TRACE(standard);
    const auto program = compileText("a.cpp", kSince11 + kSince20, strictFlags(standard));
    expectVerified(*program.module);
    EXPECT_TRUE(calls(*program.module, "heddle_wait"));
    // Nobody asks the kernel, spins, or waits in the compiled library.
    for (const char* name :
         {"syscall", "_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratio"
                     "ILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE"})
      EXPECT_FALSE(calls(*program.module, name)) << name;
    // Strings are here, streams are not.
    std::size_t strings = 0;
    for (const llvm::Function& function : *program.module) {
      const llvm::StringRef name = function.getName();
      if (!name.starts_with("_ZNSt7__cxx1112basic_string") && !name.starts_with("_ZNSaIcE")) continue;
      EXPECT_FALSE(function.isDeclaration()) << name.str();
      ++strings;
    }
    EXPECT_GT(strings, 10u);
    ASSERT_NE(program.module->getFunction("_ZNSolsEi"), nullptr);
    EXPECT_TRUE(program.module->getFunction("_ZNSolsEi")->isDeclaration());
  }
}

// One look and one decision: that is the whole of a wait.
TEST_F(HeadersTest, WaitingIsALoadAndADecision) {
  const auto program =
      compileText("a.cpp", "#include <atomic>\nstd::atomic<int> x;\nint main() { x.wait(3); x.notify_all(); }\n");
  std::size_t atomics = 0;
  for (const llvm::Function& function : *program.module)
    for (const llvm::BasicBlock& block : function)
      for (const llvm::Instruction& instruction : block)
        atomics += instruction.isAtomic() && !llvm::isa<llvm::LoadInst>(instruction);
  EXPECT_EQ(atomics, 0u);
  EXPECT_TRUE(calls(*program.module, "heddle_wait_notified"));
  EXPECT_TRUE(calls(*program.module, "heddle_notify"));
}

// The orders are arguments of functions; optimised code has them in its instructions.
void optimise(llvm::Module& module) {
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(module, modules);
}

TEST_F(HeadersTest, AtomicSharedPointersUnlockWithARelease) {
  const auto program =
      compileText("a.cpp", "#include <memory>\nstd::atomic<std::shared_ptr<int>> p;\n"
                           "long value() { return p.load(std::memory_order_relaxed).use_count(); }\nint main() {}\n");
  optimise(*program.module);
  std::size_t unlocks = 0;
  for (const llvm::BasicBlock& block : *program.module->getFunction("_Z5valuev"))
    for (const llvm::Instruction& instruction : block)
      if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
        if (update->getType()->isIntegerTy(64) && update->getOperation() == llvm::AtomicRMWInst::Sub) {
          EXPECT_EQ(update->getOrdering(), llvm::AtomicOrdering::Release);
          ++unlocks;
        }
  EXPECT_GT(unlocks, 0u);
}

// They declare by hand which primitives they call, without names of parameters that a program's macros could change. Next to the
// declarations that the table makes (abi/hooks.def) those would not compile if they were different.
TEST_F(HeadersTest, DeclarePrimitivesAsTheTableDoes) {
  std::string program = "#include <heddle/heddle.h>\n";
  for (const char* header : {"atomic", "barrier", "condition_variable", "future", "latch", "mutex", "semaphore"}) {
    program += std::string("#include <") + header + ">\n";
  }
  program += "#include \"" HEDDLE_SOURCE_DIR "/src/native/library/primitives.h\"\nint main() {}\n";
  const std::vector<std::string> flags = {"-std=c++20", "-I" HEDDLE_SOURCE_DIR "/src/abi"};
  EXPECT_NO_THROW(compileText("same.cpp", program, flags));
  const std::string other = "extern \"C\" void heddle_wait(long) __attribute__((nothrow));\n";
  EXPECT_NE(failureOfText("other.cpp", program + other, flags).printed.find("heddle_wait"), std::string::npos);
}

}  // namespace
}  // namespace heddle::native
