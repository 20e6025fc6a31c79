#include "enumerate/thread_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>

#include "graph/trail.h"

namespace heddle::enumerate {

namespace {

constexpr std::size_t kMostRuns = 200000;  // of one thread

using Values = std::map<Address, std::vector<Value>>;

void add(std::vector<Value>& values, Value value) {
  if (std::ranges::find(values, value) == values.end()) values.push_back(value);
}

bool contains(const Values& in, Address address, Value value) {
  const auto at = in.find(address);
  return at != in.end() && std::ranges::find(at->second, value) != at->second.end();
}

// A counter as one thread sees it: what is there before it adds, and how much others add and subtract at most.
struct Bounds {
  std::int64_t initial = 0, added = 0, subtracted = 0, addedByOthers = 0, subtractedByOthers = 0;
  bool onlyGrows() const { return subtracted == 0; }
  bool onlyShrinks() const { return added == 0; }
};

// What the reads of a thread may find.
struct Options {
  std::map<Address, Value> initial;
  Values others;                     // by other threads, or from nowhere
  std::map<Address, Bounds> bounds;  // of counters
  bool coherent = false;             // what the thread has written itself hides what was there before
};

// Takes one choice after the other, depth first: `next` goes to the next run.
class Guesses final : public ReadValues {
 public:
  explicit Guesses(const Options& options) : options_(options) {}

  Value read(Address address) override {
    State& state = states_[address];
    const std::vector<Value> values = optionsOf(address, state);
    const Value value = values[choose(values.size())];
    state.seen = value;
    state.hasSeen = true;
    state.pastInitial = state.pastInitial || value != options_.initial.at(address);
    return value;
  }

  void wrote(Address address, Value value) override {
    State& state = states_[address];
    state.change += static_cast<std::int64_t>(value - state.seen);  // of a counter: by how much
    state.seen = value;
    state.hasSeen = state.hasWritten = state.pastInitial = true;
    state.own = value;
  }

  Value choose(std::uint64_t options) override {
    if (at_ == choices_.size()) choices_.push_back({0, options});
    return choices_[at_++].chosen;
  }

  bool next() {
    choices_.resize(at_);
    at_ = 0;
    states_.clear();
    while (!choices_.empty() && ++choices_.back().chosen == choices_.back().options) choices_.pop_back();
    return !choices_.empty();
  }

 private:
  struct Choice {
    std::size_t chosen, options;
  };
  // What the thread knows of a location.
  struct State {
    bool hasSeen = false, hasWritten = false, pastInitial = false;
    Value seen = 0, own = 0;
    std::int64_t change = 0;
  };

  std::vector<Value> optionsOf(Address address, const State& state) const {
    const Value initial = options_.initial.at(address);
    std::vector<Value> values;
    if (options_.coherent && state.hasWritten) values.push_back(state.own);
    if (!options_.coherent || !state.pastInitial) values.push_back(initial);
    const auto addAll = [&](const Values& from) {
      const auto at = from.find(address);
      if (at == from.end()) return;
      for (const Value value : at->second) add(values, value);
    };
    addAll(options_.others);
    if (const auto bounds = options_.bounds.find(address); bounds != options_.bounds.end()) {
      std::erase_if(values, [&](Value value) { return !mayBe(value, bounds->second, state); });
    }
    return values;
  }

  static bool mayBe(Value value, const Bounds& bounds, const State& state) {
    const auto number = static_cast<std::int64_t>(value), seen = static_cast<std::int64_t>(state.seen);
    if (bounds.onlyGrows()) {
      return number <= bounds.initial + state.change + bounds.addedByOthers && (!state.hasSeen || number >= seen);
    }
    if (bounds.onlyShrinks()) {
      return number >= bounds.initial + state.change - bounds.subtractedByOthers && (!state.hasSeen || number <= seen);
    }
    return number <= bounds.initial + bounds.added && number >= bounds.initial - bounds.subtracted;
  }

