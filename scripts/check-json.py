#!/usr/bin/python3
"""Does what `heddle check --json` prints follow docs/schema/check-1.json? For the examples, as they are and with their mistakes.

check-json.py HEDDLE: with this heddle.
"""
import json
import pathlib
import subprocess
import sys

import jsonschema

root = pathlib.Path(__file__).resolve().parent.parent
schema = json.loads((root / "docs/schema/check-1.json").read_text())
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)

RUNS = [
    ["no-such-file.c"],
    ["--estimate", "examples/check/peterson.c"],
    ["--sample", "5", "examples/check/peterson.c"],
    ["--unroll", "2", "docs/programs/rounds.c"],
    ["--unroll", "3", "docs/programs/list.c"],
    ["docs/programs/endless.c"],
    ["docs/programs/outside.c"],
    ["--max-executions", "1", "examples/check/ticket_lock.c"],
    ["--model", "armv8", "--equivalence", "rf", "examples/check/ticket_lock.c"],
    ["examples/check/lockref.c"],
    ["--persistency", "px86", "examples/check/undo_log.c", "--", "-DBUG"],
]
for path in sorted((root / "examples/check").glob("*.c")):
    RUNS.append([str(path.relative_to(root)), "--", "-DBUG"])

complaints = 0
for words in RUNS:
    done = subprocess.run([sys.argv[1], "check", "--json", "--time", "20", *words], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    for error in validator.iter_errors(json.loads(done.stdout)):
        print(f"heddle check {' '.join(words)}: {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")
        complaints += 1
print(f"{len(RUNS)} runs, {complaints} complaints")
sys.exit(1 if complaints else 0)
