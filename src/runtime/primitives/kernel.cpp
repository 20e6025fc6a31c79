// What the Linux kernel has and C11 has not (include/heddle/linux.h).

#include <iterator>

#include "runtime/hooks.h"
#include "runtime/on_fiber.h"

using namespace heddle;
using namespace heddle::runtime;

namespace {

#define HEDDLE_TAG_OF(name) EventTag::name,
constexpr EventTag kFences[] = {HEDDLE_KERNEL_FENCES(HEDDLE_TAG_OF)};
#undef HEDDLE_TAG_OF

}  // namespace

extern "C" {

void heddle_kernel_fence(std::uint32_t fence, const void* about, std::uint64_t value) {
  if (fence >= std::size(kFences)) running().fail(ErrorKind::misuse, "a fence that the kernel does not have", 0);
  const EventTag tag = kFences[fence];
  const bool isGracePeriod = tag == EventTag::syncRcu || tag == EventTag::syncSrcu;
  if (isGracePeriod && program().modes().gracePeriodsHang && running().visible(Operation::choose(2)).value != 0) {
    Operation hang = blockedBy(BlockReason::gracePeriod);
    hang.address = addressOf(about);
    running().pauseForEver(hang);
  }
  running().visible(Operation::fence(tag, addressOf(about), value));
}

void heddle_atomic_noreturn(void* address, std::uint64_t operand, std::uint32_t op, std::uint32_t size) {
  Operation update =
      Operation::update(addressOf(address), size, Order::relaxed, static_cast<RmwOp>(op), truncate(operand, size));
  update.resultIsUnused = true;
  update.hidesRead = true;
  running().visible(update);
}

std::uint64_t heddle_atomic_update_if(void* address, std::uint64_t operand, std::uint32_t op, std::uint32_t comparison,
                                      std::uint64_t expected, std::uint32_t size, std::uint32_t ordered) {
  const Operation update =
      Operation::updateIf(addressOf(address), size, ordered != 0 ? Order::seq_cst : Order::relaxed, static_cast<RmwOp>(op),
                          truncate(operand, size), static_cast<Comparison>(comparison), truncate(expected, size));
  return running().visible(update).value;
}

}  // extern "C"
