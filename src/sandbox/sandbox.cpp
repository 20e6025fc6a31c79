#include "sandbox/sandbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/audit.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "sandbox/filter.h"
#include "sandbox/helper.h"
#include "util/read_file.h"

namespace heddle::sandbox {

namespace {

constexpr rlim_t kMostFileBytes = rlim_t{4} << 30;
constexpr rlim_t kReservedLater = rlim_t{1} << 40;
constexpr rlim_t kMostDescriptors = 1024;
constexpr int kInternalError = 4;  // cli/exit_code.h

bool entered = false;
bool ownCode = false;  // a call is heddle's, whatever runs
bool mayRead = false;
std::uint64_t secret = 0;
int helper = -1;
ProgramHandler programHandler = nullptr;
std::vector<std::string> missing;

// ---- The calls that the filter has refused

const char* textAt(greg_t value) { return reinterpret_cast<const char*>(value); }

// Says so and ends. Nothing here may allocate.
[[noreturn]] void stopAt(int number) {
  std::array<char, 256> text;
  const int length =
      std::snprintf(text.data(), text.size(),
                    "heddle: internal error: the sandbox does not know system call %d\nThis is a bug in heddle; please "
                    "report it with the command line and its input. `--sandbox off` goes without.\n",
                    number);
  call(SYS_write, STDERR_FILENO, reinterpret_cast<long>(text.data()), length);
  call(SYS_exit_group, kInternalError);
  __builtin_trap();
}

long result(long returned) { return returned < 0 ? -errno : returned; }

// What heddle's own call returns.
long perform(int number, const std::array<greg_t, 6>& a) {
  switch (number) {
    case SYS_open: return openByHelper(helper, textAt(a[0]), static_cast<int>(a[1]), static_cast<unsigned>(a[2]));
    case SYS_openat:
      if (static_cast<int>(a[0]) != AT_FDCWD && *textAt(a[1]) != '/') return -EACCES;
      return openByHelper(helper, textAt(a[1]), static_cast<int>(a[2]), static_cast<unsigned>(a[3]));
    case SYS_newfstatat:
      if (*textAt(a[1]) != '\0' && !mayRead) return -EACCES;
      break;
    case SYS_unlink: return unlinkByHelper(helper, textAt(a[0]));
    case SYS_rename: return renameByHelper(helper, textAt(a[0]), textAt(a[1]));
    case SYS_kill: return a[1] == SIGKILL ? killByHelper(helper, static_cast<int>(a[0])) : -EPERM;
    case SYS_sendto:
    case SYS_recvfrom:
      if (a[4] != 0) return -EACCES;  // the sixth argument belongs to the fifth
      break;
    // Calls that are not vital, and whose callers know what to do without.
    case SYS_readlink:
    case SYS_readlinkat:
    case SYS_access:
    case SYS_faccessat:
    case SYS_stat:
    case SYS_lstat:
    case SYS_statfs:
    case SYS_getcwd:
    case SYS_getdents64:
    case SYS_statx:
      if (!mayRead || number == SYS_readlinkat || number == SYS_faccessat || number == SYS_statx) return -EACCES;
      break;
    case SYS_fcntl:
    case SYS_ioctl:
    case SYS_mmap: break;
    case SYS_clone:
    case SYS_execve:
    case SYS_fork:
    case SYS_vfork:
    case SYS_clone3: return -EPERM;                                // forkProcess() has its own way
    case SYS_tgkill: call(SYS_exit_group, kInternalError); break;  // abort, which has said why
    default: break;
  }
  return 0;
}

// Does perform() do it all?
bool isPerformed(int number) {
  switch (number) {
    case SYS_open:
    case SYS_openat:
    case SYS_unlink:
    case SYS_rename:
    case SYS_kill:
    case SYS_clone:
    case SYS_execve:
    case SYS_fork:
    case SYS_vfork:
    case SYS_clone3: return true;
    default: return false;
  }
}

// A call that has the secret number already, and is refused all the same.
bool isRepeated(const std::array<greg_t, 6>& arguments) { return static_cast<std::uint64_t>(arguments[5]) == secret; }

void onRefusedCall(int, siginfo_t* info, void* raw) {
  auto& context = *static_cast<ucontext_t*>(raw);
  constexpr int kFromFilter = 1;  // SYS_SECCOMP
  if (info->si_code != kFromFilter) return;
  const int number = info->si_syscall;
  if (!ownCode && programHandler != nullptr && programHandler(context, number)) return;
  const int error = errno;
  const greg_t* const r = context.uc_mcontext.gregs;
  const std::array<greg_t, 6> a = {r[REG_RDI], r[REG_RSI], r[REG_RDX], r[REG_R10], r[REG_R8], r[REG_R9]};
  if (isRepeated(a) || info->si_arch != AUDIT_ARCH_X86_64) stopAt(number);
  long returned = perform(number, a);
  if (returned == 0 && !isPerformed(number)) returned = result(call(number, a[0], a[1], a[2], a[3], a[4]));
  context.uc_mcontext.gregs[REG_RAX] = returned;
  errno = error;
}

// ---- Entering

// Landlock has no functions in the C library.
struct LandlockRuleset {
  std::uint64_t files = 0, network = 0, scopes = 0;
};

constexpr std::uint64_t kReads = 4 + 8;  // files and folders
constexpr std::uint64_t kExecutesAndReads = 1 + kReads;

long landlockVersion() {
  constexpr int kAskVersion = 1;
  return syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskVersion);
}

// All that this kernel's Landlock knows about; 0: there is none.
std::uint64_t allFileRights() {
  const long version = landlockVersion();
  if (version < 1) return 0;
  return (std::uint64_t{1} << (version == 1 ? 13 : version == 2 ? 14 : version < 5 ? 15 : 16)) - 1;
}

// Nothing can be opened, connected to, or sent signals outside, by this process and those that it starts. The filter lets the last step
// pass, which comes after it: without the filter nobody would open what heddle needs.
class Landlock {
 public:
  explicit Landlock(bool readsFiles) {
    const long version = landlockVersion();
    if (version < 1) {
      problem_ = fmt::format("this kernel has no Landlock ({})", std::strerror(errno));
      return;
    }
    LandlockRuleset rules;
    rules.files = allFileRights();
    if (readsFiles) rules.files &= ~kReads;
    if (version >= 4) rules.network = 3;  // bind and connect
    if (version >= 6) rules.scopes = 3;   // abstract sockets and signals
    const std::size_t size = version < 4 ? 8 : version < 6 ? 16 : sizeof rules;
    ruleset_ = static_cast<int>(syscall(SYS_landlock_create_ruleset, &rules, size, 0));
    if (ruleset_ < 0) problem_ = fmt::format("this kernel's Landlock does not work ({})", std::strerror(errno));
  }
  Landlock(const Landlock&) = delete;
  Landlock& operator=(const Landlock&) = delete;
  ~Landlock() {
    if (ruleset_ >= 0) close(ruleset_);
  }

