// Waiting: for values, for notifications, and in vain; assumptions and choices.

#include "runtime/hooks.h"
#include "runtime/on_fiber.h"

using namespace heddle;
using namespace heddle::runtime;

extern "C" {

std::uint32_t heddle_site() { return running().place(0); }

int heddle_is_idle(std::uint32_t began, std::uint32_t ended, const void* own, std::size_t n, const void* clock, std::size_t m,
                   const void* held, std::size_t k, const void* set, std::size_t l) {
  const memory::Range except[] = {{addressOf(own), n}, {addressOf(clock), m}, {addressOf(held), k}, {addressOf(set), l}};
  program().recorder().stop();
  return program().waits().isIdle(began, ended, except);
}

void heddle_note_idle(const void* mutex) { program().waits().note(addressOf(mutex)); }

void heddle_cut_wakeups() {
  program().recorder().stop();
  program().findings().boundHits.insert(kWakeups | running().place(0));
}

void heddle_wait(int condition) {
  if (condition) return;
  running().pauseForEver(blockedBy(BlockReason::waiting));
}

void heddle_wait_notified(const void* address, int condition) {
  if (condition) return;
  Operation block = blockedBy(BlockReason::notification);
  block.mattersInItself = true;
  block.address = addressOf(address);
  running().pauseForEver(block);
}

void heddle_end_of_wait(const void* address, std::uint64_t old) {
  if (program().info().notifiesOne) running().visible(Operation::stopWaiting(addressOf(address), old));
}

void heddle_yield() { running().yield(); }

void heddle_notify(const void* address) { running().visible(Operation::notify(addressOf(address), false)); }
void heddle_notify_one(const void* address) { running().visible(Operation::notify(addressOf(address), true)); }

void heddle_assume_hook(int condition) {
  if (condition) return;
  running().pauseForEver(blockedBy(BlockReason::assumption));
}

std::uint64_t heddle_choose_hook(std::uint64_t n) {
  if (n == 0) running().fail(ErrorKind::misuse, "a choice among 0 values", 0);
  if (n > 0xffffffff) running().fail(ErrorKind::misuse, "a choice among more than 4,294,967,295 values", 0);
  if (n == 1) return 0;
  return running().visible(Operation::choose(n)).value;
}

// The operation says what is chosen, for reports: its lock operation is `leave` if the second way is a spurious wake-up, and `join` if
// it is the timeout.
std::uint64_t heddle_choose_wakening(std::uint64_t ways, int spurious) {
  if (ways == 1) return 0;
  Operation choice = Operation::choose(ways);
  choice.lock = spurious != 0 ? LockOp::leave : LockOp::join;
  return running().visible(choice).value;
}

}  // extern "C"
