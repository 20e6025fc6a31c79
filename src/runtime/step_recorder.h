// The recorder of steps: what native code does with plain memory on its way to the next pause, so that the step can be taken
// again without running native code (states.h).
//
// A step is recorded as long as it does nothing but read and write plain memory. Whatever else native code does (allocate,
// print, throw, fail, read the graph) calls stop(): such a step is run natively each time. Where dependencies are tracked, what
// the bytes depend on is read and written with them.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "memory/memory.h"
#include "runtime/states.h"

namespace heddle::runtime {

class StepRecorder {
 public:
  StepRecorder(memory::Memory& memory, DependentMemory& dependent) : memory_(memory), dependent_(dependent) {}

  // ---- While native code runs.
  void begin(bool recording) {
    recording_ = recording;
    accesses_.clear();
  }
  // The step does more than read and write plain memory.
  void stop() { recording_ = false; }
  // The step has done a plain access. One that is too large, or one too many, ends the recording.
  void record(Address address, std::size_t size, std::uint32_t source, PlainAccess::Kind kind) {
    if (recording_) add(address, size, source, kind);
  }
  // The step is about to be decided by these bytes, which is no read of them as far as races are concerned.
  void recordInspection(Address address, std::size_t size) {
    if (memory::isProgramMemory(address)) record(address, size, 0, PlainAccess::Kind::look);
  }
  // The step has found out what these bytes depend on, and said what they depend on now.
  void recordSetRead(Address address, std::uint64_t size, DependencySet set) {
    if (recording_ && memory::isProgramMemory(address)) addSetRead(address, size, set);
  }
  void recordSetWrite(Address address, std::uint64_t size, DependencySet set) {
    if (recording_ && memory::isProgramMemory(address)) addSet(address, size, set, PlainAccess::Kind::setWrite);
  }
  // The step is over: what it has written is what is there now.
  void finish() {
    for (PlainAccess& access : accesses_) {
      if (access.kind == PlainAccess::Kind::write) access.value = load(access.address, access.size);
    }
  }

  bool isRecording() const { return recording_; }
  std::span<const PlainAccess> accesses() const { return accesses_; }

  // ---- Taking a step again.
  // Would the step read what it read before?
  bool wouldRepeat(const Edge& edge) const {
    const std::span<const PlainAccess> accesses(edge.accesses, edge.accessCount);
    return std::ranges::all_of(accesses, [&](const PlainAccess& access) {
      if (access.isCompared()) return load(access.address, access.size) == access.value;
      return access.kind != PlainAccess::Kind::setRead || dependent_.load(access.address, access.source) == access.value;
    });
  }
  // Does the plain accesses of the step. If one cannot be done, all are taken back.
  bool repeat(const Edge& edge);

 private:
  static constexpr std::size_t kMostAccesses = 64;

  // The sizes that are common are no calls.
  static Value load(Address address, std::size_t size) {
    const auto* const bytes = reinterpret_cast<const void*>(address);
    Value value = 0;
    switch (size) {
      case 4: std::memcpy(&value, bytes, 4); break;
      case 8: std::memcpy(&value, bytes, 8); break;
      default: std::memcpy(&value, bytes, size);
    }
    return value;
  }

  void add(Address address, std::size_t size, std::uint32_t source, PlainAccess::Kind kind);
  void addSetRead(Address address, std::uint64_t size, DependencySet set);
  void addSet(Address address, std::uint64_t size, DependencySet set, PlainAccess::Kind kind);

  memory::Memory& memory_;
  DependentMemory& dependent_;
  bool recording_ = false;
  std::vector<PlainAccess> accesses_;
};

}  // namespace heddle::runtime
