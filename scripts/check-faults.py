#!/usr/bin/env python3
"""Runs commands of heddle in which one call fails: the answer must be right, or an error with its reason. Never a wrong one.

check-faults.py HEDDLE SHIM [--all] [--seconds N] [--seed N] [--only TEXT] [--fault KIND:N]

SHIM is the library of tests/faults. A command is run once to see what it answers, and once to count its calls of each kind: allocations,
opened files, reads, writes, writes that write less, processes, connections, mappings, renamed files, what is brought to the
disk, and looks at the clock, which jumps by years. Then it is run again and again, and each time one call fails: with --all each call of a kind with at most
500, and as many of the others, at random; otherwise as many at random as there is time for. --fault tries this one
only, and says where it happened. Each command also runs without a home folder, with a cache that cannot be written, on a full
disk, and with a standard output that is full.

What must hold of each run, besides that it ends in time, by itself, and leaves no process behind:

  - with the exit code of the undisturbed run: the answer is the same (verdict, numbers of executions, kind and line of the
    error, final states, claims), and files that were asked for are whole;
  - with another one: it is 2 or 3, and standard error, or the report, says why. It is 1 only if the undisturbed run's is;
  - a checkpoint that was there before, or is there now, goes on to the answer of the undisturbed run, or is refused as damaged
    where that is what was done to it.
"""

import argparse
import json
import os
import pathlib
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = ["alloc", "open", "read", "write", "short", "fork", "socket", "map", "rename", "sync", "clock"]
PLACES = 18 * 8  # in the record of tests/faults/shim.cpp
RECORD_SIZE = PLACES + 32 * 8
MOST_EACH = 500
SECONDS = 100  # for a run; a loaded machine is slow

