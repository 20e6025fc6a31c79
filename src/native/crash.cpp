#include "native/crash.h"

#include <cxxabi.h>
#include <fmt/format.h>
#include <signal.h>
#include <ucontext.h>

#include <array>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <thread>

#include "native/fiber.h"
#include "native/native_program.h"
#include "native/sanitizer.h"

namespace heddle::native {

namespace {

constexpr int kWatchdogSignal = SIGURG;  // ignored by default, and of no other use here
constexpr std::array kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, kWatchdogSignal};

std::array<struct sigaction, kSignals.size()> oldActions;
std::terminate_handler oldTerminate;
std::uint64_t stuckSegment;  // what the watchdog has seen running too long

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

void handle(int number, siginfo_t* info, void* raw) {
  auto* const context = static_cast<ucontext_t*>(raw);
  NativeProgram* const program = NativeProgram::current();
  if (program == nullptr || !program->isRunning()) {
    if (number == kWatchdogSignal) return;
    signal(number, SIG_DFL);  // the instruction is executed again, and this time it counts
    return;
  }
  const auto address = reinterpret_cast<Address>(info->si_addr);
  const Address guard = stackGuard(program->self());
  if (number == kWatchdogSignal) {
    if (program->segmentsRun() != stuckSegment) return;
    program->recordCrash(ErrorKind::endlessLoop, "the thread runs on without any visible operation");
  } else if (number == SIGSEGV && address >= guard && address - guard < kGuardBytes) {
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

// Looks at the program a few times a second; when it is still in the same segment after the time allowed, it sends a
// signal to the thread that explores.
struct CrashGuard::Watchdog {
  Watchdog(NativeProgram& p, double seconds) : program(p), explorer(pthread_self()) {
    const auto allowed = std::chrono::duration<double>(seconds);
    thread = std::thread([this, allowed] {
      std::uint64_t seen = 0;
      auto since = std::chrono::steady_clock::now();
      std::unique_lock lock(mutex);
      while (!wake.wait_for(lock, allowed / 8, [this] { return done; })) {
        const auto now = std::chrono::steady_clock::now();
        if (const std::uint64_t segment = program.segmentsRun(); segment != seen) {
          seen = segment;
          since = now;
        } else if (now - since > allowed && program.isRunning()) {
          stuckSegment = seen;
          pthread_kill(explorer, kWatchdogSignal);
        }
      }
    });
  }
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex);
      done = true;
    }
    wake.notify_all();
    thread.join();
  }

  NativeProgram& program;
  pthread_t explorer;
  std::mutex mutex;
  std::condition_variable wake;
  bool done = false;
  std::thread thread;
};

CrashGuard::CrashGuard(NativeProgram& program, double stuckSeconds) {
  static std::array<std::byte, 1 << 16> signalStack;
  stack_t stack{.ss_sp = signalStack.data(), .ss_flags = 0, .ss_size = signalStack.size()};
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &action, &oldActions[i]);
  oldTerminate = std::set_terminate(handleTerminate);
  if (stuckSeconds > 0) watchdog_ = std::make_unique<Watchdog>(program, stuckSeconds);
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
  thread.operation = {.kind = OperationKind::error, .source = errors_[self_].source};
}

}  // namespace heddle::native
