#!/usr/bin/env python3
"""Random litmus tests in assembly, and what the machines' published axioms say of them.

    compare.py HEDDLE [--count N] [--seed S] [--length L] [--keep FOLDER]

A test is made of a cycle of edges, as the public collections are (diy): communication between threads or within one, program
order, fences and dependencies. Its condition is true of the executions that have the cycle, which are few: they are built here and
judged by machines.py. Heddle must find the condition to be true exactly if one of them is allowed.
"""
import argparse
import itertools
import pathlib
import random
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass

from dialects import DIALECTS
from machines import MACHINES, Event, Execution, is_coherent

LOCATIONS = "xyzabcdefg"


@dataclass
class Edge:
    kind: str
    source: str
    target: str
    external: bool
    same: bool  # location


@dataclass
class Access:
    kind: str
    thread: int
    location: int = 0
    value: int = 0
    acquire: str = ""
    release: bool = False
    atomic: str = ""
    after: str = ""  # the edge from the access before it in its thread
    # The numbers of its events in an execution: the only one or the write, and the read before it.
    number: int = -1
    read: int = -1


def edges_of(dialect):
    result = [Edge(kind, kind_ends[0], kind_ends[1], external, True)
              for kind, kind_ends in (("rf", "WR"), ("fr", "RW"), ("co", "WW")) for external in (True, False)]
    for same, target in itertools.product((True, False), "RW"):
        for source in "RW":
            result += [Edge(kind, source, target, False, same) for kind in ("po",) + dialect.fences]
        kinds = ("addr", "ctrl", "ctrl+fence") + (("data",) if target == "W" else ())
        result += [Edge(kind, "R", target, False, same) for kind in kinds]
    return result


def random_cycle(rng, edges, length):
    while True:
        size = rng.randint(3, length)
        cycle = []
        while len(cycle) < size:
            last = len(cycle) == size - 1
            fitting = [e for e in edges if (not cycle or e.source == cycle[-1].target)
                       and (not last or (e.external and e.target == cycle[0].source))]
            external = [e for e in fitting if e.external]
            if not fitting:
                break
            cycle.append(rng.choice(external if external and rng.random() < 0.4 else fitting))
        if len(cycle) == size and sum(e.external for e in cycle) > 1 and sum(not e.same for e in cycle) != 1:
            return cycle


def accesses_of(rng, dialect, cycle):
    """The accesses of a cycle, or None if no execution can have all its edges."""
    thread, accesses = 0, []
    for i, edge in enumerate(cycle):
        before = cycle[i - 1]
        accesses.append(Access(edge.source, thread, after="" if before.external else before.kind))
        thread += edge.external
    moves = [i for i, edge in enumerate(cycle) if not edge.same]
    first = moves[-1] + 1 if moves else 0
    location = count = 0
    for i in range(first, first + len(cycle)):
        access = accesses[i % len(cycle)]
        count += access.kind == "W"
        access.location, access.value = location, count
        if not cycle[i % len(cycle)].same:
            location, count = location + 1, 0
    for i, edge in enumerate(cycle):
        a, b = accesses[i], accesses[(i + 1) % len(cycle)]
        if edge.kind == "rf" and a.value != b.value or edge.kind in ("fr", "co") and not a.value < b.value:
            return None
    for access in accesses:
        choice = rng.random()
        if access.kind == "W" and choice < 0.2:
            access.atomic = rng.choice(dialect.atomics)
        if dialect.acquires and rng.random() < 0.3:
            if access.kind == "W":
                access.release = rng.random() < 0.6
            if access.kind == "R" or access.atomic and rng.random() < 0.6:
                access.acquire = "A" if access.atomic else rng.choice(dialect.acquires)
    return accesses


class Writer:
    """The text of a test."""

    def __init__(self, dialect, accesses):
        self.dialect, self.accesses = dialect, accesses
        self.initial, self.condition, self.labels = [], [], 0

    def label(self, word):
        self.labels += 1
        return f"{word}{self.labels:02d}"

    def thread(self, number):
        accesses = [a for a in self.accesses if a.thread == number]
        dialect, code, bases = self.dialect, [], {}
        registers = itertools.count(dialect.first_register)
        for location in dict.fromkeys(a.location for a in accesses):
            bases[location] = next(registers)
            self.initial.append(f"{number}:{dialect.register(bases[location])}={LOCATIONS[location]}")
        read = None
        for access in accesses:
            address, value = bases[access.location], None
            if access.after in ("addr", "data"):
                value = next(registers)
                code.append(dialect.nothing(value, read))
                if access.after == "addr":
                    address = next(registers)
                    code.append(dialect.add_address(address, bases[access.location], value))
                    value = None
            elif access.after.startswith("ctrl"):
                code += dialect.branch(read, self.label("LC"))
                code += [dialect.fence(dialect.branch_fence)] * access.after.endswith("fence")
            elif access.after in dialect.fences:
                code.append(dialect.fence(access.after))
            if access.kind == "R":
                read = next(registers)
                code.append(dialect.load(read, address, access))
                self.expect(number, read, access.value)
                continue
            if value is None:
                value = next(registers)
                code.append(dialect.constant(value, access.value))
            else:
                code.append(dialect.add_constant(value, access.value))
            if not access.atomic:
                code.append(dialect.store(value, address, access))
                continue
            old, orders = next(registers), (access.acquire != "", access.release)
            if access.atomic == "swap":
                code.append(dialect.swap(old, value, address, *orders))
            else:
                status = next(registers)
                code += dialect.pair(old, value, status, address, *orders, self.label("Again"))
                if dialect.name != "PPC":
                    self.expect(number, status, 0)
            self.expect(number, old, access.value - 1)
        return code

    def expect(self, thread, register, value):
        self.condition.append(f"{thread}:{self.dialect.register(register)}={value}")

    def text(self, name):
        threads = [self.thread(t) for t in range(self.accesses[-1].thread + 1)]
        for location in {a.location for a in self.accesses}:
            values = [a.value for a in self.accesses if a.kind == "W" and a.location == location]
            if len(values) > 1:
                self.condition.append(f"{LOCATIONS[location]}={max(values)}")
        rows = list(itertools.zip_longest(*([f"P{t}"] + code for t, code in enumerate(threads)), fillvalue=""))
        body = "".join(" " + " | ".join(f"{cell:<30}" for cell in row) + " ;\n" for row in rows)
        condition = " /\\ ".join(self.condition) or f"{LOCATIONS[0]}=1"
        return f"{self.dialect.name} {name}\n{{ {'; '.join(self.initial)}; }}\n{body}exists ({condition})\n"


