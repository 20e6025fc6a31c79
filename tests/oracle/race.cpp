// Data races, from the definition: C++20's happens-before is (po | sw)+, and a release synchronises with an acquire
// that reads from its release sequence, fences on either side included.
#include "oracle.h"

namespace heddle::oracle {

namespace {

Relation synchronizesWith(const Execution& x) {
  const unsigned n = static_cast<unsigned>(x.events.size());
  EventSet fences = 0, releases = 0, acquires = 0, atomicWrites = 0, atomicReads = 0;
  for (unsigned e = 0; e < n; ++e) {
    const Event& event = x.events[e];
    const bool strong = event.order == Order::acq_rel || event.order == Order::seq_cst;
    const bool fence = event.kind == EventKind::fence;
    if (fence) fences |= singleton(e);
    if ((fence || event.kind == EventKind::write) && (strong || event.order == Order::release)) releases |= singleton(e);
    if ((fence || event.kind == EventKind::read) && (strong || event.order == Order::acquire)) acquires |= singleton(e);
    if (event.kind == EventKind::write && event.order != Order::plain) atomicWrites |= singleton(e);
    if (event.kind == EventKind::read && event.order != Order::plain) atomicReads |= singleton(e);
  }
  const auto only = [&](EventSet set) { return Relation::identityOn(n, set); };
  Relation inThread(n);  // a fence works for its own thread only, not across thread creation and join
  for (unsigned a = 0; a < n; ++a) {
    for (unsigned b = 0; b < n; ++b) {
      if (x.po.has(a, b) && x.events[a].thread == x.events[b].thread) inThread.add(a, b);
    }
  }
  const Relation fenceBefore = only(fences).then(inThread).optional();
  const Relation fenceAfter = inThread.then(only(fences)).optional();
  const Relation releaseSequence = x.rf.then(x.rmw).star();
  return only(releases)
      .then(fenceBefore)
      .then(only(atomicWrites))
      .then(releaseSequence)
      .then(x.rf)
      .then(only(atomicReads))
      .then(fenceAfter)
      .then(only(acquires));
}

}  // namespace

bool hasDataRace(const Execution& x, const Relation* happensBefore) {
  const Relation hb = happensBefore ? *happensBefore : (x.po | synchronizesWith(x)).plus();
  for (unsigned a = 0; a < x.events.size(); ++a) {
    for (unsigned b = a + 1; b < x.events.size(); ++b) {
      const Event& first = x.events[a];
      const Event& second = x.events[b];
      if (first.isInitial() || second.isInitial() || first.thread == second.thread) continue;
      if (!first.isAccess() || !second.isAccess() || !first.overlaps(second)) continue;
      if (first.kind != EventKind::write && second.kind != EventKind::write) continue;
      if (!first.isPlain() && !second.isPlain()) continue;
      if (!hb.has(a, b) && !hb.has(b, a)) return true;
    }
  }
  return false;
}

}  // namespace heddle::oracle
