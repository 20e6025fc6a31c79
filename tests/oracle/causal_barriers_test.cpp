// Barriers in programs with load buffering, against the same programs with a barrier that is made of a counter: whoever arrives adds
// one, and assumes that all have. Fences around that order what a barrier does. The counter has more executions, as it says in which
// order threads arrive, and blocked ones, but the same final states; and no execution with a barrier comes twice.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

#include "causal/causal_explorer.h"
#include "explore/observer.h"
#include "explorer_keys.h"
#include "fuzz.h"
#include "litmus/test.h"
#include "model/library.h"

namespace heddle::oracle {
namespace {

struct Pair {
  std::string barrier, counter;  // litmus tests
};

class PairMaker {
 public:
  explicit PairMaker(std::uint64_t seed) : random_(seed) {}

  Pair make() {
    threads_ = 2 + (below(3) == 0);
    rounds_ = threads_ == 2 ? 1 + below(2) : 1;
    locations_ = 2 + below(2);
    for (unsigned t = 0; t < threads_; ++t) addThread(t);
    std::string names, counters;
    for (unsigned l = 0; l < locations_; ++l) names += fmt::format("{}=0; ", "xyz"[l]);
    for (unsigned r = 0; r < rounds_; ++r) counters += fmt::format("c{}=0; ", r);
    for (unsigned l = 0; l < locations_; ++l) observe(std::string(1, "xyz"[l]));
    return {fmt::format("C barrier\n{{ {}b=0; }}\n{}exists ({})\n", names, pair_.barrier, observed_),
            fmt::format("C counter\n{{ {}{}}}\n{}exists ({})\n", names, counters, pair_.counter, observed_)};
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  void observe(const std::string& what) { observed_ += fmt::format("{}{}=9", observed_.empty() ? "" : " /\\ ", what); }
  void addBoth(const std::string& text) {
    pair_.barrier += text;
    pair_.counter += text;
  }

  void addThread(unsigned thread) {
    std::string parameters, counters;
    for (unsigned l = 0; l < locations_; ++l) parameters += fmt::format("atomic_int* {}, ", "xyz"[l]);
    for (unsigned r = 0; r < rounds_; ++r) counters += fmt::format("{}atomic_int* c{}", r == 0 ? "" : ", ", r);
    pair_.barrier += fmt::format("P{}({}int* b) {{\n", thread, parameters);
    pair_.counter += fmt::format("P{}({}{}) {{\n", thread, parameters, counters);
    registers_ = 0;
    addAccesses(thread, 1 + below(2));
    for (unsigned r = 0; r < rounds_; ++r) {
      pair_.barrier += fmt::format("  barrier_wait(b, {});\n", threads_);
      pair_.counter += fmt::format("  atomic_thread_fence(memory_order_seq_cst);\n"
                                   "  atomic_fetch_add_explicit(c{0}, 1, memory_order_acq_rel);\n"
                                   "  int all{0} = atomic_load_explicit(c{0}, memory_order_acquire);\n"
                                   "  assume(all{0} == {1});\n"
                                   "  atomic_thread_fence(memory_order_seq_cst);\n",
                                   r, threads_);
      addAccesses(thread, threads_ == 2 ? 1 + below(2) : 1);
    }
    addBoth("}\n");
  }

  void addAccesses(unsigned thread, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      const char location = "xyz"[below(locations_)];
      if (below(2) == 0) {
        observe(fmt::format("{}:r{}", thread, registers_));
        addBoth(fmt::format("  int r{} = atomic_load_explicit({}, memory_order_relaxed);\n", registers_++, location));
      } else {
        const bool depends = registers_ != 0 && below(3) == 0;
        const std::string value = depends ? fmt::format("r{} + 1", below(registers_)) : std::to_string(1 + below(2));
        addBoth(fmt::format("  atomic_store_explicit({}, {}, memory_order_relaxed);\n", location, value));
      }
    }
  }

  std::mt19937_64 random_;
  unsigned threads_ = 0, rounds_ = 0, locations_ = 0, registers_ = 0;
  Pair pair_;
  std::string observed_;
};

class EndObserver final : public explore::Observer {
 public:
  explicit EndObserver(const litmus::Test& test) : test_(test) {}

  bool execution(const ExecutionView& graph) override {
    std::vector<std::uint64_t> values;
    for (const litmus::Observable& o : test_.observables) {
      values.push_back(o.isRegister ? test_.program->registerValue(o.thread, o.slot) : graph.lastValue({o.address, o.size}, 0));
    }
    states.insert(values);
    std::vector<ThreadId> threads;
    for (unsigned t = 0; t < graph.threads(); ++t) threads.push_back(static_cast<ThreadId>(t));
    keys.insert(keyOf(graph, {.threads = threads}, KeyCoherence::all));
    return true;
  }

  std::set<std::vector<std::uint64_t>> states;
  std::set<std::string> keys;

 private:
  const litmus::Test& test_;
};

struct Ends {
  std::set<std::vector<std::uint64_t>> states;
  std::size_t keys;
  explore::Statistics statistics;
};

Ends endsOf(const std::string& text, const model::CompiledModel& model) {
  const auto test = litmus::parseLitmus(text, "barrier.litmus");
  EndObserver observer(test);
  causal::CausalExplorer explorer(*test.program, model, {}, observer);
  const explore::Statistics statistics = explorer.run();
  return {observer.states, observer.keys.size(), statistics};
}

TEST(CausalBarriers, AreLikeCounters) {
  std::size_t weak = 0;
  for (const std::string& name : dependentModelNames()) {
    const model::CompiledModel model = compile(model::loadModel(name));
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      const Pair pair = PairMaker(seed).make();
      const Ends barrier = endsOf(pair.barrier, model), counter = endsOf(pair.counter, model);
      ASSERT_EQ(barrier.states, counter.states) << "seed " << seed << ", " << name << '\n' << pair.barrier;
      ASSERT_EQ(barrier.keys, barrier.statistics.executions) << "seed " << seed << ", " << name << '\n' << pair.barrier;
      ASSERT_EQ(barrier.statistics.blocked, 0u) << "seed " << seed << ", " << name << '\n' << pair.barrier;
      weak += barrier.states.size() > 2;
    }
  }
  EXPECT_GT(weak, 100u);
}

}  // namespace
}  // namespace heddle::oracle
