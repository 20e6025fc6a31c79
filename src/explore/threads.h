// The threads of a program that is explored: what each is paused at, and what state that puts it in.
//
// Both explorers have them (explorer.h, mixer/mixed_explorer.h); which operation means which state they say in a table, by
// kind.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "graph/trail.h"
#include "program/program.h"
#include "program/thread_set.h"

namespace heddle::explore {

enum class ThreadState : std::uint8_t { absent, ready, reading, locking, joining, meeting, blocked, failed, ended };
inline constexpr unsigned kThreadStates = static_cast<unsigned>(ThreadState::ended) + 1;

// Several of them, a bit each.
template <class... States>
constexpr unsigned anyOf(States... states) {
  return (0u | ... | (1u << static_cast<unsigned>(states)));
}
inline constexpr unsigned kWaitingStates =
    anyOf(ThreadState::blocked, ThreadState::joining, ThreadState::locking, ThreadState::meeting);
using StateTable = std::array<ThreadState, static_cast<unsigned>(OperationKind::end) + 1>;

class Threads {
 public:
  // What a thread is paused at, and the threads that wait for something (a lock, a join, an assumption); for observers, in a
  // full graph.
  const Operation& pending(ThreadId thread) const { return pending_[thread]; }
  ThreadSet stuckThreads() const {
    return threadsIn(ThreadState::blocked) | threadsIn(ThreadState::joining) | threadsIn(ThreadState::locking) |
           threadsIn(ThreadState::meeting);
  }
  const ThreadSet& endedThreads() const { return threadsIn(ThreadState::ended); }

 protected:
  Threads(Program& program, const StateTable& states) : program_(program), states_(states) {}
  ~Threads() = default;

  const ThreadSet& threadsIn(ThreadState state) const { return threads_[static_cast<unsigned>(state)]; }
  bool someIn(unsigned states) const { return (occupied_ & states) != 0; }

  void setState(ThreadId thread, ThreadState state) {
    const auto before = static_cast<unsigned>(state_[thread]);
    threads_[before].erase(thread);
    occupied_ &= ~(unsigned{threads_[before].empty()} << before);
    threads_[static_cast<unsigned>(state)].insert(thread);
    occupied_ |= anyOf(state);
    state_[thread] = state;
  }

  void setPending(ThreadId thread, const Operation& operation) {
    pending_[thread] = operation;
    noteState(thread);
  }

  void forgetStates() {
    state_.fill(ThreadState::absent);
    threads_.fill({});
    occupied_ = 0;
  }

  void startThreads() {
    program_.reset();
    forgetStates();
    for (unsigned t = 0; t < program_.threadCount(); ++t) startMark_[t] = program_.mark(static_cast<ThreadId>(t));
    for (unsigned t = 0; t < program_.initialThreads(); ++t) startThread(static_cast<ThreadId>(t));
  }

  void startThread(ThreadId thread) {
    program_.rewind(thread, startMark_[thread]);
    goOn(thread);
  }

  // Its spawn goes, and with it what the thread has done since.
  void unstart(ThreadId thread) {
    program_.rewind(thread, startMark_[thread]);
    setState(thread, ThreadState::absent);
  }

  void resumeThread(ThreadId thread, Result result) {
    program_.proceed(thread, result, pending_[thread]);
    noteState(thread);
  }
  // The same from where it was paused before.
  void resumeThreadFrom(Mark mark, ThreadId thread, Result result) {
    program_.proceedFrom(mark, thread, result, pending_[thread]);
    noteState(thread);
  }

  // Has the one that the thread waits for ended, and not the whole program with it? Nobody goes on after that.
  bool canJoin(ThreadId thread) const {
    if (pending_[thread].joinsRest) return isLast(thread) && !hasExited();
    const ThreadId child = pending_[thread].thread;
    return state_[child] == ThreadState::ended && !pending_[child].endsProgram;
  }

  // The threads that have ended and that nobody has joined.
  ThreadSet unjoined(const Trail& graph) const {
    ThreadSet found;
    for (const ThreadId thread : threadsIn(ThreadState::ended)) {
      if (graph.joinOf(thread) == kNone) found.insert(thread);
    }
    return found;
  }

  // Are there threads that wait, and does that matter? Not if the program has ended anyway.
  bool someWaitInVain() const {
    if (!someIn(kWaitingStates)) return false;
    return !threadsIn(ThreadState::blocked).empty() || !hasExited();
  }

  // Remembers where a thread is, for a revisit, and puts all since `first` back there.
  void saveThread(ThreadId thread) {
    savedThreads_.push_back({thread, state_[thread], program_.mark(thread), pending_[thread]});
  }
  void restoreThreads(std::size_t first) {
    for (std::size_t i = first; i < savedThreads_.size(); ++i) {
      const SavedThread& saved = savedThreads_[i];
      program_.rewind(saved.thread, saved.mark);
      pending_[saved.thread] = saved.pending;
      setState(saved.thread, saved.state);
    }
    program_.release(savedThreads_[first].mark);
    savedThreads_.resize(first);
  }

  Program& program_;
  std::array<Operation, Trail::kMaxThreads> pending_;
  std::array<ThreadState, Trail::kMaxThreads> state_;
  std::array<ThreadSet, kThreadStates> threads_;  // by state
  unsigned occupied_ = 0;                         // the states that threads are in

  struct SavedThread {
    ThreadId thread;
    ThreadState state;
    Mark mark;
    Operation pending;
  };
  std::vector<SavedThread> savedThreads_;

 private:
  // Has a thread ended the whole program?
  bool hasExited() const {
    for (const ThreadId thread : threadsIn(ThreadState::ended)) {
      if (pending_[thread].endsProgram) return true;
    }
    return false;
  }

  // Have all other threads ended?
  bool isLast(ThreadId thread) const {
    ThreadSet others;
    for (unsigned state = 0; state < kThreadStates; ++state) {
      const auto which = static_cast<ThreadState>(state);
      if (which != ThreadState::absent && which != ThreadState::ended) others |= threads_[state];
    }
    others.erase(thread);
    return others.empty();
  }

  void goOn(ThreadId thread) {
    pending_[thread] = program_.advance(thread);
    noteState(thread);
  }

  // By the operation that it is paused at.
  void noteState(ThreadId thread) { setState(thread, states_[static_cast<unsigned>(pending_[thread].kind)]); }

  const StateTable& states_;
  std::array<Mark, Trail::kMaxThreads> startMark_;
};

}  // namespace heddle::explore
