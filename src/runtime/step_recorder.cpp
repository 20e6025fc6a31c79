#include "runtime/step_recorder.h"

namespace heddle::runtime {

namespace {

void store(Address address, Value value, std::size_t size) {
  auto* const bytes = reinterpret_cast<void*>(address);
  switch (size) {
    case 4: std::memcpy(bytes, &value, 4); break;
    case 8: std::memcpy(bytes, &value, 8); break;
    default: std::memcpy(bytes, &value, size);
  }
}

}  // namespace

void StepRecorder::add(Address address, std::size_t size, std::uint32_t source, PlainAccess::Kind kind) {
  PlainAccess access{.address = address, .value = 0, .source = source, .size = static_cast<std::uint8_t>(size), .kind = kind};
  if (size > sizeof access.value || accesses_.size() == kMostAccesses) {
    stop();
    return;
  }
  if (access.isCompared()) {
    for (const PlainAccess& earlier : accesses_) {
      if (earlier.kind != PlainAccess::Kind::write) continue;
      if (earlier.address + earlier.size <= address || address + size <= earlier.address) continue;
      // What the step has written in part is neither its own nor what it found.
      const bool within = earlier.address <= address && address + size <= earlier.address + earlier.size;
      if (!within || kind == PlainAccess::Kind::peek) return stop();
      if (kind == PlainAccess::Kind::look) return;
      access.kind = PlainAccess::Kind::ownRead;
      break;
    }
    std::memcpy(&access.value, reinterpret_cast<const void*>(address), size);
  }
  accesses_.push_back(access);
}

void StepRecorder::addSet(Address address, std::uint64_t size, DependencySet set, PlainAccess::Kind kind) {
  const auto bytes = static_cast<std::uint32_t>(size);
  if (bytes != size || accesses_.size() == kMostAccesses) return stop();
  accesses_.push_back({.address = address, .value = set, .source = bytes, .size = 0, .kind = kind});
}

// What the step itself has said of the bytes is not what it found. The last one that wrote any of them counts.
void StepRecorder::addSetRead(Address address, std::uint64_t size, DependencySet set) {
  for (auto earlier = accesses_.rbegin(); earlier != accesses_.rend(); ++earlier) {
    const bool saysSets = earlier->kind == PlainAccess::Kind::setWrite;
    if (!saysSets && earlier->kind != PlainAccess::Kind::write) continue;
    const Address end = earlier->address + (saysSets ? earlier->source : earlier->size);
    if (end <= address || address + size <= earlier->address) continue;
    if (!saysSets || earlier->address > address || end < address + size) stop();
    return;
  }
  addSet(address, size, set, PlainAccess::Kind::setRead);
}

bool StepRecorder::repeat(const Edge& edge) {
  const std::uint32_t height = memory_.height();
  for (std::uint32_t i = 0; i < edge.accessCount; ++i) {
    const PlainAccess& access = edge.accesses[i];
    memory::Outcome outcome = memory::Outcome::ok;
    switch (access.kind) {
      case PlainAccess::Kind::look:
      case PlainAccess::Kind::setRead: break;
      case PlainAccess::Kind::read:
      case PlainAccess::Kind::ownRead: outcome = memory_.read(access.address, access.size, access.source); break;
      case PlainAccess::Kind::peek:
        outcome = memory_.read(access.address, access.size, access.source, memory::Memory::kMayBeUninitialised);
        break;
      case PlainAccess::Kind::write:
        outcome = memory_.write(access.address, access.size, access.source);
        if (outcome == memory::Outcome::ok) store(access.address, access.value, access.size);
        break;
      case PlainAccess::Kind::setWrite:
        dependent_.store(access.address, access.source, static_cast<DependencySet>(access.value));
    }
    if (outcome == memory::Outcome::ok) continue;
    memory_.takeBack(height);
    return false;
  }
  return true;
}

}  // namespace heddle::runtime
