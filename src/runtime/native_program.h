// A C or C++ program as the explorer sees it: native code, run on fibers.
//
// A thread is paused when its fiber has called a hook that is a visible operation (hooks/, primitives/). What it is in then
// is a State (states.h) and a position in plain memory (memory/memory.h):
//
//   mark     notes both
//   rewind   only says where the thread shall be. Plain memory, of all rewound threads at once, is taken there before
//            anything runs or a mark is released; the native stack only when native code is to run
//   advance  tells plain memory where the thread stands in happens-before, and takes a step: one that is remembered, or
//            natively, by switching to the fiber, which runs until its next visible operation
//
// Threads have small numbers that depend on nothing but who starts them: the n-th thread that thread p starts has the
// same number in every execution (thread_numbers.h).
//
// What the hooks do is in the parts, each of which can be read on its own:
//
//   RunningThread   who runs, where it stands, how it pauses      StepRecorder   what makes a step one that is remembered
//   PlainAccesses   plain accesses, also to atomic locations      AtomicChecks   atomic accesses, as plain memory sees them
//   Lives           where objects begin and end                   Faults         what faults of accesses are called
//   IdleWaits       wake-ups in vain                              Annotations    what the program says of its writes
//   MarkedRounds    rounds of loops that are said to be in vain   AfterCrash     what recovery finds, and may do
//   Clocks, Output, WideValues, Findings
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "memory/memory.h"
#include "memory/racy_bytes.h"
#include "mixer/mixed_graph.h"
#include "program/program.h"
#include "runtime/after_crash.h"
#include "runtime/annotations.h"
#include "runtime/atomic_checks.h"
#include "runtime/clocks.h"
#include "runtime/dependencies.h"
#include "runtime/error.h"
#include "runtime/faults.h"
#include "runtime/findings.h"
#include "runtime/given_up.h"
#include "runtime/idle_waits.h"
#include "runtime/lives.h"
#include "runtime/marked_rounds.h"
#include "runtime/object_names.h"
#include "runtime/output.h"
#include "runtime/paused_thread.h"
#include "runtime/plain_accesses.h"
#include "runtime/program_info.h"
#include "runtime/program_modes.h"
#include "runtime/running_thread.h"
#include "runtime/states.h"
#include "runtime/step_recorder.h"
#include "runtime/thread_numbers.h"
#include "runtime/wide_values.h"

namespace heddle::runtime {

class NativeProgram final : public Program {
 public:
  struct Entry {
    void (*start)(int, char**, char**);  // heddle_start: constructors, main, exit
    std::vector<std::string> arguments;  // argv, with the program's name
    const void* tlsImage = nullptr;
    void (*recovery)() = nullptr;        // runs after a crash; null: the program has no such function
    void (*constructors)() = nullptr;    // run before that; null: there are none
    std::vector<memory::Range> durable;  // globals that survive a crash
    Address disk = 0;                    // where the disk is (abi/heddle_disk.h), if the program has files
    bool sharedExceptions = false;       // exceptions may be handed from thread to thread (primitives/exceptions.cpp)
  };

  NativeProgram(const ProgramInfo& info, memory::Memory& memory, Entry entry, unsigned threads);
  ~NativeProgram() override;
  NativeProgram(const NativeProgram&) = delete;
  NativeProgram& operator=(const NativeProgram&) = delete;

  // ---- Before the exploration.

  void attach(const ExecutionView& graph, std::size_t raceView) { running_.attach(graph, raceView); }
  void setNames(const ObjectNames* names) { faults_.setNames(names); }
  void showOutput(bool on) { output_.show(on); }
  void setAttendant(const explore::Attendant* attendant) { running_.setAttendant(attendant); }
  // What is an operation of its own (program_modes.h).
  void setAttempts(bool on) { modes_.attempts = on; }
  void setRedoneStores(bool on) { modes_.redoneStores = on; }
  void setRepeatedStores(bool on) { modes_.repeatedStores = on; }
  void setGuards(bool on) { modes_.guards = on; }
  void setPolls(bool on) { modes_.polls = on; }
  void setArrivalsInOrder(bool on) { modes_.arrivalsInOrder = on; }
  void setGracePeriodsHang(bool on) { modes_.gracePeriodsHang = on; }
  void setPlainLoads(bool on) { modes_.plainLoads = on; }
  void setLoadBuffering(bool on) { modes_.loadBuffering = on; }
  void setSymmetry(bool on) { running_.setSymmetry(on); }
  bool hasSymmetry() const { return running_.hasSymmetry(); }
  void allowRaces();
  // Explores crashes: the last of the threads runs the recovery.
  void expectCrash(bool recoveryWrites);
  void judgeRaces();  // allowRaces, where they are judged on complete executions
  bool makesAttempts() const { return modes_.attempts; }
  memory::RacyBytes& racyBytes() { return plain_.racyBytes(); }
  ThreadNumbers& threadNumbers() { return threadNumbers_; }

  // ---- The Program.

