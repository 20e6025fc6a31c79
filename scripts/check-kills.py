#!/usr/bin/env python3
"""Sends SIGKILL and SIGSTOP to random processes of runs, at random moments: in the end the counts are those of a run in peace.

check-kills.py HEDDLE [--count N] [--seed N]

A run explores with several processes and checkpoints every hundredth of a second. Any of its processes may be hit: the one that was
started, those that explore, the helper of the sandbox. One that is stopped goes on after a moment. What has been killed is
resumed from its checkpoint (or begun again, if there was none yet), until it ends by itself; then its verdict and its counts must
be those of the whole, and the next run begins. After N signals the last run is left in peace.

Also: no process stays behind, a run that ends by itself says why if it is not complete, and there is always a checkpoint that can be
read once there was one.
"""

import argparse
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *add(void *p) { for (int i = 0; i < ROUNDS; ++i) atomic_fetch_add(&x, 1); return p; }
int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; ++i) pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < THREADS; ++i) pthread_join(t[i], 0);
}
"""
FLAGS = ["--", "-DTHREADS=5", "-DROUNDS=2"]
SECONDS = 100  # without an end: a hang


def processes_of(session):
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(folder.name))
    return found


def send(process, number):
    try:
        os.kill(process, number)
    except ProcessLookupError:
        pass


class Run:
    """One process, from its start to its end, which signals may bring about."""

    def __init__(self, heddle, words, folder):
        self.out, self.err = open(folder / "out", "w+b"), open(folder / "err", "w+b")
        self.child = subprocess.Popen([heddle, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=self.out, stderr=self.err,
                                      start_new_session=True)

    def disturb(self, engine, duration, left):
        """Returns how many signals were sent."""
        sent = 0
        while sent < left:
            pause = engine.random() * duration
            try:
                self.child.wait(pause)
                return sent
            except subprocess.TimeoutExpired:
                pass
            there = processes_of(self.child.pid)
            if not there:
                continue
            victim = engine.choice(there)
            if engine.random() < 0.3:
                send(victim, signal.SIGSTOP)
                time.sleep(engine.random() * 0.05)
                send(victim, signal.SIGCONT)
            else:
                send(victim, signal.SIGKILL)
            sent += 1
        return sent

    def end(self):
        problems = []
        try:
            self.child.wait(SECONDS)
        except subprocess.TimeoutExpired:
            problems.append(f"no end after {SECONDS} s")
            os.killpg(self.child.pid, signal.SIGKILL)
            self.child.wait()
        for _ in range(500):
            if not processes_of(self.child.pid):
                break
            time.sleep(0.02)
        else:
            problems.append("a process is left behind")
            os.killpg(self.child.pid, signal.SIGKILL)
        self.code = self.child.returncode
        texts = []
        for file in (self.out, self.err):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
            file.close()
        self.text, self.complaints = texts
        return problems


def counts(text):
    report = json.loads(text)
    return {name: report[name] for name in ("verdict", "executions", "blocked")}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("heddle")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    heddle = str(pathlib.Path(options.heddle).resolve())
    engine = random.Random(options.seed)
    failed, ended, killed, sent = 0, 0, 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "adds.c").write_text(PROGRAM)
        begun = time.monotonic()
        whole = subprocess.run([heddle, "check", "--json", "-j", "2", "adds.c", *FLAGS], cwd=folder, capture_output=True, text=True)
        duration = time.monotonic() - begun
        expected = counts(whole.stdout)
        checkpoint = folder / "run.checkpoint"
        checkpointing = ["--json", "-j", "3", "--checkpoint-interval", "0.01"]
        resumes = False
        while sent < options.count or resumes:
            if resumes:
                words = ["resume", *checkpointing, "run.checkpoint"]
            else:
                words = ["check", *checkpointing, "--checkpoint", "run.checkpoint", "adds.c", *FLAGS]
            run = Run(heddle, words, folder)
            sent += run.disturb(engine, duration, options.count - sent)
            problems = run.end()
            if run.code == 0:
                if counts(run.text) != expected:
                    problems.append(f"the counts are {counts(run.text)}, not {expected}")
                ended += 1
                resumes = False
                for file in folder.glob("run.checkpoint*"):
                    file.unlink()
            elif run.code == 3 and '"incomplete": "' in run.text:
                resumes = checkpoint.exists()
            elif run.code == -signal.SIGKILL:
                killed += 1
                there = list(folder.glob("run.checkpoint*"))
                resumes = any(not file.name.removeprefix("run.checkpoint").lstrip(".").isdigit() for file in there)
            else:
                problems.append(f"exit code {run.code}")
                resumes = False
            for problem in problems:
                failed += 1
                print(f"heddle {' '.join(words)}: {problem}\n{run.complaints}")
    print(f"seed {options.seed}: {sent} signals, {killed} runs killed, {ended} ended with the counts of a run in peace {expected}, "
          f"{failed} problems")
    return 1 if failed or ended == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
