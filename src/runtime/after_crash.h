// Memory after a crash: what recovery (explore/recovery.h) finds, and what it may do.
//
// Recovery is a program that starts anew on the durable memory that the crash has left. It runs alone, after everything else, so
//
//   durable memory    a read is an operation of its own, and src/persist says which writes it may find. What it has read is
//                     shown in memory until the next operation, as for plain accesses that are events (plain_accesses.h).
//                     A write is an error: there is one crash, and recovery looks at what it has left. With --recovery-writes
//                     it is an operation, too, and recovery may crash itself: it runs a second time then.
//   other globals     have their initial values again, and their constructors run
//   atomics, locks    are ordinary memory: nobody else is there. Only choices are left as operations; and fences, if it writes.
//   other memory      of the program that has crashed is gone. An access to it is an error.
//
// Durable are the globals that are marked so (Variable::persistent), and blocks of the heap of that kind.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "memory/memory.h"
#include "runtime/faults.h"
#include "runtime/running_thread.h"
#include "runtime/step_recorder.h"
#include "runtime/wide_values.h"

namespace heddle::runtime {

class AfterCrash {
 public:
  AfterCrash(memory::Memory& memory, RunningThread& running, StepRecorder& recorder, Faults& faults, WideValues& wideValues)
      : memory_(memory), running_(running), recorder_(recorder), faults_(faults), wideValues_(wideValues) {}

  // ---- Before the exploration: a crash is explored, and this thread runs after it.

  void expect(ThreadId thread, std::vector<memory::Range> durableGlobals, Address disk, bool mayWrite);
  bool isExpected() const { return isExpected_; }
  ThreadId thread() const { return thread_; }
  // There are durable blocks of the heap.
  void noteHeap() { hasHeap_ = true; }
  // A file has this name. False if another one has the same place in the directory. And the name at a place, or null.
  bool noteName(const char* name);
  const std::string* nameAt(unsigned slot) const;

  bool isDurable(Address address, std::size_t size = 1) const;
  // Does the running thread run after the crash?
  bool isNow() const { return isExpected_ && running_.self() == thread_; }
  // After how many crashes?
  int crashes() const { return isNow() ? static_cast<int>(1 + running_.ownContext().crashes) : 0; }

  // ---- What the running thread does then, on its fiber.

  void begin();
  // The constructors of the program's globals run now.
  void setConstructing(bool on);
  // Recovery has come to its end. Could it have crashed on the way, and left something else? Then it crashes.
  bool crashAgain();
  void read(Address address, std::size_t size, std::uint32_t source, bool isCopy);
  // What is written: bytes from somewhere, or one byte repeated; null: a library function knows. The caller stores it afterwards.
  struct Bytes {
    const void* from = nullptr;
    int fill = 0;
    bool areKnown = true;
  };
  void write(Address address, std::size_t size, std::uint32_t source, const Bytes& bytes);
  // Does an operation that is none of its own, as nobody else is there. Others pause the thread.
  bool isVisible(const Operation& operation) const;
  Result perform(const Operation& operation);

 private:
  bool isDurableBlock(Address address) const;
  void checkSurvives(Address address, std::size_t size, std::uint32_t source);
  void readDurable(Address address, std::size_t size, std::uint32_t source);
  void writeDurable(Address address, std::size_t size, std::uint32_t source, const Bytes& bytes);
  void fence(const Operation& operation);
  Result lock(const Operation& operation, Value state);
  Value valueAt(const Operation& operation);
  void store(const Operation& operation, Value value);

  memory::Memory& memory_;
  RunningThread& running_;
  StepRecorder& recorder_;
  Faults& faults_;
  WideValues& wideValues_;
  ThreadId thread_ = 0;
  Address disk_ = 0;
  bool isExpected_ = false, mayWrite_ = false, hasHeap_ = false;
  std::vector<memory::Range> durable_;     // globals, by address
  std::map<unsigned, std::string> names_;  // of files, by their place in the directory
};

}  // namespace heddle::runtime