  unsigned threadCount() const override { return threadCount_; }
  unsigned initialThreads() const override { return 1; }
  void reset() override;
  Operation advance(ThreadId thread) override;
  void resume(ThreadId thread, Result result) override { threads_[thread].result = result; }
  void proceed(ThreadId thread, Result result, Operation& next) override;
  void proceedFrom(Mark mark, ThreadId thread, Result result, Operation& next) override;
  bool trackDependencies() override;
  void dependencies(ThreadId thread, Dependencies& result) const override;
  bool looksAtGraph() const override { return true; }
  Mark mark(ThreadId thread) override;
  void rewind(ThreadId thread, Mark mark) override;
  void release(Mark mark) override;
  void takeBack(ThreadId thread, Mark mark) override;
  std::vector<Operation> operations() const override;
  Value initialValue(Address address, unsigned size) const override;
  Value image(Value value, ThreadId from, ThreadId to) const override;
  bool initialValuesVary() const override { return true; }
  Wide bytesOfNumber(Value number) const override;
  Value numberOfBytes(Wide bytes) override { return wideValues_.numberOf(&bytes); }
  std::string locationName(Address address, unsigned size) const override { return faults_.nameOf(address, size); }
  std::string sourceText(std::uint32_t source) const override;

  // ---- What it has found out.

  const ProgramInfo& info() const { return info_; }
  const memory::Memory& memory() const { return memory_; }
  const Error& error(ThreadId failed) const { return running_.error(failed); }
  bool hasEnded(ThreadId thread) const;  // in a full graph: it alone, and not the program with it
  const std::vector<Warning>& warnings() const { return findings_.warnings; }
  const std::set<std::uint32_t>& boundHits() const { return findings_.boundHits; }
  const ThreadSet& detached() const { return findings_.detached; }
  const std::map<ThreadId, std::string>& namesOfThreads() const { return findings_.threadNames; }
  // Another part of the exploration begins.
  void forgetFindings() { findings_ = {}; }
  const std::set<std::pair<Address, std::uint32_t>>& idleWaits() const { return idleWaits_.waits(); }
  const std::set<Address>& failedAttempts() const { return idleWaits_.failedAttempts(); }
  std::string output() const { return output_.text(); }
  // The bytes of a 16-byte value (Operation::size).
  const WideValues::Bytes& wideValue(Value number) const { return wideValues_[number]; }

  // ---- For the hooks and primitives, on the fiber of the running thread: the program, and its parts.

  static NativeProgram* current() { return current_; }
  const Entry& entry() const { return entry_; }
  const ProgramModes& modes() const { return modes_; }
  memory::Memory& plainMemory() { return memory_; }
  RunningThread& running() { return running_; }
  StepRecorder& recorder() { return recorder_; }
  PlainAccesses& plain() { return plain_; }
  Lives& lives() { return lives_; }
  AfterCrash& afterCrash() { return afterCrash_; }
  const AfterCrash& afterCrash() const { return afterCrash_; }
  Faults& faults() { return faults_; }
  IdleWaits& waits() { return idleWaits_; }
  MarkedRounds& markedRounds() { return markedRounds_; }
  Clocks& clocks() { return clocks_; }
  Output& printed() { return output_; }
  WideValues& wideValues() { return wideValues_; }
  Findings& findings() { return findings_; }
  DependencySets& dependencySets() { return dependencySets_; }
  DependentMemory& dependentMemory() { return dependentMemory_; }
  // The number of the next thread that the running one starts.
  ThreadId childThread();
  [[noreturn]] void endThread();
  // Notes for the whole exploration, a bit each (library/primitives.h).
  void note(std::uint32_t bit);
  std::uint32_t noted() const { return notes_; }

 private:
  struct MarkRecord {
    State* state;
    std::size_t logTop;  // of plain memory
    memory::SegmentId position;
    ThreadId thread;
  };

  void settleMemory() {
    if (!moved_.empty()) moveMemory();
  }
  void moveMemory();
  void leaveStates();
  void setState(PausedThread& thread, State* state);
  const Operation& goOn(ThreadId thread);
  State* takeLastStep(ThreadId thread) const;
  State* takeStep(ThreadId thread);
#ifdef HEDDLE_INVARIANTS
  State* checkStep(ThreadId thread, const Edge& edge);
#endif
  State* runStep(ThreadId thread);
  void runNatively(ThreadId thread);
  void cutStates();
  static void runThread();
  [[noreturn]] void runMain();
  [[noreturn]] void runRecovery();
  void startAgain();
  void defineTls();

  static inline NativeProgram* current_ = nullptr;

  const ProgramInfo& info_;
  memory::Memory& memory_;
  const Entry entry_;
  const unsigned threadCount_;
  ProgramModes modes_;

  std::array<PausedThread, memory::kThreads> threads_;
  ThreadSet moved_;  // threads whose position in plain memory has to be changed
  std::vector<MarkRecord> marks_;
  States states_;
  ThreadNumbers threadNumbers_;
  std::uint32_t notes_ = 0;
  std::vector<char*> argv_;

  RunningThread running_;
  DependencySets dependencySets_;
  DependentMemory dependentMemory_;
  StepRecorder recorder_;
  WideValues wideValues_;
  Faults faults_;
  AfterCrash afterCrash_;
  AtomicChecks atomics_;
  Annotations annotations_;
  PlainAccesses plain_;
  Lives lives_;
  IdleWaits idleWaits_;
  Clocks clocks_;
  Output output_;
  Findings findings_;
  MarkedRounds markedRounds_;
};

}  // namespace heddle::runtime
