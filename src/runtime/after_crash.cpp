#include "runtime/after_crash.h"

#include <alloca.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "abi/heddle_disk.h"
#include "program/lock.h"
#include "runtime/fiber.h"

namespace heddle::runtime {

using memory::AllocationKind;
using memory::Memory;
using memory::Outcome;

namespace {

// A range is accessed in pieces of a word at most, each at an address that is a multiple of its size.
std::size_t pieceOf(Address at, std::size_t rest) {
  return std::min({std::uint64_t{sizeof(Value)}, at & -at, std::bit_floor(rest)});
}

}  // namespace

void AfterCrash::expect(ThreadId thread, std::vector<memory::Range> durableGlobals, Address disk, bool mayWrite) {
  thread_ = thread;
  disk_ = disk;
  mayWrite_ = mayWrite;
  isExpected_ = true;
  durable_ = std::move(durableGlobals);
  std::ranges::sort(durable_, {}, &memory::Range::address);
}

bool AfterCrash::isDurableBlock(Address address) const {
  const memory::Allocation* const block = memory_.find(address);
  return block != nullptr && block->kind == AllocationKind::persistent;
}

bool AfterCrash::isDurable(Address address, std::size_t size) const {
  const auto after = std::ranges::upper_bound(durable_, address + size - 1, {}, &memory::Range::address);
  if (after != durable_.begin() && address < std::prev(after)->address + std::prev(after)->size) return true;
  return hasHeap_ && memory::isProgramMemory(address) && address >= memory::kHeap && isDurableBlock(address);
}

bool AfterCrash::noteName(const char* name) { return names_.try_emplace(heddle_name_slot(name), name).first->second == name; }

const std::string* AfterCrash::nameAt(unsigned slot) const {
  const auto found = names_.find(slot);
  return found == names_.end() ? nullptr : &found->second;
}

// ---- The begin.

// The globals that are not durable are as the program has defined them. Of a large one little has changed, as a rule.
void AfterCrash::begin() {
  memory_.forEachImage([&](Address address, std::span<const std::byte> image) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(address);
    if (isDurable(address) || std::memcmp(bytes, image.data(), image.size()) == 0) return;
    constexpr std::size_t kPiece = 64;
    for (std::size_t begin = 0; begin < image.size(); begin += kPiece) {
      std::size_t first = begin, end = std::min(begin + kPiece, image.size());
      if (std::memcmp(bytes + begin, image.data() + begin, end - begin) == 0) continue;
      while (bytes[first] == image[first]) ++first;
      while (bytes[end - 1] == image[end - 1]) --end;
      write(address + first, end - first, 0, {.from = image.data() + first});
      std::memcpy(reinterpret_cast<void*>(address + first), image.data() + first, end - first);
    }
  });
}

void AfterCrash::setConstructing(bool on) {
  recorder_.stop();
  running_.ownContext().constructs = on ? 1 : 0;
}

// What it has allocated is gone, too. Where it has written nothing a second crash leaves what the first one has left.
bool AfterCrash::crashAgain() {
  if (running_.ownContext().crashes != 0 || running_.ownContext().rewrites == 0) return false;
  running_.visible(Operation::crash());
  running_.ownContext().crashes = 1;
  recorder_.stop();
  for (const memory::Allocation& block : memory_.liveHeap()) {
    if (block.thread != running_.self() || block.kind == AllocationKind::persistent) continue;
    if (memory_.free(block.address, block.kind, 0) != Outcome::ok) faults_.fail(memory_.fault(), 0, false);
  }
  begin();
  return true;
}

// ---- Accesses.

