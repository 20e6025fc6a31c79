// The tables of allocations. See allocations.h.

#include "memory/allocations.h"

#include <algorithm>

namespace heddle::memory {
namespace {

constexpr std::size_t kRedzone = 16;
constexpr std::size_t kLargestRedzone = 2048;
constexpr std::size_t kFrameGap = kRedzone + 64;  // between frames that follow each other; more if alignment asks for it
constexpr std::size_t kGlobalRedzone = 64;        // an address that near to a global was meant for it

constexpr Address alignUp(Address address, std::size_t alignment) {
  return (address + alignment - 1) & ~(Address{alignment} - 1);
}

// Large blocks are overrun further, and can afford more.
constexpr std::size_t redzoneAfter(std::size_t size) {
  return alignUp(std::clamp(size / 4, kRedzone, kLargestRedzone), kRedzone);
}

// The last block that starts at or below an address, or nullptr.
const Block* lastBelow(const std::vector<Block>& blocks, Address address) {
  const auto after =
      std::upper_bound(blocks.begin(), blocks.end(), address, [](Address a, const Block& block) { return a < block.address; });
  return after == blocks.begin() ? nullptr : &*(after - 1);
}

bool isIn(Address address, Address begin, Address sizeOfEach) { return address - begin < kThreads * sizeOfEach; }

ThreadId ownerIn(Address address, Address begin, Address sizeOfEach) {
  return static_cast<ThreadId>((address - begin) / sizeOfEach);
}

}  // namespace

void Allocations::clear() {
  for (unsigned t = 0; t < kThreads; ++t) {
    const auto thread = static_cast<ThreadId>(t);
    threads_[t] = {};
    threads_[t].heapEnd = threads_[t].heapPeak = heapOf(thread);
    threads_[t].frameEnd = threads_[t].frameHigh = threads_[t].framePeak = framesOf(thread);
    threads_[t].frameFloor = framesOf(thread);
    threads_[t].tlsPeak = tlsOf(thread);
  }
  cached_ = nullptr;
}

void Allocations::addGlobal(const Block& block) {
  const auto after = std::upper_bound(globals_.begin(), globals_.end(), block.address,
                                      [](Address a, const Block& other) { return a < other.address; });
  globals_.insert(after, block);
  cached_ = nullptr;
}

Address Allocations::placeBlock(ThreadId thread, std::size_t size, std::size_t alignment) const {
  const Address address = alignUp(threads_[thread].heapEnd + kRedzone, std::max<std::size_t>(alignment, 16));
  const Address end = heapOf(thread) + kHeapSize - 2 * kLargestRedzone;
  return address > end || size > end - address ? 0 : address;
}

void Allocations::pushBlock(ThreadId thread, const Block& block) {
  Thread& owner = threads_[thread];
  owner.heap.push_back(block);
  // The distance to the next block is this block's redzone; placeBlock adds the least one again.
  owner.heapEnd = alignUp(block.address + block.size, kRedzone) + redzoneAfter(block.size) - kRedzone;
  owner.heapPeak = std::max(owner.heapPeak, owner.heapEnd);
  cached_ = &owner.heap.back();
}

void Allocations::popBlock(ThreadId thread) {
  Thread& owner = threads_[thread];
  owner.heap.pop_back();
  if (owner.heap.empty()) {
    owner.heapEnd = heapOf(thread);
  } else {
    const Block& last = owner.heap.back();
    owner.heapEnd = alignUp(last.address + last.size, kRedzone) + redzoneAfter(last.size) - kRedzone;
  }
  cached_ = nullptr;
}

Address Allocations::placeFrame(ThreadId thread, std::size_t size, std::size_t alignment, std::size_t gap) const {
  const Address base = alignUp(threads_[thread].frameEnd + kRedzone + gap, std::max<std::size_t>(alignment, 16));
  const Address end = framesOf(thread) + kFramesSize - 2 * kRedzone;
  return base > end || size > end - base ? 0 : base;
}

void Allocations::pushFrame(ThreadId thread, const Frame& frame) {
  Thread& owner = threads_[thread];
  owner.frames.push_back(frame);
  setFrameEnd(owner, thread);
  owner.frameHigh = std::max(owner.frameHigh, frame.end);
  owner.framePeak = std::max(owner.framePeak, frame.end);
}

void Allocations::popFrame(ThreadId thread) {
  Thread& owner = threads_[thread];
  while (owner.liveVariables > owner.frames.back().variables) owner.variables[--owner.liveVariables].live = false;
  owner.frames.pop_back();
  setFrameEnd(owner, thread);
  cached_ = nullptr;
}

void Allocations::setFrameEnd(Thread& owner, ThreadId thread) {
  owner.frameEnd = std::max(owner.frames.empty() ? framesOf(thread) : owner.frames.back().end, owner.frameFloor);
}

void Allocations::setFloor(ThreadId thread, Address floor) {
  threads_[thread].frameFloor = floor;
  setFrameEnd(threads_[thread], thread);
}

Address Allocations::frameTop(ThreadId thread) const { return threads_[thread].frameEnd + kRedzone; }

Frame* Allocations::frameOf(Address address) {
  if (!isIn(address, kFrames, kFramesSize)) return nullptr;
  Thread& owner = threads_[ownerIn(address, kFrames, kFramesSize)];
  const auto above = std::upper_bound(owner.frames.begin(), owner.frames.end(), address,
                                      [](Address a, const Frame& frame) { return a < frame.base; });
  return above != owner.frames.begin() && address < (above - 1)->end ? &*(above - 1) : nullptr;
}

void Allocations::pushVariable(ThreadId thread, const Block& block) {
  Thread& owner = threads_[thread];
  if (owner.liveVariables == owner.variables.size()) {
    owner.variables.push_back(block);
  } else {
    owner.variables[owner.liveVariables] = block;
  }
  cached_ = &owner.variables[owner.liveVariables++];
}

void Allocations::popVariable(ThreadId thread) {
  Thread& owner = threads_[thread];
  owner.variables.resize(--owner.liveVariables);  // the dead ones behind it too: they may be of another execution
  cached_ = nullptr;
}

Block* Allocations::variableAt(ThreadId thread, Address address) {
  Thread& owner = threads_[thread];
  for (std::uint32_t i = owner.liveVariables; i-- > 0;) {
    if (owner.variables[i].address == address) return &owner.variables[i];
  }
  return nullptr;
}

Block* Allocations::blockAt(Address address) {
  if (!isIn(address, kHeap, kHeapSize)) return nullptr;
  Thread& owner = threads_[ownerIn(address, kHeap, kHeapSize)];
  const Block* block = lastBelow(owner.heap, address);
  return block != nullptr && block->address == address ? &owner.heap[static_cast<std::size_t>(block - owner.heap.data())]
                                                       : nullptr;
}

Place Allocations::place(Address address) const {
  if (isCached(address)) return {Life::live, cached_};
  Place found{Life::wild, nullptr};
  if (isIn(address, kHeap, kHeapSize)) {
    found = placeInHeap(address);
  } else if (isIn(address, kFrames, kFramesSize)) {
    found = placeInFrames(address);
  } else if (isIn(address, kTls, kTlsSize)) {
    const Block& tls = threads_[ownerIn(address, kTls, kTlsSize)].tls;
    if (tls.live) found = tls.contains(address) ? Place{Life::live, &tls} : Place{Life::outOfBounds, nullptr};
    if (!tls.live && tls.contains(address)) found.life = Life::dead;
  } else if (address - kImage < kImageSize) {
    found = placeInImage(address);
  } else if (address < 4096) {
    found.life = Life::null;
  }
  if (found.life == Life::live) cached_ = found.block;
  return found;
}

Place Allocations::placeInHeap(Address address) const {
  const Thread& owner = threads_[ownerIn(address, kHeap, kHeapSize)];
  const Block* block = lastBelow(owner.heap, address);
  if (block != nullptr && block->contains(address)) return {block->live ? Life::live : Life::freed, block};
  // The redzone after the last block ends at heapEnd and the least redzone; before the first block there is one as
  // well.
  const bool near = !owner.heap.empty() && address < owner.heapEnd + kRedzone;
  return {near ? Life::outOfBounds : Life::wild, nullptr};
}

Place Allocations::placeInFrames(Address address) const {
  const Thread& owner = threads_[ownerIn(address, kFrames, kFramesSize)];
  const auto above = std::upper_bound(owner.frames.begin(), owner.frames.end(), address,
                                      [](Address a, const Frame& frame) { return a < frame.base; });
  if (above != owner.frames.begin() && address < (above - 1)->end) {
    const std::uint32_t end = above == owner.frames.end() ? owner.liveVariables : above->variables;
    for (std::uint32_t i = (above - 1)->variables; i < end; ++i) {
      const Block& variable = owner.variables[i];
      if (variable.contains(address)) return {variable.live ? Life::live : Life::dead, &variable};
    }
    return {Life::outOfBounds, nullptr};
  }
  // Not in a frame, but perhaps next to one.
  const bool after = above != owner.frames.begin() && address - (above - 1)->end < kRedzone;
  const bool before = above != owner.frames.end() && above->base - address <= kFrameGap;
  if (after || before) return {Life::outOfBounds, nullptr};
  return {address < owner.frameHigh ? Life::dead : Life::wild, nullptr};
}

Place Allocations::placeInImage(Address address) const {
  const Block* block = lastBelow(globals_, address);
  if (block != nullptr && block->contains(address)) return {Life::live, block};
  if (block != nullptr && address < block->address + block->size + kGlobalRedzone) return {Life::outOfBounds, nullptr};
  const Block* next = lastBelow(globals_, address + kGlobalRedzone);
  return {next != block ? Life::outOfBounds : Life::wild, nullptr};
}

namespace {

// The nearer one of two neighbours, if it is not too far away.
const Block* nearer(const std::vector<Block>& blocks, Address address, std::size_t limit) {
  const Block* before = lastBelow(blocks, address);
  if (before != nullptr && before->contains(address)) return before;
  const Block* after = before == nullptr ? blocks.data() : before + 1;
  if (after == blocks.data() + blocks.size()) after = nullptr;
  const Address overrun = before != nullptr ? address - (before->address + before->size) : ~Address{0};
  const Address underrun = after != nullptr ? after->address - address : ~Address{0};
  if (std::min(overrun, underrun) >= limit) return nullptr;
  return overrun <= underrun ? before : after;
}

const Block* nearestVariable(const Block* begin, const Block* end, Address address) {
  const Block* nearest = nullptr;
  Address least = kGlobalRedzone;
  for (const Block* variable = begin; variable != end; ++variable) {
    if (variable->contains(address)) return variable;
    const Address distance =
        address < variable->address ? variable->address - address : address - (variable->address + variable->size);
    if (distance < least) {
      least = distance;
      nearest = variable;
    }
  }
  return nearest;
}

}  // namespace

const Allocation* Allocations::find(Address address) const {
  if (isIn(address, kHeap, kHeapSize)) {
    const Thread& owner = threads_[ownerIn(address, kHeap, kHeapSize)];
    return nearer(owner.heap, address, kLargestRedzone);
  }
  if (isIn(address, kFrames, kFramesSize)) {
    const Thread& owner = threads_[ownerIn(address, kFrames, kFramesSize)];
    const Block* variables = owner.variables.data();
    const Block* live = nearestVariable(variables, variables + owner.liveVariables, address);
    if (live != nullptr) return live;
    return nearestVariable(variables + owner.liveVariables, variables + owner.variables.size(), address);
  }
  if (isIn(address, kTls, kTlsSize)) {
    const Block& tls = threads_[ownerIn(address, kTls, kTlsSize)].tls;
    return tls.size != 0 && address < tls.address + tls.size + kGlobalRedzone ? &tls : nullptr;
  }
  return address - kImage < kImageSize ? nearer(globals_, address, kGlobalRedzone) : nullptr;
}

}  // namespace heddle::memory
