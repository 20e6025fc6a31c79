#include "cli/interrupt.h"

#include <signal.h>

namespace heddle::cli {

namespace {

std::atomic<bool> attention{false};
std::atomic<bool> signalled{false};
static_assert(std::atomic<bool>::is_always_lock_free);

// The order matters: whoever is called by the one finds the other.
extern "C" void onSignal(int) {
  signalled.store(true, std::memory_order_relaxed);
  attention.store(true, std::memory_order_release);
}

void install(int number) {
  struct sigaction action = {};
  action.sa_handler = onSignal;
  // A signal may arrive on the small stack of a checked program's thread; the other stack exists then.
  action.sa_flags = SA_RESTART | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}

}  // namespace

void handleInterrupts() {
  install(SIGINT);
  install(SIGTERM);
}

std::atomic<bool>& attentionFlag() {
  return attention;
}

const std::atomic<bool>& interruptFlag() {
  return signalled;
}

bool wasInterrupted() {
  return signalled.load(std::memory_order_relaxed);
}

}  // namespace heddle::cli
