// Random programs on plain memory, against the reference.
//
// A few threads access a few variables, blocks and frames. Their events synchronise at random: an event may join the
// clock of any other. Then revisits: an event and everything after it in the clocks' order is taken back, other
// segments run instead, with revisits of their own, these are taken back too, and the first ones are put back. Every
// verdict is compared, and after every move the state of every byte.
//
// HEDDLE_MEMORY_SEED and HEDDLE_MEMORY_RUNS choose other runs.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>

#include "unit/memory_inspector.h"
#include "unit/memory_reference.h"

namespace heddle::memory {
namespace {

struct Record {
  unsigned thread = 0, index = 0;
  std::vector<Action> actions;
};

class Machine {
 public:
  Machine(unsigned seed, Memory& memory) : memory_(memory), random_(seed), threads_(2 + below(3)) {
    if (below(8) == 0) threads_.resize(12);  // more than one chunk of a clock
    memory_.reset();
    for (const Allocation& global : kGlobals) {
      const auto* bytes = reinterpret_cast<const std::uint8_t*>(global.address);
      reference_.addGlobal(global.address, {bytes, bytes + global.size}, global.kind == AllocationKind::constant);
    }
  }

  static void defineGlobals(Memory& memory) {
    for (const Allocation& global : kGlobals) {
      for (std::size_t i = 0; i < global.size; ++i) {
        *reinterpret_cast<std::uint8_t*>(global.address + i) = static_cast<std::uint8_t>(global.address + 7 * i);
      }
      memory.defineGlobal(global.address, global.size, global.kind == AllocationKind::constant, 0);
    }
  }

  void run() {
    explore(0, 12 + below(20));
    std::vector<Memory::Target> targets;
    for (unsigned t = 0; t < threads_.size(); ++t) targets.push_back({static_cast<ThreadId>(t), kNoSegment});
    memory_.moveTo(targets);
    memory_.truncate(1);
    for (auto& thread : threads_) thread.segments.clear();
    records_.clear();
    rebuild();
    compare();
    EXPECT_EQ(MemoryInspector(memory_).records(), 0u);
    EXPECT_EQ(memory_.logTop(), 1u);
  }

 private:
  struct Thread {
    std::vector<Clock> events;          // the clock of each
    std::vector<std::size_t> segments;  // in records_: the one before the first event, the one after each
    Clock start;                        // before its first event
    Clock view;                         // now
  };

  static inline const std::vector<Allocation> kGlobals = {
      {kImage + 0x1000, 24, AllocationKind::global}, {kImage + 0x1040, 7, AllocationKind::global},
      {kImage + 0x1047, 2, AllocationKind::global},  {kImage + 0x1080, 11, AllocationKind::constant},
      {kImage + 0x10c2, 5, AllocationKind::global},
  };

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  // ---- Threads and events.

  bool isFresh(unsigned t) const { return threads_[t].segments.empty(); }

  const Clock* someEvent() {
    std::vector<const Clock*> events;
    for (const Thread& thread : threads_) {
      for (const Clock& clock : thread.events) events.push_back(&clock);
    }
    return events.empty() ? nullptr : events[below(static_cast<unsigned>(events.size()))];
  }

  // An event of the thread, if it has run before, and then a segment.
  void step(unsigned t) {
    Thread& thread = threads_[t];
    Clock clock = isFresh(t) ? Clock(kThreads, 0) : thread.events.empty() ? thread.start : thread.events.back();
    if (const Clock* other = someEvent(); other != nullptr && below(3) != 0) {
      for (unsigned u = 0; u < kThreads; ++u) clock[u] = std::max(clock[u], (*other)[u]);
    }
    if (isFresh(t)) {
      thread.start = clock;
    } else {
      clock[t] = static_cast<Lane>(thread.events.size() + 1);
      thread.events.push_back(clock);
    }
    thread.view = clock;
    const auto index = static_cast<unsigned>(thread.events.size() + 1);
    memory_.enter(static_cast<ThreadId>(t), static_cast<std::uint16_t>(index), thread.view.data());
    memory_.openSegment();
    thread.segments.push_back(records_.size());
    records_.push_back({t, index, {}});
    for (unsigned n = below(3) == 0 ? below(20) : below(5); n > 0; --n) {
      if (!act(t)) break;
    }
  }

  static void removeLast(Thread& thread) {
    thread.segments.pop_back();
    if (!thread.events.empty()) thread.events.pop_back();
  }

