// Barriers and latches: threads that meet.

#include "program/barrier.h"
#include "runtime/hooks.h"
#include "runtime/on_fiber.h"

using namespace heddle;
using namespace heddle::runtime;

extern "C" {

std::int64_t heddle_arrive(const void* barrier, std::uint64_t count, std::uint64_t weight, int drops) {
  Operation arrive = Operation::arrive(addressOf(barrier), count, weight);
  arrive.drops = drops != 0;
  const Result result = running().visible(arrive);
  return result.success ? static_cast<std::int64_t>(result.value) : -1;
}

int heddle_arrivals_have_order() { return program().modes().arrivalsInOrder; }

void heddle_order_arrivals() {
  running().willGiveUp(CrowdedBarrier());
  running().giveUp();
}

void heddle_depart(const void* barrier, std::uint64_t count, std::int64_t round) {
  const auto stated = round < 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(round));
  running().visible(Operation::depart(addressOf(barrier), count, stated));
}

void heddle_depart_or_never(const void* barrier, std::uint64_t count) {
  Operation depart = Operation::depart(addressOf(barrier), count, 0);
  depart.orNever = true;
  running().visible(depart);
}

// As far as what happens before the thread's last event tells.
int heddle_has_met(const void* latch, std::uint64_t count) {
  program().recorder().stop();
  const ExecutionView& graph = running().graph();
  if (graph.hasMixedSizes()) return false;  // and no barriers
  const EventId last = graph.last(running().self());
  const Operation departure = Operation::depart(addressOf(latch), count, 0);
  Value arrived = 0;
  for (EventId id = graph.newest(); id != kNone && last != kNone; id = graph[id].orderPrev) {
    const Operation& operation = graph.operation(id);
    const bool same = operation.kind == OperationKind::arrive && isSameBarrier(operation, departure);
    if (same && graph.inPrefix(graph.porf(last), id)) arrived += operation.weight();
  }
  return arrived == firstExpected(count);
}

}  // extern "C"
