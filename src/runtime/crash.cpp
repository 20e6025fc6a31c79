#include "runtime/crash.h"

#include <cxxabi.h>
#include <fmt/format.h>
#include <signal.h>
#include <time.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <exception>

#include "runtime/fiber.h"
#include "runtime/native_program.h"
#include "runtime/sanitizer.h"

namespace heddle::native {

namespace {

constexpr int kWatchdogSignal = SIGURG;  // ignored by default, and of no other use here
constexpr std::array kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, kWatchdogSignal};

std::array<struct sigaction, kSignals.size()> oldActions;
std::terminate_handler oldTerminate;

constexpr double kLookSeconds = 0.1;       // from one look of the watchdog to the next
constexpr double kLookAgainSeconds = 0.001;

// What the watchdog saw when it looked last: a segment that has been running since then, or an earlier moment.
struct {
  timer_t timer{};
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
  timer_settime(watched.timer, 0, &time, nullptr);
}

// Is the segment that runs the one that ran when this was last asked?
bool isSameSegment(const NativeProgram& program) {
  const std::uint64_t segment = program.segmentsRun();
  if (segment == watched.segment) return true;
  watched.segment = segment;
  watched.since = now();
  return false;
}

bool isProgramCode(const ucontext_t& context) {
  const auto place = static_cast<Address>(context.uc_mcontext.gregs[REG_RIP]);
  return place - memory::kImage < memory::kImageSize;
}

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
void abandonFiber(ucontext_t* context, NativeProgram& program) {
  sanitizerAbandonsFiber(program.self());
  context->uc_mcontext.gregs[REG_RSP] = reinterpret_cast<greg_t>(*program.schedulerStack());
  context->uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(&heddle_switch_back);
}

// What the watchdog does when it looks at a running fiber.
void watch(ucontext_t& context, NativeProgram& program) {
  const bool same = isSameSegment(program);
  if (!isProgramCode(context)) {
    program.askToLook();
    if (same) setTimer(kLookAgainSeconds);
    return;
  }
  if (program.mustStop()) {
    program.stopHere();
  } else if (same && now() - watched.since > watched.allowed) {
    program.recordCrash(ErrorKind::noProgress,
                        fmt::format("no visible operation for {} s: the code does not end, or it needs longer than "
                                    "--stuck {} allows; raise that to find out",
                                    watched.allowed, watched.allowed));
  } else {
    return;
  }
  abandonFiber(&context, program);
}

void handle(int number, siginfo_t* info, void* raw) {
  auto* const context = static_cast<ucontext_t*>(raw);
  NativeProgram* const program = NativeProgram::current();
  if (program == nullptr || !program->isRunning()) {
    if (number == kWatchdogSignal) return;
    signal(number, SIG_DFL);  // the instruction is executed again, and this time it counts
    return;
  }
  if (number == kWatchdogSignal) {
    const int error = errno;
    watch(*context, *program);
    errno = error;
    return;
  }
  const auto address = reinterpret_cast<Address>(info->si_addr);
  const Address guard = stackGuard(program->self());
  if (number == SIGSEGV && address >= guard && address - guard < kGuardBytes) {
    program->recordCrash(ErrorKind::stackOverflow, "the native stack is full");
  } else if (number == SIGSEGV && address < 4096) {
    program->recordCrash(ErrorKind::nullPointer, fmt::format("access to address {:#x}", address));
  } else {
    program->recordCrash(ErrorKind::signal, fmt::format("{} ({}) at address {:#x}", strsignal(number),
                                                        describeSignal(number), address));
  }
  abandonFiber(context, *program);
}

// std::terminate on a fiber: an exception that nobody catches, or one that leaves a noexcept function.
[[noreturn]] void handleTerminate() {
  NativeProgram* const program = NativeProgram::current();
  if (program == nullptr || !program->isRunning()) {
    oldTerminate();
    std::abort();
  }
  const std::type_info* const type = abi::__cxa_current_exception_type();
  if (type == nullptr) program->fail(ErrorKind::abort, "std::terminate was called", 0);
  int status = 0;
  char* const demangled = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
  std::string message = fmt::format("an exception of type {} is not caught", status == 0 ? demangled : type->name());
  std::free(demangled);
  try {
    throw;
  } catch (const std::exception& error) {
    message += fmt::format(": {}", error.what());
  } catch (...) {
  }
  program->fail(ErrorKind::uncaughtException, std::move(message), 0);
}

}  // namespace

// A timer, whose signal the exploring process gets again and again. (A thread would take longer to start than many an
// exploration.)
struct CrashGuard::Watchdog {
  explicit Watchdog(double seconds) {
    watched = {.interval = std::min(seconds / 8, kLookSeconds), .allowed = seconds, .segment = 0, .since = now()};
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = kWatchdogSignal;
    if (timer_create(CLOCK_MONOTONIC, &event, &watched.timer) == 0) setTimer(watched.interval);
  }
  ~Watchdog() { timer_delete(watched.timer); }
};

CrashGuard::CrashGuard(double stuckSeconds) {
  static std::array<std::byte, 1 << 16> signalStack;
  stack_t stack{.ss_sp = signalStack.data(), .ss_flags = 0, .ss_size = signalStack.size()};
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &action, &oldActions[i]);
  sigset_t watchdog;
  sigemptyset(&watchdog);
  sigaddset(&watchdog, kWatchdogSignal);
  sigprocmask(SIG_UNBLOCK, &watchdog, nullptr);  // whoever started this process may have blocked it
  oldTerminate = std::set_terminate(handleTerminate);
  if (stuckSeconds > 0) watchdog_ = std::make_unique<Watchdog>(stuckSeconds);
}

CrashGuard::~CrashGuard() {
  watchdog_.reset();
  std::set_terminate(oldTerminate);
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &oldActions[i], nullptr);
}

// Runs in a signal handler, but on behalf of the fiber: nothing of the process itself was interrupted.
void NativeProgram::recordCrash(ErrorKind kind, std::string message) {
  Thread& thread = threads_[self_];
  errors_[self_] = {.kind = kind, .message = std::move(message), .thread = self_, .source = place(0), .related = {}};
  thread.operation = Operation::error(0).at(errors_[self_].source);
}

}  // namespace heddle::native