  // The newest segment, and its event, away.
  void unstep() {
    const auto id = static_cast<ThreadId>(records_.back().thread);
    const SegmentId now = memory_.position(id);
    removeLast(threads_[id]);
    records_.pop_back();
    const Memory::Target target{id, previous_[now]};
    memory_.moveTo({&target, 1});
    memory_.truncate(now);
  }

  void explore(unsigned depth, unsigned steps) {
    for (unsigned n = 0; n < steps && !::testing::Test::HasFailure(); ++n) {
      const unsigned choice = below(10);
      if (choice == 0 && depth < 3) {
        revisit(depth);
      } else {
        const unsigned t = below(static_cast<unsigned>(threads_.size()));
        const SegmentId before = memory_.position(static_cast<ThreadId>(t));
        step(t);
        previous_[memory_.position(static_cast<ThreadId>(t))] = before;
        if (choice == 1) {
          unstep();
          rebuild();
          compare();
        }
      }
    }
  }

  void revisit(unsigned depth) {
    std::vector<std::pair<unsigned, unsigned>> events;
    for (unsigned t = 0; t < threads_.size(); ++t) {
      for (unsigned i = 1; i <= threads_[t].events.size(); ++i) events.push_back({t, i});
    }
    if (events.empty()) return;
    const auto [t, i] = events[below(static_cast<unsigned>(events.size()))];
    const std::vector<Thread> saved = threads_;
    const std::size_t top = memory_.logTop(), oldRecords = records_.size();
    std::vector<Memory::Target> back, forward, none;
    for (unsigned u = 0; u < threads_.size(); ++u) {
      Thread& thread = threads_[u];
      const auto id = static_cast<ThreadId>(u);
      const SegmentId from = memory_.position(id);
      SegmentId to = from;
      while (!thread.segments.empty() && (thread.events.empty() ? thread.start : thread.events.back())[t] >= i) {
        removeLast(thread);
        to = previous_[to];
      }
      if (to != from) {
        back.push_back({id, to});
        forward.push_back({id, from});
      }
      none.push_back({id, to});
    }
    std::shuffle(back.begin(), back.end(), random_);
    std::shuffle(forward.begin(), forward.end(), random_);
    memory_.moveTo(back);
    rebuild();
    compare();
    explore(depth + 1, 1 + below(8));
    if (below(2) == 0) {
      while (records_.size() > oldRecords) unstep();
    } else {
      memory_.moveTo(none);
      memory_.truncate(top);
      records_.resize(oldRecords);
    }
    EXPECT_EQ(memory_.logTop(), top);
    memory_.moveTo(forward);
    threads_ = saved;
    rebuild();
    compare();
  }

  // ---- Actions.

  // The reference, from the start: the kept segments in the order in which they ran.
  void rebuild() {
    std::vector<std::size_t> kept;
    for (const Thread& thread : threads_) kept.insert(kept.end(), thread.segments.begin(), thread.segments.end());
    std::sort(kept.begin(), kept.end());
    reference_.clear();
    for (const std::size_t i : kept) {
      for (const Action& action : records_[i].actions) reference_.apply(action, {records_[i].thread, records_[i].index});
    }
  }

  bool isOrdered(ReferenceEpoch epoch, unsigned t) const {
    return epoch.thread == t || threads_[t].view[epoch.thread] >= epoch.index;
  }
  // What the caller checks: are the atomic accesses (or writes) in a range before this point?
  bool eventsBefore(Address address, std::size_t size, bool writesOnly, unsigned t) const {
    for (const auto& [place, touches] : reference_.atomics) {
      if (place.first >= address + size || address >= place.first + place.second) continue;
      for (const Reference::Touch& touch : touches) {
        if ((touch.write || !writesOnly) && !isOrdered(touch.epoch, t)) return false;
      }
    }
    return true;
  }

  const Reference::Life& someLife() { return reference_.lives[below(static_cast<unsigned>(reference_.lives.size()))]; }
  Address somePlace(std::size_t size) {
    const Reference::Life& life = someLife();
    if (below(6) == 0) return life.address - 4 + below(static_cast<unsigned>(life.size) + 8);
    const std::size_t room = life.size > size ? life.size - size : 0;
    const Address address = life.address + below(static_cast<unsigned>(room) + 1);
    return below(2) == 0 ? address / size * size : address;
  }

