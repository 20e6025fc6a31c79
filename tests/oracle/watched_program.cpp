#include "oracle/watched_program.h"

#include <fmt/format.h>

namespace heddle::oracle {

void WatchedProgram::reset() {
  program_.reset();
  states_.assign(threadCount(), {});
  marks_.clear();
}

// How many operations of the thread are in the graph. Those that it has been given results of must be the same.
std::size_t WatchedProgram::agreeing(ThreadId thread) const {
  const std::vector<Result>& given = states_[thread].results;
  std::size_t count = 0;
  for (EventId id = graph_->first(thread); id != kNone; id = (*graph_)[id].poNext) {
    const Event& event = (*graph_)[id];
    if (event.isWrite() && event.rmw) continue;  // one operation with its read
    const bool known = count < given.size() && (event.isRead() || event.kind == EventKind::choice);
    if (known && (given[count].value != event.value || (event.isRead() && given[count].success != event.rmw))) {
      throw BrokenContract(fmt::format("thread {} has another result of operation {} than the graph", thread, count + 1));
    }
    ++count;
  }
  return count;
}

std::vector<bool> WatchedProgram::started() const {
  std::vector<bool> result;
  for (unsigned t = 0; t < threadCount(); ++t) result.push_back(t < initialThreads());
  for (EventId id = graph_->newest(); id != kNone; id = (*graph_)[id].orderPrev) {
    const bool spawn = (*graph_)[id].kind == EventKind::thread && graph_->operation(id).kind == OperationKind::spawn;
    if (spawn) result[(*graph_)[id].partner] = true;
  }
  return result;
}

Operation WatchedProgram::advance(ThreadId thread) {
  const std::vector<bool> inGraph = started();
  for (unsigned t = 0; t < threadCount(); ++t) {
    const auto other = static_cast<ThreadId>(t);
    if ((states_[other].ran || other == thread) && !inGraph[other]) {
      throw BrokenContract(
          fmt::format("when thread {} runs thread {} has run, but the graph does not start it", thread, other));
    }
    const std::size_t given = states_[other].results.size(), expected = agreeing(other);
    if (given == expected || (other != thread && given + 1 == expected)) continue;
    throw BrokenContract(fmt::format("when thread {} runs thread {} has had {} results, but the graph has {} operations of it",
                                     thread, other, given, expected));
  }
  states_[thread].ran = true;
  return program_.advance(thread);
}

void WatchedProgram::resume(ThreadId thread, Result result) {
  states_[thread].results.push_back(result);
  program_.resume(thread, result);
}

Mark WatchedProgram::mark(ThreadId thread) {
  marks_.push_back({program_.mark(thread), thread, states_[thread]});
  return static_cast<Mark>(marks_.size() - 1);
}

const WatchedProgram::Marked& WatchedProgram::marked(Mark mark) const {
  if (mark >= marks_.size()) throw BrokenContract("a mark is used after its release");
  return marks_[mark];
}

void WatchedProgram::rewind(ThreadId thread, Mark mark) {
  const Marked& to = marked(mark);
  if (to.thread != thread) throw BrokenContract(fmt::format("thread {} is rewound to a mark of another", thread));
  states_[thread] = to.state;
  program_.rewind(thread, to.inner);
}

void WatchedProgram::release(Mark mark) {
  program_.release(marked(mark).inner);
  marks_.resize(mark);
}

}  // namespace heddle::oracle
