// Transactions.
//
// What is inside another transaction is a part of that: only the outermost begin and end are operations. A transaction of the
// hardware can be aborted at any time. As nobody sees what it has done until then, and the thread goes on as if it had never begun, that is
// the same as not to begin: a choice before it. An abort that the program asks for depends on what was read, so it is an operation, after
// which the thread goes on from the begin (mixer/transaction_explorer.h).

#include "runtime/hooks.h"
#include "runtime/on_fiber.h"

using namespace heddle;
using namespace heddle::runtime;

namespace {

// As the hardware tells them (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, 16.3.5).
constexpr std::uint32_t kStarted = ~0u, kExplicit = 1, kRetry = 2, kConflict = 4, kNested = 32;

Context& context() { return running().ownContext(); }

}  // namespace

extern "C" {

void heddle_begin_transaction() {
  if (context().transactions == 0) running().visible(Operation::beginTransaction());
  ++context().transactions;
}

void heddle_end_transaction() {
  if (context().transactions <= context().ofHardware) {
    running().fail(ErrorKind::misuse, "a transaction is ended that has not begun", 0);
  }
  if (--context().transactions == 0) running().visible(Operation::endTransaction());
}

std::uint32_t heddle_begin_hardware(std::uint32_t aborts) {
  if (context().transactions != 0 && context().ofHardware == 0) {
    running().fail(ErrorKind::misuse, "_xbegin inside a transaction that is none of the hardware", 0);
  }
  if (context().transactions == 0) {
    Operation choice = Operation::choose(1 + aborts);
    choice.lock = LockOp::poll;  // for reports, as of heddle_choose_wakening
    const Value abort = aborts == 0 ? 0 : running().visible(choice).value;
    if (abort != 0) return abort == 1 ? 0 : kRetry | kConflict;
    const Result result = running().visible(Operation::beginHardwareTransaction());
    if (!result.success) return static_cast<std::uint32_t>(result.value);
    context().ofHardware = 1;
  }
  ++context().transactions;
  return kStarted;
}

void heddle_end_hardware() {
  if (context().ofHardware == 0) running().fail(ErrorKind::misuse, "_xend outside of a transaction", 0);
  if (--context().transactions != 0) return;
  context().ofHardware = 0;
  running().visible(Operation::endTransaction());
}

// Outside of a transaction it does nothing.
void heddle_abort_hardware(std::uint32_t code) {
  if (context().ofHardware == 0) return;
  const std::uint32_t nested = context().transactions > 1 ? kNested : 0;
  running().visible(Operation::abortTransaction(kExplicit | nested | (code & 255) << 24));
}

std::uint32_t heddle_in_hardware() { return context().ofHardware; }

}  // extern "C"
