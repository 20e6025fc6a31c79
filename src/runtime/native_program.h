// A C or C++ program as the explorer sees it: native code, run on fibers.
//
// A thread is paused when its fiber has called a hook that is a visible operation (runtime.cpp). What it is in then is a
// State (states.h) and a position in plain memory (memory/memory.h):
//
//   mark     notes both
//   rewind   only says where the thread shall be. Plain memory, of all rewound threads at once, is taken there before
//            anything runs or a mark is released; the native stack only when native code is to run
//   advance  tells plain memory where the thread stands in happens-before, and takes a step: one that is remembered, or
//            natively, by switching to the fiber, which runs until its next visible operation
//
// Threads have small numbers that depend on nothing but who starts them: the n-th thread that thread p starts has the
// same number in every execution (thread_numbers.h).
#pragma once

#include <array>
#include <atomic>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "explore/subtree.h"
#include "graph/graph.h"
#include "memory/memory.h"
#include "memory/racy_bytes.h"
#include "mixer/mixed_graph.h"
#include "program/program.h"
#include "runtime/error.h"
#include "runtime/object_names.h"
#include "runtime/program_info.h"
#include "runtime/states.h"
#include "runtime/thread_numbers.h"

namespace heddle::native {

// The program starts more threads than it was given room for: start again with more.
class TooManyThreads : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// More threads come to a barrier than meet there: start again with an order of their arrivals (library/pthread_barrier.cpp).
class CrowdedBarrier : public std::runtime_error {
 public:
  CrowdedBarrier() : std::runtime_error("more threads come to a barrier than meet there") {}
};

// Plain accesses race, where races are no errors: start again with accesses to these bytes as events.
class RaceFound : public std::runtime_error {
 public:
  RaceFound(memory::Range bytes, memory::Range around)
      : std::runtime_error("plain accesses race"), raced(bytes), object(around) {}

  const memory::Range raced, object;
};

// Why a thread is paused at Operation{block}: its operand.
enum class BlockReason : Value { assumption, waiting, loopBound, spin, notification };

class NativeProgram final : public Program {
 public:
  struct Entry {
    void (*start)(int, char**, char**);  // heddle_start: constructors, main, exit
    std::vector<std::string> arguments;  // argv, with the program's name
    const void* tlsImage = nullptr;
    bool sharedExceptions = false;       // exceptions may be handed from thread to thread (exceptions.cpp)
  };

  NativeProgram(const ProgramInfo& info, memory::Memory& memory, Entry entry, unsigned threads);
  ~NativeProgram() override;
  NativeProgram(const NativeProgram&) = delete;
  NativeProgram& operator=(const NativeProgram&) = delete;

  // The graph that is being explored, for happens-before; before the exploration starts. And the names of objects.
  void attach(const Graph& graph, std::size_t raceView) { graph_ = &graph, mixed_ = nullptr, raceView_ = raceView; }
  void attach(const MixedGraph& graph, std::size_t raceView) {
    graph_ = nullptr, mixed_ = &graph, raceView_ = raceView;
  }
  void setNames(const ObjectNames* names) { names_ = names; }
  void showOutput(bool on) { showOutput_ = on; }
  // Who is asked whether to stop while native code runs for long; null: nobody.
  void setAttendant(const Attendant* attendant) { attendant_ = attendant; }
  // Before the program runs.
  void setAttempts(bool on) { attempts_ = on; }
  void setPolls(bool on) { polls_ = on; }
  void setArrivalsInOrder(bool on) { arrivalsInOrder_ = on; }
  // Races are no errors: throws RaceFound at one for bytes that are not among these, and explores those for them.
  void allowRaces();
  memory::RacyBytes& racyBytes() { return racy_; }
  // Is a plain read of an atomic location an event? It must be where the graph does not say which write is the last one.
  void setPlainLoads(bool on) { plainLoads_ = on; }

