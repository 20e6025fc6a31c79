#!/usr/bin/env python3
"""Hunts wrong verdicts for as long as it is given, and writes a page about it: `make hunt SECONDS=3600`.

hunt.py BUILD [--seconds N] [--jobs N] [--seed N] [--kind KINDS] [--report FILE]

BUILD is a folder in which everything was built. Turns follow each other, and each has a seed of its own:

  - random programs of all kinds (heddle_fuzz): against the oracles, against themselves with other options, written in another way, in
    another order, in parts, and against this machine;
  - every fourth turn, calls that fail (check-faults.py), and processes that are killed (check-kills.py).

A turn that finds something does not end the hunt: what it printed is in the report, with the command that does it again. The
report is written after each turn, so a hunt may be interrupted at any time.
"""

import argparse
import collections
import datetime
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TURN = 120  # seconds
FIELDS = ("programs", "executions", "skipped", "branching")


class Hunt:
    def __init__(self, options):
        self.options = options
        self.begun = time.time()
        self.kinds = collections.defaultdict(lambda: dict.fromkeys(FIELDS, 0))
        self.others = collections.Counter()
        self.seeds, self.found = [], []
        self.commit = subprocess.run(["git", "-C", str(ROOT), "describe", "--always", "--dirty"], capture_output=True, text=True).stdout.strip()

    def run(self, command):
        done = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True, errors="replace")
        if done.returncode != 0:
            self.found.append((" ".join(str(word) for word in command), (done.stdout + done.stderr).strip()))
        return done.stdout

    def programs(self, seed, seconds):
        command = [self.options.build / "heddle_fuzz", "--seconds", f"{seconds:.0f}", "--jobs", self.options.jobs, "--seed", seed]
        if self.options.kind:
            command += ["--kind", self.options.kind]
        pattern = (r"^([\w-]+): (\d+) programs, (\d+) executions compared, (\d+) skipped as too large, (\d+) with more than one execution$")
        for line in re.finditer(pattern, self.run(command), re.M):
            for name, value in zip(FIELDS, line.groups()[1:]):
                self.kinds[line.group(1)][name] += int(value)

    def disturbances(self, seed):
        heddle = self.options.build / "heddle"
        out = self.run([ROOT / "scripts" / "check-faults.py", heddle, self.options.build / "libheddle_faults.so", "--seconds", 40, "--seed", seed])
        self.others["calls that failed"] += int((re.findall(r"(\d+) calls have failed", out) or [0])[-1])
        out = self.run([ROOT / "scripts" / "check-kills.py", heddle, "--count", 30, "--seed", seed])
        self.others["signals"] += int((re.findall(r"(\d+) signals", out) or [0])[-1])

    def report(self):
        seconds = time.time() - self.begun
        lines = ["# Hunt", "", f"{datetime.datetime.now():%Y-%m-%d %H:%M}, commit {self.commit}, {seconds:.0f} s with {self.options.jobs} jobs; seeds "
                 f"{self.seeds[0]} to {self.seeds[-1]}, one a turn of {TURN} s.", "", f"**{len(self.found)} findings.**", "",
                 "| Kind | Programs | Executions compared | Programs/s | Too large | With more than one execution |", "|---|---:|---:|---:|---:|---:|"]
        for kind, row in self.kinds.items():
            lines.append(f"| {kind} | {row['programs']:,} | {row['executions']:,} | {row['programs'] / seconds:.1f} | {row['skipped']:,} | "
                         f"{row['branching']:,} |")
        lines += ["", *(f"- {count:,} {what}" for what, count in self.others.items())]
        for command, text in self.found:
            lines += ["", "## Found by `" + command.replace(str(ROOT) + "/", "") + "`", "", "```", text[-4000:], "```"]
        self.options.report.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=int(time.time()) * 1000)
    parser.add_argument("--kind", default="")
    parser.add_argument("--report", type=pathlib.Path, default=pathlib.Path("build/hunt.md"))
    options = parser.parse_args()
    options.build = options.build.resolve()
    hunt = Hunt(options)
    turn = 0
    while (left := options.seconds - (time.time() - hunt.begun)) > 0:
        # The seeds of a turn are those from its own on, so turns are far enough from each other.
        seed = options.seed + turn * 10_000_000
        hunt.seeds.append(seed)
        if turn % 4 == 3 and not options.kind:
            hunt.disturbances(seed)
        else:
            hunt.programs(seed, max(1, min(TURN, left)))
        hunt.report()
        turn += 1
    print(options.report.read_text())
    return 1 if hunt.found else 0


if __name__ == "__main__":
    sys.exit(main())