// Of the memory that has been allocated before the crash only the durable one is still there.
void AfterCrash::checkSurvives(Address address, std::size_t size, std::uint32_t source) {
  const memory::Allocation* const block = memory::isProgramMemory(address) ? memory_.find(address) : nullptr;
  if (block == nullptr || block->kind == AllocationKind::global || block->kind == AllocationKind::constant) return;
  if (block->kind == AllocationKind::persistent || block->thread == running_.self()) return;
  running_.fail(ErrorKind::useAfterFree,
                fmt::format("{} is memory of the program that has crashed, and not durable", faults_.nameOf(address, size)),
                source);
}

void AfterCrash::read(Address address, std::size_t size, std::uint32_t source, bool isCopy) {
  if (isDurable(address, size)) return readDurable(address, size, source);
  recorder_.stop();
  checkSurvives(address, size, source);
  const unsigned reading = Memory::kMayBeAtomic | (isCopy ? Memory::kMayBeUninitialised : 0);
  if (memory_.read(address, size, source, reading) == Outcome::fault) faults_.fail(memory_.fault(), source, false);
}

// The thread pauses at each piece, and what is shown is gone with the next pause, so all are shown at the end. Their values are on the
// stack until then.
void AfterCrash::readDurable(Address address, std::size_t size, std::uint32_t source) {
  constexpr unsigned kMostReads = 30'000;  // a thread has hardly more
  const EventId last = running_.graph().last(thread_);
  if (last != kNone && running_.graph()[last].index >= kMostReads) {
    running_.fail(ErrorKind::recovery, "recovery does not end: it has read durable memory 30,000 times", source);
  }
  if (hasHeap_) recorder_.stop();
  if (memory_.checkAlive(address, size, source) == Outcome::fault) faults_.fail(memory_.fault(), source, false);
  auto* const bytes = static_cast<std::byte*>(alloca(size));
  for (std::size_t offset = 0, piece; offset < size; offset += piece) {
    piece = size <= sizeof(Value) ? size : pieceOf(address + offset, size - offset);
    const Operation operation = Operation::recover(address + offset, static_cast<unsigned>(piece));
    const Value value = running_.visible(operation.at(source)).value;
    std::memcpy(bytes + offset, &value, piece);
  }
  memory_.saveBytes(address, size);
  std::memcpy(reinterpret_cast<void*>(address), bytes, size);
}

// The real bytes, where the caller stores, are shown as after a read.
void AfterCrash::writeDurable(Address address, std::size_t size, std::uint32_t source, const Bytes& bytes) {
  // A file is made anew whenever a program starts that does so. But memory that lasts is made once.
  const bool isOnDisk = disk_ != 0 && address - disk_ < sizeof(heddle_disk_image);
  if (running_.ownContext().constructs != 0 && !isOnDisk) {
    running_.fail(
        ErrorKind::unsupported,
        fmt::format("the constructor of a global writes {}, which is durable, when the program starts again after the crash: "
                    "let main write it, or make the constructor constexpr",
                    faults_.nameOf(address, size)),
        source);
  }
  if (!mayWrite_) {
    running_.fail(
        ErrorKind::recovery,
        fmt::format("recovery writes to {}: it may only read durable memory, unless --recovery-writes explores a crash of "
                    "recovery, too",
                    faults_.nameOf(address, size)),
        source);
  }
  if (!bytes.areKnown) {
    running_.fail(ErrorKind::unsupported,
                  "a library function writes to durable memory by itself: let it write elsewhere, and copy", source);
  }
  if (memory_.checkAlive(address, size, source) == Outcome::fault) faults_.fail(memory_.fault(), source, false);
  auto* const written = static_cast<std::byte*>(alloca(size));
  if (bytes.from != nullptr) {
    std::memcpy(written, bytes.from, size);
  } else {
    std::memset(written, bytes.fill, size);
  }
  for (std::size_t offset = 0, piece; offset < size; offset += piece) {
    piece = pieceOf(address + offset, size - offset);
    Value value = 0;
    std::memcpy(&value, written + offset, piece);
    running_.visible(Operation::store(address + offset, static_cast<unsigned>(piece), Order::plain, value).at(source));
  }
  recorder_.stop();
  running_.ownContext().rewrites = 1;
  memory_.saveBytes(address, size);
  std::memcpy(reinterpret_cast<void*>(address), written, size);
}