  // Why not; empty: it is entered.
  std::string enter() {
    if (ruleset_ >= 0 && call(SYS_landlock_restrict_self, ruleset_, 0) != 0)
      problem_ = fmt::format("Landlock does not work here ({})", std::strerror(errno));
    return problem_;
  }

 private:
  int ruleset_ = -1;
  std::string problem_;
};

void lower(int resource, rlim_t value) {
  rlimit limit{};
  if (getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) return;
  limit.rlim_cur = std::min(limit.rlim_cur, value);
  limit.rlim_max = std::min(limit.rlim_max, value);
  setrlimit(static_cast<__rlimit_resource>(resource), &limit);
}

// The addresses that are reserved now, what an explorer reserves later, and as much again as there is memory.
rlim_t mostAddresses() {
  unsigned long long pages = 0;
  if (const auto text = util::readFile("/proc/self/statm")) std::sscanf(text->c_str(), "%llu", &pages);
  struct sysinfo machine{};
  if (pages == 0 || sysinfo(&machine) != 0) return RLIM_INFINITY;
  return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + rlim_t{machine.totalram} * machine.mem_unit + kReservedLater;
}

void limitResources() {
  lower(RLIMIT_CORE, 0);  // memory that a program may have spoilt is not written anywhere
  lower(RLIMIT_FSIZE, kMostFileBytes);
  lower(RLIMIT_NOFILE, kMostDescriptors);
  lower(RLIMIT_AS, mostAddresses());
}

// Who looks at this process from outside in a way that the filter would break; empty: nobody.
std::string findWatcher() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return "this heddle was built with sanitizers";
#else
  const char* const preloaded = std::getenv("LD_PRELOAD");
  if (preloaded != nullptr && std::strstr(preloaded, "vgpreload") != nullptr) return "this run is under valgrind";
  const auto status = util::readFile("/proc/self/status");
  const std::size_t at = status ? status->find("TracerPid:\t") : std::string::npos;
  if (at == std::string::npos) return "";
  const int tracer = std::atoi(status->c_str() + at + std::strlen("TracerPid:\t"));
  if (tracer == 0) return "";
  const std::string name = util::readFile(fmt::format("/proc/{}/comm", tracer)).value_or("");
  for (const std::string_view debugger : {"gdb", "lldb", "rr", "heddle_layout"}) {
    if (name.starts_with(debugger)) return "a debugger looks at this run";
  }
  return "";
#endif
}

