#include "runtime/crash.h"

#include <cxxabi.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <exception>

#include "runtime/arch/processor.h"
#include "runtime/fiber.h"
#include "runtime/native_program.h"
#include "runtime/sanitizer.h"
#include "sandbox/sandbox.h"

namespace heddle::runtime {

namespace {

constexpr int kWatchdogSignal = SIGURG;  // ignored by default, and of no other use here
constexpr std::array kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, kWatchdogSignal};

std::array<struct sigaction, kSignals.size()> oldActions;
std::terminate_handler oldTerminate;

constexpr double kLookSeconds = 0.1;  // from one look of the watchdog to the next
constexpr double kLookAgainSeconds = 0.001;

// What the watchdog saw when it looked last: a segment that has been running since then, or an earlier moment.
struct {
  int id = 0;  // of the timer
  double interval = 0;
  double allowed = 0;  // seconds
  std::uint64_t segment = 0;
  double since = 0;
} watched;

double now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

timespec timeOf(double seconds) {
  const double whole = std::floor(seconds);
  return {.tv_sec = static_cast<time_t>(whole), .tv_nsec = static_cast<long>((seconds - whole) * 1e9)};
}

// The next look is after so many seconds.
void setTimer(double first) {
  const itimerspec time{.it_interval = timeOf(watched.interval), .it_value = timeOf(first)};
  // Not by the C library: a thread of the program is running.
  sandbox::call(SYS_timer_settime, watched.id, 0, reinterpret_cast<long>(&time), 0);
}

// Is the segment that runs the one that ran when this was last asked?
bool isSameSegment(const RunningThread& running) {
  const std::uint64_t segment = running.stepsRun();
  if (segment == watched.segment) return true;
  watched.segment = segment;
  watched.since = now();
  return false;
}

bool isProgramCode(const ucontext_t& context) { return arch::placeOf(context) - memory::kImage < memory::kImageSize; }

const char* describeSignal(int number) {
  switch (number) {
    case SIGSEGV: return "invalid memory access";
    case SIGBUS: return "misaligned or unmapped memory access";
    case SIGFPE: return "arithmetic fault";
    case SIGILL: return "illegal instruction";
    default: return "trap";
  }
}

// Returns from the signal into the explorer, which finds the thread paused at an error.
void abandonFiber(ucontext_t& context, RunningThread& running, const Crash& crash) {
  sanitizerAbandonsFiber(running.self());
  arch::continueAt(context, running.abandon(crash));
}

// What the watchdog does when it looks at a running fiber.
void watch(ucontext_t& context, RunningThread& running) {
  const sandbox::OwnCode own;
  const bool same = isSameSegment(running);
  if (!isProgramCode(context)) {
    running.askToStop();
    if (same) setTimer(kLookAgainSeconds);
    return;
  }
  if (running.mustStop()) {
    sanitizerAbandonsFiber(running.self());
    arch::continueAt(context, running.abandonToStop());
  } else if (same && now() - watched.since > watched.allowed) {
    abandonFiber(context, running, {.kind = Crash::Kind::stuck, .allowed = watched.allowed});
  }
}

Crash::Kind kindOf(int number, Address address, const RunningThread& running) {
  if (number != SIGSEGV) return Crash::Kind::signal;
  if (address - stackGuard(running.self()) < kGuardBytes) return Crash::Kind::stackOverflow;
  return address < 4096 ? Crash::Kind::nullPointer : Crash::Kind::signal;
}

void handle(int number, siginfo_t* info, void* raw) {
  auto& context = *static_cast<ucontext_t*>(raw);
  NativeProgram* const program = NativeProgram::current();
  if (program == nullptr || !program->running().isRunning()) {
    if (number == kWatchdogSignal) return;
    signal(number, SIG_DFL);  // the instruction is executed again, and this time it counts
    return;
  }
  RunningThread& running = program->running();
  if (number == kWatchdogSignal) {
    const int error = errno;
    watch(context, running);
    errno = error;
    return;
  }
  const auto address = reinterpret_cast<Address>(info->si_addr);
  abandonFiber(context, running, {.kind = kindOf(number, address, running), .signal = number, .address = address});
}

// A system call that the sandbox has refused: of the program, if its code runs.
bool handleRefusedCall(ucontext_t& context, int number) {
  NativeProgram* const program = NativeProgram::current();
  if (program == nullptr || !program->running().isRunning()) return false;
  abandonFiber(context, program->running(), {.kind = Crash::Kind::systemCall, .signal = number});
  return true;
}

// std::terminate on a fiber: an exception that nobody catches, or one that leaves a noexcept function.
[[noreturn]] void handleTerminate() {
  NativeProgram* const program = NativeProgram::current();
  if (program == nullptr || !program->running().isRunning()) {
    oldTerminate();
    std::abort();
  }
  RunningThread& running = program->running();
  const std::type_info* const type = abi::__cxa_current_exception_type();
  if (type == nullptr) running.fail(ErrorKind::abort, "std::terminate was called", 0);
  int status = 0;
  char* const demangled = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
  std::string message = fmt::format("an exception of type {} is not caught", status == 0 ? demangled : type->name());
  std::free(demangled);
  try {
    throw;
  } catch (const std::exception& error) {
    message += fmt::format(": {}", error.what());
  } catch (...) {}  // NOLINT(bugprone-empty-catch): the type is all that is known of it
  running.fail(ErrorKind::uncaughtException, std::move(message), 0);
}

}  // namespace

