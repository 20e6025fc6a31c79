// Three lists. What nobody has to ask for: memory, clocks, the process's own signals. These calls are made by malloc and the C library
// wherever they like, in hooks too, and do nothing outside of the process. What only heddle may do: with the secret number.
// Everything else raises SIGSYS (sandbox.cpp).
//
// Memory that is both executable and new is not to be had: mmap with PROT_EXEC is refused, and mprotect is heddle's alone.
#include "sandbox/filter.h"

#ifdef HEDDLE_SECCOMP
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <memory>

namespace heddle::sandbox {

namespace {

constexpr int kForEverybody[] = {
    SCMP_SYS(brk),          SCMP_SYS(munmap),       SCMP_SYS(mremap),          SCMP_SYS(madvise),
    SCMP_SYS(futex),        SCMP_SYS(rt_sigreturn), SCMP_SYS(rt_sigprocmask),  SCMP_SYS(clock_gettime),
    SCMP_SYS(gettimeofday), SCMP_SYS(time),         SCMP_SYS(getpid),          SCMP_SYS(gettid),
    SCMP_SYS(getrusage),    SCMP_SYS(sched_yield),  SCMP_SYS(restart_syscall), SCMP_SYS(getrandom),
};

// On what is open, on timers and signals of the process itself, and on the processes that it has started.
constexpr int kForHeddle[] = {
    SCMP_SYS(read),
    SCMP_SYS(write),
    SCMP_SYS(readv),
    SCMP_SYS(writev),
    SCMP_SYS(pread64),
    SCMP_SYS(close),
    SCMP_SYS(lseek),
    SCMP_SYS(fstat),
    SCMP_SYS(newfstatat),
    SCMP_SYS(fsync),
    SCMP_SYS(fdatasync),
    SCMP_SYS(sendto),
    SCMP_SYS(recvfrom),
    SCMP_SYS(sendmsg),
    SCMP_SYS(recvmsg),
    SCMP_SYS(poll),
    SCMP_SYS(wait4),
    SCMP_SYS(exit_group),
    SCMP_SYS(mprotect),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(timer_create),
    SCMP_SYS(timer_settime),
    SCMP_SYS(timer_delete),
    SCMP_SYS(setitimer),
    SCMP_SYS(getppid),
    SCMP_SYS(nanosleep),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(dup),
    SCMP_SYS(dup2),
    SCMP_SYS(uname),
    SCMP_SYS(sysinfo),
    SCMP_SYS(landlock_restrict_self),
};

// Looking files up, to compile again.
constexpr int kForReading[] = {SCMP_SYS(getdents64), SCMP_SYS(getcwd), SCMP_SYS(readlink), SCMP_SYS(access),
                               SCMP_SYS(stat),       SCMP_SYS(lstat),  SCMP_SYS(statfs),   SCMP_SYS(fstatfs)};

class Rules {
 public:
  explicit Rules(std::uint64_t secret)
      : context_(seccomp_init(SCMP_ACT_TRAP), seccomp_release), own_(SCMP_A5(SCMP_CMP_EQ, secret)) {
    if (!context_) return;
    // Another word size is nobody's.
    check(seccomp_attr_set(context_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_TRAP));
    check(seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_NNP, 1));
    // Some kernels slow down every process with a filter, against attacks within it. Nothing here is secret from the program.
    seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_SSB, 1);
  }

  void allow(int number, std::initializer_list<scmp_arg_cmp> conditions) {
    if (context_ && problem_ == 0) {
      check(seccomp_rule_add_array(context_.get(), SCMP_ACT_ALLOW, number, static_cast<unsigned>(conditions.size()),
                                   conditions.begin()));
    }
  }
  void allowOwn(int number) { allow(number, {own_}); }
  void allowOwn(int number, scmp_arg_cmp condition) { allow(number, {condition, own_}); }

  std::string load() {
    if (!context_) return "libseccomp cannot make a filter";
    if (problem_ == 0) problem_ = seccomp_load(context_.get());
    return problem_ == 0 ? "" : std::strerror(-problem_);
  }

 private:
  void check(int result) {
    if (result < 0 && problem_ == 0) problem_ = result;
  }

  std::unique_ptr<void, void (*)(scmp_filter_ctx)> context_;
  scmp_arg_cmp own_;
  int problem_ = 0;
};

}  // namespace

std::string installFilter(std::uint64_t secret, bool readsFiles) {
  Rules rules(secret);
  for (const int number : kForEverybody) rules.allow(number, {});
  rules.allow(SCMP_SYS(mmap), {SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)});
  for (const int number : kForHeddle) rules.allowOwn(number);
  rules.allowOwn(SCMP_SYS(clone), SCMP_A0(SCMP_CMP_EQ, SIGCHLD));
  rules.allowOwn(SCMP_SYS(prctl), SCMP_A0(SCMP_CMP_EQ, PR_SET_PDEATHSIG));
  rules.allowOwn(SCMP_SYS(socketpair), SCMP_A0(SCMP_CMP_EQ, AF_UNIX));
  for (const unsigned request : {TCGETS, TIOCGWINSZ}) rules.allowOwn(SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_EQ, request));
  for (const unsigned request : {F_GETFD, F_GETFL, F_SETFD}) rules.allowOwn(SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_EQ, request));
  if (readsFiles) {
    for (const int number : kForReading) rules.allowOwn(number);
    rules.allow(SCMP_SYS(close), {});  // LLVM blocks all signals while it closes a file
  }
  return rules.load();
}

std::string systemCallName(int number) {
  const std::unique_ptr<char, void (*)(void*)> name(seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number), std::free);
  return name ? name.get() : "";
}

}  // namespace heddle::sandbox

#else

namespace heddle::sandbox {

std::string installFilter(std::uint64_t, bool) { return "this heddle was built without libseccomp"; }

std::string systemCallName(int) { return ""; }

}  // namespace heddle::sandbox

#endif
