// Plain memory by its definitions: a map with an entry for each byte, and no undo at all. The state after any set of
// segments is found by running these again from the start. Shares nothing with src/memory but the types of its
// interface.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "memory/memory.h"

namespace heddle::memory {

using Clock = std::vector<Lane>;

struct ReferenceEpoch {
  unsigned thread = 0;
  unsigned index = 0;
  bool operator==(const ReferenceEpoch&) const = default;
};

enum class Act { read, write, copy, set, atomic, makePlain, allocate, free, push, variable, pop };

struct Action {
  Act act = Act::read;
  Address address = 0, from = 0;
  std::size_t size = 0;
  unsigned reading = 0;
  bool atomicWrite = false;
  AllocationKind kind = AllocationKind::malloc;
  std::uint8_t value = 0;  // write: the first byte, the others count up; set: all bytes
  std::uint32_t source = 0;
};

struct Verdict {
  Outcome outcome = Outcome::ok;
  FaultKind kind = FaultKind::none;
  Address address = 0;
  AccessInfo other;
};

class Reference {
 public:
  struct Access {
    ReferenceEpoch epoch;
    std::uint32_t source;
  };
  struct Byte {
    std::optional<Access> write;  // none: as the allocation left it
    bool initialised = false;
    std::map<unsigned, Access> reads;  // since the write, by thread
    std::uint8_t value = 0;
  };
  struct Life {
    Address address = 0;
    std::size_t size = 0;
    AllocationKind kind = AllocationKind::malloc;
    ReferenceEpoch epoch;
    std::uint32_t source = 0;
    bool live = true, freed = false;
    Address frame = 0;  // the base of the frame it is in
    Access end{};
    bool contains(Address at) const { return at >= address && at < address + size; }
  };
  // An atomic location, with the accesses that there were.
  struct Touch {
    ReferenceEpoch epoch;
    bool write;
  };
  using Place = std::pair<Address, std::size_t>;

  void addGlobal(Address address, const std::vector<std::uint8_t>& values, bool constant) {
    Life life;
    life.address = address;
    life.size = values.size();
    life.kind = constant ? AllocationKind::constant : AllocationKind::global;
    globals_.push_back({life, values});
    clear();
  }

  void clear() {
    bytes.clear();
    lives.clear();
    atomics.clear();
    everAtomic.clear();
    frames_.clear();
    for (const auto& [life, values] : globals_) {
      lives.push_back(life);
      for (std::size_t i = 0; i < values.size(); ++i) bytes[life.address + i] = {{}, true, {}, values[i]};
    }
  }

  const Life* lifeAt(Address at) const {
    const Life* found = nullptr;
    for (const Life& life : lives) {
      if (life.contains(at) && (found == nullptr || life.live)) found = &life;
    }
    return found;
  }
  bool isAtomic(Address at) const {
    for (const auto& [place, touches] : atomics) {
      if (at >= place.first && at < place.first + place.second) return true;
    }
    return false;
  }

  Verdict check(const Action& action, ReferenceEpoch now, const Clock& view) const {
    switch (action.act) {
      case Act::read: return checkRange(action.address, action.size, {false, action.reading, false}, now, view);
      case Act::write:
      case Act::set: return checkRange(action.address, action.size, {true, 0, false}, now, view);
      case Act::atomic:
        return checkRange(action.address, action.size, {action.atomicWrite, Memory::kMayBeAtomic, true}, now, view);
      case Act::makePlain: return checkRange(action.address, action.size, {true, Memory::kMayBeAtomic, false}, now, view);
      case Act::copy: {
        const unsigned reading = action.reading | Memory::kMayBeUninitialised;
        const Verdict verdict = checkRange(action.from, action.size, {false, reading, false}, now, view);
        if (verdict.outcome != Outcome::ok) return verdict;
        return checkRange(action.address, action.size, {true, 0, false}, now, view);
      }
      case Act::free: return checkFree(action, now, view);
      case Act::pop: return checkPop(action, now, view);
      default: return {};
    }
  }

