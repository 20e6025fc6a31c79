#include "runtime/marked_rounds.h"

#include <fmt/format.h>

#include <utility>

#include "runtime/idle_waits.h"

namespace heddle::runtime {

// The last events first: an effect is more to the point than what is unclear.
MarkedRounds::Judgement MarkedRounds::judgeEvents(const MarkedRound& round) const {
  const ExecutionView& graph = running_.graph();
  const ThreadId thread = running_.self();
  Judgement judgement{.kind = Judgement::Kind::nothingRead};
  for (EventId id = graph.last(thread); id != kNone && graph[id].thread == thread && graph[id].index >= round.begin;
       id = graph[id].poPrev) {
    const Operation& operation = graph.operation(id);
    if (operation.kind == OperationKind::choose) {
      judgement = {.kind = Judgement::Kind::unclear, .why = "it makes a choice"};
      continue;
    }
    if (isIdleEvent(graph, id, round.begin)) {
      if (graph[id].isRead() && judgement.kind == Judgement::Kind::nothingRead) judgement.kind = Judgement::Kind::inVain;
      continue;
    }
    const bool writes = graph[id].isWrite() || graph[id].isRead();
    return {.kind = Judgement::Kind::wrong,
            .why = writes ? fmt::format("it writes {}", faults_.nameOf(operation.address, operation.size))
                          : "it does more than read and write",
            .related = {{.thread = thread, .source = operation.source, .what = "effect", .index = graph[id].index}}};
  }
  return judgement;
}

MarkedRounds::Judgement MarkedRounds::judgeMemory(const MarkedRound& round) const {
  const auto change = memory_.changeSince(static_cast<Lane>(round.begin - 1));
  if (!change) return {};
  if (change->address == 0) return {.kind = Judgement::Kind::unclear, .why = "it allocates or frees memory"};
  if (change->isLocal) return {.kind = Judgement::Kind::unclear, .why = "local variables may have changed"};
  Judgement wrong{
      .kind = Judgement::Kind::wrong,
      .why = fmt::format("{} is not what it was before", faults_.nameOf(change->address, 1)),
      .related = {{.thread = running_.self(), .source = running_.place(change->source), .what = "write", .index = 0}}};
  if (round.rewrites) return {.kind = Judgement::Kind::unclear, .why = wrong.why};
  return wrong;
}

MarkedRounds::Judgement MarkedRounds::judge(const MarkedRound& round) const {
  const ExecutionView& graph = running_.graph();
  Judgement judgement = judgeEvents(round);
  if (judgement.kind != Judgement::Kind::inVain) return judgement;
  if (judgement = judgeMemory(round); judgement.kind == Judgement::Kind::wrong) return judgement;
  if (round.changed) return {.kind = Judgement::Kind::wrong, .why = fmt::format("{} is not what it was before", round.changed)};
  if (judgement.kind != Judgement::Kind::inVain) return judgement;
  if (round.unclear) return {.kind = Judgement::Kind::unclear, .why = "local variables may have changed"};
  EventId begin = graph.last(running_.self());
  while (graph[begin].index >= round.begin) begin = graph[begin].poPrev;
  if (graph.operation(begin).time() != running_.ownContext().time)
    return {.kind = Judgement::Kind::unclear, .why = "its clock has moved"};
  return {};
}

// What the thread is to be paused at. Of the kind `end` if it is to go on.
Operation MarkedRounds::outcome(const MarkedRound& round) {
  Judgement judgement = judge(round);
  switch (judgement.kind) {
    case Judgement::Kind::inVain: return Operation::spin(static_cast<Value>(BlockReason::spin), round.begin).at(round.source);
    case Judgement::Kind::wrong:
      return running_.failure({.kind = ErrorKind::wrongAnnotation,
                               .message = "the program says that this round of the loop changes nothing, but " + judgement.why,
                               .related = std::move(judgement.related)},
                              round.mark);
    case Judgement::Kind::unclear:
      findings_.warn(
          "rounds of which the program says that they change nothing are explored like others, because that is not clear: " +
              judgement.why,
          running_.place(round.mark));
      break;
    case Judgement::Kind::nothingRead: break;
  }
  return Operation::end();
}

void MarkedRounds::end(const MarkedRound& round) {
  const Operation operation = outcome(round);
  if (operation.kind != OperationKind::end) running_.pauseForEver(operation);
}

}  // namespace heddle::runtime