  unsigned threadCount() const override { return threadCount_; }
  unsigned initialThreads() const override { return 1; }
  void reset() override;
  Operation advance(ThreadId thread) override;
  void resume(ThreadId thread, Result result) override { threads_[thread].result = result; }
  Mark mark(ThreadId thread) override;
  void rewind(ThreadId thread, Mark mark) override;
  void release(Mark mark) override;
  std::vector<Operation> operations() const override;
  Value initialValue(Address address, unsigned size) const override;
  bool initialValuesVary() const override { return true; }
  Wide bytesOfNumber(Value number) const override;
  Value numberOfBytes(Wide bytes) override { return numberOf(&bytes); }
  std::string locationName(Address address, unsigned size) const override;
  std::string sourceText(std::uint32_t source) const override;

  const ProgramInfo& info() const { return info_; }
  const memory::Memory& memory() const { return memory_; }
  const Error& error(ThreadId failed) const { return errors_[failed]; }
  bool hasEnded(ThreadId thread) const;  // in a full graph: it alone, and not the program with it
  const std::vector<Warning>& warnings() const { return warnings_; }
  const std::set<std::uint32_t>& boundHits() const { return boundHits_; }
  // Where a thread has woken up from a wait, done nothing, and waited again with this mutex (0: any); and the mutexes
  // that an attempt has failed to take. Of the whole exploration.
  const std::set<std::pair<Address, std::uint32_t>>& idleWaits() const { return idleWaits_; }
  const std::set<Address>& failedAttempts() const { return failedAttempts_; }
  std::uint64_t detached() const { return detached_; }  // threads that some execution has detached, a bit for each
  // Another part of the exploration begins: forgets warnings, bounds and detached threads.
  void forgetFindings();
  ThreadNumbers& threadNumbers() { return threadNumbers_; }
  std::string output() const;  // what the threads have printed, in the current execution
  // The bytes of a 16-byte value (Operation::size).
  const std::array<std::byte, 16>& wideValue(Value number) const { return wideValues_[number]; }

  // For the watchdog and the signal handlers (crash.cpp).
  bool isRunning() const { return running_; }
  std::uint64_t segmentsRun() const { return segmentsRun_.load(std::memory_order_relaxed); }
  void** schedulerStack() { return &schedulerSp_; }
  void recordCrash(ErrorKind kind, std::string message);
  bool mustStop() const { return attendant_ != nullptr && attendant_->isUrgent(); }
  void stopHere() { stops_ = true; }  // once the fiber is abandoned
  void askToLook() { asked_.store(true, std::memory_order_relaxed); }

  // ---- What the hooks do, on the fiber of the running thread (runtime.cpp).
  static NativeProgram* current();
  ThreadId self() const { return self_; }
  std::uint32_t position() const { return index_; }
  std::uint32_t place(std::uint32_t source) const;
  // The same with the frames that are inlined there: the place itself, or that of the call into the library that it is in.
  std::uint32_t origin(std::uint32_t source) const;
  bool makesAttempts() const { return attempts_; }
  bool arrivalsHaveOrder() const { return arrivalsInOrder_; }
  [[noreturn]] void orderArrivals();
  void pollsNext() { pollsNext_ = attempts_ && polls_; }
  Result visible(Operation operation);
  [[noreturn]] void fail(ErrorKind kind, std::string message, std::uint32_t source, std::vector<ErrorAccess> related = {});
  [[noreturn]] void failFault(const memory::Fault& fault, std::uint32_t source, bool atomic);
  [[noreturn]] void pauseForEver(Operation operation);
  // What a plain access is about: a value, as one instruction reads or writes it; bytes; or bytes that are copied, which is
  // no use of what is not initialised.
  enum class Use : std::uint8_t { value, bytes, copy };
  void plainRead(Address address, std::size_t size, std::uint32_t source, Use use);
  void look(Address address, std::size_t size);
  void plainWrite(Address address, std::size_t size, std::uint32_t source, Value value, bool looks = false);
  void copy(Address to, Address from, std::size_t size, std::uint32_t source);
  void set(Address to, int byte, std::size_t size, std::uint32_t source);
  void popFrame(Address base, std::uint32_t source);
  void* pushVariable(std::uint64_t size, std::uint64_t alignment, std::uint32_t tag, std::uint32_t number,
                     std::uint32_t source);
  void popVariable(Address address, std::uint32_t source);
  [[noreturn]] void endThread();
  void free(Address address, memory::AllocationKind kind, std::uint32_t source);
  Value numberOf(const void* wide);
  ThreadId childThread();
  bool hasMet(Address latch, Value operand);
  void detach(ThreadId thread) { detached_ |= std::uint64_t{1} << thread; }
  void print(std::string_view text);
  void warn(std::string message);
  void hitBound(std::uint32_t loop) { boundHits_.insert(loop); }
  void cutWakeups() { doMore(), boundHits_.insert(kWakeups | place(0)); }
  bool isIdle(std::uint32_t began, std::uint32_t ended, std::span<const memory::Range> own);
  void noteIdle(Address mutex) { idleWaits_.emplace(mutex, place(0)); }
  void noteFailedAttempt(Address mutex) {
    if (failedAttempts_.empty() || *failedAttempts_.rbegin() != mutex) failedAttempts_.insert(mutex);
  }
  void giveUp(std::string limit) { limit_ = std::move(limit); }
  void note(std::uint32_t bit);
  // Nanoseconds since the program has begun, as the running thread's clock shows them (time.cpp).
  std::uint64_t time();
  void setTime(std::uint64_t time);
  // The running step does more than read and write plain memory, so it is not to be remembered.
  void doMore() { remembers_ = false; }
  // In hooks that take long, where the watchdog may not stop the fiber: if it has asked, and the run has to stop.
  void stopIfAsked() {
    if (asked_.load(std::memory_order_relaxed)) stopIfUrgent();
  }
  std::uint32_t noted() const { return notes_; }
  memory::Memory& plainMemory() { return memory_; }
  void* allocateException(std::size_t size, bool primary);
  void freeException(void* address);

