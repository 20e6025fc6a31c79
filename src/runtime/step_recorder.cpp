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

bool StepRecorder::repeat(const Edge& edge) {
  const std::uint32_t height = memory_.height();
  for (std::uint32_t i = 0; i < edge.accessCount; ++i) {
    const PlainAccess& access = edge.accesses[i];
    memory::Outcome outcome = memory::Outcome::ok;
    switch (access.kind) {
      case PlainAccess::Kind::look: break;
      case PlainAccess::Kind::read:
      case PlainAccess::Kind::ownRead: outcome = memory_.read(access.address, access.size, access.source); break;
      case PlainAccess::Kind::peek:
        outcome = memory_.read(access.address, access.size, access.source, memory::Memory::kMayBeUninitialised);
        break;
      case PlainAccess::Kind::write:
        outcome = memory_.write(access.address, access.size, access.source);
        if (outcome == memory::Outcome::ok) store(access.address, access.value, access.size);
    }
    if (outcome == memory::Outcome::ok) continue;
    memory_.takeBack(height);
    return false;
  }
  return true;
}

}  // namespace heddle::runtime
