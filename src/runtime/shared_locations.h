// Atomic locations as a plain access of the running thread finds them: their values and their events are in the graph.
//
// Races are errors here: every event on the location that conflicts with the plain access must happen before it.
#pragma once

#include <cstdint>
#include <cstring>

#include "memory/memory.h"
#include "runtime/faults.h"
#include "runtime/running_thread.h"
#include "runtime/wide_values.h"

namespace heddle::runtime {

class SharedLocations {
 public:
  SharedLocations(memory::Memory& memory, RunningThread& running, Faults& faults, const WideValues& wideValues)
      : memory_(memory), running_(running), faults_(faults), wideValues_(wideValues) {}

  // Fails if an event races with a plain access, or with the end of the object's life. `what`: "a plain read".
  void checkEvents(const memory::AtomicPart& part, bool write, const char* what, std::uint32_t source);
  // Where races are allowed, of the end of a life: fails if an event is not before it in happens-before or in po | rf.
  // Otherwise it comes after the end in an execution that is as good as this one.
  void checkUses(const memory::AtomicPart& part, std::uint32_t source);
  // Fails if what a plain read finds is a write that is marked as local to another thread (annotations.h).
  void checkLocal(const memory::AtomicPart& part, std::uint32_t source);
  // Puts what the graph says into memory, until the segment is over: what is in the last write of the location.
  void show(const memory::AtomicPart& part);
  // Has no event written the location?
  bool hasInitialValue(const memory::AtomicPart& part) const;
  // The bytes of a value of that size.
  const void* bytesOf(const Value& value, unsigned size) const {
    return size == 16 ? static_cast<const void*>(&wideValues_[value]) : &value;
  }

 private:
  [[noreturn]] void failRace(EventId racing, const memory::AtomicPart& part, const char* what, std::uint32_t source);
  [[noreturn]] void failUse(EventId late, const memory::AtomicPart& part, std::uint32_t source);
  EventId racingEvent(const memory::AtomicPart& part, bool write, const Lane* view) const {
    return running_.graph().conflictingAccess({part.address, part.size}, running_.self(), write, view);
  }
  // As ExecutionView::lastBytes.
  std::uint16_t lastBytes(const memory::AtomicPart& part, Wide& data) const {
    const std::uint16_t said = running_.graph().lastBytes({part.address, part.size}, data);
    if (said != 0 && part.size == 16 && !running_.graph().hasMixedSizes()) {
      std::memcpy(&data, &wideValues_[static_cast<Value>(data)], sizeof data);
    }
    return said;
  }

  memory::Memory& memory_;
  RunningThread& running_;
  Faults& faults_;
  const WideValues& wideValues_;
};

}  // namespace heddle::runtime
