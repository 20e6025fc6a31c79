#!/usr/bin/env python3
"""Puts faults into heddle, one at a time, and sees whether the tests notice.

check-mutants.py TREE [--only TEXT] [--first N] [--seconds N] [--markdown FILE] [--no-build]

TREE is a copy of the source that may be changed, for instance by `git clone . ../mutants`; it is configured in TREE/build if that is not
done. The faults are those of tests/mutants/faults.txt. All are compiled into one build: where there is a fault, the
environment variable HEDDLE_MUTANT says whether it is on. So a fault costs no build, only the tests that are most likely to notice it
(TESTS, by folder, the quickest first), until one fails or does not end.

The share that is noticed is printed, and those that are not: each needs a test, or an explanation in the file of faults why it
is no error.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import time

HEADER = """// Which fault is on (scripts/check-mutants.py).
#pragma once
#include <cstdlib>
inline bool heddleMutant(int number) {
  static const char* const text = std::getenv("HEDDLE_MUTANT");
  static const int on = text == nullptr ? 0 : std::atoi(text);
  return number == on;
}
"""
# By the first words of a file's path: programs and their tests. {1..N}: seeds differ by shard, one shard is enough first.
TESTS = {
    "src/explore": [
        ["heddle_litmus_tests"],
        ["heddle_oracle_tests", "--gtest_filter=KnownPrograms*:Profiles/Split*:Profiles/StaleReads*:Fuzzer*:Oracle*"],
        ["heddle_unit_tests", "--gtest_filter=KnownCounts*:Explorer*:Lock*:Barrier*:BlockedExecutions*"],
        ["heddle_oracle_tests", "--gtest_filter=Seeds/*Shard*/0:Awaits*:Locks*"],
    ],
    "src/memory": [
        ["heddle_unit_tests", "--gtest_filter=Memory*"],
        ["heddle_native_tests", "--gtest_filter=*/race_*:*/memory_*"],
        ["heddle_native_fuzz_tests", "--gtest_filter=*/0"],
    ],
    "src/native": [
        ["heddle_native_tests", "--gtest_filter=*/loops_*"],
        ["heddle_unit_tests", "--gtest_filter=InstrumentTest*:CliLoops*:LoopFuzz*"],
        ["heddle_native_fuzz_tests", "--gtest_filter=*/0"],
    ],
    "src/prove": [["heddle_prove_tests"]],
    "src/parallel": [["heddle_unit_tests", "--gtest_filter=Parallel*"], ["heddle_unit_tests", "--gtest_filter=CliParallel*"]],
}
SHARED = ["-DHEDDLE_STATIC_LLVM=OFF"]


class Fault:
    def __init__(self, number, file, old, new, reason):
        self.number, self.file, self.old, self.new, self.reason = number, file, old, new, reason

    def replacement(self):
        on = f"heddleMutant({self.number})"
        if self.old.endswith(";"):
            return f"{{ if ({on}) {{ {self.new} }} else {{ {self.old} }} }}"
        return f"({on} ? ({self.new}) : ({self.old}))"


def read_faults(file):
    faults, name = [], None
    for block in re.split(r"\n\s*\n", re.sub(r"^#.*\n", "", file.read_text(), flags=re.M)):
        parts = {"-": [], "+": [], "=": []}
        for line in block.strip("\n").split("\n"):
            if line.startswith("file "):
                name = line[5:].strip()
            elif line[:2] in ("- ", "+ ", "= "):
                parts[line[0]].append(line[2:])
            elif line.strip():
                sys.exit(f"{file}: what is this? {line}")
        if parts["-"]:
            faults.append(Fault(len(faults) + 1, name, *("\n".join(parts[key]) for key in "-+=")))
    return faults


def write(path, text):
    """What is there already is not compiled again."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def seed(tree, faults):
    write(tree / "src" / "util" / "mutant.h", HEADER)
    for name in sorted({fault.file for fault in faults}):
        text = subprocess.run(["git", "show", f"HEAD:{name}"], cwd=tree, check=True, capture_output=True, text=True).stdout
        for fault in (each for each in faults if each.file == name):
            if text.count(fault.old) != 1:
                sys.exit(f"check-mutants: {name} has this {text.count(fault.old)} times, not once: {fault.old}")
            text = text.replace(fault.old, fault.replacement())
        write(tree / name, '#include "util/mutant.h"\n' + text)


