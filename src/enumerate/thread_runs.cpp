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

// Takes one choice after the other, depth first: `next` goes to the next run.
class Guesses final : public ReadValues {
 public:
  explicit Guesses(const Values& values) : values_(values) {}

  Value read(Address address) override {
    const std::vector<Value>& options = values_.at(address);
    return options[choose(options.size())];
  }

  Value choose(std::uint64_t options) override {
    if (at_ == choices_.size()) choices_.push_back({0, options});
    return choices_[at_++].chosen;
  }

  bool next() {
    choices_.resize(at_);
    at_ = 0;
    while (!choices_.empty() && ++choices_.back().chosen == choices_.back().options) choices_.pop_back();
    return !choices_.empty();
  }

 private:
  struct Choice {
    std::size_t chosen, options;
  };
  const Values& values_;
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
  Collector(const SeparateThreads& threads, bool thinAir) : threads_(threads), mayOffer_(thinAir) {
    for (const InitialValue& initial : threads.locations()) values_[initial.address] = {initial.value};
  }

  ThreadRuns collect() {
    for (std::size_t round = 0;; ++round) {
      runAll();
      const std::size_t before = count();
      Values more = values_;
      for (const auto& runs : found_.ofThread) {
        for (const Run& run : runs) {
          for (const RunEvent& event : run.run.events) {
            if (event.kind == RunEvent::Kind::write) add(more[event.address], event.value);
          }
        }
      }
      values_ = std::move(more);
      if (count() == before || round > mostWrites_) break;
    }
    if (!branchesTried_ && offerBranches()) return collect();
    if (mayOffer_ && !thinAir_ && offerThinAir()) return collect();
    numberContents();
    return std::move(found_);
  }

 private:
  static void add(std::vector<Value>& values, Value value) {
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  }

  // Values that lead to themselves by branches (thread_runs.h). False: there are none.
  bool offerBranches() {
    branchesTried_ = true;
    const std::vector<Value> constants = threads_.constantsOfBranches();
    if (constants.empty()) return false;
    Values offered = values_;
    for (auto& [address, values] : offered) {
      for (const Value constant : constants) add(values, constant);
    }
    std::optional<Values> written = writtenBy(offered);
    if (!written) return false;
    for (auto& [address, values] : offered) {
      for (const Value value : (*written)[address]) add(values, value);
    }
    for (bool again = true; again;) {
      again = false;
      for (auto& [address, values] : offered) {
        const auto isFound = [&](const Values& in, Value value) {
          const auto at = in.find(address);
          return at != in.end() && std::ranges::find(at->second, value) != at->second.end();
        };
        again |= std::erase_if(values, [&](Value v) { return !isFound(values_, v) && !isFound(*written, v); }) != 0;
      }
      if (again) written = writtenBy(offered);
      if (!written) return false;
    }
    const std::size_t before = count();
    values_ = std::move(offered);
    return count() != before;
  }

  // What runs write that read these values; nullopt if there are too many.
  std::optional<Values> writtenBy(const Values& offered) const {
    constexpr std::size_t kEnough = 20000;
    Values written;
    std::size_t runs = 0;
    for (unsigned thread = 0; thread < threads_.threadCount(); ++thread) {
      Guesses guesses(offered);
      do {
        if (++runs > kEnough) return std::nullopt;
        for (const RunEvent& event : threads_.run(thread, guesses).events) {
          if (event.kind == RunEvent::Kind::write) add(written[event.address], event.value);
        }
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
      return std::ranges::any_of(values_,
                                 [&](const auto& at) { return std::ranges::find(at.second, value) != at.second.end(); });
    };
    while (isThere(fresh)) ++fresh;
    for (const Address address : inCircle) add(values_[address], fresh);
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

  std::size_t count() const {
    std::size_t sum = 0;
    for (const auto& [address, values] : values_) sum += values.size();
    return sum;
  }

  void runAll() {
    found_ = {};
    found_.thinAir = thinAir_;
    mostWrites_ = 0;
    for (unsigned thread = 0; thread < threads_.threadCount(); ++thread) {
      std::vector<Run>& runs = found_.ofThread.emplace_back();
      std::size_t most = 0;
      Guesses guesses(values_);
      do {
        Run run{threads_.run(thread, guesses), {}, {}};
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
    for (const auto& [address, values] : values_) {
      for (const Value value : values) numbers.try_emplace({address, value}, numbers.size());
    }
    found_.contents = numbers.size();
    found_.initial.reset(numbers.size());
    for (const InitialValue& initial : threads_.locations()) found_.initial.set(numbers.at({initial.address, initial.value}));
    for (auto& runs : found_.ofThread) {
      for (Run& run : runs) {
        run.reads.reset(numbers.size());
        run.writes.reset(numbers.size());
        for (const RunEvent& event : run.run.events) {
          if (event.kind == RunEvent::Kind::fence) continue;
          (event.kind == RunEvent::Kind::read ? run.reads : run.writes).set(numbers.at({event.address, event.value}));
        }
      }
    }
  }

  const SeparateThreads& threads_;
  Values values_;
  ThreadRuns found_;
  std::size_t mostWrites_ = 0;
  const bool mayOffer_;
  bool thinAir_ = false, branchesTried_ = false;
};

}  // namespace

ThreadRuns allRuns(const SeparateThreads& threads, bool thinAir) { return Collector(threads, thinAir).collect(); }

}  // namespace heddle::enumerate
