// The globals, and starting over.

#include "memory/memory.h"

#include <sys/mman.h>

#include <cstring>

namespace heddle::memory {
namespace {

// The bytes and the shadow of a part of program memory, back to what fresh pages are.
void discard(Address begin, Address end) {
  if (begin == end) return;
  Shadow::discard(begin, end);
  madvise(reinterpret_cast<void*>(begin), (end - begin + kPage - 1) / kPage * kPage, MADV_DONTNEED);
}

}  // namespace

Memory::Memory() = default;
Memory::~Memory() = default;

void Memory::defineGlobal(Address address, std::size_t size, bool constant, std::uint32_t tag) {
  const AllocationKind kind = constant ? AllocationKind::constant : AllocationKind::global;
  allocations_.addGlobal({{address, size, kind, 0, true, 0, tag}, 0, 0, 0});
  if (constant || size == 0) return;
  const auto* bytes = reinterpret_cast<const std::byte*>(address);
  savedGlobals_.push_back({address, {bytes, bytes + size}});
}

std::vector<Allocation> Memory::globals() const {
  std::vector<Allocation> variables;
  for (const Block& block : allocations_.globals()) {
    if (block.kind == AllocationKind::global) variables.push_back(block);
  }
  return variables;
}

void Memory::reset() {
  for (unsigned t = 0; t < kThreads; ++t) {
    const auto thread = static_cast<ThreadId>(t);
    const Allocations::Thread& owner = allocations_.of(thread);
    discard(heapOf(thread), owner.heapPeak);
    discard(framesOf(thread), owner.framePeak);
    discard(tlsOf(thread), owner.tlsPeak);
  }
  if (!allocations_.globals().empty()) {
    const Block &first = allocations_.globals().front(), &last = allocations_.globals().back();
    Shadow::discard(first.address, last.address + last.size);
  }
  for (const SavedGlobal& saved : savedGlobals_) {
    std::memcpy(reinterpret_cast<void*>(saved.address), saved.bytes.data(), saved.bytes.size());
  }
  shadow_.clear();
  allocations_.clear();
  locations_.clear();
  log_.clear();
  shown_.clear();
  position_.fill(kNoSegment);
  segment_ = kNoSegment;
  epoch_ = 0;
  fault_ = {};
}

}  // namespace heddle::memory