def build(tree, files):
    folder = tree / "build"
    if not (folder / "build.ninja").exists():
        subprocess.run(["cmake", "--preset", "release", *SHARED], cwd=tree, check=True, stdout=subprocess.DEVNULL)
    programs = sorted({test[0] for start, tests in TESTS.items() for test in tests if any(start in file for file in files)})
    subprocess.run(["cmake", "--build", "build", "-j", "2", "--target", *programs], cwd=tree, check=True)


def tests_of(file):
    return next(tests for start, tests in TESTS.items() if file.startswith(start))


def run_test(tree, test, number, seconds):
    """Why it failed; None: it has passed."""
    environment = dict(os.environ, HEDDLE_MUTANT=str(number), GTEST_FAIL_FAST="1", GTEST_BRIEF="1")
    try:
        run = subprocess.run([str(tree / "build" / test[0]), *test[1:]], cwd=tree, env=environment, timeout=seconds, capture_output=True,
                             text=True, errors="replace")
    except subprocess.TimeoutExpired:
        return "no end"
    if run.returncode == 0:
        return None
    if run.returncode < 0:
        return f"signal {-run.returncode}"
    failed = re.search(r"^\[  FAILED  \] ([\w./]+)", run.stdout, re.M)
    return failed.group(1) if failed else f"exit code {run.returncode}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tree")
    parser.add_argument("--only", default="", help="faults of files with this in their names")
    parser.add_argument("--seconds", type=float, default=0, help="stop after so many; 0: when all are done")
    parser.add_argument("--first", type=int, default=1, help="the number of the first fault")
    parser.add_argument("--markdown", help="a table of all, here")
    parser.add_argument("--no-build", action="store_true")
    options = parser.parse_args()
    tree = pathlib.Path(options.tree).resolve()
    all_faults = read_faults(tree / "tests" / "mutants" / "faults.txt")
    if not options.no_build:
        seed(tree, all_faults)
        build(tree, {fault.file for fault in all_faults if options.only in fault.file})
    faults = [fault for fault in all_faults if options.only in fault.file and fault.number >= options.first]
    # What passes without a fault, and how long that takes: a fault may take ten times as long.
    limits = {}
    for test in {tuple(test): test for fault in faults for test in tests_of(fault.file)}.values():
        begun = time.monotonic()
        problem = run_test(tree, test, 0, 1200)
        if problem:
            sys.exit(f"check-mutants: {' '.join(test)} fails without a fault: {problem}")
        limits[tuple(test)] = 10 * (time.monotonic() - begun) + 20
    begun, rows, counts = time.monotonic(), [], {"killed": 0, "explained": 0, "survived": 0}
    for fault in faults:
        if options.seconds and time.monotonic() - begun > options.seconds:
            break
        killer = None
        for test in tests_of(fault.file):
            problem = run_test(tree, test, fault.number, limits[tuple(test)])
            if problem:
                killer = f"{test[0]}: {problem}"
                break
        fate = "killed" if killer else "explained" if fault.reason else "survived"
        counts[fate] += 1
        rows.append((fault, fate, killer or fault.reason))
        print(f"{fault.number:3} {fate:9} {fault.file}: {fault.old.splitlines()[0][:90]}  {killer or fault.reason}", flush=True)
    print(f"{len(rows)} of {len(all_faults)} faults: {counts['killed']} killed, {counts['explained']} explained, "
          f"{counts['survived']} survived")
    if options.markdown:
        lines = ["| File | Fault | What notices it |", "|---|---|---|"]
        for fault, fate, why in rows:
            text = f"`{fault.old.splitlines()[0]}` becomes `{fault.new}`".replace("|", "\\|")
            lines.append(f"| `{fault.file}` | {text} | {why or 'nothing'} |")
        pathlib.Path(options.markdown).write_text("\n".join(lines) + "\n")
    return 1 if counts["survived"] else 0


if __name__ == "__main__":
    sys.exit(main())