const std::string& watcher() {
  static const std::string found = findWatcher();
  return found;
}

void handleRefusedCalls() {
  struct sigaction action{};
  action.sa_sigaction = onRefusedCall;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSYS, &action, nullptr);
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, SIGSYS);
  sigprocmask(SIG_UNBLOCK, &own, nullptr);
}

// A function of the host that ends the process for the program. It must not take down what heddle still needs.
void stopAtExit() {
  if (!ownCode && programHandler != nullptr) syscall(SYS_exit_group, 0);
}

void requireNothingMissing(Wanted wanted, const std::vector<std::string>& problems) {
  if (wanted != Wanted::require || problems.empty()) return;
  throw Unavailable(fmt::format("heddle: --sandbox require: {}", fmt::join(problems, "; ")));
}

}  // namespace

void restrictToReading(const std::vector<std::string>& writable) {
  if (!watcher().empty()) return;
  LandlockRuleset rules;
  rules.files = allFileRights() & ~kExecutesAndReads;
  const int ruleset =
      rules.files == 0 ? -1 : static_cast<int>(syscall(SYS_landlock_create_ruleset, &rules, sizeof rules.files, 0));
  if (ruleset < 0) return;
  bool complete = true;
  for (const std::string& folder : writable) {
    const int place = open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (place < 0) continue;  // nothing can be written there anyway
    constexpr int kPathBeneath = 1;
    struct [[gnu::packed]] {
      std::uint64_t rights;
      std::int32_t folder;
    } const rule{rules.files, place};
    complete &= syscall(SYS_landlock_add_rule, ruleset, kPathBeneath, &rule, 0) == 0;
    close(place);
  }
  if (complete && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) syscall(SYS_landlock_restrict_self, ruleset, 0);
  close(ruleset);
}

void enter(Wanted wanted, const Access& access) {
  if (wanted == Wanted::off || entered) return;
  missing.clear();
  if (const std::string& reason = watcher(); !reason.empty()) {
    missing.push_back(fmt::format("the sandbox is off: {}", reason));
    requireNothingMissing(wanted, missing);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    missing.clear();  // nobody checks what he does not trust with such a build
#endif
    return;
  }
  startHelper();
  helper = connectHelper(access);
  mayRead = access.readsFiles;
  if (getrandom(&secret, sizeof secret, 0) != sizeof secret)
    secret = reinterpret_cast<std::uintptr_t>(&missing) * 0x9e3779b97f4a7c15;
  limitResources();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    missing.emplace_back("the sandbox is not complete: the kernel cannot take privileges away for good");
  Landlock landlock(access.readsFiles);
  handleRefusedCalls();
  if (const std::string reason = installFilter(secret, access.readsFiles); !reason.empty()) {
    missing.push_back(fmt::format("system calls of the program are not stopped: no seccomp filter ({})", reason));
  } else {
    entered = true;
    std::atexit(stopAtExit);
    if (const std::string problem = landlock.enter(); !problem.empty()) requireNothingMissing(wanted, {problem});
  }
  requireNothingMissing(wanted, missing);
}

const std::vector<std::string>& missingLayers() { return missing; }

bool isEntered() { return entered; }

bool isPossible() { return watcher().empty(); }

int forkProcess() {
  if (!entered) return fork();
  return static_cast<int>(call(SYS_clone, SIGCHLD));
}

void leaveHelper() {
  if (helper >= 0) close(helper);
  helper = -1;
}

// The secret number does not stay in a register, where the next call, perhaps the program's, would find it.
long call(long number, long a, long b, long c, long d, long e) {
  register long fourth asm("r10") = d;
  register long fifth asm("r8") = e;
  register std::uint64_t sixth asm("r9") = secret;
  long returned = 0;
  asm volatile("syscall\n\txor %%r9d, %%r9d"
               : "=a"(returned), "+r"(sixth)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth)
               : "rcx", "r11", "cc", "memory");
  constexpr long kLastError = -4095;
  if (returned >= kLastError && returned < 0) {
    errno = static_cast<int>(-returned);
    return -1;
  }
  return returned;
}

OwnCode::OwnCode() : before_(ownCode) { ownCode = true; }
OwnCode::~OwnCode() { ownCode = before_; }

void setProgramHandler(ProgramHandler handler) {
  programHandler = handler;
  ownCode = false;
}

std::string nameOfCall(int number) {
  const std::string name = systemCallName(number);
  return name.empty() ? fmt::format("number {}", number) : name;
}

}  // namespace heddle::sandbox