RIGHT = """
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int x, y;
static void *one(void *p) { atomic_store(&x, 1); atomic_fetch_add(&y, 1); return p; }
static void *two(void *p) { atomic_store(&y, 5); atomic_fetch_add(&x, 1); return p; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(atomic_load(&x) > 0);
}
"""
WRONG = RIGHT.replace("> 0", "== 2")
# Long enough for several processes to take part in it.
LARGE = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *add(void *p) { for (int i = 0; i < 2; ++i) atomic_fetch_add(&x, 1); return p; }
int main(void) {
  pthread_t t[5];
  for (int i = 0; i < 5; ++i) pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 5; ++i) pthread_join(t[i], 0);
}
"""
LITMUS = """C SB
{ x=0; y=0; }
P0(atomic_int* x, atomic_int* y) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
}
P1(atomic_int* x, atomic_int* y) {
  atomic_store_explicit(y, 1, memory_order_relaxed);
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
}
exists (0:r0=0 /\\ 1:r0=0)
"""
CLAIMS = """let a = po ; rf
assume po <= po+
assert po ; po <= po+
assert rf <= po
"""
TESTED = RIGHT.replace("\n#include <pthread.h>", "//! rc20: verified\n//! sc: error=assertion-failure\n#include <pthread.h>", 1)

# Name, the words after `heddle`, files that are written. {resume}: the run goes on from a checkpoint that was made before.
COMMANDS = [
    ("right", ["check", "-j", "1", "--json", "right.c"], []),
    ("right, as text", ["check", "-j", "1", "--sandbox", "off", "right.c"], []),
    ("wrong", ["check", "-j", "1", "--json", "--sarif", "o.sarif", "--html", "o.html", "--dot", "o.dot", "--junit", "o.xml",
               "--save", "o.failure", "wrong.c"], ["o.sarif", "o.html", "o.dot", "o.xml", "o.failure"]),
    ("two processes", ["check", "-j", "2", "--json", "large.c"], []),
    ("two processes, no sandbox", ["check", "-j", "2", "--json", "--sandbox", "off", "large.c"], []),
    ("checkpoint", ["check", "-j", "2", "--json", "--sandbox", "off", "--checkpoint", "o.checkpoint", "--checkpoint-interval",
                    "0.02", "large.c"], []),
    ("resume", ["resume", "-j", "2", "--json", "--checkpoint-interval", "0.02", "kept.checkpoint"], []),
    ("litmus", ["litmus", "--json", "--html", "o.html", "sb.litmus"], ["o.html"]),
    ("prove", ["prove", "--json", "claims.prove"], []),
    ("test", ["test", "--json", "-j", "2", "--junit", "o.xml", "tested.c"], ["o.xml"]),
]


def write_inputs(folder):
    for name, text in [("right.c", RIGHT), ("wrong.c", WRONG), ("large.c", LARGE), ("sb.litmus", LITMUS), ("claims.prove", CLAIMS),
                       ("tested.c", TESTED)]:
        (folder / name).write_text(text)


def only(value, names):
    return {name: value.get(name) for name in names} if isinstance(value, dict) else value


def answer(text):
    """What of a report must not depend on what has failed."""
    try:
        report = json.loads(text)
    except ValueError:
        words = re.search(r"^(verified|error|incomplete|bounded)[^\n]*", text, re.M)
        return re.sub(r",? *[0-9.]+ m?s.*", "", words.group(0)) if words else None
    if "assertions" in report:
        return [only(each, ["claim", "text", "verdict", "result", "proved"]) for each in report["assertions"]]
    if "tests" in report:
        return [only(each, ["name", "model", "status", "verdict", "states", "observation", "positive", "negative", "executions",
                            "blocked"]) for each in report["tests"]]
    found = only(report, ["verdict", "executions", "blocked"])
    found["error"] = only(report.get("error"), ["kind", "line", "thread"])
    return found


def is_same(found, wanted):
    """A test of `heddle test` may also be undecided, which it says."""
    if isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted):
        return all(is_same(*each) for each in zip(found, wanted))
    undecided = isinstance(found, dict) and "status" in found and found["status"] != "passed" and \
        found["verdict"] in ("", "incomplete")
    return found == wanted or undecided


class Run:
    def __init__(self, heddle, words, folder, environment):
        begun = time.monotonic()
        self.problems = []
        with open(folder / "stdout", "wb") as out, open(folder / "stderr", "wb") as err:
            program = heddle if isinstance(heddle, list) else [heddle]
            child = subprocess.Popen([*program, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                     start_new_session=True, env=environment)
            try:
                child.wait(SECONDS)
            except subprocess.TimeoutExpired:
                self.problems.append(f"no end after {SECONDS} s")
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
        self.code = child.returncode
        self.out = (folder / "stdout").read_text(errors="replace")
        self.err = (folder / "stderr").read_text(errors="replace")
        for _ in range(100):
            try:
                os.killpg(child.pid, 0)
            except ProcessLookupError:
                break
            time.sleep(0.02)
        else:
            self.problems.append("a process is left behind")
            os.killpg(child.pid, signal.SIGKILL)
        self.answer = answer(self.out)
        self.seconds = time.monotonic() - begun


class Command:
    def __init__(self, heddle, shim, entry, folder):
        self.heddle, self.shim, self.folder = heddle, shim, folder
        self.name, self.words, self.files = entry
        self.record = folder / "record"
        self.checkpoint = next((w for w in self.words if w.endswith(".checkpoint")), None)
        self.kept = {}
        if self.words[0] == "resume":
            self.make_checkpoint()
        self.whole = self.run(None)
        self.totals = self.counts()
        self.plain = self.whole
        if self.words[0] == "resume":  # what the whole run finds
            self.plain = Run(heddle, ["check", "-j", "1", "--json", "large.c"], folder, self.environment("none"))

    def environment(self, fault=None, places=False):
        environment = dict(os.environ, XDG_CACHE_HOME=str(self.folder / "cache"))
        if fault != "none":
            environment.update(LD_PRELOAD=self.shim, HEDDLE_FAULT_RECORD=str(self.record))
        if fault and fault != "none":
            environment["HEDDLE_FAULT"] = fault
        if places:
            environment["HEDDLE_FAULT_PLACES"] = "1"
        return environment

    def make_checkpoint(self):
        for executions in (300, 900):
            words = ["check", "-j", "1", "--json", "--checkpoint", self.checkpoint, "--max-executions", str(executions), "large.c"]
            if executions == 900:
                words = ["resume", self.checkpoint, "-j", "1", "--json", "--max-executions", str(executions)]
            made = Run(self.heddle, words, self.folder, self.environment("none"))
            if made.code != 3:
                sys.exit(f"check-faults: no checkpoint was made: {made.code} {made.out} {made.err}")
        for name in (self.checkpoint, self.checkpoint + ".previous"):
            self.kept[name] = (self.folder / name).read_bytes()

    def run(self, fault, places=False):
        self.clean()
        self.record.write_bytes(bytes(RECORD_SIZE))
        return Run(self.heddle, self.words, self.folder, self.environment(fault, places))

    def clean(self):
        for file in self.folder.glob("o.*"):
            file.unlink()
        for name, content in self.kept.items():
            (self.folder / name).write_bytes(content)

    def counts(self):
        values = struct.unpack("18Q", self.record.read_bytes()[:PLACES])
        return dict(zip(KINDS, values))

    def has_failed(self):
        return struct.unpack("18Q", self.record.read_bytes()[:PLACES])[16] != 0

    def places(self):
        record = self.record.read_bytes()
        count = struct.unpack("Q", record[PLACES - 8:PLACES])[0]
        return struct.unpack(f"{count}Q", record[PLACES:PLACES + 8 * count])

    def problems(self, fault, run):
        found = list(run.problems)
        if run.code < 0:
            found.append(f"ended by signal {-run.code}")
        elif run.code == self.whole.code:
            if not is_same(run.answer, self.whole.answer) and "cannot write" not in run.err:
                found.append(f"another answer: {run.answer}, not {self.whole.answer}")
            if not any(word in run.err for word in ("cannot write", "cannot open")):
                found += self.file_problems()
        elif run.code not in (2, 3):
            found.append(f"exit code {run.code} instead of {self.whole.code}")
        elif not run.err.strip() and "incomplete" not in run.out and "printed no result" not in run.out:
            found.append(f"exit code {run.code} without a reason")
        if "internal error" in run.err or "terminate called" in run.err or "LLVM ERROR" in run.err:
            found.append("an internal error")
        if self.checkpoint and (self.folder / self.checkpoint).exists() and run.code != 0:
            found += self.checkpoint_problems()
        elif self.kept and run.code != 0:
            found.append("the checkpoint is gone")
        return found

    def file_problems(self):
        found = []
        for name in self.files:
            file = self.folder / name
            text = file.read_text(errors="replace") if file.exists() else ""
            end = {".html": "</html>", ".dot": "}", ".xml": "</testsuites>"}.get(file.suffix)
            try:
                whole = text.rstrip().endswith(end) if end else isinstance(json.loads(text), dict)
            except ValueError:
                whole = False
            if not whole:
                found.append(f"{name} is not whole")
        return found

    def checkpoint_problems(self):
        words = ["resume", self.checkpoint, "-j", "1", "--json"]
        again = Run(self.heddle, words, self.folder, self.environment("none"))
        if again.code != 0 or again.answer != self.plain.answer:
            return [f"the checkpoint goes on to exit code {again.code}, {again.answer}: {again.err.strip()}"]
        return again.problems

    def try_fault(self, fault):
        run = self.run(fault)
        if not self.has_failed():
            return run, None  # there were fewer calls this time
        return run, self.problems(fault, run)


FULL = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs -o size=64k none "$0" && cd "$0" && cp ../*.* . && exec "$@"']
# Where a command runs, and what it may say besides its answer: with what the environment has more or has not, and where files go.
SURROUNDINGS = [
    ("no home folder", {"HOME": None, "XDG_CACHE_HOME": None}, []),
    ("a cache folder that cannot be written", {"XDG_CACHE_HOME": "/proc"}, []),
    ("a full disk", {"XDG_CACHE_HOME": "FULL"}, FULL),
]


def check_surroundings(command):
    """Problems of this command where something is missing. A full disk needs the right to mount one."""
    found = []
    full = command.folder / "full"
    full.mkdir(exist_ok=True)
    for name, changes, prefix in SURROUNDINGS:
        if prefix and subprocess.run([*prefix, str(full), "true"], capture_output=True).returncode != 0:
            continue
        environment = command.environment("none")
        for key, value in changes.items():
            environment.pop(key, None)
            if value:
                environment[key] = str(full) if value == "FULL" else value
        command.clean()
        program = [*prefix, str(full), command.heddle] if prefix else [command.heddle]
        run = Run(program, command.words, command.folder, environment)
        # On a full disk files cannot be written, which is an error. The answer must be there all the same.
        if run.code not in (command.whole.code, 2, 3) or (run.code != command.whole.code and not run.err.strip()):
            run.problems.append(f"exit code {run.code} instead of {command.whole.code}")
        if run.code == command.whole.code and not is_same(run.answer, command.whole.answer):
            run.problems.append(f"another answer: {run.answer}")
        for problem in run.problems:
            found.append(f"{command.name}, {name}: {problem}: {run.err.strip()}")
    out = subprocess.run([command.heddle, *command.words], cwd=command.folder, stdin=subprocess.DEVNULL, stdout=open("/dev/full", "wb"),
                         stderr=subprocess.PIPE, env=command.environment("none"), timeout=SECONDS)
    if out.returncode not in (command.whole.code if command.whole.code else 3, 2, 3) or not out.stderr.strip():
        found.append(f"{command.name}, standard output is full: exit code {out.returncode}: {out.stderr.decode()}")
    return found


def faults_of(command, everything, engine):
    """In the order in which they are tried."""
    chosen = []
    for kind, total in command.totals.items():
        if everything and total <= MOST_EACH:
            chosen += [f"{kind}:{n}" for n in range(1, total + 1)]
        elif total:
            chosen += [f"{kind}:{engine.randint(1, total)}" for _ in range(MOST_EACH if everything else 20)]
    engine.shuffle(chosen)
    return chosen


def show(command, fault, run, problems, places=False):
    print(f"{command.name}, {fault}: {'; '.join(problems) or 'good'} (exit code {run.code})")
    print("    heddle " + " ".join(command.words))
    for line in run.err.strip().split("\n")[-6:]:
        print("    | " + line[:200])
    if places:
        addresses = [hex(place - 1) for place in command.places()]
        lines = subprocess.run(["addr2line", "-Cfpise", command.heddle, *addresses], capture_output=True, text=True).stdout
        print("\n".join(line[:220] for line in lines.split("\n") if line and not line.startswith("??")))
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("heddle")
    parser.add_argument("shim")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="commands with this in their names")
    parser.add_argument("--fault")
    options = parser.parse_args()
    heddle, shim = (str(pathlib.Path(p).resolve()) for p in (options.heddle, options.shim))
    engine = random.Random(options.seed)
    tried = failed = right = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_inputs(folder)
        commands = [Command(heddle, shim, entry, folder) for entry in COMMANDS if options.only in entry[0]]
        for command in commands:
            if command.whole.problems or command.whole.code not in (0, 1, 3) or command.whole.answer is None:
                sys.exit(f"check-faults: {command.name} without a fault: {command.whole.code} {command.whole.err}")
            print(f"{command.name}: exit code {command.whole.code}, calls:",
                  ", ".join(f"{kind} {total}" for kind, total in command.totals.items() if total))
        if options.fault:
            for command in commands:
                run = command.run(options.fault, places=True)
                show(command, options.fault, run, command.problems(options.fault, run), places=True)
            return 0
        for command in commands:
            for problem in check_surroundings(command):
                failed += 1
                print(problem)
        queues = [(command, faults_of(command, options.all, engine)) for command in commands]
        begun = time.monotonic()
        while any(faults for _, faults in queues):
            for command, faults in queues:
                if not faults or (not options.all and time.monotonic() - begun > options.seconds):
                    faults.clear()
                    continue
                fault = faults.pop()
                run, problems = command.try_fault(fault)
                if problems is None:
                    continue
                tried += 1
                right += run.code == command.whole.code
                if problems:
                    failed += 1
                    show(command, fault, run, problems)
    print(f"seed {options.seed}: {tried} calls have failed, {right} runs ended as without, {failed} with a problem")
    return 1 if failed or tried == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
