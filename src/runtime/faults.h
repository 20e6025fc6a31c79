// Faults of accesses: what they are called, and what becomes of the thread that makes one.
//
// Plain memory says what is wrong with an access (memory::Fault). Here that becomes an error with a message that names the
// objects; or, if it is a race and races are no errors, the reason to start again with accesses to these bytes as events.
#pragma once

#include <cstdint>

#include "memory/memory.h"
#include "runtime/error.h"
#include "runtime/given_up.h"
#include "runtime/object_names.h"
#include "runtime/program_modes.h"
#include "runtime/running_thread.h"

namespace heddle::runtime {

class Faults {
 public:
  Faults(const memory::Memory& memory, RunningThread& running, const ProgramModes& modes)
      : memory_(memory), running_(running), modes_(modes) {}

  void setNames(const ObjectNames* names) { names_ = names; }
  const ObjectNames* names() const { return names_; }
  std::string nameOf(Address address, std::size_t size) const;

  // The thread that goes on has made this fault, by an atomic access or a plain one: what it is to be paused at.
  Operation failureOf(const memory::Fault& fault, std::uint32_t source, bool atomic);
  // The same on its fiber.
  [[noreturn]] void fail(const memory::Fault& fault, std::uint32_t source, bool atomic);
  // The bytes that are raced for, where races are no errors.
  RaceFound raceOf(const memory::Fault& fault) const;
  // Why the threads are not alike (FaultKind::toldApart).
  explore::ToldApart toldApart(const memory::Fault& fault, std::uint32_t source) const;

 private:
  Error errorOf(const memory::Fault& fault, bool atomic) const;

  const memory::Memory& memory_;
  RunningThread& running_;
  const ProgramModes& modes_;
  const ObjectNames* names_ = nullptr;
};

}  // namespace heddle::runtime
