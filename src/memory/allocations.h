// The tables of allocations: which addresses are variables or blocks, which were, and which never.
//
// Each thread has its own arenas, so addresses depend on the thread's own history only:
//
//   heap     blocks at rising addresses; what is freed stays in the table and is not used again
//   frames   a stack of frames, each with variables at offsets that the compiler chose; space is used again
//   tls      one block
//
// and the image has the globals. There are redzones between all of them. The table is asked for bytes that the shadow
// knows nothing about, and for messages. Undoing is the caller's: push and pop come in pairs.
#pragma once

#include <array>
#include <vector>

#include "abi/heddle_kinds.h"
#include "memory/layout.h"
#include "memory/shadow.h"

namespace heddle::memory {

// The kinds of heap blocks come first.
#define HEDDLE_ENUMERATOR(name) name,
enum class AllocationKind : std::uint8_t { HEDDLE_HEAP_KINDS(HEDDLE_ENUMERATOR) frame, global, constant, tls };
#undef HEDDLE_ENUMERATOR

struct Allocation {
  Address address = 0;
  std::size_t size = 0;
  AllocationKind kind = AllocationKind::malloc;
  ThreadId thread = 0;
  bool live = false;
  std::uint32_t source = 0;
  std::uint32_t tag = 0;  // the caller's: what to call it (a type, a variable)
};

struct Block : Allocation {
  std::uint32_t epoch = 0;                    // of the allocation
  std::uint32_t endEpoch = 0, endSource = 0;  // of the free

  // Written with unsigned wrap-around, so that it is one comparison.
  bool contains(Address at) const { return at - address < size; }
  bool isGlobal() const { return address - kImage < kImageSize; }
  bool isHeap() const { return kind < AllocationKind::frame; }
};

struct Frame {
  Address base = 0, end = 0;
  std::uint32_t variables = 0;  // how many there were below it
  std::uint32_t source = 0;
  std::uint32_t plainAgain = 0;          // how many atomic locations in it were forgotten
  bool inner = false;                    // of a block within the function whose frame is below
  std::uint32_t segment = 0, entry = 0;  // where it was pushed
};

// Where a frame is to go.
struct FramePlace {
  std::size_t alignment = 64;
  std::size_t gap = 0;  // that is left free below it
  bool inner = false;   // Frame::inner
};

enum class Life : std::uint8_t { live, freed, dead, outOfBounds, null, wild };

struct Place {
  Life life;
  const Block* block;  // live, freed
};

class Allocations {
 public:
  struct Thread {
    std::vector<Block> heap;
    std::vector<Frame> frames;
    std::vector<Block> variables;  // those of popped frames stay behind, for messages
    std::uint32_t liveVariables = 0;
    Block tls;
    Address heapEnd = 0, frameEnd = 0;                 // where the next one goes
    Address frameFloor = 0;                            // what is below is not used again
    Address frameHigh = 0;                             // how far frames ever went in this execution
    Address heapPeak = 0, framePeak = 0, tlsPeak = 0;  // in any execution: what to clear
  };

  Allocations() { clear(); }
  void clear();  // all but the globals

  Thread& of(ThreadId thread) { return threads_[thread]; }
  const Thread& of(ThreadId thread) const { return threads_[thread]; }
  const std::vector<Block>& globals() const { return globals_; }
  void addGlobal(const Block& block);

  // Where a new block of the thread's heap would go; 0 if there is no room.
  Address placeBlock(ThreadId thread, std::size_t size, std::size_t alignment) const;
  Address placeFrame(ThreadId thread, std::size_t size, std::size_t alignment, std::size_t gap) const;
  void pushBlock(ThreadId thread, const Block& block);
  void popBlock(ThreadId thread);
  void pushFrame(ThreadId thread, const Frame& frame);
  void popFrame(ThreadId thread);  // and its variables, which are dead then
  void setFloor(ThreadId thread, Address floor);
  Address frameTop(ThreadId thread) const;
  // The live frame that an address is in, or nullptr.
  Frame* frameOf(Address address);
  void pushVariable(ThreadId thread, const Block& block);
  void popVariable(ThreadId thread);
  // The variable, of a frame that is there, that starts at an address; or nullptr.
  Block* variableAt(ThreadId thread, Address address);
  // The heap block that starts at an address.
  Block* blockAt(Address address);

  Place place(Address address) const;
  // The same for a block that was asked for last, without a search.
  bool isCached(Address address) const { return cached_ != nullptr && cached_->contains(address); }
  const Block* cached() const { return cached_; }
  // To be called whenever a block's life or place in its table changes.
  void forgetCached() const { cached_ = nullptr; }

  const Allocation* find(Address address) const;

 private:
  Place placeInHeap(Address address) const;
  Place placeInFrames(Address address) const;
  Place placeInImage(Address address) const;
  void setFrameEnd(Thread& owner, ThreadId thread);

  std::array<Thread, kThreads> threads_;
  std::vector<Block> globals_;  // by address
  mutable const Block* cached_ = nullptr;
};

}  // namespace heddle::memory
