// Plain accesses of the running thread, on its fiber.
//
// Nearly all run on plain memory (memory/memory.h). But the value of an atomic location is in the graph:
//
//   races are errors   A read takes the co-maximal value, after a check that every write happens before it; a write is an
//                      event, so that later reads find it (shared_locations.h). Where the graph does not say which write is
//                      the co-maximal one (the rf equivalence), a read is an event, too, which reads from any that may be.
//   `--races off`      Reads and writes are relaxed events. So are those of bytes that are known to be raced for
//                      (memory/racy_bytes.h). What the main thread does while it is alone happens before everything that
//                      others do, so it is none of this.
//   durable memory     A write is an event in any case, as it may or may not have persisted when there is a crash
//                      (after_crash.h).
//
// Native code, of the program or of the host, reads the real bytes. So what an event has read is shown there until the
// segment is over (Memory::saveBytes).
//
// A range (a copy, a fill, what a library function reads) is cut into pieces that are events, and gaps of plain memory. All
// of the source is read before anything is written:
//
//   1. the events that read the source                                     the thread pauses at each
//   2. what they read is shown; the target's pieces get their values; gaps are copied    in one segment
//   3. the events that write the target's pieces                           the thread pauses at each
//
// A thread may go on from a pause more than once, so what it needs later is on its stack, and nothing here owns memory
// across a pause.
#pragma once

#include <cstdint>
#include <vector>

#include "memory/memory.h"
#include "memory/racy_bytes.h"
#include "runtime/after_crash.h"
#include "runtime/faults.h"
#include "runtime/program_modes.h"
#include "runtime/running_thread.h"
#include "runtime/shared_locations.h"
#include "runtime/step_recorder.h"
#include "runtime/wide_values.h"

namespace heddle::runtime {

class PlainAccesses {
 public:
  PlainAccesses(memory::Memory& memory, RunningThread& running, StepRecorder& recorder, Faults& faults, WideValues& wideValues,
                const ProgramModes& modes, AfterCrash& afterCrash)
      : memory_(memory),
        running_(running),
        recorder_(recorder),
        faults_(faults),
        wideValues_(wideValues),
        modes_(modes),
        afterCrash_(afterCrash),
        shared_(memory, running, faults, wideValues) {}

  // What an access is about: a value, as one instruction reads or writes it; bytes; or bytes that are copied, which is no use
  // of what is not initialised.
  enum class Use : std::uint8_t { value, bytes, copy };
  void read(Address address, std::size_t size, std::uint32_t source, Use use);
  // Native code stores the value afterwards. `looks`: before that it compares the value with what is there.
  void write(Address address, std::size_t size, std::uint32_t source, Value value, bool looks = false);
  // These do what they say.
  void copy(Address to, Address from, std::size_t size, std::uint32_t source);
  void set(Address to, int byte, std::size_t size, std::uint32_t source);

  // An object's life ends: every event on an atomic part of it must come before. `what`: "the free".
  void endOfLife(Address address, std::size_t size, const char* what, std::uint32_t source);

  // Those that are known to be raced for.
  memory::RacyBytes& racyBytes() { return racy_; }

 private:
  // What is written to a range: bytes from somewhere, or one byte repeated.
  struct Bytes {
    const void* from = nullptr;
    int fill = 0;
    bool areShadowed = false;  // in program memory: they may be uninitialised
  };
  struct Piece;

  memory::Outcome readMemory(Address address, std::size_t size, std::uint32_t source, unsigned reading);
  memory::Outcome writeMemory(Address address, std::size_t size, std::uint32_t source);
  // The address may order the access after what it races with, where the model judges races.
  template <class Action>
  memory::Outcome throughAddress(Action action);
  bool mayRace() const { return modes_.racesAllowed && !running_.isAlone(); }
  bool isRaced(Address address, std::size_t size) const;
  void haveEventsAlways(Address address, std::size_t size);
  bool isDurable(Address address, std::size_t size) const {
    return afterCrash_.isExpected() && afterCrash_.isDurable(address, size);
  }
  void cut(Address begin, Address end, unsigned unit);
  void cutByScalars(Address begin, Address end);
  void findPieces(Address address, std::size_t size, Use use);
  void findReads(Address address, std::size_t size, std::uint32_t source, Use use);
  void readPiece(Piece& piece, Use use, std::uint32_t source);
  void writePiece(const Piece& piece, std::uint32_t source);
  void checkDurable(const memory::AtomicPart& part, std::uint32_t source);
  void readAroundHoles(Address address, std::size_t size, std::uint32_t source);
  void readShared(Address address, std::size_t size, std::uint32_t source, Use use);
  void writeShared(Address to, std::size_t size, const Bytes& bytes, std::uint32_t source, Use use);
  void writeGap(Address to, std::size_t size, const Bytes& bytes, std::size_t offset, std::uint32_t source);

  memory::Memory& memory_;
  RunningThread& running_;
  StepRecorder& recorder_;
  Faults& faults_;
  WideValues& wideValues_;
  const ProgramModes& modes_;
  AfterCrash& afterCrash_;
  SharedLocations shared_;
  memory::RacyBytes racy_;
  std::vector<memory::AtomicPart> parts_;  // that the running step looks at, between two pauses
};

}  // namespace heddle::runtime
