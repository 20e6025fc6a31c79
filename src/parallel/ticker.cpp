#include "parallel/ticker.h"

#include <signal.h>
#include <sys/time.h>

#include <cmath>

namespace heddle::parallel {

namespace {

std::atomic<std::atomic<bool>*> tickedFlag = nullptr;
static_assert(std::atomic<std::atomic<bool>*>::is_always_lock_free);

extern "C" void onTick(int) {
  if (std::atomic<bool>* const flag = tickedFlag.load()) flag->store(true, std::memory_order_relaxed);
}

timeval timeOf(double seconds) {
  const double whole = std::floor(seconds);
  return {.tv_sec = static_cast<time_t>(whole), .tv_usec = static_cast<suseconds_t>((seconds - whole) * 1e6)};
}

}  // namespace

Ticker::Ticker(std::atomic<bool>& flag, double first, double interval) : on_(first > 0) {
  if (!on_) return;
  tickedFlag = &flag;
  struct sigaction action{};
  action.sa_handler = onTick;
  // A signal may arrive on the small stack of a checked program's thread; the other stack exists then.
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, nullptr);
  const itimerval timer{.it_interval = timeOf(interval), .it_value = timeOf(first)};
  setitimer(ITIMER_REAL, &timer, nullptr);
}

Ticker::~Ticker() {
  if (!on_) return;
  const itimerval never{};
  setitimer(ITIMER_REAL, &never, nullptr);
  tickedFlag = nullptr;  // the handler stays: a signal that is still on its way must not end the process
}

}  // namespace heddle::parallel
