// The enumeration: runs, then rf, then co. See oracle.h.
#include "oracle.h"

#include <algorithm>
#include <optional>

namespace heddle::oracle {

namespace {

// Which (location, value) pairs a run reads and writes, as bits, to drop combinations of runs in which a value
// that is read has no writer before anything is built from them.
struct Footprint {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
};

// A model that knows dependencies lets no value come from itself.
RunOptions runOptions(const std::vector<const model::Model*>& models, bool skipForbidden) {
  const auto hasDependencies = [](const model::Model* m) { return model::hasDependencies(*m); };
  return {.boundedValues = skipForbidden || std::ranges::all_of(models, hasDependencies),
          .dependencies = std::ranges::any_of(models, hasDependencies)};
}

class Enumeration {
 public:
  Enumeration(Program& program, const std::vector<const model::Model*>& models, std::size_t limit, bool skipForbidden)
      : runs_(enumerateRuns(program, runOptions(models, skipForbidden))),
        initialThreads_(program.initialThreads()),
        limit_(limit),
        skipForbidden_(skipForbidden),
        evaluator_(models),
        results_(models.size()) {
    chosen_.resize(runs_.threads.size(), nullptr);
    for (const auto& [address, value] : runs_.initial) initialWrites_ |= pairBit(address, value);
    for (const std::vector<Run>& thread : runs_.threads) {
      std::uint64_t& writes = writesOfThread_.emplace_back(0);
      std::vector<Footprint>& footprints = footprints_.emplace_back();
      for (const Run& run : thread) {
        footprints.push_back(footprint(run));
        writes |= footprints.back().writes;
      }
    }
  }

  std::vector<OracleResult> run() {
    chooseRun(0, {0, initialWrites_});
    return std::move(results_);
  }

 private:
  std::uint64_t pairBit(Address address, Value value) {
    const auto [bit, isNew] = pairs_.try_emplace({address, value}, pairs_.size());
    if (bit->second >= 64) throw OracleLimit("too many locations and values");
    return std::uint64_t{1} << bit->second;
  }

  Footprint footprint(const Run& run) {
    Footprint result;
    for (const Event& event : run.events) {
      if (event.kind == EventKind::read) result.reads |= pairBit(event.address, event.value);
      if (event.kind == EventKind::write) result.writes |= pairBit(event.address, event.value);
    }
    return result;
  }

  void chooseRun(std::size_t thread, Footprint sofar) {
    std::uint64_t writable = sofar.writes;
    for (std::size_t t = thread; t < runs_.threads.size(); ++t) writable |= writesOfThread_[t];
    if ((sofar.reads & ~writable) != 0) return;
    if (++combinations_ > 50 * limit_) throw OracleLimit("too many combinations of runs");
    if (thread == runs_.threads.size()) return combine();
    if (thread >= initialThreads_) {
      chosen_[thread] = nullptr;  // not spawned
      chooseRun(thread + 1, sofar);
    }
    for (std::size_t r = 0; r < runs_.threads[thread].size(); ++r) {
      const Footprint& more = footprints_[thread][r];
      chosen_[thread] = &runs_.threads[thread][r];
      chooseRun(thread + 1, {sofar.reads | more.reads, sofar.writes | more.writes});
    }
  }

  // Exactly the threads that are spawned, once, run beside the initial ones; a join goes on if its thread finishes.
  bool threadsFit() const {
    std::vector<unsigned> starts(chosen_.size(), 0);
    for (unsigned t = 0; t < initialThreads_; ++t) starts[t] = 1;
    for (const Run* run : chosen_) {
      if (run == nullptr) continue;
      for (const ThreadLink& spawn : run->spawns) ++starts.at(spawn.thread);
      for (const ThreadLink& join : run->joins) {
        if (!finishes(join.thread)) return false;
      }
      if (run->end == RunEnd::joining && finishes(run->awaited)) return false;
    }
    for (std::size_t t = 0; t < chosen_.size(); ++t) {
      if (starts[t] != (chosen_[t] == nullptr ? 0 : 1)) return false;
    }
    return true;
  }

  bool finishes(ThreadId thread) const {
    const Run* run = chosen_.at(thread);
    return run != nullptr && run->end == RunEnd::finished;
  }