  const Options& options_;
  std::map<Address, State> states_;
  std::vector<Choice> choices_;
  std::size_t at_ = 0;
};

using Content = std::pair<Address, Value>;

std::size_t dependentWrites(const ThreadRun& run) {
  return static_cast<std::size_t>(
      std::ranges::count_if(run.events, [](const RunEvent& e) { return e.kind == RunEvent::Kind::write && !e.isFixed; }));
}

class Collector {
 public:
  Collector(const SeparateThreads& threads, Assumed assumed)
      : threads_(threads), assumed_(assumed), written_(threads.threadCount()), extra_(threads.threadCount()) {
    for (const InitialValue& initial : threads.locations()) initial_[initial.address] = initial.value;
    if (assumed.coherent && assumed.atomic) counters_ = threads.counters();
  }

  ThreadRuns collect() {
    for (std::size_t round = 0;; ++round) {
      runAll();
      bool isNew = false;
      for (std::size_t thread = 0; thread < written_.size(); ++thread) {
        for (const Run& run : found_.ofThread[thread]) isNew |= noteWrites(run.run, written_[thread]);
      }
      if (!isNew || round > mostWrites_) break;
    }
    if (!branchesTried_ && offerBranches()) return collect();
    if (assumed_.thinAir && !thinAir_ && offerThinAir()) return collect();
    numberContents();
    return std::move(found_);
  }

 private:
  static bool noteWrites(const ThreadRun& run, Values& into) {
    bool isNew = false;
    for (const RunEvent& event : run.events) {
      if (event.kind != RunEvent::Kind::write) continue;
      std::vector<Value>& values = into[event.address];
      const std::size_t before = values.size();
      add(values, event.value);
      isNew |= values.size() != before;
    }
    return isNew;
  }

  // May what one thread writes be new to what another one reads? What it has written itself it knows (Guesses), or coherence is not
  // assumed.
  bool isNews(std::size_t from, std::size_t to) const { return from != to || !assumed_.coherent; }

  // What a thread may read if, besides what is written, there is this.
  Options optionsOf(unsigned thread, const Values& extra) const {
    Options options{.initial = initial_, .others = extra, .bounds = {}, .coherent = assumed_.coherent};
    for (unsigned other = 0; other < written_.size(); ++other) {
      if (!isNews(other, thread)) continue;
      for (const auto& [address, values] : written_[other]) {
        for (const Value value : values) add(options.others[address], value);
      }
    }
    for (const Counter& counter : counters_) {
      const auto initial = initial_.find(counter.address);
      if (initial == initial_.end()) continue;
      Bounds& bounds = options.bounds[counter.address];
      bounds.initial = static_cast<std::int64_t>(initial->second);
      for (unsigned other = 0; other < counter.ofThread.size(); ++other) {
        bounds.added += counter.ofThread[other].added;
        bounds.subtracted += counter.ofThread[other].subtracted;
        if (other == thread) continue;
        bounds.addedByOthers += counter.ofThread[other].added;
        bounds.subtractedByOthers += counter.ofThread[other].subtracted;
      }
    }
    return options;
  }

  // Is the value written by a run that has been found, or by these, so that the thread may read it?
  bool isWrittenFor(std::size_t thread, const std::vector<Values>& written, Address address, Value value) const {
    for (std::size_t other = 0; other < written.size(); ++other) {
      if (isNews(other, thread) && contains(written[other], address, value)) return true;
    }
    return false;
  }

