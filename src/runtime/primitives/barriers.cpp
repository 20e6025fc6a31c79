// Barriers and latches: threads that meet.

#include "program/barrier.h"
#include "runtime/hooks.h"
#include "runtime/on_fiber.h"

using namespace heddle;
using namespace heddle::native;

extern "C" {

std::int64_t heddle_arrive(const void* barrier, std::uint64_t count, std::uint64_t weight, int drops) {
  const Result result = running().visible({.kind = OperationKind::arrive,
                                           .weak = drops != 0,
                                           .address = addressOf(barrier),
                                           .operand = count,
                                           .expected = weight});
  return result.success ? static_cast<std::int64_t>(result.value) : -1;
}

int heddle_arrivals_have_order() { return program().modes().arrivalsInOrder; }

void heddle_order_arrivals() {
  running().willGiveUp(CrowdedBarrier());
  running().giveUp();
}

void heddle_depart(const void* barrier, std::uint64_t count, std::int64_t round) {
  running().visible({.kind = OperationKind::depart,
                     .address = addressOf(barrier),
                     .operand = count,
                     .expected = static_cast<Value>(round) + 1});
}

void heddle_depart_or_never(const void* barrier, std::uint64_t count) {
  running().visible(
      {.kind = OperationKind::depart, .weak = true, .address = addressOf(barrier), .operand = count, .expected = 1});
}

// As far as what happens before the thread's last event tells.
int heddle_has_met(const void* latch, std::uint64_t count) {
  program().recorder().stop();
  const Graph* const graph = running().graph();
  if (graph == nullptr) return false;
  const EventId last = graph->last(running().self());
  const Operation barrier{.address = addressOf(latch), .operand = count};
  Value arrived = 0;
  for (EventId id = graph->newest(); id != kNone && last != kNone; id = (*graph)[id].orderPrev) {
    const Operation& operation = graph->operation(id);
    const bool same = operation.kind == OperationKind::arrive && isSameBarrier(operation, barrier);
    if (same && graph->inPrefix(graph->porf(last), id)) arrived += operation.expected;
  }
  return arrived == firstExpected(count);
}

}  // extern "C"