  void combine() {
    if (!threadsFit()) return;
    placeEvents();
    if (!x_.po.isIrreflexive()) return;
    variants_ = 1;
    failed_ = stuck_ = false;
    waitsFor_.clear();
    for (const Run* run : chosen_) {
      if (run == nullptr) continue;
      variants_ *= run->variants;
      failed_ |= run->end == RunEnd::error;
      stuck_ |= run->end != RunEnd::error && run->end != RunEnd::finished;
      if (run->end == RunEnd::locking) waitsFor_.insert({run->mutex, run->reading});
    }
    evaluator_.setEvents(x_);
    x_.rf = Relation(size());
    source_.assign(size(), 0);
    chooseSource(0);
  }

  unsigned size() const { return static_cast<unsigned>(x_.events.size()); }

  void placeEvents() {
    x_.events.clear();
    std::set<Address> used;
    for (const Run* run : chosen_) {
      if (run == nullptr) continue;
      for (const Event& event : run->events) {
        if (event.isAccess()) used.insert(event.address);
      }
    }
    for (const Address address : used) x_.events.push_back({.address = address, .value = runs_.initial.at(address)});
    std::vector<unsigned> first;  // of each thread
    for (const Run* run : chosen_) {
      first.push_back(size());
      if (run != nullptr) x_.events.insert(x_.events.end(), run->events.begin(), run->events.end());
    }
    first.push_back(size());
    if (size() > maxEvents) throw OracleLimit("too many events");

    x_.po = x_.rmw = x_.addr = x_.data = x_.ctrl = Relation(size());
    for (std::size_t t = 0; t < chosen_.size(); ++t) {
      unsigned exclusive = 0;  // the last load-exclusive
      for (unsigned a = first[t]; a < first[t + 1]; ++a) {
        for (unsigned b = a + 1; b < first[t + 1]; ++b) x_.po.add(a, b);
        if (x_.events[a].rmw && x_.events[a].kind == EventKind::write) x_.rmw.add(a - 1, a);
        if (x_.events[a].exclusive && x_.events[a].kind == EventKind::write) x_.rmw.add(exclusive, a);
        if (x_.events[a].exclusive && x_.events[a].kind == EventKind::read) exclusive = a;
      }
    }
    addThreadEdges(first);
    addDependencies(first);
    x_.po = x_.po.plus();

    readers_.clear();
    writesAt_.clear();
    for (unsigned e = 0; e < size(); ++e) {
      if (x_.events[e].kind == EventKind::read) readers_.push_back(e);
      if (x_.events[e].kind == EventKind::write) writesAt_[x_.events[e].address].push_back(e);  // initial first
    }
  }

  void addDependencies(const std::vector<unsigned>& first) {
    for (std::size_t t = 0; t < chosen_.size(); ++t) {
      if (chosen_[t] == nullptr) continue;
      const auto add = [&](Relation& relation, const std::vector<std::size_t>& reads, unsigned event) {
        for (const std::size_t read : reads) relation.add(first[t] + static_cast<unsigned>(read), event);
      };
      unsigned event = first[t];
      for (const EventDependencies& of : chosen_[t]->dependencies) {
        add(x_.addr, of.address, event);
        add(x_.data, of.data, event);
        add(x_.ctrl, of.control, event);
        ++event;
      }
    }
  }

  // A spawn is before all of the thread it starts and a join after all of the one it waits for; a thread without
  // events still orders its spawn before its join.
  void addThreadEdges(const std::vector<unsigned>& first) {
    std::map<ThreadId, unsigned> spawnOf;
    for (std::size_t t = 0; t < chosen_.size(); ++t) {
      if (chosen_[t] == nullptr) continue;
      for (const ThreadLink& spawn : chosen_[t]->spawns) {
        const unsigned event = first[t] + static_cast<unsigned>(spawn.event);
        spawnOf[spawn.thread] = event;
        for (unsigned e = first[spawn.thread]; e < first[spawn.thread + 1u]; ++e) x_.po.add(event, e);
      }
    }
    for (std::size_t t = 0; t < chosen_.size(); ++t) {
      if (chosen_[t] == nullptr) continue;
      for (const ThreadLink& join : chosen_[t]->joins) {
        const unsigned event = first[t] + static_cast<unsigned>(join.event);
        for (unsigned e = first[join.thread]; e < first[join.thread + 1u]; ++e) x_.po.add(e, event);
        if (const auto spawn = spawnOf.find(join.thread); spawn != spawnOf.end()) x_.po.add(spawn->second, event);
      }
    }
  }