 private:
  struct MarkRecord {
    State* state;
    std::size_t logTop;  // of plain memory
    memory::SegmentId position;
    ThreadId thread;
  };

  struct Thread {
    State* state = nullptr;
    Result result;
    memory::SegmentId position = memory::kNoSegment;  // in plain memory, once it is settled
    std::uint64_t checked = 0;  // plain memory as it was when its pending access was checked
    // While its native code runs, and at its next pause.
    Context context;
    Operation operation;
  };

  struct Printed {
    memory::SegmentId segment;
    std::size_t logTop;
    std::string text;
  };

  void enter(ThreadId thread);
  void stopIfUrgent();
  void settleMemory();
  void leaveStates();
  void setState(Thread& thread, State* state);
  State* takeStep(ThreadId thread);
#ifdef HEDDLE_INVARIANTS
  State* checkStep(ThreadId thread, const Edge& edge);
#endif
  static bool wouldRepeat(const Edge& edge);
  bool repeatAccesses(const Edge& edge);
  State* runStep(ThreadId thread);
  void runNatively(ThreadId thread);
  void cutStates();
  void remember(Address address, std::size_t size, std::uint32_t source, PlainAccess::Kind kind);
  static void runThread();
  Operation failure(ErrorKind kind, std::string message, std::uint32_t source, std::vector<ErrorAccess> related);
  Operation failureOf(const memory::Fault& fault, std::uint32_t source, bool atomic);
  bool checkBefore(const Operation& operation);
  bool initialiseByStore(const Operation& operation);
  bool checkAfter(const Operation& operation, Result result);
  bool checkAgain(const Operation& operation, bool write);
  // What is written to a range: bytes from somewhere, or one byte repeated.
  struct Bytes {
    const void* from = nullptr;
    int fill = 0;
    bool areShadowed = false;  // in program memory: they may be uninitialised
  };
  struct Piece;