Error errorOf(const Crash& crash) {
  Error error{.kind = ErrorKind::signal, .message = {}, .related = {}};
  switch (crash.kind) {
    case Crash::Kind::none: break;
    case Crash::Kind::stackOverflow:
      error.kind = ErrorKind::stackOverflow;
      error.message = "the native stack is full";
      break;
    case Crash::Kind::nullPointer:
      error.kind = ErrorKind::nullPointer;
      error.message = fmt::format("access to address {:#x}", crash.address);
      break;
    case Crash::Kind::signal:
      error.message =
          fmt::format("{} ({}) at address {:#x}", strsignal(crash.signal), describeSignal(crash.signal), crash.address);
      break;
    case Crash::Kind::systemCall:
      error.kind = ErrorKind::forbiddenCall;
      error.message =
          fmt::format("the code makes the system call {}, which the sandbox does not allow", sandbox::nameOfCall(crash.signal));
      break;
    case Crash::Kind::stuck:
      error.kind = ErrorKind::noProgress;
      error.message = fmt::format("no visible operation for {} s: the code does not end, or it needs longer than --stuck {} "
                                  "allows; raise that to find out",
                                  crash.allowed, crash.allowed);
      break;
  }
  return error;
}

// A timer, whose signal the exploring process gets again and again. (A thread would take longer to start than many an
// exploration.)
struct CrashGuard::Watchdog {
  explicit Watchdog(double seconds) {
    watched = {.id = 0, .interval = std::min(seconds / 8, kLookSeconds), .allowed = seconds, .segment = 0, .since = now()};
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = kWatchdogSignal;
    const long made =
        sandbox::call(SYS_timer_create, CLOCK_MONOTONIC, reinterpret_cast<long>(&event), reinterpret_cast<long>(&watched.id));
    if (made == 0) setTimer(watched.interval);
  }
  ~Watchdog() { sandbox::call(SYS_timer_delete, watched.id); }
};

CrashGuard::CrashGuard(double stuckSeconds) {
  static std::array<std::byte, 1 << 16> signalStack;
  stack_t stack{.ss_sp = signalStack.data(), .ss_flags = 0, .ss_size = signalStack.size()};
  sigaltstack(&stack, nullptr);
  struct sigaction action{};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &action, &oldActions[i]);
  sigset_t watchdog;
  sigemptyset(&watchdog);
  sigaddset(&watchdog, kWatchdogSignal);
  sigprocmask(SIG_UNBLOCK, &watchdog, nullptr);  // whoever started this process may have blocked it
  oldTerminate = std::set_terminate(handleTerminate);
  sandbox::setProgramHandler(handleRefusedCall);
  if (stuckSeconds > 0) watchdog_ = std::make_unique<Watchdog>(stuckSeconds);
}

CrashGuard::~CrashGuard() {
  watchdog_.reset();
  sandbox::setProgramHandler(nullptr);
  std::set_terminate(oldTerminate);
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &oldActions[i], nullptr);
}

}  // namespace heddle::runtime