  // Every write of the right value at the right location, for each read in turn.
  void chooseSource(std::size_t reader) {
    if (reader == readers_.size()) return withSources();
    const unsigned read = readers_[reader];
    for (const unsigned write : writesAt_.at(x_.events[read].address)) {
      if (x_.events[write].value != x_.events[read].value) continue;
      source_[read] = write;
      chooseSource(reader + 1);
    }
  }

  void countCandidate() {
    if (++candidates_ > limit_) throw OracleLimit("too many candidates");
  }

  void withSources() {
    countCandidate();
    x_.rf = Relation(size());
    for (const unsigned read : readers_) x_.rf.add(source_[read], read);
    if (skipForbidden_ && !(x_.po | x_.rf).isAcyclic()) return;
    const Relation threadOrder = x_.po;
    if (addReaderEdges()) evaluator_.setEvents(x_);
    evaluateSources();
    if (x_.po != threadOrder) {
      x_.po = threadOrder;
      evaluator_.setEvents(x_);
    }
  }

  // Who takes a lock for writing comes after all readers that have left it since it was held for writing before, in
  // program order so to say (src/graph/lock_order.h). Whether there are any.
  bool addReaderEdges() {
    bool any = false;
    if (!skipForbidden_ && !(x_.rmw | x_.rf).isAcyclic()) return false;  // no order is right
    for (const unsigned read : readers_) {
      if (!x_.events[read].rmw || x_.events[read].reader) continue;
      for (unsigned w = source_[read]; x_.events[w].rmw && x_.events[w].reader; w = source_[w - 1]) {
        if (x_.events[w].value > x_.events[w - 1].value) continue;  // it takes the lock
        x_.po.add(w, read);
        any = true;
      }
    }
    if (any) x_.po = x_.po.plus();
    return any;
  }

  void evaluateSources() {
    evaluator_.setReadsFrom(x_.rf);
    alive_.clear();
    for (std::size_t m = 0; m < results_.size(); ++m) {
      if (evaluator_.holdsWithoutCoherence(m)) alive_.push_back(m);
    }
    if (alive_.empty()) return;
    rfKey_.reset();
    allowed_.assign(results_.size(), false);
    x_.co = Relation(size());
    chooseCoherence(writesAt_.begin());
    recordReadsFrom();
  }

  // Every order of the writes of each location in turn, the initial one first.
  void chooseCoherence(std::map<Address, std::vector<unsigned>>::iterator location) {
    if (location == writesAt_.end()) return withCoherence();
    std::vector<unsigned>& writes = location->second;
    const Relation before = x_.co;
    do {
      if (skipForbidden_ && !updatesFollow(writes)) continue;
      for (std::size_t i = 0; i < writes.size(); ++i) {
        for (std::size_t j = i + 1; j < writes.size(); ++j) x_.co.add(writes[i], writes[j]);
      }
      chooseCoherence(std::next(location));
      x_.co = before;
    } while (std::next_permutation(writes.begin() + 1, writes.end()));
  }

  // Does the write of each read-modify-write come right after the write that was read?
  bool updatesFollow(const std::vector<unsigned>& writes) const {
    for (std::size_t i = 1; i < writes.size(); ++i) {
      if (x_.events[writes[i]].rmw && source_[writes[i] - 1] != writes[i - 1]) return false;
    }
    return true;
  }

  // Is each mutex that a thread waits for held at the end, and for writing if it waits to read? writesAt_ is in the
  // order of co.
  bool waitsRightly() const {
    return std::ranges::all_of(waitsFor_, [&](const std::pair<Address, bool>& wait) {
      const auto& [mutex, reading] = wait;
      const auto writes = writesAt_.find(mutex);
      if (writes == writesAt_.end()) return false;
      const Value last = x_.events[writes->second.back()].value;
      return reading ? last == 1 : last != 0;
    });
  }

