// The sandbox, from within: what heddle still can do, and what nobody can.
#include "sandbox/sandbox.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "sandbox/helper.h"
#include "util/memory_use.h"
#include "util/read_file.h"

namespace heddle::sandbox {
namespace {

constexpr int kGood = 42, kSkipped = 43;

class Sandbox : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "heddle-sandbox-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    dir_ = pattern;
    std::ofstream(dir_ + "/source.c") << "int x;\n";
    std::ofstream(dir_ + "/secret") << "hidden\n";
  }
  void TearDown() override { std::filesystem::remove_all(dir_); }

  Access access() const { return {.sources = {dir_ + "/source.c"}, .outputs = {dir_ + "/out"}}; }

  // Runs this in a child that has entered the sandbox. The result of waitpid.
  int within(const std::function<bool()>& body) const {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      startHelper();
      try {
        enter(Wanted::require, access());
      } catch (const Unavailable&) {
        std::_Exit(kSkipped);
      }
      call(SYS_exit_group, body() ? kGood : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }

  void expectWithin(const std::function<bool()>& body) const {
    const int status = within(body);
    ASSERT_TRUE(WIFEXITED(status)) << status;
    if (WEXITSTATUS(status) == kSkipped) GTEST_SKIP() << "this machine has no complete sandbox";
    EXPECT_EQ(WEXITSTATUS(status), kGood);
  }

  std::string dir_;
};

TEST_F(Sandbox, FilesThatWereNamedCanBeRead) {
  expectWithin([&] { return util::readFile(dir_ + "/source.c") == "int x;\n"; });
}

TEST_F(Sandbox, OthersCannot) {
  expectWithin([&] { return !util::readFile(dir_ + "/secret") && !util::readFile("/etc/passwd"); });
  expectWithin([&] { return open((dir_ + "/new").c_str(), O_WRONLY | O_CREAT, 0666) < 0; });
  expectWithin([&] { return open((dir_ + "/source.c").c_str(), O_WRONLY) < 0; });
  expectWithin([&] { return open((dir_ + "/out./../secret").c_str(), O_WRONLY) < 0; });
  EXPECT_FALSE(std::filesystem::exists(dir_ + "/new"));
}

TEST_F(Sandbox, OutputsAreReplaced) {
  expectWithin([&] {
    const std::string file = dir_ + "/out", beside = file + ".1";
    const int descriptor = open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    const bool written = write(descriptor, "new", 3) == 3 && fsync(descriptor) == 0;
    close(descriptor);
    return written && std::rename(beside.c_str(), file.c_str()) == 0 && std::rename(file.c_str(), (dir_ + "/x").c_str()) != 0;
  });
}

TEST_F(Sandbox, ProcessesThatExplore) {
  expectWithin([&] {
    const int child = forkProcess();
    if (child == 0) {
      leaveHelper();
      while (true) sched_yield();
    }
    const bool known = util::memoryOf(child) > 0;
    int status = 0;
    return known && kill(child, SIGKILL) == 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status);
  });
}

TEST_F(Sandbox, NoSignalsToOthers) {
  expectWithin([&] { return kill(getppid(), SIGKILL) != 0 && kill(1, SIGKILL) != 0; });
}

int seen = 0;

TEST_F(Sandbox, TheProgramIsStopped) {
  expectWithin([&] {
    setProgramHandler([](ucontext_t& context, int number) {
      seen = number;
      context.uc_mcontext.gregs[REG_RAX] = -EPERM;
      return true;
    });
    mkdir((dir_ + "/made").c_str(), 0777);
    const bool first = seen == SYS_mkdir;
    fork();
    const bool second = seen == SYS_clone || seen == SYS_clone3;
    const long third = socket(AF_INET, SOCK_STREAM, 0);
    setProgramHandler(nullptr);
    return first && second && third < 0 && seen == SYS_socket;
  });
  EXPECT_FALSE(std::filesystem::exists(dir_ + "/made"));
}

// The secret number is in no register when somebody else makes a call.
TEST_F(Sandbox, TheSecretDoesNotLeak) {
  expectWithin([&] {
    setProgramHandler([](ucontext_t& context, int number) {
      seen = number;
      context.uc_mcontext.gregs[REG_RAX] = -EPERM;
      return true;
    });
    call(SYS_getppid);
    long result = SYS_getppid;
    asm volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
    setProgramHandler(nullptr);
    return seen == SYS_getppid && result == -EPERM;
  });
}

TEST_F(Sandbox, Names) {
  EXPECT_EQ(nameOfCall(100'000), "number 100000");
#ifdef HEDDLE_SECCOMP
  EXPECT_EQ(nameOfCall(SYS_mkdir), "mkdir");
#endif
}

}  // namespace
}  // namespace heddle::sandbox
