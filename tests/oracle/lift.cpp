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

std::vector<bool> MixedJudge::consistent(const ByteExecution& bytes, const LiftedExecution& lifted) {
  std::vector<bool> verdicts(models_, false);
  if (!isAtomic(bytes) || !(lifted.x.rf | lifted.x.co | lifted.rb).isAcyclic()) return verdicts;
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
