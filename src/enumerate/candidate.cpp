#include "enumerate/candidate.h"

#include <algorithm>

namespace heddle::enumerate {

using model::BaseRelation;

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

EventClass classOf(const RunEvent& event) {
  switch (event.kind) {
    case RunEvent::Kind::read: return eventClass(EventKind::read, event.order, event.isUpdate);
    case RunEvent::Kind::write: return eventClass(EventKind::write, event.order, event.isUpdate);
    case RunEvent::Kind::fence: break;
  }
  return event.machineFence ? eventClass(*event.machineFence) : eventClass(EventKind::fence, event.order, false);
}

}  // namespace

std::size_t Candidate::locationOf(Address address) const {
  return static_cast<std::size_t>(std::ranges::find(locations_, address, &InitialValue::address) - locations_.begin());
}

// ---- Events

void Candidate::assemble(const std::vector<const ThreadRun*>& runs) {
  std::vector<Event>& events = execution_.events;
  events.clear();
  for (const InitialValue& initial : locations_) {
    events.push_back({.isWrite = true, .hasLocation = true, .address = initial.address, .value = initial.value});
  }
  std::size_t size = events.size();
  for (const ThreadRun* run : runs) size += run->events.size();
  for (relations::BitMatrix& relation : execution_.base) relation.reset(size);
  readOfUpdate_.assign(size, kNone);
  place_.assign(size, kNone);
  for (std::size_t i = 0; i < locations_.size(); ++i) place_[i] = i;
  for (std::size_t thread = 0; thread < runs.size(); ++thread) addRun(*runs[thread], static_cast<int>(thread));
  relateEvents();
  findWrites();
}

void Candidate::addRun(const ThreadRun& run, int thread) {
  const std::size_t first = execution_.size();
  const auto relate = [&](BaseRelation relation, RunEvents from, std::size_t to) {
    for (RunEvents rest = from; rest != 0; rest &= rest - 1) {
      execution_[relation].set(first + static_cast<std::size_t>(std::countr_zero(rest)), to);
    }
  };
  for (std::size_t i = 0; i < run.events.size(); ++i) {
    const RunEvent& event = run.events[i];
    const std::size_t at = first + i;
    execution_.events.push_back({.cls = classOf(event),
                                 .tags = event.tags,
                                 .isRead = event.kind == RunEvent::Kind::read,
                                 .isWrite = event.kind == RunEvent::Kind::write,
                                 .hasLocation = event.hasLocation,
                                 .thread = thread,
                                 .address = event.address,
                                 .value = event.value});
    if (event.hasLocation) place_[at] = locationOf(event.address);
    for (std::size_t j = first; j < at; ++j) execution_[BaseRelation::po].set(j, at);
    relate(BaseRelation::addr, event.addressFrom, at);
    relate(BaseRelation::data, event.dataFrom, at);
    relate(BaseRelation::ctrl, event.controlFrom, at);
    if (event.updates >= 0) execution_[BaseRelation::rmw].set(first + static_cast<std::size_t>(event.updates), at);
  }
}

void Candidate::relateEvents() {
  const std::vector<Event>& events = execution_.events;
  for (std::size_t i = 0; i < events.size(); ++i) {
    execution_[BaseRelation::id].set(i, i);
    for (std::size_t j = 0; j < events.size(); ++j) {
      const bool sameThread = events[i].thread == events[j].thread && (events[i].thread >= 0 || i == j);
      execution_[sameThread ? BaseRelation::internal : BaseRelation::ext].set(i, j);
      if (place_[i] != kNone && place_[i] == place_[j]) execution_[BaseRelation::loc].set(i, j);
    }
  }
}

// ---- Reads-from

// Is there a write of the location between this one and the read, in their thread?
bool Candidate::isHidden(std::size_t write, std::size_t read) const {
  const Event& reader = execution_.events[read];
  for (std::size_t between = read; between-- > 0 && execution_.events[between].thread == reader.thread;) {
    if (between == write) return false;
    if (execution_.events[between].isWrite && place_[between] == place_[read]) {
      return execution_.events[write].thread == reader.thread || execution_.events[write].thread < 0;
    }
  }
  return false;
}