  Action someAction(unsigned t) {
    Action action;
    action.source = ++sources_;
    action.value = static_cast<std::uint8_t>(random_());
    action.size = std::size_t{1} << below(5);
    action.address = below(4) == 0 && lastPlace_ != 0 ? lastPlace_ : somePlace(action.size);
    lastPlace_ = action.address;
    switch (below(20)) {
      default: action.act = Act::read; break;
      case 5:
      case 6:
      case 7:
      case 8:
      case 9: action.act = Act::write; break;
      case 10:
        action.act = Act::set;
        action.size = below(24);
        break;
      case 11:
      case 12:
        action.act = Act::copy;
        action.size = below(20);
        action.from = somePlace(8);
        if (below(3) == 0) action.reading = Memory::kMayBeAtomic;
        break;
      case 13:
      case 14:
        action.act = Act::atomic;
        action.atomicWrite = below(2) == 0;
        if (below(3) != 0) action.address = action.address / action.size * action.size;
        break;
      case 15:
        action.act = Act::allocate;
        action.size = below(30);
        break;
      case 16:
        action.act = Act::free;
        action.address = someLife().address;
        if (below(10) == 0) action.kind = AllocationKind::newArray;
        break;
      case 17: action.act = Act::push; break;
      case 18:
        action.act = Act::pop;
        action.address = frameOf(t);
        break;
      case 19:
        action.act = Act::read;
        action.reading = 1 + below(3);
        break;
    }
    return action;
  }

  Address frameOf(unsigned t) {
    std::vector<Address> bases{0};
    for (const Reference::Life& life : reference_.lives) {
      if (life.frame != 0 && life.epoch.thread == t) bases.push_back(life.frame);
    }
    return bases.size() == 1 ? 0 : bases[1 + below(static_cast<unsigned>(bases.size()) - 1)];
  }

  // May the caller do that, as far as the events on atomic locations go?
  bool isAllowed(const Action& action, unsigned t) {
    const Reference::Life* life = reference_.lifeAt(action.address);
    switch (action.act) {
      case Act::read: return !(action.reading & Memory::kMayBeAtomic) || eventsBefore(action.address, action.size, true, t);
      case Act::copy: return !(action.reading & Memory::kMayBeAtomic) || eventsBefore(action.from, action.size, true, t);
      case Act::free: return life == nullptr || eventsBefore(life->address, life->size, false, t);
      case Act::pop:
        if (action.address == 0) return false;
        for (const Reference::Life& other : reference_.lives) {
          if (other.frame >= action.address && other.epoch.thread == t && !eventsBefore(other.address, other.size, false, t)) {
            return false;
          }
        }
        return true;
      default: return true;
    }
  }

  // The access itself.
  static Outcome store(const Action& action) {
    for (std::size_t i = 0; i < action.size && action.act != Act::read; ++i) {
      *reinterpret_cast<std::uint8_t*>(action.address + i) = static_cast<std::uint8_t>(action.value + i);
    }
    return Outcome::ok;
  }

  Outcome perform(const Action& action, unsigned t) {
    Outcome outcome = Outcome::ok;
    const auto size = static_cast<unsigned>(action.size);
    switch (action.act) {
      case Act::read:
        outcome = memory_.read(action.address, action.size, action.source, action.reading);
        if (outcome == Outcome::ok && (action.reading & Memory::kMayBeAtomic)) {
          scribble(action);
        }
        break;
      case Act::write:
        outcome = memory_.write(action.address, action.size, action.source);
        if (outcome == Outcome::ok) store(action);
        break;
      case Act::set: outcome = memory_.set(action.address, action.value, action.size, action.source); break;
      case Act::copy: outcome = copy(action); break;
      case Act::atomic: outcome = memory_.atomic(action.address, size, action.atomicWrite, action.source); break;
      case Act::makePlain:
        outcome = memory_.makePlain(action.address, size, action.source);
        if (outcome == Outcome::ok) store(action);
        break;
      case Act::free: outcome = memory_.free(action.address, action.kind, action.source); break;
      case Act::pop: outcome = memory_.popFrame(action.address, action.source); break;
      default: ADD_FAILURE() << "thread " << t; break;
    }
    return outcome;
  }

  // A plain read of atomic locations may find anything there, for this segment.
  void scribble(const Action& action) {
    memory_.saveBytes(action.address, action.size);
    for (Address at = action.address; at < action.address + action.size; ++at) {
      if (reference_.isAtomic(at)) *reinterpret_cast<std::uint8_t*>(at) = action.value;
    }
  }

