// The thread whose native code runs: who it is, where it stands in the execution, and how it pauses.
//
//     the explorer                                     the fiber of the thread
//     enter()   says who runs, and what happens before
//     run()     switches to the fiber ---------------> native code, hooks, primitives
//                                                      visible()       at an operation, until there is a result for it
//                                                      fail()          at an error, for good
//                                                      pauseForEver()  at another operation, for good
//                                                      giveUp()        because the exploration cannot go on like this
//     operation(), context()  <----------------------- switch back
//
// A thread that pauses for good does not return, and what its functions own is lost. So they own nothing when they do.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "explore/subtree.h"
#include "graph/execution_view.h"
#include "memory/memory.h"
#include "program/operation.h"
#include "runtime/carriers.h"
#include "runtime/crash.h"
#include "runtime/error.h"
#include "runtime/given_up.h"
#include "runtime/program_info.h"
#include "runtime/states.h"

namespace heddle::runtime {

class AfterCrash;

// Why a thread is paused at Operation::block.
enum class BlockReason : Value { assumption, waiting, loopBound, spin, notification, gracePeriod };
inline BlockReason reasonOf(const Operation& block) { return static_cast<BlockReason>(block.reason()); }
inline Operation blockedBy(BlockReason reason) { return Operation::block(static_cast<Value>(reason)); }

class RunningThread {
 public:
  RunningThread(const ProgramInfo& info, memory::Memory& memory, unsigned threads);
  RunningThread(const RunningThread&) = delete;
  RunningThread& operator=(const RunningThread&) = delete;

  // ---- What the explorer calls.

  // The graph that is being explored, for happens-before; before the exploration starts.
  void attach(const ExecutionView& graph, std::size_t raceView) { graph_ = &graph, raceView_ = raceView; }
  // Dependencies are tracked from now on, as the code of the program must do.
  void trackDependencies(DependencySets& sets) { tracked_ = &sets; }
  bool tracksDependencies() const { return tracked_ != nullptr; }
  // What one of the threads does not pause for, as it runs after a crash; null: there is none.
  void setAfterCrash(AfterCrash* afterCrash) { afterCrash_ = afterCrash; }
  // Threads that are alike are explored in one order (alike_threads.cpp).
  void setSymmetry(bool on);
  // Who is asked whether to stop while native code runs for long; null: nobody.
  void setAttendant(const explore::Attendant* attendant) { attendant_ = attendant; }

  // For a debugger: threads run on these; null: in the explorer's thread of the system.
  void setCarriers(Carriers* carriers) { carriers_ = carriers; }

  // The thread is the one that goes on. `racesAllowed`: keep order() up to date.
  void enter(ThreadId thread, std::uint32_t callSource, bool racesAllowed);
  // Runs its native code from a pause, with the result of the operation there, to the next one. Throws what the step was
  // given up for.
  void run(const Context& from, Result result);
  // Where it has paused.
  const Operation& operation() const { return operation_; }
  const Context& context() const { return context_; }

  // What is wrong with a thread that is paused at an error.
  const Error& error(ThreadId thread) const { return errors_[thread]; }
  // Notes the error of the thread that goes on. Returns the operation that it is to be paused at.
  Operation failure(Error error, std::uint32_t source);

  // ---- Where the thread stands.

  ThreadId self() const { return self_; }
  std::uint32_t position() const { return index_; }  // the index of its next event
  const Lane* view() const { return view_; }         // what happens before that
  // The same for an access whose address depends on some reads: what releases these have read from orders it as well (Linux's
  // rcu_dereference). nullptr: there are none. Until the next call.
  const Lane* viewThrough(DependencySet address);
  // What is before it in happens-before or in po | rf, if races are allowed.
  const Lane* order() const { return order_.data(); }
  const ExecutionView& graph() const { return *graph_; }
  const ProgramInfo& info() const { return info_; }
  // Does one event happen before another?
  bool happensBefore(EventId first, EventId second) const { return graph_->inPrefix(graph_->view(second, raceView_), first); }
  // Is no other thread of the program there yet?
  bool isAlone() const { return self_ == 0 && context_.children == 0; }
  // A place in the program's own code for a place in the code: reports should point into the program, not into a library
  // that it calls. The place itself, or that of the call into the library that it is in.
  std::uint32_t place(std::uint32_t source) const;
  // The same with the frames that are inlined there.
  std::uint32_t origin(std::uint32_t source) const;

  // ---- What hooks and primitives call, on the fiber.

  Result visible(Operation operation);
  [[noreturn]] void pauseForEver(Operation operation);
  [[noreturn]] void fail(Error error, std::uint32_t source) { pauseForEver(failure(std::move(error), source)); }
  [[noreturn]] void fail(ErrorKind kind, std::string message, std::uint32_t source) {
    fail({.kind = kind, .message = std::move(message), .related = {}}, source);
  }
  // ---- Alike threads (alike_threads.cpp).