  void withCoherence() {
    if (!waitsRightly()) return;
    countCandidate();
    evaluator_.setCoherence(x_.co);
    std::optional<std::string> key;
    for (const std::size_t m : alive_) {
      if (!evaluator_.holds(m)) continue;
      if (!key) key = rfKey() + coherenceKey();
      allowed_[m] = true;
      record(results_[m], results_[m].coKeys, *key);
    }
  }

  void recordReadsFrom() {
    for (const std::size_t m : alive_) {
      if (!allowed_[m]) continue;
      results_[m].race |= hasDataRace(x_, evaluator_.happensBefore(m));
      record(results_[m], results_[m].rfKeys, rfKey());
    }
  }

  void record(OracleResult& result, std::set<std::string>& keys, const std::string& key) const {
    const std::size_t known = keys.insert(key).second ? 0 : result.multiplicity(key);
    if (known + variants_ > 1) result.repeated[key] = known + variants_;
  }

  std::string eventName(unsigned event) const {
    const Event& e = x_.events[event];
    return std::to_string(e.thread) + "." + std::to_string(e.index);
  }

  const std::string& rfKey() {
    if (rfKey_) return *rfKey_;
    std::string key = std::string(failed_ ? "failed:" : "") + (stuck_ ? "stuck:" : "");
    int thread = -1;
    for (unsigned e = 0; e < size(); ++e) {
      const Event& event = x_.events[e];
      if (event.isInitial()) continue;
      if (event.thread != thread) {
        if (thread >= 0) key += ']';
        thread = event.thread;
        key += std::to_string(thread) + "[";
      } else {
        key += ' ';
      }
      const std::string access = std::to_string(event.address) + "=" + std::to_string(event.value);
      switch (event.kind) {
        case EventKind::read: {
          const unsigned source = source_[e];
          key += "R" + access + "<" + (x_.events[source].isInitial() ? "i" : eventName(source));
          break;
        }
        case EventKind::write: key += (event.rmw ? "U" : "W") + access; break;
        case EventKind::fence: key += 'F'; break;
        case EventKind::thread: key += 'T'; break;
      }
    }
    if (thread >= 0) key += ']';
    rfKey_ = key;
    return *rfKey_;
  }

  std::string coherenceKey() const {
    std::string key = "|";
    for (const auto& [address, writes] : writesAt_) {
      if (writes.size() < 2) continue;
      key += std::to_string(address) + ":";
      for (std::size_t i = 1; i < writes.size(); ++i) key += (i > 1 ? "," : "") + eventName(writes[i]);
      key += ";";
    }
    return key;
  }

  const ProgramRuns runs_;
  const unsigned initialThreads_;
  const std::size_t limit_;
  const bool skipForbidden_;
  Evaluator evaluator_;
  std::vector<OracleResult> results_;
  std::size_t candidates_ = 0;
  std::size_t combinations_ = 0;

  std::map<std::pair<Address, Value>, std::size_t> pairs_;
  std::uint64_t initialWrites_ = 0;
  std::vector<std::vector<Footprint>> footprints_;  // by thread and run
  std::vector<std::uint64_t> writesOfThread_;

  // The candidate being built.
  std::vector<const Run*> chosen_;  // by thread; null: it does not run
  std::size_t variants_ = 1;
  bool failed_ = false;
  bool stuck_ = false;
  std::set<std::pair<Address, bool>> waitsFor_;  // a mutex, and whether for reading
  Execution x_;
  std::vector<unsigned> readers_;
  std::map<Address, std::vector<unsigned>> writesAt_;
  std::vector<unsigned> source_;    // of each read
  std::vector<std::size_t> alive_;  // the models that do not forbid the choice of rf by itself
  std::vector<bool> allowed_;       // the models that allow it with some co
  std::optional<std::string> rfKey_;
};

}  // namespace

std::size_t OracleResult::multiplicity(const std::string& key) const {
  const auto found = repeated.find(key);
  return found == repeated.end() ? 1 : found->second;
}

std::vector<OracleResult> runOracle(Program& program, const std::vector<const model::Model*>& models,
                                    std::size_t candidateLimit, bool skipForbidden) {
  return Enumeration(program, models, candidateLimit, skipForbidden).run();
}

}  // namespace heddle::oracle