void AfterCrash::write(Address address, std::size_t size, std::uint32_t source, const Bytes& bytes) {
  if (isDurable(address, size)) return writeDurable(address, size, source, bytes);
  recorder_.stop();
  checkSurvives(address, size, source);
  Outcome outcome = memory_.write(address, size, source);
  if (outcome == Outcome::atomic) {
    for (const memory::AtomicPart& part : memory_.atomicParts(address, size)) {
      memory_.makePlain(part.address, part.size, source);
    }
    outcome = memory_.write(address, size, source);
  }
  if (outcome != Outcome::ok) faults_.fail(memory_.fault(), source, false);
}

// ---- Operations.

bool AfterCrash::isVisible(const Operation& operation) const {
  switch (operation.kind) {
    case OperationKind::fence:
    case OperationKind::flush: return mayWrite_;
    case OperationKind::store: return operation.order == Order::plain;  // of writeDurable
    case OperationKind::crash:
    case OperationKind::recover:
    case OperationKind::choose:
    case OperationKind::block:
    case OperationKind::error:
    case OperationKind::end: return true;
    default: return false;
  }
}

Value AfterCrash::valueAt(const Operation& operation) {
  read(operation.address, operation.size, operation.source, false);
  const void* const bytes = reinterpret_cast<const void*>(operation.address);
  if (operation.size > sizeof(Value)) return wideValues_.numberOf(bytes);
  Value value = 0;
  std::memcpy(&value, bytes, operation.size);
  return value;
}

void AfterCrash::store(const Operation& operation, Value value) {
  const void* const bytes = operation.size > sizeof(Value) ? static_cast<const void*>(&wideValues_[value]) : &value;
  write(operation.address, operation.size, operation.source, {.from = bytes});
  std::memcpy(reinterpret_cast<void*>(operation.address), bytes, operation.size);
}

// A read-modify-write waits for flushes, as a seq_cst store does.
void AfterCrash::fence(const Operation& operation) {
  if (mayWrite_) running_.visible(Operation::fence(Order::seq_cst).at(operation.source));
}

Result AfterCrash::lock(const Operation& operation, Value state) {
  if (!canTake(operation, state)) {
    running_.fail(ErrorKind::deadlock, "recovery waits for a lock that nobody else can give back", operation.source);
  }
  if (writesState(operation, state)) store(operation, stateWritten(operation, state));
  return {.value = state};
}

Result AfterCrash::perform(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::load: return {.value = valueAt(operation)};
    case OperationKind::store:
      store(operation, operation.operand());
      if (operation.order == Order::seq_cst) fence(operation);
      return {};
    case OperationKind::rmw: {
      fence(operation);
      const Value old = valueAt(operation);
      store(operation, applyRmw(operation.rmw, old, operation.operand(), operation.size));
      return {.value = old};
    }
    case OperationKind::cas: {
      fence(operation);
      const Value old = valueAt(operation);
      const bool succeeds = triesLock(operation) ? canTake(operation, old) : operation.expects(old);
      if (succeeds) {
        store(operation, triesLock(operation) ? stateWritten(operation, old)
                                              : applyRmw(operation.rmw, old, operation.operand(), operation.size));
      }
      return {.value = old, .success = succeeds};
    }
    case OperationKind::lock: fence(operation); return lock(operation, valueAt(operation));
    case OperationKind::unlock: store(operation, kFree); return {};
    case OperationKind::spawn:
    case OperationKind::join:
    case OperationKind::arrive:
    case OperationKind::depart:
      running_.fail(ErrorKind::unsupported, "recovery runs alone: threads and barriers are not supported in it",
                    operation.source);
    default: return {};
  }
}

}  // namespace heddle::runtime
