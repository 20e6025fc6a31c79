// The lifting of relations, and the axioms of mixed sizes. See lift.h.
#include "lift.h"

#include <algorithm>

namespace heddle::oracle {

namespace {

// Where a write stands in the order of a byte; the initial one first.
std::size_t place(const std::vector<unsigned>& order, unsigned write) {
  if (write == initialWrite) return 0;
  return static_cast<std::size_t>(std::ranges::find(order, write) - order.begin()) + 1;
}

Event initialEvent(Address address, unsigned size) { return {.address = address, .size = size}; }

}  // namespace

LiftedExecution lift(const ByteExecution& bytes, bool initialForEachByte) {
  LiftedExecution lifted;
  std::vector<Event>& events = lifted.x.events;
  std::map<Address, unsigned> initialOf;
  for (const auto& [byte, order] : bytes.co) {
    const bool inARow = !events.empty() && events.back().address + events.back().size == byte;
    if (inARow && !initialForEachByte) {
      ++events.back().size;
    } else {
      events.push_back(initialEvent(byte, 1));
    }
    initialOf[byte] = static_cast<unsigned>(events.size()) - 1;
  }
  const unsigned first = lifted.initials = static_cast<unsigned>(events.size());
  events.insert(events.end(), bytes.events.begin(), bytes.events.end());
  const unsigned size = static_cast<unsigned>(events.size());

  lifted.x.po = lifted.x.rmw = lifted.x.rf = lifted.x.co = lifted.rb = Relation(size);
  for (unsigned b = 0; b < bytes.events.size(); ++b) {
    for (unsigned a = 0; a < bytes.events.size(); ++a) {
      if (contains(bytes.poBefore[b], a)) lifted.x.po.add(first + a, first + b);
    }
    if (bytes.isUpdate(b)) lifted.x.rmw.add(first + b - 1, first + b);
  }
  for (const auto& [byte, order] : bytes.co) {
    std::vector<unsigned> writes = {initialOf[byte]};  // in order
    for (const unsigned write : order) writes.push_back(first + write);
    for (std::size_t i = 0; i < writes.size(); ++i) {
      for (std::size_t j = i + 1; j < writes.size(); ++j) lifted.x.co.add(writes[i], writes[j]);
    }
    for (unsigned r = 0; r < bytes.events.size(); ++r) {
      const Event& read = bytes.events[r];
      if (read.kind != EventKind::read || !read.covers(byte)) continue;
      const std::size_t source = place(order, bytes.sources[r][byte - read.address]);
      lifted.x.rf.add(writes[source], first + r);
      for (std::size_t j = source + 1; j < writes.size(); ++j) lifted.rb.add(first + r, writes[j]);
    }
  }
  return lifted;
}

bool isAtomic(const ByteExecution& bytes) {
  for (unsigned u = 0; u < bytes.events.size(); ++u) {
    if (!bytes.isUpdate(u)) continue;
    for (unsigned i = 0; i < bytes.events[u].size; ++i) {
      const std::vector<unsigned>& order = bytes.co.at(bytes.events[u].address + i);
      if (place(order, u) > place(order, bytes.sources[u - 1][i]) + 1) return false;
    }
  }
  return true;
}

namespace {

Relation inOneTransaction(const std::vector<Event>& events) {
  Relation txn(static_cast<unsigned>(events.size()));
  for (unsigned a = 0; a < events.size(); ++a) {
    for (unsigned b = 0; b < events.size(); ++b) {
      if (events[a].transaction != 0 && events[a].transaction == events[b].transaction) txn.add(a, b);
    }
  }
  return txn;
}

Relation weaklift(const Relation& r, const Relation& txn) { return txn.then(r - txn).then(txn); }
Relation stronglift(const Relation& r, const Relation& txn) { return txn.optional().then(r - txn).then(txn.optional()); }

}  // namespace

MixedJudge::MixedJudge(const std::vector<const model::Model*>& models)
    : evaluator_(models), models_(models.size()), lifted_(models.size()) {
  for (std::size_t m = 0; m < models.size(); ++m) {
    for (const model::Axiom& axiom : models[m]->axioms) {
      const model::Expr& expr = *axiom.expr;
      if (axiom.kind == model::AxiomKind::acyclic) lifted_[m].push_back({evaluator_.add(expr), std::nullopt});
      const bool pair = expr.kind == model::ExprKind::sequence && expr.args.size() == 2;
      if (axiom.kind == model::AxiomKind::irreflexive && pair) {
        lifted_[m].push_back({evaluator_.add(*expr.args[0]), evaluator_.add(*expr.args[1])});
      }
    }
  }
}

bool MixedJudge::isLifted(std::size_t model, const Relation& txn) {
  return std::ranges::all_of(lifted_[model], [&](const Lifted& lifted) {
    const Relation first = stronglift(evaluator_.relation(lifted.first), txn);
    if (!lifted.second) return first.isAcyclic();
    return first.then(stronglift(evaluator_.relation(*lifted.second), txn)).isIrreflexive();
  });
}

std::vector<bool> MixedJudge::consistent(const ByteExecution& bytes, const LiftedExecution& lifted) {
  std::vector<bool> verdicts(models_, false);
  if (!isAtomic(bytes) || !(lifted.x.rf | lifted.x.co | lifted.rb).isAcyclic()) return verdicts;
  const Relation txn = inOneTransaction(lifted.x.events);
  if (!txn.isEmpty()) {
    const Relation com = lifted.x.rf | lifted.x.co | lifted.rb;
    const Relation order = weaklift(com, txn);
    if (!stronglift(com, txn).isAcyclic() || !(stronglift(lifted.x.po | lifted.x.rf, txn) | order).isAcyclic()) return verdicts;
    Execution ordered = lifted.x;
    ordered.po = (ordered.po | order).plus();
    evaluator_.setEvents(ordered);
    evaluator_.setReadsFrom(ordered.rf);
    evaluator_.setCoherence(ordered.co, lifted.rb);
    for (std::size_t m = 0; m < models_; ++m) verdicts[m] = evaluator_.holds(m) && isLifted(m, txn);
    return verdicts;
  }
  evaluator_.setEvents(lifted.x);
  evaluator_.setReadsFrom(lifted.x.rf);
  evaluator_.setCoherence(lifted.x.co, lifted.rb);
  for (std::size_t m = 0; m < models_; ++m) verdicts[m] = evaluator_.holds(m);
  return verdicts;
}

const char* const raMsaText = R"("ra-msa"
let eco = (rf | co | rb)+
let Acq = ACQ | ACQ_REL | SC
let Rel = REL | ACQ_REL | SC
let rs = [W & A] ; (rf ; rmw)*
let sw = [Rel] ; ([F] ; po & int)? ; rs ; rf ; [R & A] ; (po & int ; [F])? ; [Acq]
let hb = (po | sw)+
irreflexive (hb? ; eco) as coherence
empty rmw & (rb ; co) as atomicity
acyclic (po | rf) as no-load-buffering
)";

}  // namespace heddle::oracle