  // The next thread that the running one starts is alike to others with the same number, if that has not been said of another one.
  void startAlike(std::uint64_t number) { alike_ = alike_ != 0 ? alike_ : number; }
  std::uint64_t takeAlike();
  bool hasSymmetry() const { return symmetry_; }
  // Somebody asks for the number of the running thread, and may do something else than an alike one because of it.
  void tellNumber();
  // Somebody looks at what a thread has returned.
  void lookAtResult(ThreadId thread);
  // A plain access has met an atomic location.
  void noteSharedAccess(std::uint32_t source);
  // The epoch at which the parent has made for an alike thread what that alone knows of; 0 for other threads.
  std::uint32_t giftsOf(ThreadId thread) const;
  // What a thread was started with.
  Address argumentOf(ThreadId thread) const;

  // Giving up is done in two steps, because what the first one is called with has to be gone when the thread pauses.
  template <class Reason>
  void willGiveUp(Reason reason) {
    reason_.emplace<Reason>(std::move(reason));
  }
  [[noreturn]] void giveUp() { pauseForEver(Operation::end()); }
  // Does what may exceed a limit of plain memory, and gives up if it does.
  template <typename Action>
  auto guard(Action action) {
    try {
      return action();
    } catch (const LimitError& error) {
      willGiveUp(error);
    } catch (const std::bad_alloc&) {
      willGiveUp(LimitError("out of memory"));
    }
    giveUp();
  }
  // If the next operation takes a mutex, it does so to look at what that protects.
  void pollNext() { polls_ = true; }
  // The next operation comes after a yield.
  void yield() { yields_ = true; }
  // What of the thread is not on its stack.
  Context& ownContext() { return context_; }
  // In hooks that take long, where the watchdog may not stop the fiber: if it has asked, and the run has to stop.
  void stopIfAsked() {
    if (asked_.load(std::memory_order_relaxed)) stopIfUrgent();
  }

  // ---- What the watchdog and the signal handlers call (crash.cpp). All of it may be called in a signal handler.

  bool isRunning() const { return running_; }
  // Has it made plain accesses since its last event?
  bool hasAccessed() const { return memory_.hasAccessed(); }

  std::uint64_t stepsRun() const { return stepsRun_.load(std::memory_order_relaxed); }
  bool mustStop() const { return attendant_ != nullptr && attendant_->isUrgent(); }
  void askToStop() { asked_.store(true, std::memory_order_relaxed); }
  // Notes why the fiber is about to be abandoned. Returns the stack of the explorer, to go on there.
  void* abandon(const Crash& crash) {
    crash_ = crash;
    return carriers_ == nullptr ? explorerStack_ : carriers_->stackOf(self_);
  }
  void* abandonToStop() {
    reason_.emplace<explore::StopHere>();
    return explorerStack_;
  }

 private:
  void enterWithRaces(EventId last);
  void enterWithSymmetry(EventId last);
  void forgetStarts();
  void mark(Operation& operation);
  void checkInTransaction(Operation& operation);
  void noteDependencies();
  void noteResult(const Operation& operation);
  void stopIfUrgent();
  void noteCrash();
  void explainVolatile(Error& race, std::uint32_t source) const;
  [[noreturn]] void throwReason();

  const ProgramInfo& info_;
  memory::Memory& memory_;
  const ExecutionView* graph_ = nullptr;
  std::size_t raceView_ = 0;
  const explore::Attendant* attendant_ = nullptr;
  AfterCrash* afterCrash_ = nullptr;
  DependencySets* tracked_ = nullptr;  // null: dependencies are not tracked
  Carriers* carriers_ = nullptr;

  ThreadId self_ = 0;
  std::uint16_t index_ = 1;
  const Lane* view_ = nullptr;
  alignas(16) std::array<Lane, Trail::kMaxThreads> zeroClock_{};
  alignas(16) std::array<Lane, Trail::kMaxThreads> order_{};
  alignas(16) std::array<Lane, Trail::kMaxThreads> through_{};

  // Of the running step.
  Context context_;
  Operation operation_;
  Result result_;
  bool polls_ = false;
  bool yields_ = false;
  bool sharedAccess_ = false;  // a plain access has met an atomic location
  std::uint64_t alike_ = 0;    // startAlike
  ReasonToGiveUp reason_;
  Crash crash_;

  bool symmetry_ = false;
  bool joinsAlike_ = false;  // the thread has joined some of those that are alike, and others not yet
  alignas(16) std::array<Lane, Trail::kMaxThreads> common_{};  // what alike threads have in common of the view

  bool running_ = false;
  std::atomic<bool> asked_ = false;  // by the watchdog: must the run stop?
  std::atomic<std::uint64_t> stepsRun_ = 0;
  void* explorerStack_ = nullptr;
  ExceptionState* exceptionState_;  // of the host's C++ runtime
  std::vector<Error> errors_;       // by thread
};

}  // namespace heddle::runtime
