#include "enumerate/enumerate.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "enumerate/candidate.h"
#include "enumerate/evaluator.h"
#include "enumerate/thread_runs.h"
#include "graph/trail.h"
#include "model/compile.h"

namespace heddle::enumerate {

namespace {

void collectUnion(const model::Expr& expr, std::set<std::string>& parts) {
  if (expr.kind != model::ExprKind::unite) {
    if (expr.kind == model::ExprKind::base || expr.kind == model::ExprKind::intersect) parts.insert(toString(expr));
    return;
  }
  for (const model::ExprPtr& arg : expr.args) collectUnion(*arg, parts);
}

// Does it say `acyclic (po-loc | rf | co | rb)`, or more?
bool isPerLocationCoherence(const model::Axiom& axiom) {
  if (axiom.kind != model::AxiomKind::acyclic) return false;
  std::set<std::string> parts;
  collectUnion(*axiom.expr, parts);
  return parts.contains("po & loc") && parts.contains("rf") && parts.contains("co") && parts.contains("rb");
}

Known knownOf(const model::Model& model) {
  Known known;
  for (const model::Axiom& axiom : model.axioms) {
    if (axiom.negated) continue;
    known.coherent |= isPerLocationCoherence(axiom);
    known.atomic |= model::isAtomicity(axiom);
  }
  return known;
}

Known withThinAir(Known known, bool thinAir) {
  known.thinAir = thinAir;
  return known;
}

bool overlap(const relations::EventSet& one, const relations::EventSet& other) {
  for (std::size_t w = 0; w < one.words(); ++w) {
    if ((one.data()[w] & other.data()[w]) != 0) return true;
  }
  return false;
}

void unite(relations::EventSet& set, const relations::EventSet& other) {
  for (std::size_t w = 0; w < set.words(); ++w) set.data()[w] |= other.data()[w];
}

class Enumeration {
 public:
  Enumeration(const SeparateThreads& threads, const model::Model& model, Observer& observer, bool thinAir)
      : observer_(observer),
        model_(model),
        locations_(threads.locations()),
        known_(knownOf(model)),
        runs_(allRuns(threads, {.coherent = known_.coherent, .atomic = known_.atomic, .thinAir = thinAir})),
        candidate_(locations_, withThinAir(known_, runs_.thinAir)),
        evaluator_(model, candidate_.execution()),
        isRaised_(model.flags.size()),
        hasHeld_(model.axioms.size()) {
    summary_.cut = runs_.cut;
    end_.execution = &candidate_.execution();
    // What the threads from each on may write.
    writable_.resize(runs_.ofThread.size() + 1);
    writable_.back() = runs_.initial;
    for (std::size_t thread = runs_.ofThread.size(); thread-- > 0;) {
      writable_[thread] = writable_[thread + 1];
      for (const Run& run : runs_.ofThread[thread]) unite(writable_[thread], run.writes);
    }
    read_.assign(runs_.ofThread.size() + 1, {});
    written_.assign(runs_.ofThread.size() + 1, {});
    read_[0].reset(runs_.contents);
    written_[0].reset(runs_.contents);
    counted_ = written_;
  }

  Summary enumerate() {
    chooseRuns(0);
    const auto never = std::ranges::find(hasHeld_, false);
    if (!anyAllowed_ && noted_ != 0 && never != hasHeld_.end()) {
      summary_.neverHolds = model_.axioms[static_cast<std::size_t>(never - hasHeld_.begin())].name;
    }
    return summary_;
  }

 private:
  // ---- A run for each thread

  bool chooseRuns(std::size_t thread) {
    if (thread == runs_.ofThread.size()) return assemble();
    for (const Run& run : runs_.ofThread[thread]) {
      if (overlap(counted_[thread], run.counted)) continue;
      chosen_.push_back(&run);
      counted_[thread + 1] = counted_[thread];
      unite(counted_[thread + 1], run.counted);
      read_[thread + 1] = read_[thread];
      written_[thread + 1] = written_[thread];
      unite(read_[thread + 1], run.reads);
      unite(written_[thread + 1], run.writes);
      const bool goOn = !fits(thread + 1) || chooseRuns(thread + 1);
      chosen_.pop_back();
      if (!goOn) return false;
    }
    return true;
  }

  // Is all that the chosen runs read written by one of them, or may still be, by those from `next` on?
  bool fits(std::size_t next) const {
    for (std::size_t w = 0; w < read_[next].words(); ++w) {
      if ((read_[next].data()[w] & ~(written_[next].data()[w] | writable_[next].data()[w])) != 0) return false;
    }
    return true;
  }