def executions(dialect, accesses):
    """Those with the values that the condition asks for: only the order of writes that are overwritten is open."""
    x = Execution([])

    def add(event):
        event.number = len(x.events)
        x.events.append(event)
        return event.number

    locations = sorted({a.location for a in accesses})
    for location in locations:
        add(Event("W", location=location))
    for thread in range(accesses[-1].thread + 1):
        first, read, branches = len(x.events), None, []
        for access in (a for a in accesses if a.thread == thread):
            if access.after.startswith("ctrl"):
                branches.append((read, len(x.events)))
            fence = access.after if access.after in dialect.fences else ""
            if access.after == "ctrl+fence":
                fence = dialect.branch_fence
            if fence:
                add(Event("F", thread, fence=fence))
            here = dict(thread=thread, location=access.location, atomic=access.atomic)
            whole = access.atomic == "swap" and dialect.name == "RISCV"  # both halves have both orders
            access.read = -1
            if access.atomic:
                access.read = add(Event("R", value=access.value - 1, acquire=access.acquire, release=whole and access.release,
                                        **here))
            acquire = access.acquire if access.kind == "R" or whole else ""
            access.number = add(Event(access.kind, value=access.value, acquire=acquire, release=access.release, **here))
            if access.atomic:
                x.rmw.add((access.read, access.number))
            if access.after in ("addr", "data"):
                getattr(x, access.after).add((read, access.number))
                if access.after == "addr" and access.atomic:
                    x.addr.add((read, access.read))
            if access.kind == "R":
                read = access.number
        x.po |= {(a, b) for a in range(first, len(x.events)) for b in range(a + 1, len(x.events))}
        x.ctrl |= {(read, later) for read, branch in branches for later in range(branch, len(x.events))}
    writes = {location: [e.number for e in x.events if e.kind == "W" and e.location == location] for location in locations}
    value = lambda number: x.events[number].value
    for event in x.events:
        if event.kind == "R":
            x.rf |= {(w, event.number) for w in writes[event.location] if value(w) == event.value}
    orders = []
    for location in locations:
        initial, *others = writes[location]
        last = max(others, key=value, default=None)
        rest = [w for w in others if w != last]
        orders.append([[initial, *middle] + [last] * (last is not None) for middle in itertools.permutations(rest)])
    for choice in itertools.product(*orders):
        x.co = {pair for order in choice for pair in itertools.combinations(order, 2)}
        yield x


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("heddle")
    parser.add_argument("--count", type=int, default=400, help="tests for each machine")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--length", type=int, default=7, help="of a cycle, at most")
    parser.add_argument("--keep", help="write the tests to this folder")
    options = parser.parse_args()
    different = 0
    for name, dialect in DIALECTS.items():
        rng = random.Random(f"{options.seed} {name}")
        edges = edges_of(dialect)
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(options.keep or temporary) / name
            folder.mkdir(parents=True, exist_ok=True)
            expected = {}
            while len(expected) < options.count:
                accesses = accesses_of(rng, dialect, random_cycle(rng, edges, options.length))
                if accesses is None:
                    continue
                test = f"{name}-{options.seed}-{len(expected)}"
                (folder / f"{test}.litmus").write_text(Writer(dialect, accesses).text(test))
                expected[test] = any(is_coherent(x) and MACHINES[name](x) for x in executions(dialect, accesses))
            run = subprocess.run([options.heddle, "litmus", "-j", "1", str(folder)], capture_output=True, text=True, check=False)
            seen = dict(re.findall(r"^Observation (\S+) (\w+)", run.stdout, re.MULTILINE))
            for test, allowed in expected.items():
                if seen.get(test) in (("Sometimes", "Always") if allowed else ("Never",)):
                    continue
                different += 1
                print(f"{test}: {'allowed' if allowed else 'forbidden'}, heddle says {seen.get(test, run.stderr[:500])}")
                print((folder / f"{test}.litmus").read_text())
            print(f"{name}: {len(expected)} tests, {sum(expected.values())} allowed")
            if not 0.1 < sum(expected.values()) / len(expected) < 0.9:
                print("too few of one kind")
                different += 1
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