  template <class AnyGraph>
  void stand(const AnyGraph& graph, ThreadId thread);
  void noteTime(ThreadId thread);
  template <class AnyGraph>
  std::uint64_t timeBefore(const AnyGraph& graph) const;
  template <class AnyGraph>
  void failRace(const AnyGraph& graph, EventId racing, const memory::AtomicPart& part, const char* what,
                std::uint32_t source);
  EventId racingEvent(const Graph& graph, const memory::AtomicPart& part, bool write, const Lane* view) const;
  EventId racingEvent(const MixedGraph& graph, const memory::AtomicPart& part, bool write, const Lane* view) const;
  void checkEvents(const memory::AtomicPart& part, bool write, const char* what, std::uint32_t source);
  void showMixed(const memory::AtomicPart& part);
  void findReads(Address address, std::size_t size, std::uint32_t source, Use use);
  void showPart(const memory::AtomicPart& part);
  void storeValue(const memory::AtomicPart& part, Value value);
  bool mayRace() const { return allowsRaces_ && (self_ != 0 || threads_[0].context.children != 0); }
  bool isRaced(Address address, std::size_t size) const;
  void cut(Address begin, Address end, unsigned unit);
  void findPieces(Address address, std::size_t size, Use use);
  void readPiece(Piece& piece, Use use, std::uint32_t source);
  void writePiece(const Piece& piece, std::uint32_t source);
  void readShared(Address address, std::size_t size, std::uint32_t source, Use use);
  void writeShared(Address to, std::size_t size, const Bytes& bytes, std::uint32_t source, Use use);
  void writeGap(Address to, std::size_t size, const Bytes& bytes, std::size_t offset, std::uint32_t source);
  void endOfLife(Address address, std::size_t size, const char* what, std::uint32_t source);
  void checkUses(const memory::AtomicPart& part, std::uint32_t source);
  template <class AnyGraph>
  void orderLives(const AnyGraph& graph);
  bool findsUninitialised(const Operation& operation) const;
  RaceFound raceOf(const memory::Fault& fault) const;
  std::string describe(Address address, std::size_t size) const;
  std::string whatHasEnded(Address address) const;

  const ProgramInfo& info_;
  memory::Memory& memory_;
  Entry entry_;
  unsigned threadCount_;
  const Graph* graph_ = nullptr;       // one of these two, by the mode of the exploration
  const MixedGraph* mixed_ = nullptr;
  std::size_t raceView_ = 0;
  const ObjectNames* names_ = nullptr;
  bool showOutput_ = false;
  const Attendant* attendant_ = nullptr;
  bool attempts_ = true;  // as operations of their own, that wait (explore/zero_net_effect.cpp)
  bool polls_ = true;     // likewise threads that look under a mutex
  bool arrivalsInOrder_ = false;  // at barriers
  bool crowded_ = false;          // and they should be
  bool plainLoads_ = false;
  bool pollsNext_ = false;  // if the running thread takes one with its next operation

  bool allowsRaces_ = false;
  memory::RacyBytes racy_;
  std::optional<RaceFound> raceFound_;  // by the running step
  alignas(16) std::array<Lane, Graph::kMaxThreads> lives_{};  // Memory::allowRaces

  std::array<Thread, memory::kThreads> threads_;
  std::uint64_t moved_ = 0;  // threads whose position in plain memory has to be changed, a bit for each
  std::vector<MarkRecord> marks_;
  States states_;

  // Of the running step.
  static constexpr std::size_t kMostRemembered = 64;
  bool remembers_ = false;
  std::vector<PlainAccess> accesses_;
  std::vector<memory::AtomicPart> parts_;  // that it looks at, between two pauses

  ThreadId self_ = 0;
  bool running_ = false;
  std::atomic<bool> asked_ = false;  // by the watchdog: must the run stop?
  bool stops_ = false;  // the running step is given up, and with it the exploration
  std::atomic<std::uint64_t> segmentsRun_ = 0;
  void* schedulerSp_ = nullptr;
  ExceptionState* exceptionState_;
  const Lane* view_ = nullptr;  // of the running segment
  std::uint16_t index_ = 1;     // of the running thread's next event
  alignas(16) std::array<Lane, Graph::kMaxThreads> zeroClock_{};

  ThreadNumbers threadNumbers_;
  bool tooManyThreads_ = false;
  std::string limit_;  // that was exceeded
  std::vector<char*> argv_;
  std::vector<std::array<std::byte, 16>> wideValues_;
  std::map<std::array<std::byte, 16>, Value> wideNumbers_;
  std::uint64_t detached_ = 0;
  std::set<std::uint32_t> boundHits_;
  std::set<std::pair<Address, std::uint32_t>> idleWaits_;
  std::set<Address> failedAttempts_;
  std::vector<Printed> printed_;
  std::vector<Error> errors_;  // by thread
  Operation failed_;  // what the thread that has it is paused at
  std::vector<Warning> warnings_;
  std::uint32_t notes_ = 0;
  bool usesTime_ = false;             // any thread, in any execution
  std::vector<std::uint64_t> times_;  // what the clocks have shown at the events
};

}  // namespace heddle::native