  // The copied value of an atomic location is what the caller says.
  Outcome copy(const Action& action) {
    if (action.reading & Memory::kMayBeAtomic) {
      for (Address at = action.from; at < action.from + action.size; ++at) {
        if (!reference_.isAtomic(at)) continue;
        memory_.saveBytes(at, 1);
        *reinterpret_cast<std::uint8_t*>(at) = static_cast<std::uint8_t>(memory_.initialValue(at, 1));
      }
    }
    return memory_.copy(action.address, action.from, action.size, action.source, action.reading);
  }

  bool isSame(const Verdict& expected, Outcome outcome) const {
    if (outcome != expected.outcome) return false;
    if (outcome != Outcome::fault) return true;
    const Fault& fault = memory_.fault();
    // Which kind of nowhere an address is, the reference does not tell.
    const bool nowhere = fault.kind == FaultKind::wildPointer || fault.kind == FaultKind::deadFrame;
    const FaultKind kind = nowhere ? FaultKind::outOfBounds : fault.kind;
    if (kind != expected.kind || fault.address != expected.address) return false;
    const AccessInfo &a = fault.other, &b = expected.other;
    return a.thread == b.thread && a.write == b.write && a.free == b.free && a.allocation == b.allocation &&
           (a.source == b.source || b.source == 0);
  }

  void commit(const Action& action, unsigned t) {
    Record& record = records_[threads_[t].segments.back()];
    record.actions.push_back(action);
    reference_.apply(action, {record.thread, record.index});
  }

  // False if the segment is over.
  bool act(unsigned t) {
    const Action action = someAction(t);
    if (action.act == Act::allocate) {
      Action done = action;
      done.address = memory_.allocate(action.size, std::size_t{16} << below(3), action.kind, action.source, 0);
      expectFree(done.address, done.size);
      commit(done, t);
      return true;
    }
    if (action.act == Act::push) {
      pushFrame(action, t);
      return true;
    }
    if (!isAllowed(action, t)) return true;
    const Outcome outcome = tryOut(action, t);
    if (outcome == Outcome::atomic && below(2) == 0) reinitialise(action, t);
    return action.act != Act::atomic || outcome != Outcome::ok || below(2) == 0;
  }

  // What instrumented code looks at before it calls: is the access the first of its segment?
  bool isSkipped(const Action& action) const {
    if ((action.act != Act::read && action.act != Act::write) || !isProgramMemory(action.address)) return false;
    const MemoryInspector inspector(memory_);
    for (Address granule = granuleOf(action.address); granule < action.address + action.size; granule += kGranule) {
      const Cell& cell = inspector.cell(granule);
      if (cell.write != memory_.epoch() && (action.act == Act::write || cell.read != memory_.epoch())) return false;
    }
    return true;
  }

  Outcome tryOut(const Action& action, unsigned t) {
    const Record& record = records_[threads_[t].segments.back()];
    const Verdict expected = reference_.check(action, {record.thread, record.index}, threads_[t].view);
    const bool skipped = isSkipped(action);
    EXPECT_TRUE(!skipped || expected.outcome == Outcome::ok) << "a check is skipped at " << std::hex << action.address;
    const Outcome outcome = skipped && below(2) == 0 ? store(action) : perform(action, t);
    EXPECT_TRUE(isSame(expected, outcome)) << "action " << static_cast<int>(action.act) << " at " << std::hex << action.address
                                           << " size " << action.size << " thread " << t << ": outcome "
                                           << static_cast<int>(outcome) << " fault " << static_cast<int>(memory_.fault().kind)
                                           << " at " << memory_.fault().address << " other " << memory_.fault().other.source
                                           << "; expected " << static_cast<int>(expected.outcome) << " fault "
                                           << static_cast<int>(expected.kind) << " at " << expected.address << " other "
                                           << expected.other.source;
    if (outcome == Outcome::ok) commit(action, t);
    return outcome;
  }

  // The range has atomic locations: makes them plain if their events allow it.
  void reinitialise(const Action& action, unsigned t) {
    if (action.act != Act::write && action.act != Act::set) return;
    const std::vector<AtomicPart> parts = memory_.atomicParts(action.address, action.size);
    EXPECT_FALSE(parts.empty());
    for (const AtomicPart& part : parts) {
      if (!eventsBefore(part.address, part.size, false, t)) return;
    }
    for (const AtomicPart& part : parts) {
      // Those that overlap it go as well.
      for (const AtomicPart& other : memory_.atomicParts(part.address, part.size)) {
        if (!eventsBefore(other.address, other.size, false, t)) return;
      }
      Action plain = action;
      plain.act = Act::makePlain;
      plain.address = part.address;
      plain.size = part.size;
      if (tryOut(plain, t) != Outcome::ok) return;
    }
    tryOut(action, t);
  }