  // Does what was checked.
  void apply(const Action& action, ReferenceEpoch now) {
    const Access access{now, action.source};
    switch (action.act) {
      case Act::read:
        for (std::size_t i = 0; i < action.size; ++i) noteRead(action.address + i, access);
        break;
      case Act::write:
        for (std::size_t i = 0; i < action.size; ++i) {
          noteWrite(action.address + i, access, true, static_cast<std::uint8_t>(action.value + i));
        }
        break;
      case Act::set:
        for (std::size_t i = 0; i < action.size; ++i) noteWrite(action.address + i, access, true, action.value);
        break;
      case Act::copy: applyCopy(action, access); break;
      case Act::atomic:
        if (lifeAt(action.address)->kind == AllocationKind::constant) break;
        atomics[{action.address, action.size}].push_back({now, action.atomicWrite});
        for (std::size_t i = 0; i < action.size; ++i) everAtomic.insert(action.address + i);
        break;
      case Act::makePlain:
        std::erase_if(atomics, [&](const auto& item) {
          return item.first.first < action.address + action.size && action.address < item.first.first + item.first.second;
        });
        for (std::size_t i = 0; i < action.size; ++i) {
          noteWrite(action.address + i, access, true, static_cast<std::uint8_t>(action.value + i));
        }
        break;
      case Act::allocate: begin(action, action.kind, now, action.source); break;
      case Act::free:
        for (Life& life : lives) {
          if (life.address == action.address && life.live) end(life, access);
        }
        break;
      case Act::push: frames_[now.thread].push_back(action.address); break;
      case Act::variable:
        begin(action, AllocationKind::frame, now, 0);
        lives.back().frame = frames_[now.thread].back();
        break;
      case Act::pop:
        std::erase_if(frames_[now.thread], [&](Address base) { return base >= action.address; });
        for (Life& life : lives) {
          if (isPopped(life, action, now)) end(life, access);
        }
        std::erase_if(lives, [](const Life& life) { return life.kind == AllocationKind::frame && !life.live; });
        break;
    }
  }

  std::map<Address, Byte> bytes;
  std::vector<Life> lives;
  std::map<Place, std::vector<Touch>> atomics;
  std::set<Address> everAtomic;

 private:
  struct Mode {
    bool write;
    unsigned reading;
    bool atomic;
  };

  static bool isOrdered(ReferenceEpoch then, ReferenceEpoch now, const Clock& view) {
    return then.thread == now.thread || view[then.thread] >= then.index;
  }

  static bool isPopped(const Life& life, const Action& action, ReferenceEpoch now) {
    return life.kind == AllocationKind::frame && life.live && life.epoch.thread == now.thread && life.frame >= action.address;
  }

  static AccessInfo info(const Access& access, bool write, bool free = false) {
    return {static_cast<ThreadId>(access.epoch.thread), write, free, false, access.source};
  }

  Verdict checkByte(Address at, Mode mode, ReferenceEpoch now, const Clock& view) const {
    const auto fault = [&](FaultKind kind, AccessInfo other = {}) { return Verdict{Outcome::fault, kind, at, other}; };
    const Life* life = lifeAt(at);
    if (life == nullptr) return fault(FaultKind::outOfBounds);
    if (!life->live) return fault(FaultKind::useAfterFree, info(life->end, true, true));
    if (life->kind == AllocationKind::constant) return mode.write ? fault(FaultKind::readOnly) : Verdict{};
    if (isAtomic(at) && !(mode.reading & Memory::kMayBeAtomic)) return {Outcome::atomic, FaultKind::none, 0, {}};
    const auto found = bytes.find(at);
    const Byte byte = found == bytes.end() ? Byte{} : found->second;
    if (byte.write) {
      if (!isOrdered(byte.write->epoch, now, view)) return fault(FaultKind::race, info(*byte.write, true));
    } else if (!isOrdered(life->epoch, now, view)) {
      return fault(FaultKind::race, {static_cast<ThreadId>(life->epoch.thread), false, false, true, life->source});
    }
    if (!byte.initialised && (!mode.write || mode.atomic) && !(mode.reading & Memory::kMayBeUninitialised)) {
      return fault(FaultKind::uninitialised);
    }
    if (mode.write) {
      for (const auto& [thread, read] : byte.reads) {
        if (!isOrdered(read.epoch, now, view)) return fault(FaultKind::race, info(read, false));
      }
    }
    return {};
  }