  // Values that lead to themselves by branches (thread_runs.h). False: there are none.
  bool offerBranches() {
    branchesTried_ = true;
    const std::vector<Value> constants = threads_.constantsOfBranches();
    if (constants.empty()) return false;
    std::vector<Values> offered(written_.size());
    for (Values& values : offered) {
      for (const auto& [address, value] : initial_) values[address] = constants;
    }
    std::optional<std::vector<Values>> written = writtenBy(offered);
    if (!written) return false;
    for (std::size_t thread = 0; thread < offered.size(); ++thread) {
      for (auto& [address, values] : offered[thread]) {
        for (Values& by : *written) {
          for (const Value value : by[address]) add(values, value);
        }
        std::erase_if(values, [&](Value value) { return isWrittenFor(thread, written_, address, value); });
      }
    }
    for (bool again = true; again;) {
      again = false;
      for (std::size_t thread = 0; thread < offered.size(); ++thread) {
        for (auto& [address, values] : offered[thread]) {
          again |= std::erase_if(values, [&](Value v) { return !isWrittenFor(thread, *written, address, v); }) != 0;
        }
      }
      if (again) written = writtenBy(offered);
      if (!written) return false;
    }
    extra_ = std::move(offered);
    return std::ranges::any_of(extra_, [](const Values& values) {
      return std::ranges::any_of(values, [](const auto& at) { return !at.second.empty(); });
    });
  }

  // What the runs of each thread write that read these values as well; nullopt if there are too many.
  std::optional<std::vector<Values>> writtenBy(const std::vector<Values>& offered) const {
    constexpr std::size_t kEnough = 20000;
    std::vector<Values> written(offered.size());
    std::size_t runs = 0;
    for (unsigned thread = 0; thread < threads_.threadCount(); ++thread) {
      const Options options = optionsOf(thread, offered[thread]);
      Guesses guesses(options);
      do {
        if (++runs > kEnough) return std::nullopt;
        noteWrites(threads_.run(thread, guesses), written[thread]);
      } while (guesses.next());
    }
    return written;
  }

  // Where plain accesses copy what is read at one location to another, and so on round to the first, a model may allow any value:
  // one is offered that there is not yet. Copies by marked accesses alone are ordered by every model that has such cycles in mind.
  bool offerThinAir() {
    std::map<Address, std::set<Address>> copiedTo, plainlyTo;
    for (const auto& runs : found_.ofThread) {
      for (const Run& run : runs) noteCopies(run.run, copiedTo, plainlyTo);
    }
    std::set<Address> inCircle;
    for (const auto& [from, targets] : plainlyTo) {
      for (const Address target : targets) {
        std::set<Address> reached;
        reach(copiedTo, target, reached);
        if (!reached.contains(from)) continue;
        for (const Address address : reached) {
          std::set<Address> back;
          reach(copiedTo, address, back);
          if (back.contains(from)) inCircle.insert(address);
        }
      }
    }
    if (inCircle.empty()) return false;
    Value fresh = 1;
    const auto isThere = [&](Value value) {
      const auto isIn = [&](const Values& values) {
        return std::ranges::any_of(values,
                                   [&](const auto& at) { return std::ranges::find(at.second, value) != at.second.end(); });
      };
      return std::ranges::any_of(initial_, [&](const auto& at) { return at.second == value; }) ||
             std::ranges::any_of(written_, isIn) || std::ranges::any_of(extra_, isIn);
    };
    while (isThere(fresh)) ++fresh;
    for (Values& extra : extra_) {
      for (const Address address : inCircle) add(extra[address], fresh);
    }
    thinAir_ = true;
    return true;
  }

  static void noteCopies(const ThreadRun& run, std::map<Address, std::set<Address>>& copiedTo,
                         std::map<Address, std::set<Address>>& plainlyTo) {
    for (const RunEvent& write : run.events) {
      if (write.kind != RunEvent::Kind::write) continue;
      for (RunEvents rest = write.dataFrom; rest != 0; rest &= rest - 1) {
        const RunEvent& read = run.events[static_cast<std::size_t>(std::countr_zero(rest))];
        copiedTo[read.address].insert(write.address);
        if (read.order == Order::plain || write.order == Order::plain) plainlyTo[read.address].insert(write.address);
      }
    }
  }

