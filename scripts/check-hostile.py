#!/usr/bin/env python3
"""Runs the hostile programs of tests/hostile: none may get out of the sandbox, forge a verdict, or take heddle down.

check-hostile.py HEDDLE [--fix] [NAME...]

Each program says in its first lines what it tries, with which options, and how the run has to end:

    // A signal to heddle's parent.
    //! options: --pure kill --pure getppid
    //! outcome: error forbidden-call

The outcome is the verdict with the kind of the error, or `refused` for a program that is not run at all. Besides, for each run:

  - the exit code is that of the verdict; nobody was killed by a signal; no internal error;
  - standard output is one JSON object, and the report as text has no control characters;
  - no file has come or gone, and no process is left behind.

The table of outcomes is that of docs/security.md; --fix writes both. Where the machine has no seccomp, programs that need it are skipped.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "security.md"
BEGIN, END = "<!-- hostile programs: begin -->\n", "<!-- hostile programs: end -->\n"
EFFECT = pathlib.Path("/tmp/heddle-hostile")
CODES = {"verified": 0, "bounded": 0, "sampled": 0, "error": 1, "refused": 2, "unsupported": 2, "incomplete": 3}
SECONDS = 120  # a loaded machine compiles slowly; what is meant to end sooner has --time or --stuck


def field(text, name):
    found = re.search(rf"^//! {name}: (.*)$", text, re.M)
    return found.group(1) if found else ""


def session_of(process):
    try:
        return int(pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[3])
    except (OSError, IndexError):
        return 0


def left_behind(session):
    return [p.name for p in pathlib.Path("/proc").iterdir() if p.name.isdigit() and session_of(p.name) == session]


class Run:
    def __init__(self, heddle, file, options, folder):
        command = [heddle, "check", "-j", "1", *options, str(file)]
        child = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 start_new_session=True)
        self.problems = []
        try:
            out, err = child.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            child.kill()
            out, err = child.communicate()
            self.problems.append(f"no end after {SECONDS} s")
        self.out, self.err = out.decode(errors="replace"), err.decode(errors="replace")
        self.code = child.returncode
        for _ in range(50):
            if not left_behind(child.pid):
                break
            time.sleep(0.05)
        else:
            self.problems.append("a process is left behind")
        if self.code < 0:
            self.problems.append(f"heddle was ended by signal {-self.code}")
        if self.code == 4 or "internal error" in self.err:
            self.problems.append("an internal error: " + self.err.strip())


def outcome(run):
    try:
        report = json.loads(run.out)
    except ValueError:
        run.problems.append("standard output is no JSON object")
        return "none"
    verdict = report["verdict"]
    if run.code == 2:
        verdict = "unsupported" if report.get("error") else "refused"
    kind = report["error"]["kind"] if report.get("error") else ""
    if CODES.get(verdict) != run.code:
        run.problems.append(f"verdict {verdict} with exit code {run.code}")
    if verdict == "incomplete":
        kind = re.sub(r"\b[0-9][0-9.,]* ", "N ", report["incomplete"]).split(":")[0]
    return f"{verdict} {kind}".strip()


def check(heddle, file):
    text = file.read_text()
    options = field(text, "options").split()
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / file.name
        shutil.copy(file, copy)
        if EFFECT.exists():
            EFFECT.rmdir() if EFFECT.is_dir() else EFFECT.unlink()
        run = Run(heddle, copy, [*options, "--json"], folder)
        found = outcome(run)
        shown = Run(heddle, copy, options, folder) if file.name.startswith("output") else run
        if shown is not run:
            run.problems += shown.problems
            if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", shown.out + shown.err):
                run.problems.append("control characters in the report")
            if found.startswith("error") and re.search(r"^verified", shown.out, re.M):
                run.problems.append("a forged verdict")
        if EFFECT.exists() or os.listdir(folder) != [file.name]:
            run.problems.append("an effect outside")
    return found, run.problems


def main():
    arguments = sys.argv[1:]
    fix = "--fix" in arguments
    arguments = [a for a in arguments if a != "--fix"]
    heddle, names = str(pathlib.Path(arguments[0]).resolve()), arguments[1:]
    files = sorted(f for f in (ROOT / "tests" / "hostile").iterdir() if f.suffix in (".c", ".cpp"))
    probe = subprocess.run([heddle, "check", "--sandbox", "require", str(ROOT / "tests" / "hostile" / "write_null.c")],
                           capture_output=True, text=True)
    has_sandbox = probe.returncode == 1
    if not has_sandbox:
        print("check-hostile: no sandbox here, so the programs that need it are skipped: " + probe.stderr.strip())
    rows, failed = [], 0
    for file in files:
        text = file.read_text()
        if names and file.stem not in names:
            continue
        if not has_sandbox and file.stem.startswith("pure_"):
            continue
        found, problems = check(heddle, file)
        expected = field(text, "outcome")
        if fix:
            text = re.sub(r"^//! outcome: .*\n", "", text, flags=re.M).split("\n")
            at = 2 if text[1].startswith("//! options") else 1
            file.write_text("\n".join([*text[:at], f"//! outcome: {found}", *text[at:]]))
        elif found != expected:
            problems.append(f"the outcome is {found}, expected {expected}")
        for problem in problems:
            print(f"{file.name}: {problem}")
        failed += bool(problems)
        title = text[0] if fix else text.split("\n")[0]
        rows.append(f"| `{file.name}` | {title[3:].rstrip('.')} | {found} |\n")
    table = "| Program | What it tries | Outcome |\n|---|---|---|\n" + "".join(rows)
    print(table)
    if not names and has_sandbox:
        page = PAGE.read_text()
        before, rest = page.split(BEGIN)
        old, after = rest.split(END)
        if fix:
            PAGE.write_text(before + BEGIN + table + END + after)
        elif old != table:
            print("check-hostile: the table of docs/security.md is not this one; --fix writes it")
            failed += 1
    print(f"{len(rows)} hostile programs, {failed} with a problem")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
