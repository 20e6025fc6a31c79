#include "cli/interrupt.h"

#include <signal.h>
#include <sys/time.h>

#include <cmath>

namespace heddle::cli {

namespace {

std::atomic<bool> stop{false};
std::atomic<bool> signalled{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void onTimer(int) {
  stop.store(true, std::memory_order_relaxed);
}

extern "C" void onSignal(int) {
  signalled.store(true, std::memory_order_relaxed);
  stop.store(true, std::memory_order_relaxed);
}

void install(int number, void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  // A signal may arrive on the small stack of a checked program's thread; the other stack exists then.
  action.sa_flags = SA_RESTART | SA_ONSTACK | flags;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}

void setTimer(double seconds) {
  itimerval timer = {};
  const double whole = std::floor(seconds);
  timer.it_value.tv_sec = static_cast<time_t>(whole);
  timer.it_value.tv_usec = static_cast<suseconds_t>((seconds - whole) * 1e6);
  setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

void handleInterrupts() {
  install(SIGINT, onSignal, static_cast<int>(SA_RESETHAND));
  install(SIGTERM, onSignal, static_cast<int>(SA_RESETHAND));
  install(SIGALRM, onTimer, 0);
}

const std::atomic<bool>& interruptFlag() {
  return stop;
}

bool wasInterrupted() {
  return signalled.load(std::memory_order_relaxed);
}

TimeBudget::TimeBudget(double seconds) {
  if (seconds > 0) setTimer(seconds);
}

TimeBudget::~TimeBudget() {
  setTimer(0);
  // The order matters: a signal sets its own flag first, so none that comes now is lost.
  stop.store(false, std::memory_order_relaxed);
  if (wasInterrupted()) stop.store(true, std::memory_order_relaxed);
}

}  // namespace heddle::cli