  bool assemble() {
    end_.runs.clear();
    for (const Run* run : chosen_) end_.runs.push_back(&run->run);
    candidate_.assemble(end_.runs);
    evaluator_.change(Level::events);
    return chooseWrites(0);
  }

  // ---- A write for each read

  bool chooseWrites(std::size_t read) {
    if (read == candidate_.reads().size()) return readsAreSet();
    for (const std::size_t write : candidate_.writesFor(read)) {
      candidate_.readFrom(read, write);
      if (!chooseWrites(read + 1)) return false;
    }
    return true;
  }

  bool readsAreSet() {
    if ((++steps_ & 63U) == 0 && observer_.shouldStop()) return stop();
    if (!candidate_.setReadsFrom()) return true;
    evaluator_.change(Level::readsFrom);
    open_.clear();
    for (std::size_t place = 0; place < candidate_.locations(); ++place) {
      candidate_.setLeastCoherence(place);
      if (!candidate_.hasOneOrder(place)) open_.push_back(place);
    }
    return (!open_.empty() && !mayHold()) || chooseOrders(0);
  }

  bool mayHold() {
    ++summary_.asked;
    if (evaluator_.growingAxiomsHold()) return true;
    noteForbidden();
    return false;
  }

  // Which axioms hold here, as long as nothing is allowed: one that never does may be a mistake.
  void noteForbidden() {
    constexpr unsigned kEnough = 200;
    if (anyAllowed_ || noted_ == kEnough) return;
    ++noted_;
    for (std::size_t i = 0; i < hasHeld_.size(); ++i) hasHeld_[i] = hasHeld_[i] || evaluator_.axiomHolds(i);
  }

  // ---- An order for each location that has several writes

  bool chooseOrders(std::size_t at) {
    if (at == open_.size()) return isComplete();
    const bool goOn = candidate_.forEachOrder(open_[at], [&](const std::vector<std::size_t>& order) {
      candidate_.setCoherence(open_[at], order);
      evaluator_.change(Level::coherence);
      return (at + 1 < open_.size() && !mayHold()) || chooseOrders(at + 1);
    });
    candidate_.setLeastCoherence(open_[at]);  // for the next order of the location before
    return goOn;
  }

  bool isComplete() {
    setMemory();
    if (!observer_.isWanted(end_)) return true;
    ++summary_.asked;
    if (!evaluator_.axiomsHold()) {
      noteForbidden();
      return true;
    }
    anyAllowed_ = true;
    for (std::size_t thread = 0; thread < end_.runs.size(); ++thread) {
      if (end_.runs[thread]->end == ThreadRun::End::fault) {
        throw ProgramError(fmt::format("P{} {}", thread, end_.runs[thread]->message));
      }
    }
    for (std::size_t flag = 0; flag < isRaised_.size(); ++flag) {
      if (isRaised_[flag] || !evaluator_.isRaised(flag)) continue;
      isRaised_[flag] = true;
      observer_.flag(model_.flags[flag].name, end_);
    }
    return observer_.execution(end_) || stop();
  }

  // What the last write of each location has written.
  void setMemory() {
    const Execution& execution = candidate_.execution();
    const relations::BitMatrix& co = execution[model::BaseRelation::co];
    for (std::size_t i = 0; i < execution.size(); ++i) {
      const bool isLast = std::all_of(co.row(i), co.row(i) + co.words(), [](std::uint64_t word) { return word == 0; });
      if (execution.events[i].isWrite && isLast) end_.memory[execution.events[i].address] = execution.events[i].value;
    }
  }

  bool stop() {
    summary_.complete = false;
    return false;
  }

  Observer& observer_;
  const model::Model& model_;
  const std::vector<InitialValue> locations_;
  const Known known_;
  const ThreadRuns runs_;
  Candidate candidate_;
  Evaluator evaluator_;
  std::vector<relations::EventSet> writable_;
  std::vector<relations::EventSet> read_, written_, counted_;  // by the runs that are chosen for the threads before
  std::vector<const Run*> chosen_;
  std::vector<std::size_t> open_;  // locations whose order is to be chosen
  std::vector<bool> isRaised_;
  std::vector<bool> hasHeld_;  // by axiom
  unsigned noted_ = 0;
  bool anyAllowed_ = false;
  End end_;
  Summary summary_;
  std::uint64_t steps_ = 0;
};

}  // namespace

Summary enumerate(const SeparateThreads& threads, const model::Model& model, Observer& observer, bool thinAir) {
  return Enumeration(threads, model, observer, thinAir).enumerate();
}

}  // namespace heddle::enumerate