  void pushFrame(Action action, unsigned t) {
    const std::size_t count = 1 + below(3);
    std::vector<std::size_t> sizes;
    std::size_t total = 16;
    for (std::size_t i = 0; i < count; ++i) {
      sizes.push_back(1 + below(12));
      total += 16 + (sizes.back() + 15) / 16 * 16;
    }
    action.size = total;
    action.address = memory_.pushFrame(total, action.source);
    expectFree(action.address, total);
    commit(action, t);
    Address at = action.address + 16;
    for (const std::size_t size : sizes) {
      memory_.defineVariable(at, size, 0);
      Action variable = action;
      variable.act = Act::variable;
      variable.address = at;
      variable.size = size;
      commit(variable, t);
      at += 16 + (size + 15) / 16 * 16;
    }
  }

  void expectFree(Address address, std::size_t size) {
    EXPECT_NE(address, 0u);
    for (const Reference::Life& life : reference_.lives) {
      EXPECT_TRUE(address >= life.address + life.size + 16 || address + size + 16 <= life.address) << std::hex << address;
    }
    const auto used = reference_.everAtomic.lower_bound(address);
    EXPECT_TRUE(used == reference_.everAtomic.end() || *used >= address + size) << std::hex << address;
  }

  // ---- The state of every byte.

  void compare() {
    const MemoryInspector inspector(memory_);
    for (const Reference::Life& life : reference_.lives) {
      for (Address at = life.address; at < life.address + life.size; ++at) compareByte(life, at, inspector);
    }
    for (const auto& [place, touches] : reference_.atomics) {
      const std::vector<AtomicPart> parts = memory_.atomicParts(place.first, place.second);
      const bool found = std::any_of(parts.begin(), parts.end(), [&](const AtomicPart& part) {
        return part.address == place.first && part.size == place.second;
      });
      EXPECT_TRUE(found) << "no atomic location at " << std::hex << place.first;
      for (const AtomicPart& part : parts) EXPECT_TRUE(reference_.atomics.contains({part.address, part.size}));
    }
  }

  void compareByte(const Reference::Life& life, Address at, const MemoryInspector& inspector) {
    const Slot slot = inspector.slot(at);
    if (life.kind == AllocationKind::constant) return;
    if (!life.live) {
      EXPECT_EQ(slot.write | slot.read | slot.reads, 0u) << "a freed byte";
      return;
    }
    const auto found = reference_.bytes.find(at);
    const Reference::Byte byte = found == reference_.bytes.end() ? Reference::Byte{} : found->second;
    EXPECT_EQ((slot.write & kAtomic) != 0, reference_.isAtomic(at)) << std::hex << at;
    EXPECT_EQ(!inspector.isUninitialised(at), byte.initialised) << std::hex << at;
    const std::uint32_t epoch =
        byte.write ? epochBits(static_cast<ThreadId>(byte.write->epoch.thread), static_cast<Lane>(byte.write->epoch.index)) : 0;
    EXPECT_EQ(slot.write & kEpochMask, epoch) << std::hex << at;
    std::map<unsigned, unsigned> reads;
    for (const auto& [thread, read] : byte.reads) reads[thread] = read.epoch.index;
    EXPECT_EQ(inspector.reads(at), reads) << std::hex << at;
    if (!byte.initialised) return;
    EXPECT_EQ(memory_.initialValue(at, 1), byte.value) << std::hex << at;
    EXPECT_EQ(*reinterpret_cast<const std::uint8_t*>(at), byte.value) << std::hex << at;
  }

  Memory& memory_;
  std::mt19937 random_;
  std::vector<Thread> threads_;
  Reference reference_;
  std::vector<Record> records_;  // in the order in which they ran; those set aside stay
  std::map<SegmentId, SegmentId> previous_;
  std::uint32_t sources_ = 0;
  Address lastPlace_ = 0;
};

TEST(MemoryRandom, AgreesWithTheReference) {
  Memory memory;
  Machine::defineGlobals(memory);
  const char* from = std::getenv("HEDDLE_MEMORY_SEED");
  const char* count = std::getenv("HEDDLE_MEMORY_RUNS");
  const unsigned first = from != nullptr ? static_cast<unsigned>(std::atoi(from)) : 1;
  const unsigned runs = count != nullptr ? static_cast<unsigned>(std::atoi(count)) : 1500;
  for (unsigned seed = first; seed < first + runs; ++seed) {
    Machine(seed, memory).run();
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

}  // namespace
}  // namespace heddle::memory