  static void reach(const std::map<Address, std::set<Address>>& edges, Address from, std::set<Address>& reached) {
    if (!reached.insert(from).second) return;
    const auto next = edges.find(from);
    if (next == edges.end()) return;
    for (const Address to : next->second) reach(edges, to, reached);
  }

  void runAll() {
    found_ = {};
    found_.thinAir = thinAir_;
    mostWrites_ = 0;
    for (unsigned thread = 0; thread < threads_.threadCount(); ++thread) {
      std::vector<Run>& runs = found_.ofThread.emplace_back();
      std::size_t most = 0;
      const Options options = optionsOf(thread, extra_[thread]);
      Guesses guesses(options);
      do {
        Run run{threads_.run(thread, guesses), {}, {}, {}};
        if (run.run.end == ThreadRun::End::tooLong) {
          throw LimitError(fmt::format("a thread has more than {} events", kMostRunEvents));
        }
        found_.cut |= run.run.end == ThreadRun::End::cut;
        most = std::max(most, dependentWrites(run.run));
        // What a thread has written before it waits for ever is a value as well, but it is in no execution that ends.
        if (run.run.end == ThreadRun::End::waiting || run.run.end == ThreadRun::End::cut) continue;
        runs.push_back(std::move(run));
        if (runs.size() > kMostRuns) throw LimitError(fmt::format("a thread has more than {} runs by itself", kMostRuns));
      } while (guesses.next());
      mostWrites_ += most;
    }
  }

  void numberContents() {
    std::map<Content, std::size_t> numbers;
    const auto numberOf = [&](Address address, Value value) {
      return numbers.try_emplace({address, value}, numbers.size()).first->second;
    };
    for (const auto& [address, value] : initial_) numberOf(address, value);
    for (const auto& runs : found_.ofThread) {
      for (const Run& run : runs) {
        for (const RunEvent& event : run.run.events) {
          if (event.kind != RunEvent::Kind::fence) numberOf(event.address, event.value);
        }
      }
    }
    found_.contents = numbers.size();
    found_.initial.reset(numbers.size());
    for (const auto& [address, value] : initial_) found_.initial.set(numbers.at({address, value}));
    for (auto& runs : found_.ofThread) {
      for (Run& run : runs) {
        run.reads.reset(numbers.size());
        run.writes.reset(numbers.size());
        run.counted.reset(numbers.size());
        for (const RunEvent& event : run.run.events) {
          if (event.kind == RunEvent::Kind::fence) continue;
          (event.kind == RunEvent::Kind::read ? run.reads : run.writes).set(numbers.at({event.address, event.value}));
          if (event.updates < 0 || !isMonotone(event.address)) continue;
          run.counted.set(numbers.at({event.address, run.run.events[static_cast<std::size_t>(event.updates)].value}));
        }
      }
    }
  }

  // Is it a counter whose values are all different?
  bool isMonotone(Address address) const {
    const auto found = std::ranges::find(counters_, address, &Counter::address);
    if (found == counters_.end()) return false;
    const auto none = [&](std::int64_t Counter::Total::* part) {
      return std::ranges::all_of(found->ofThread, [&](const Counter::Total& total) { return total.*part == 0; });
    };
    return none(&Counter::Total::added) != none(&Counter::Total::subtracted);
  }

  const SeparateThreads& threads_;
  const Assumed assumed_;
  std::map<Address, Value> initial_;
  std::vector<Values> written_;  // by thread
  std::vector<Values> extra_;    // by thread: what it may read though no run that has been found writes it
  std::vector<Counter> counters_;
  ThreadRuns found_;
  std::size_t mostWrites_ = 0;
  bool thinAir_ = false, branchesTried_ = false;
};

}  // namespace

ThreadRuns allRuns(const SeparateThreads& threads, Assumed assumed) { return Collector(threads, assumed).collect(); }

}  // namespace heddle::enumerate
