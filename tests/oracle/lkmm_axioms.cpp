#include "lkmm_axioms.h"

namespace heddle::oracle {

namespace {

Relation fromReads(const KernelGraph& g) { return g.rf.inverse().then(g.co); }

EventSet firsts(const Relation& r) {
  EventSet set = 0;
  for (unsigned i = 0; i < r.size(); ++i) {
    if (r.successors(i) != 0) set |= singleton(i);
  }
  return set;
}

EventSet seconds(const Relation& r) { return firsts(r.inverse()); }

// A read-side critical section goes from a lock to the unlock at its own depth, counted along the thread.
Relation rcuSections(const KernelGraph& g) {
  Relation sections(g.size);
  for (unsigned lock = 0; lock < g.size; ++lock) {
    if (!contains(g.tag("rcu-lock"), lock)) continue;
    int depth = 0;
    for (unsigned later = lock; later < g.size; ++later) {
      if (later != lock && !g.po.has(lock, later)) continue;
      if (contains(g.tag("rcu-lock"), later)) ++depth;
      if (contains(g.tag("rcu-unlock"), later) && --depth == 0) {
        sections.add(lock, later);
        break;
      }
    }
  }
  return sections;
}

}  // namespace

bool isCoherentAndAtomic(const KernelGraph& g) {
  const Relation fr = fromReads(g);
  if (!((g.po & g.loc) | g.rf | g.co | fr).isAcyclic()) return false;
  const Relation external = g.internal.complement();
  return (g.rmw & (fr & external).then(g.co & external)).isEmpty();
}

KernelVerdict judge(const KernelGraph& g) {
  const unsigned n = g.size;
  const auto on = [&](EventSet set) { return Relation::identityOn(n, set); };
  const auto tagged = [&](const char* name) { return on(g.tag(name)); };
  const auto fencerel = [&](EventSet set) { return g.po.then(on(set)).then(g.po); };
  const auto times = [&](EventSet a, EventSet b) { return Relation::product(n, a, b); };
  const EventSet everything = allEvents(n), memory = g.reads | g.writes;
  const Relation id = Relation::identity(n);
  const Relation ext = g.internal.complement(), fr = fromReads(g);
  const Relation rfe = g.rf & ext, rfi = g.rf & g.internal;

  const EventSet acquire = g.tag("acquire") | g.tag("LKR"), release = g.tag("release") | g.tag("UL");
  const EventSet srcuUnlock = g.tag("srcu-unlock");
  const EventSet markedSet = (everything & ~memory) | g.initial | g.tag("once") | release | acquire | firsts(g.rmw) |
                             seconds(g.rmw) | g.tag("LF") | g.tag("RL") | g.tag("RU") | g.tag("srcu-lock") | srcuUnlock;
  const EventSet plain = memory & ~markedSet;
  const Relation marked = on(markedSet), M = on(memory), W = on(g.writes);

  const Relation carry = g.data.then(on(everything & ~srcuUnlock)).then(rfi).star();
  const Relation addr = carry.then(g.addr), data = carry.then(g.data), ctrl = carry.then(g.ctrl);
  const Relation srcuSections =
      tagged("srcu-lock").then(g.data.then(on(everything & ~srcuUnlock)).then(g.rf).star()).then(g.data).then(on(srcuUnlock)) &
      g.loc;

  // Fences.
  const Relation acqPo = on(acquire).then(g.po).then(M), poRel = M.then(g.po).then(on(release));
  const Relation unlockLock = g.po.then(tagged("UL")).then(g.po | g.rf).then(tagged("LKR")).then(g.po);
  const EventSet forRmb = g.reads & ~g.tag("noreturn");
  const Relation rmb = on(forRmb).then(fencerel(g.tag("rmb"))).then(on(forRmb));
  const Relation wmb = W.then(fencerel(g.tag("wmb"))).then(W);
  const Relation mb = M.then(fencerel(g.tag("mb"))).then(M) |
                      M.then(fencerel(g.tag("before-atomic"))).then(on(g.updates)).then(g.po.optional()).then(M) |
                      M.then(g.po.optional()).then(on(g.updates)).then(fencerel(g.tag("after-atomic"))).then(M) |
                      M.then(g.po.optional()).then(tagged("LKW")).then(fencerel(g.tag("after-spinlock"))).then(M) |
                      M.then(unlockLock).then(tagged("after-unlock-lock")).then(g.po).then(M) |
                      M.then(g.po.optional()).then(on(srcuUnlock)).then(fencerel(g.tag("after-srcu-read-unlock"))).then(M);
  const Relation gp = g.po.then(on(g.tag("sync-rcu") | g.tag("sync-srcu"))).then(g.po.optional());
  Relation strong = mb | gp;
  const Relation notRmbWmb = strong | poRel | acqPo;
  Relation fence = notRmbWmb | wmb | rmb;

  // Happens before.
  const Relation dep = addr | data, overwrite = g.co | fr;
  const Relation toWrite = (dep | ctrl).then(W) | (overwrite & g.internal) | addr.then(on(plain)).then(wmb);
  const Relation toRead = addr | dep.then(marked).then(rfi);
  const Relation ppo = toRead | toWrite | fence | (unlockLock & g.internal);
  const Relation updates = g.rf.then(g.rmw).star();
  const Relation cumulative =
      marked.then(rfe.then(marked).optional().then(strong | poRel) | wmb | unlockLock).then(marked).then(updates);
  const Relation prop =
      marked.then((overwrite & ext).optional()).then(cumulative.star()).then(marked).then(rfe.optional()).then(marked);
  const Relation hb = marked.then(ppo | rfe | ((prop - id) & g.internal)).then(marked);
  KernelVerdict verdict;
  if (!hb.isAcyclic()) return verdict;
  const Relation pb = prop.then(strong).then(hb.star()).then(marked);
  if (!pb.isAcyclic()) return verdict;

  // RCU: chains of grace periods and critical sections with at least as many of the former.
  const Relation gpRcu = tagged("sync-rcu"), gpSrcu = tagged("sync-srcu");
  const Relation csRcu = rcuSections(g).inverse(), csSrcu = srcuSections.inverse();
  const Relation link = g.po.optional().then(hb.star()).then(pb.star()).then(prop).then(g.po);
  Relation order(n);
  for (;;) {
    const Relation inner = link | link.then(order).then(link);
    const Relation next = gpRcu | gpSrcu | gpRcu.then(inner).then(csRcu) | csRcu.then(inner).then(gpRcu) |
                          (gpSrcu.then(inner).then(csSrcu) & g.loc) | (csSrcu.then(inner).then(gpSrcu) & g.loc) |
                          order.then(link).then(order);
    if (next == order) break;
    order = next | order;
  }
  const Relation rcuFence = g.po.then(order).then(g.po.optional());
  fence = fence | rcuFence;
  strong = strong | rcuFence;
  const Relation rb = prop.then(rcuFence).then(hb.star()).then(pb.star()).then(marked);
  if (!rb.isIrreflexive()) return verdict;

  // Plain accesses.
  const Relation before = (hb | pb | rb).star();
  const Relation visible =
      cumulative.star().then(rfe.optional()).then(marked).then(strong.then(marked).then(before) | (before & g.internal));
  const EventSet notNoreturn = everything & ~g.tag("noreturn");
  const Relation writePre = marked.then((addr | fence).optional());
  const Relation readPre =
      marked.then((addr | notRmbWmb | on(forRmb).then(fencerel(g.tag("rmb"))).then(on(notNoreturn))).optional());
  const Relation writePost = fence.optional().then(marked).then(updates);
  const Relation readPost = (notRmbWmb | on(notNoreturn).then(fencerel(g.tag("rmb"))).then(on(forRmb))).optional().then(marked);
  const Relation wwVisible = fence | strong.then(before).then(writePre) | writePost.then(visible).then(writePre);
  const Relation wrVisible = fence | strong.then(before).then(readPre) | writePost.then(visible).then(readPre);
  const Relation rwBefore = fence | readPost.then(before).then(writePre);
  const Relation candidates = ext & (times(plain, memory) | times(memory & ~g.initial, plain));
  if (!(candidates & ((g.rf & rwBefore.inverse()) | (fr & wrVisible.inverse()) | (g.co & wwVisible.inverse()))).isEmpty())
    return verdict;

  verdict.allowed = true;
  const Relation wwOrdered = wwVisible & (times(markedSet, g.writes) | rwBefore) & (times(g.writes, markedSet) | wrVisible);
  const Relation races = ((candidates & g.co) - wwOrdered) |
                         (((candidates & g.co.optional().then(g.rf)) - wrVisible) - rwBefore.inverse()) |
                         ((candidates & fr) - rwBefore);
  verdict.race = !races.isEmpty();
  return verdict;
}

}  // namespace heddle::oracle
