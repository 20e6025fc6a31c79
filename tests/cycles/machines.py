"""ARMv8, RISC-V and POWER as published, on one execution: sets of pairs, and no code of Heddle's.

The Arm Architecture Reference Manual B2.3 (Pulte and others, POPL 2018), the RISC-V manual's RVWMO, and "Herding Cats"
(Alglave, Maranget and Tautschnig 2014), with external communication in front of sync only.
"""
from dataclasses import dataclass, field


@dataclass
class Event:
    kind: str  # R, W, or F for a fence
    thread: int | None = None  # None: an initial write
    location: int | None = None
    value: int = 0
    fence: str = ""
    acquire: str = ""  # of a read: A, or Q for LDAPR
    release: bool = False
    atomic: str = ""  # half of a read-modify-write: "swap" of one instruction, "pair" of two
    number: int = -1


@dataclass
class Execution:
    events: list
    po: set = field(default_factory=set)
    rf: set = field(default_factory=set)
    co: set = field(default_factory=set)
    rmw: set = field(default_factory=set)
    addr: set = field(default_factory=set)
    data: set = field(default_factory=set)
    ctrl: set = field(default_factory=set)

    def only(self, test):
        """The identity on some events."""
        return {(e.number, e.number) for e in self.events if test(e)}

    def fence(self, *names):
        return self.only(lambda e: e.fence in names)

    def external(self, relation):
        thread = lambda i: self.events[i].thread
        return {(a, b) for a, b in relation if thread(a) is None or thread(a) != thread(b)}

    def internal(self, relation):
        return relation - self.external(relation)

    @property
    def fr(self):
        return seq({(r, w) for w, r in self.rf}, self.co)

    @property
    def po_loc(self):
        location = lambda i: self.events[i].location
        return {(a, b) for a, b in self.po if location(a) is not None and location(a) == location(b)}


def seq(*relations):
    result = relations[0]
    for relation in relations[1:]:
        leads = {}
        for a, b in relation:
            leads.setdefault(a, []).append(b)
        result = {(a, c) for a, b in result for c in leads.get(b, ())}
    return result


def closure(relation):
    result = set(relation)
    while True:
        more = result | seq(result, result)
        if len(more) == len(result):
            return result
        result = more


def acyclic(relation):
    return all(a != b for a, b in closure(relation))


def is_coherent(x):
    """Of each location, and read-modify-writes are atomic."""
    between = seq(x.external(x.fr), x.external(x.co))
    return acyclic(x.po_loc | x.rf | x.co | x.fr) and not x.rmw & between


def armv8(x):
    R, W = x.only(lambda e: e.kind == "R"), x.only(lambda e: e.kind == "W")
    A, AQ = x.only(lambda e: e.acquire == "A"), x.only(lambda e: e.acquire != "")
    L = x.only(lambda e: e.release and e.kind == "W")
    isb, po, rfi = x.fence("isb"), x.po, x.internal(x.rf)
    both = x.only(lambda e: e.atomic == "swap" and e.kind == "R" and e.acquire == "A")
    obs = x.external(x.rf | x.fr | x.co)
    dob = (x.addr | x.data | seq(x.ctrl, W) | seq(x.ctrl | seq(x.addr, po), isb, po, R) | seq(x.addr, po, W)
           | seq(x.addr | x.data, rfi))
    aob = x.rmw | seq(x.only(lambda e: e.atomic and e.kind == "W"), rfi, AQ)
    bob = (seq(po, x.fence("dmb.sy"), po) | seq(po, both, x.rmw, L, po) | seq(L, po, A) | seq(R, po, x.fence("dmb.ld"), po)
           | seq(AQ, po) | seq(W, po, x.fence("dmb.st"), po, W) | seq(po, L))
    return acyclic(obs | seq(x.po_loc, W) | dob | aob | bob)


def riscv(x):
    R, W = x.only(lambda e: e.kind == "R"), x.only(lambda e: e.kind == "W")
    M, po, rfi = R | W, x.po, x.internal(x.rf)
    sides = {"r": R, "w": W, "rw": M}
    fences = seq(R, po, x.fence("fence.tso"), po, M) | seq(W, po, x.fence("fence.tso"), po, W)
    for before in sides:
        for after in sides:
            fences |= seq(sides[before], po, x.fence(f"fence.{before}.{after}"), po, sides[after])
    acquires, releases = x.only(lambda e: e.acquire != ""), x.only(lambda e: e.release)
    strong = x.only(lambda e: e.atomic and (e.acquire or e.release))
    written = {(a, b) for a, b in x.po_loc if any((a, c) in x.po_loc and (c, b) in x.po_loc for c, _ in W)}
    source = {r: w for w, r in x.rf}
    reads = {(a, b) for a, b in x.po_loc - written if a in source and b in source and source[a] != source[b]}
    ppo = (seq(x.po_loc, W) | reads | seq(x.only(lambda e: e.atomic and e.kind == "W"), rfi) | fences | seq(acquires, po)
           | seq(po, releases) | seq(strong, po, strong) | x.rmw | x.addr | x.data | seq(x.ctrl, W)
           | seq(x.addr | x.data, rfi) | seq(x.addr, po, W))
    return acyclic(x.external(x.rf) | x.co | x.fr | seq(M, ppo, M))


def power(x):
    R, W = x.only(lambda e: e.kind == "R"), x.only(lambda e: e.kind == "W")
    M, po, everything = R | W, x.po, x.only(lambda e: True)
    rfe, fre, coe = x.external(x.rf), x.external(x.fr), x.external(x.co)
    rdw, detour = x.po_loc & seq(fre, rfe), x.po_loc & seq(coe, rfe)
    dp = x.addr | x.data
    ii0, ci0 = dp | rdw | x.internal(x.rf), seq(x.ctrl, x.fence("isync"), po) | detour
    cc0 = dp | x.po_loc | x.ctrl | seq(x.addr, po)
    ii, ic, ci, cc = set(), set(), set(), set()
    while True:
        more = (ii0 | ci | seq(ic, ci) | seq(ii, ii), ii | cc | seq(ic, cc) | seq(ii, ic), ci0 | seq(ci, ii) | seq(cc, ci),
                cc0 | ci | seq(ci, ic) | seq(cc, cc))
        if more == (ii, ic, ci, cc):
            break
        ii, ic, ci, cc = more[0] | ii, more[1] | ic, more[2] | ci, more[3] | cc
    ppo = seq(R, ii, R) | seq(R, ic, W)
    sync = seq(M, po, x.fence("sync"), po, M)
    lwsync = seq(M, po, x.fence("lwsync"), po, M)
    fence = sync | seq(R, lwsync) | seq(lwsync, W) | seq(W, po, x.fence("eieio"), po, W)
    hb = ppo | fence | rfe
    hbs = closure(hb) | everything
    base = seq(fence | seq(rfe, fence), hbs)
    coms = closure(x.rf | x.co | x.fr) | everything
    prop = seq(W, base, W) | seq(coms, closure(base) | everything, sync, hbs)
    return acyclic(hb) and acyclic(x.co | prop) and all(a != b for a, b in seq(fre, prop, hbs))


MACHINES = {"AArch64": armv8, "RISCV": riscv, "PPC": power}
