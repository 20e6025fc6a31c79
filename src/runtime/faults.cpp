#include "runtime/faults.h"

#include <fmt/format.h>

#include <utility>

namespace heddle::runtime {

namespace {

const char* kindOf(const memory::AccessInfo& access) {
  return access.free ? "free" : access.allocation ? "allocation" : access.write ? "write" : "read";
}

ErrorAccess relate(const memory::AccessInfo& access, std::string what) {
  return {.thread = access.thread, .source = access.source, .what = std::move(what), .index = access.index};
}

}  // namespace

std::string Faults::nameOf(Address address, std::size_t size) const {
  return names_ ? names_->name(address, static_cast<unsigned>(size)) : fmt::format("{:#x}", address);
}

Operation Faults::failureOf(const memory::Fault& fault, std::uint32_t source, bool atomic) {
  if (names_) names_->note(fault.address, source);
  return running_.failure(errorOf(fault, atomic), source);
}

void Faults::fail(const memory::Fault& fault, std::uint32_t source, bool atomic) {
  if (modes_.racesAllowed && fault.kind == memory::FaultKind::race) {
    running_.willGiveUp(raceOf(fault));
    running_.giveUp();
  }
  if (fault.kind == memory::FaultKind::toldApart) {
    running_.willGiveUp(toldApart(fault, source));
    running_.giveUp();
  }
  running_.pauseForEver(failureOf(fault, source, atomic));
}

explore::ToldApart Faults::toldApart(const memory::Fault& fault, std::uint32_t source) const {
  return {running_.place(source),
          fmt::format("{} is accessed, and {} has accessed it while threads that should be alike were started or joined",
                      nameOf(fault.address, fault.size), threadName(fault.other.thread))};
}

RaceFound Faults::raceOf(const memory::Fault& fault) const {
  memory::Range raced{fault.start, fault.size};
  if (raced.size > sizeof(Value)) raced = names_->scalarAt(fault.address);
  if (raced.size == 0) raced = {fault.address & ~Address{3}, 4};
  const memory::Allocation* const object = memory_.find(fault.address);
  return {raced, object ? memory::Range{object->address, object->size} : raced};
}

Error Faults::errorOf(const memory::Fault& fault, bool atomic) const {
  using memory::FaultKind;
  const std::string object = nameOf(fault.address, fault.size);
  const char* const access = fault.write ? "write to" : "read of";
  const auto allocationIs = [&](memory::AllocationKind kind) {
    const memory::Allocation* const allocation = memory_.find(fault.address);
    return allocation && allocation->kind == kind;
  };
  Error error{.kind = ErrorKind::wildPointer, .message = {}, .related = {}};
  // Where the memory comes from. When that was does not matter, so it has no place among the events.
  const auto addAllocation = [&] {
    const memory::Allocation* const allocation = memory_.find(fault.address);
    if (!allocation || allocation->kind >= memory::AllocationKind::frame || allocation->source == 0) return;
    error.related.push_back({.thread = allocation->thread, .source = allocation->source, .what = kAllocation});
  };
  switch (fault.kind) {
    case FaultKind::none:
    case FaultKind::toldApart: break;
    case FaultKind::race:
      error.kind = ErrorKind::dataRace;
      error.message = fmt::format("{} {} {} and a {} by {} are not ordered", atomic ? "an atomic" : "a plain", access, object,
                                  kindOf(fault.other), threadName(fault.other.thread));
      error.related = {relate(fault.other, kindOf(fault.other))};
      break;
    case FaultKind::uninitialised:
      error.kind = atomic ? ErrorKind::uninitialisedAtomic : ErrorKind::uninitialisedRead;
      error.message = fmt::format("{} was never initialised", object);
      break;
    case FaultKind::outOfBounds:
      error.kind = ErrorKind::outOfBounds;
      error.message = fmt::format("{} {} bytes outside of {}", fault.write ? "writes" : "reads", fault.size, object);
      addAllocation();
      break;
    case FaultKind::useAfterFree:
      error.kind = ErrorKind::useAfterFree;
      error.message = fmt::format("{} {}, which has been freed", access, object);
      error.related = {relate(fault.other, "free")};
      addAllocation();
      break;
    case FaultKind::deadFrame:
      error.kind = ErrorKind::deadFrame;
      error.message =
          fmt::format("{} {}, {}", access, object,
                      allocationIs(memory::AllocationKind::tls) ? "a thread_local variable of a thread that has ended"
                                                                : "a local variable whose block or function has been left");
      break;
    case FaultKind::nullPointer:
      error.kind = ErrorKind::nullPointer;
      error.message = fmt::format("{} address {:#x}", access, fault.address);
      break;
    case FaultKind::wildPointer:
      error.kind = ErrorKind::wildPointer;
      error.message = fmt::format("{} address {:#x}, which is no object of the program", access, fault.address);
      break;
    case FaultKind::readOnly:
      error.kind = ErrorKind::readOnlyWrite;
      error.message = fmt::format("{} is a constant", object);
      break;
    case FaultKind::invalidFree:
      error.kind = ErrorKind::invalidFree;
      error.message = fmt::format("{} is not the start of an allocation", object);
      break;
    case FaultKind::doubleFree:
      error.kind = ErrorKind::doubleFree;
      error.message = fmt::format("{} has been freed before", object);
      error.related = {relate(fault.other, "free")};
      addAllocation();
      break;
    case FaultKind::mismatchedFree:
      error.kind = ErrorKind::invalidFree;
      error.message = fmt::format("{} is freed by another function than its allocation asks for", object);
      addAllocation();
      break;
    case FaultKind::unorderedEnd: {
      const bool local = allocationIs(memory::AllocationKind::frame);
      error.kind = local ? ErrorKind::deadFrame : ErrorKind::useAfterFree;
      error.message = fmt::format("a {} of {} by {} may come after {}: they are not ordered", kindOf(fault.other), object,
                                  threadName(fault.other.thread), local ? "the function has returned" : "it has been freed");
      error.related = {relate(fault.other, kindOf(fault.other))};
      addAllocation();
      break;
    }
    case FaultKind::outOfMemory:
      error.kind = ErrorKind::unsupported;
      error.message = "the program uses more memory than there is room for";
      break;
  }
  return error;
}

}  // namespace heddle::runtime
