#!/usr/bin/env python3
"""Explores with several ranks of MPI on this machine, and compares with one process.

check-mpi.py HEDDLE

The report is the same for every number of ranks, for a program that is right, one that is wrong, and one whose threads start threads
(so that the ranks have to agree on their numbers). A worker that is killed and a rank whose heddle is killed cost nothing. A
rank that is killed ends the job; what its checkpoint has left is explored by another number of ranks, and the counts are those of a
run that nobody has disturbed. MPI uses shared memory and the loopback address only.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HEDDLE = os.path.abspath(sys.argv[1])
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
AINC = os.path.join(ROOT, "bench/native/ainc.c")
ENVIRONMENT = {
    **os.environ,
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_pml": "ob1",
    "OMPI_MCA_btl": "self,vader",
    "OMPI_MCA_oob_tcp_if_include": "lo",
    "OMPI_MCA_plm": "isolated",
}

# Threads that start threads in any order: their numbers are found out by exploring.
NESTED = """
#include <atomic>
#include <thread>
std::atomic<int> x, y;
int main() {
  auto work = [](int i) {
    std::thread inner([i] { x.fetch_add(i); y.fetch_add(1); });
    x.fetch_add(1);
    inner.join();
  };
  std::thread a(work, 2), b(work, 3), c(work, 4);
  a.join(), b.join(), c.join();
  return 0;
}
"""

# Few executions are wrong, and late ones.
WRONG = """
#include <assert.h>
#include <stdatomic.h>
#include <pthread.h>
atomic_int x;
static void *add(void *number) {
  const int first = atomic_fetch_add(&x, 1);
  atomic_fetch_add(&x, 1);
  const int last = atomic_fetch_add(&x, 1);
  assert(!(number != 0 && first == 0 && last == 3));
  return 0;
}
int main(void) {
  pthread_t threads[4];
  for (long i = 0; i < 4; i++) pthread_create(&threads[i], 0, add, (void *)(i / 3));
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
}
"""


def complain(what):
    print(f"check-mpi: {what}")
    sys.exit(1)


def command(ranks, words):
    heddle = [HEDDLE, *words]
    return ["mpirun", "-q", "-n", str(ranks), *heddle, "--mpi"] if ranks else heddle


def run(ranks, words, flags=()):
    """The exit code and the report."""
    line = [*command(ranks, words), *(["--", *flags] if flags else [])]
    done = subprocess.run(line, env=ENVIRONMENT, capture_output=True, text=True, timeout=120, check=False)
    try:
        return done.returncode, json.loads(done.stdout)
    except json.JSONDecodeError:
        return complain(f"{line}: exit code {done.returncode}, and this is no report:\n{done.stdout}{done.stderr}")


def compare(what, file, flags=()):
    """What does not depend on time, memory and luck is the same."""
    words = ["check", "--json", file]
    keys = ("verdict", "executions", "blocked", "error", "bounds", "warnings")
    expected = run(0, [*words, "-j", "1"], flags)
    for ranks, jobs in ((1, 2), (2, 1), (4, 1)):
        code, found = run(ranks, [*words, "-j", str(jobs)], flags)
        if code != expected[0]:
            complain(f"{what}: exit code {code} with {ranks} ranks, {expected[0]} without")
        for key in keys:
            if found.get(key) != expected[1].get(key):
                complain(f"{what}: with {ranks} ranks {key} is {found.get(key)}, without {expected[1].get(key)}")
    print(f"{what}: {expected[1]['verdict']}, {expected[1]['executions']} executions alone and with 1, 2 and 4 ranks")


def children(process):
    try:
        with open(f"/proc/{process}/task/{process}/children", encoding="utf-8") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def name(process):
    try:
        with open(f"/proc/{process}/comm", encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return ""


def wait_for(what, condition, seconds=30):
    end = time.time() + seconds
    while time.time() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    return complain(f"waited in vain until {what}")


def relays(mpirun):
    """In the order of ranks, once all of them explore: heddle-mpi, its heddle, a worker."""
    found = []
    for relay in children(mpirun):
        heddles = [child for child in children(relay) if name(child) == "heddle"]
        workers = [child for heddle in heddles for child in children(heddle) if name(child) == "heddle"]
        if not workers:
            return None
        found.append((relay, heddles[0], workers[-1]))
    return found if len(found) >= 2 else None


def disturbed(what, words, flags, choose):
    """A run of two ranks in which a process is killed."""
    line = [*command(2, words), "--", *flags]
    with subprocess.Popen(line, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as mpirun:
        ranks = wait_for("both ranks explore", lambda: relays(mpirun.pid))
        time.sleep(0.3)
        os.kill(choose(ranks), signal.SIGKILL)
        out, problems = mpirun.communicate(timeout=120)
        print(f"{what}: exit code {mpirun.returncode}")
        return mpirun.returncode, out, problems, ranks


def is_running(process):
    return name(process) == "heddle"


def main():
    if not shutil.which("mpirun") or not os.path.exists(os.path.join(os.path.dirname(HEDDLE), "heddle-mpi")):
        complain("there is no mpirun, or no heddle-mpi beside heddle: install openmpi-bin and libopenmpi-dev, and build again")
    with tempfile.TemporaryDirectory() as folder:
        nested, wrong = os.path.join(folder, "nested.cpp"), os.path.join(folder, "wrong.c")
        for file, text in ((nested, NESTED), (wrong, WRONG)):
            with open(file, "w", encoding="utf-8") as out:
                out.write(text)
        compare("additions", AINC, ["-DN=9"])
        compare("threads that start threads", nested)
        compare("a failing assertion", wrong)

        words, flags, expected = ["check", "--json", "-j", "1", AINC], ["-DN=10"], 3628800
        for what, choose in (
            ("a worker of rank 1 killed", lambda ranks: ranks[1][2]),
            ("the heddle of rank 1 killed", lambda ranks: ranks[1][1]),
        ):
            code, out, problems, _ = disturbed(what, words, flags, choose)
            if code != 0 or json.loads(out)["executions"] != expected:
                complain(f"{what}: {out}{problems}")

        checkpoint = os.path.join(folder, "run.checkpoint")
        words += ["--checkpoint", checkpoint, "--checkpoint-interval", "0.2"]
        code, _, _, ranks = disturbed("rank 1 killed", words, flags, lambda ranks: ranks[1][0])
        if code == 0:
            complain("a rank was killed, and mpirun has not noticed")
        # The heddle of rank 0 is no child of mpirun. It may still be writing its last checkpoint.
        wait_for("rank 0 ends", lambda: not is_running(ranks[0][1]))
        shutil.copy(checkpoint, checkpoint + ".copy")
        for number, file in ((4, checkpoint), (0, checkpoint + ".copy")):
            code, result = run(number, ["resume", "--json", file, "-j", "1"])
            if code != 0 or result["executions"] != expected:
                complain(f"resumed with {number} ranks: exit code {code}, {result['executions']} executions")
            print(f"resumed with {number} ranks: {result['executions']} executions")


main()