  Verdict checkRange(Address address, std::size_t size, Mode mode, ReferenceEpoch now, const Clock& view) const {
    for (std::size_t i = 0; i < size; ++i) {
      const Verdict verdict = checkByte(address + i, mode, now, view);
      if (verdict.outcome != Outcome::ok) return verdict;
    }
    return {};
  }

  Verdict checkFree(const Action& action, ReferenceEpoch now, const Clock& view) const {
    const auto fault = [&](FaultKind kind, AccessInfo other = {}) {
      return Verdict{Outcome::fault, kind, action.address, other};
    };
    for (const Life& life : lives) {
      const bool heap = life.kind <= AllocationKind::newArray;
      if (!heap || life.address != action.address) continue;
      const AccessInfo begin{static_cast<ThreadId>(life.epoch.thread), false, false, true, life.source};
      if (!life.live) return fault(FaultKind::doubleFree, info(life.end, true, true));
      if (!isOrdered(life.epoch, now, view)) return fault(FaultKind::race, begin);
      if (life.kind != action.kind) return fault(FaultKind::mismatchedFree, begin);
      return checkRange(life.address, life.size, {true, Memory::kMayBeAtomic, false}, now, view);
    }
    return fault(FaultKind::invalidFree);
  }

  // The newest variable comes first.
  Verdict checkPop(const Action& action, ReferenceEpoch now, const Clock& view) const {
    for (auto life = lives.rbegin(); life != lives.rend(); ++life) {
      if (!isPopped(*life, action, now)) continue;
      const Verdict verdict = checkRange(life->address, life->size, {true, Memory::kMayBeAtomic, false}, now, view);
      if (verdict.outcome != Outcome::ok) return verdict;
    }
    return {};
  }

  void noteRead(Address at, Access access) {
    if (lifeAt(at)->kind == AllocationKind::constant) return;
    Byte& byte = bytes[at];
    if (byte.write && byte.write->epoch == access.epoch) return;
    Access& last = byte.reads[access.epoch.thread];
    if (last.epoch != access.epoch) last = access;
  }

  void noteWrite(Address at, Access access, bool initialised, std::uint8_t value) {
    Byte& byte = bytes[at];
    if (!byte.write || byte.write->epoch != access.epoch) byte.write = access;
    byte.initialised = initialised;
    byte.reads.clear();
    byte.value = value;
  }

  void applyCopy(const Action& action, Access access) {
    std::vector<Byte> from;
    for (std::size_t i = 0; i < action.size; ++i) {
      const auto found = bytes.find(action.from + i);
      from.push_back(found == bytes.end() ? Byte{} : found->second);
    }
    for (std::size_t i = 0; i < action.size; ++i) noteRead(action.from + i, access);
    for (std::size_t i = 0; i < action.size; ++i) {
      noteWrite(action.address + i, access, from[i].initialised, from[i].value);
    }
  }

  void begin(const Action& action, AllocationKind kind, ReferenceEpoch now, std::uint32_t source) {
    Life life;
    life.address = action.address;
    life.size = action.size;
    life.kind = kind;
    life.epoch = now;
    life.source = source;
    lives.push_back(life);
  }

  void end(Life& life, Access access) {
    life.live = false;
    life.end = access;
    for (std::size_t i = 0; i < life.size; ++i) bytes.erase(life.address + i);
    std::erase_if(atomics, [&](const auto& item) { return life.contains(item.first.first); });
  }

  std::vector<std::pair<Life, std::vector<std::uint8_t>>> globals_;
  std::map<unsigned, std::vector<Address>> frames_;
};

}  // namespace heddle::memory