void Candidate::findWrites() {
  const std::vector<Event>& events = execution_.events;
  reads_.clear();
  writesFor_.clear();
  writesOf_.assign(locations_.size(), {});
  readsOf_.assign(locations_.size(), {});
  for (std::size_t i = locations_.size(); i < events.size(); ++i) {
    if (events[i].isWrite) writesOf_[place_[i]].push_back(i);
    if (events[i].isRead) {
      readsOf_[place_[i]].push_back(reads_.size());
      reads_.push_back(i);
    }
  }
  source_.assign(reads_.size(), kNone);
  for (std::size_t r = 0; r < reads_.size(); ++r) {
    const std::size_t read = reads_[r];
    std::vector<std::size_t>& sources = writesFor_.emplace_back();
    const auto offer = [&](std::size_t write) {
      if (events[write].value != events[read].value) return;
      if (known_.coherent && (execution_[BaseRelation::po].test(read, write) || isHidden(write, read))) return;
      sources.push_back(write);
    };
    offer(place_[read]);
    for (const std::size_t write : writesOf_[place_[read]]) offer(write);
    // Between the halves of a load-exclusive and a store-exclusive the thread may write itself.
    const bool isUpdated = read + 1 < events.size() && execution_[BaseRelation::rmw].test(read, read + 1);
    if (isUpdated) readOfUpdate_[read + 1] = r;
  }
}

bool Candidate::setReadsFrom() {
  relations::BitMatrix& rf = execution_[BaseRelation::rf];
  rf.reset(execution_.size());
  for (std::size_t r = 0; r < reads_.size(); ++r) rf.set(source_[r], reads_[r]);
  relations::BitMatrix flow = rf;
  flow.unite(execution_[BaseRelation::data]);
  if (!known_.thinAir && flow.hasCycle()) return false;  // a value that comes from itself
  before_.reset(execution_.size());
  return !known_.coherent || requireCoherence();
}

// ---- Coherence

void Candidate::require(std::size_t before, std::size_t after) {
  if (before != after) before_.set(before, after);
}

// With rf known, `acyclic (po-loc | rf | co | rb)` says of two events of a thread and a location, the first before the second:
//
//     write, write   the first comes before the second
//     write, read    the write is, or comes before, the one that is read
//     read, write    the one that is read comes before the write
//     read, read     the one that the first reads is, or comes before, the one that the second reads
//
// and nothing else. So an order has these, or it is not coherent. Initial writes come first.
bool Candidate::requireCoherence() {
  for (std::size_t place = 0; place < locations_.size(); ++place) {
    std::vector<std::pair<std::size_t, std::size_t>> accesses;  // an event, and the write that it is or reads
    for (const std::size_t write : writesOf_[place]) {
      require(place, write);
      accesses.emplace_back(write, write);
    }
    for (const std::size_t r : readsOf_[place]) accesses.emplace_back(reads_[r], source_[r]);
    for (const auto& [first, firstWrite] : accesses) {
      for (const auto& [second, secondWrite] : accesses) {
        if (!execution_[BaseRelation::po].test(first, second)) continue;
        const bool readThenWrite = first != firstWrite && second == secondWrite;
        if (readThenWrite && firstWrite == secondWrite) return false;
        require(firstWrite, secondWrite);
      }
    }
  }
  before_.close();
  return !before_.hasLoop();
}

bool Candidate::mayComeNext(std::size_t write, const std::vector<std::size_t>& order,
                            const std::vector<std::size_t>& left) const {
  for (const std::size_t other : left) {
    if (before_.test(other, write)) return false;
  }
  if (!known_.coherent || !known_.atomic) return true;
  // A read-modify-write comes right after what it has read, and nothing else does.
  const std::size_t last = order.empty() ? place_[write] : order.back();
  const std::size_t read = readOfUpdate_[write];
  if (read != kNone) return source_[read] == last;
  return std::ranges::none_of(
      left, [&](std::size_t other) { return readOfUpdate_[other] != kNone && source_[readOfUpdate_[other]] == last; });
}

void Candidate::setReadsBefore(std::size_t location) {
  relations::BitMatrix& rb = execution_[BaseRelation::rb];
  const relations::BitMatrix& co = execution_[BaseRelation::co];
  for (const std::size_t r : readsOf_[location]) std::copy_n(co.row(source_[r]), co.words(), rb.row(reads_[r]));
}

void Candidate::setLeastCoherence(std::size_t location) {
  relations::BitMatrix& co = execution_[BaseRelation::co];
  std::fill_n(co.row(location), co.words(), 0);
  for (const std::size_t write : writesOf_[location]) {
    std::copy_n(before_.row(write), before_.words(), co.row(write));
    co.set(location, write);
  }
  setReadsBefore(location);
}

void Candidate::setCoherence(std::size_t location, const std::vector<std::size_t>& order) {
  relations::BitMatrix& co = execution_[BaseRelation::co];
  std::fill_n(co.row(location), co.words(), 0);
  for (const std::size_t write : order) std::fill_n(co.row(write), co.words(), 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    co.set(location, order[i]);
    for (std::size_t j = i + 1; j < order.size(); ++j) co.set(order[i], order[j]);
  }
  setReadsBefore(location);
}

}  // namespace heddle::enumerate
