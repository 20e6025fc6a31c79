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

void AfterCrash::expect(ThreadId thread, std::vector<memory::Range> durableGlobals) {
  thread_ = thread;
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

// The globals that are not durable are as the program has defined them.
void AfterCrash::begin() {
  memory_.forEachImage([&](Address address, std::span<const std::byte> image) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(address);
    if (std::memcmp(bytes, image.data(), image.size()) == 0 || isDurable(address)) return;
    std::size_t first = 0, end = image.size();
    while (bytes[first] == image[first]) ++first;
    while (bytes[end - 1] == image[end - 1]) --end;
    write(address + first, end - first, 0);
    std::memcpy(reinterpret_cast<void*>(address + first), image.data() + first, end - first);
  });
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

// Which pieces there are depends on the address alone, so that the step is one that can be remembered. The thread pauses at each, and
// what is shown is gone with the next pause, so all are shown at the end. Their values are on the stack until then.
void AfterCrash::readDurable(Address address, std::size_t size, std::uint32_t source) {
  if (hasHeap_) recorder_.stop();
  if (memory_.checkAlive(address, size, source) == Outcome::fault) faults_.fail(memory_.fault(), source, false);
  const bool isWord = size <= sizeof(Value);
  const auto pieceAt = [&](std::size_t offset) -> std::size_t {
    const Address at = address + offset;
    return isWord ? size : std::min({std::uint64_t{sizeof(Value)}, at & -at, std::bit_floor(size - offset)});
  };
  auto* const bytes = static_cast<std::byte*>(alloca(size));
  for (std::size_t offset = 0, piece; offset < size; offset += piece) {
    piece = pieceAt(offset);
    const Operation operation = Operation::recover(address + offset, static_cast<unsigned>(piece));
    const Value value = running_.visible(operation.at(source)).value;
    std::memcpy(bytes + offset, &value, piece);
  }
  memory_.saveBytes(address, size);
  std::memcpy(reinterpret_cast<void*>(address), bytes, size);
}

void AfterCrash::write(Address address, std::size_t size, std::uint32_t source) {
  if (isDurable(address, size)) {
    running_.fail(ErrorKind::recovery,
                  fmt::format("recovery writes to {}: it may only read durable memory", faults_.nameOf(address, size)), source);
  }
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

bool AfterCrash::isVisible(const Operation& operation) {
  switch (operation.kind) {
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
  write(operation.address, operation.size, operation.source);
  const void* const bytes = operation.size > sizeof(Value) ? static_cast<const void*>(&wideValues_[value]) : &value;
  std::memcpy(reinterpret_cast<void*>(operation.address), bytes, operation.size);
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
    case OperationKind::store: store(operation, operation.operand()); return {};
    case OperationKind::rmw: {
      const Value old = valueAt(operation);
      store(operation, applyRmw(operation.rmw, old, operation.operand(), operation.size));
      return {.value = old};
    }
    case OperationKind::cas: {
      const Value old = valueAt(operation);
      const bool succeeds = triesLock(operation) ? canTake(operation, old) : operation.expects(old);
      if (succeeds) {
        store(operation, triesLock(operation) ? stateWritten(operation, old)
                                              : applyRmw(operation.rmw, old, operation.operand(), operation.size));
      }
      return {.value = old, .success = succeeds};
    }
    case OperationKind::lock: return lock(operation, valueAt(operation));
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
