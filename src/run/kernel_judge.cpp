#include "run/kernel_judge.h"

#include <stdexcept>

namespace heddle::run {

KernelJudge::KernelJudge(const model::Model& model) : evaluator_(model, execution_.execution()) {
  while (dataRace_ < model.flags.size() && model.flags[dataRace_].name != "data-race") ++dataRace_;
  if (dataRace_ == model.flags.size()) throw std::logic_error("a model of the kernel without the flag data-race");
  readBeforeWrite_ = evaluator_.addRelation(model.definition("rw-xbstar"));
  writeBeforeRead_ = evaluator_.addRelation(model.definition("wr-vis"));
  writeBeforeWrite_ = evaluator_.addRelation(model.definition("ww-vis"));
}

bool KernelJudge::allows(const ExecutionView& graph) {
  isAssembled_ = false;
  if (!hasGracePeriod(graph) && isSequentiallyConsistent(graph)) return true;
  evaluate(graph);
  return evaluator_.axiomsHold();
}

void KernelJudge::evaluate(const ExecutionView& graph) {
  if (isAssembled_) return;
  accesses_.clear();
  execution_.assemble(graph, accesses_);
  evaluator_.change(enumerate::Level::events);
  isAssembled_ = true;
}

bool KernelJudge::hasGracePeriod(const ExecutionView& graph) {
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) {
    if (graph[id].kind != EventKind::fence) continue;
    const auto tag = graph.operation(id).kernelFence();
    if (tag == EventTag::syncRcu || tag == EventTag::syncSrcu) return true;
  }
  return false;
}

// Can all events be done one after the other, each after what comes before it in po, rf, co and rb?
bool KernelJudge::isSequentiallyConsistent(const ExecutionView& graph) {
  const auto forEachNext = [&](EventId id, const auto& visit) {
    graph.followThread(id, visit);
    graph.followSpawn(id, visit);
    const Event& event = graph[id];
    if (event.isWrite()) {
      if (event.coNext != kNone) visit(event.coNext);
      for (EventId reader = event.firstReader; reader != kNone; reader = graph[reader].readerNext) visit(reader);
    } else if (event.isRead()) {
      const EventId after = graph[event.rf].coNext;
      if (after != kNone && !(event.rmw && after == event.poNext)) visit(after);
    }
  };
  waiting_.assign(graph.top() - kFirstEvent, 0);
  std::size_t left = 0;
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) {
    ++left;
    forEachNext(id, [&](EventId next) { ++waiting_[next - kFirstEvent]; });
  }
  ready_.clear();
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) {
    if (waiting_[id - kFirstEvent] == 0) ready_.push_back(id);
  }
  while (!ready_.empty()) {
    const EventId id = ready_.back();
    ready_.pop_back();
    --left;
    forEachNext(id, [&](EventId next) {
      if (--waiting_[next - kFirstEvent] == 0) ready_.push_back(next);
    });
  }
  return left == 0;
}

// ---- Races

// Is there a plain access that happens-before does not order with another of its location?
bool KernelJudge::mayRace(const ExecutionView& graph, std::size_t raceView) {
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) {
    const Event& event = graph[id];
    if ((!event.isRead() && !event.isWrite()) || !event.isPlain()) continue;
    for (EventId other = graph.newest(); other != kNone; other = graph[other].orderPrev) {
      const Event& o = graph[other];
      if (o.thread == event.thread || o.location != event.location || (!o.isWrite() && !event.isWrite())) continue;
      if (!graph.inPrefix(graph.view(id, raceView), other) && !graph.inPrefix(graph.view(other, raceView), id)) return true;
    }
  }
  return false;
}

std::optional<explore::Race> KernelJudge::findRace(const ExecutionView& graph, std::size_t raceView) {
  if (!mayRace(graph, raceView)) return std::nullopt;
  evaluate(graph);
  if (!evaluator_.isRaised(dataRace_)) return std::nullopt;
  const relations::BitMatrix& pairs = evaluator_.pairsOf(dataRace_);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (std::size_t j = 0; j < pairs.size(); ++j) {
      if (pairs.test(i, j)) return explore::Race{execution_.eventOf(i), execution_.eventOf(j)};
    }
  }
  return std::nullopt;
}

// ---- Use after free

// Does an access come before the end of a life, which is a plain write, by the kernel's definition of a race?
bool KernelJudge::isBefore(std::size_t access, std::size_t end) {
  const enumerate::Event& event = execution_.execution().events[access];
  if (execution_.execution()[model::BaseRelation::po].test(access, end)) return true;
  if (event.isRead) return evaluator_.pairs(readBeforeWrite_).test(access, end);
  const bool isMarked = event.tags != 0;
  return evaluator_.pairs(writeBeforeWrite_).test(access, end) && evaluator_.pairs(writeBeforeRead_).test(access, end) &&
         (isMarked || evaluator_.pairs(readBeforeWrite_).test(access, end));
}

std::optional<KernelJudge::LateAccess> KernelJudge::findLateAccess(const ExecutionView& graph, std::size_t raceView,
                                                                   const memory::Memory& memory) {
  for (EventId end = graph.newest(); end != kNone; end = graph[end].orderPrev) {
    const Operation& block = graph.operation(end);
    if (graph[end].kind != EventKind::fence || !block.isEndOfLife()) continue;
    const Lane* const before = graph.view(end, raceView);
    // Plain accesses, by the event that comes after them; and events.
    std::vector<memory::AccessInfo> late = memory.accessesTo(block.address, block.bytes(), before);
    const std::size_t plain = late.size();
    std::vector<EventId> events;
    for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) {
      const Operation& operation = graph.operation(id);
      if ((!graph[id].isRead() && !graph[id].isWrite()) || graph.inPrefix(before, id)) continue;
      if (operation.address < block.address || operation.address >= block.address + block.bytes()) continue;
      events.push_back(id);
      late.push_back({graph[id].thread, graph[id].isWrite(), false, false, operation.source, graph[id].index});
    }
    if (late.empty()) continue;
    accesses_.clear();
    for (std::size_t i = 0; i < plain; ++i) accesses_.push_back({late[i].thread, late[i].index, late[i].write});
    execution_.assemble(graph, accesses_);
    evaluator_.change(enumerate::Level::events);
    isAssembled_ = false;
    for (std::size_t i = 0; i < late.size(); ++i) {
      const std::size_t access = i < plain ? accesses_[i].number : execution_.numberOf(events[i - plain]);
      if (!isBefore(access, execution_.numberOf(end))) return LateAccess{end, late[i]};
    }
  }
  return std::nullopt;
}

}  // namespace heddle::run
