#!/usr/bin/python3
"""Are the files for continuous integration what their readers expect?

action.yml and the example of a workflow for GitHub, the template for GitLab, and the hook for pre-commit are read as YAML. Inputs that
the workflow gives must be those of the action; options that the commands use must be known to heddle.

check-ci-files.py HEDDLE: with this heddle.
"""
import pathlib
import re
import subprocess
import sys

import yaml

root = pathlib.Path(__file__).resolve().parent.parent
heddle = sys.argv[1]
complaints = []


def load(name):
    return yaml.safe_load((root / name).read_text())


def expect(condition, text):
    if not condition:
        complaints.append(text)


def expect_options(name, text):
    """Every option before `--` of a `heddle test` command exists."""
    known = subprocess.run([heddle, "help", "test"], capture_output=True, text=True, check=True).stdout
    commands = re.findall(r"heddle test((?:[^\n\\]|\\\n)*)", text)
    expect(commands, f"{name}: no `heddle test` in it")
    for command in commands:
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", command.split(" -- ")[0]):
            expect(re.search(rf"^  {option}\b", known, re.MULTILINE), f"{name}: heddle test has no option {option}")


action = load("action.yml")
expect(action["runs"]["using"] == "composite", "action.yml: not a composite action")
for step in action["runs"]["steps"]:
    expect("uses" in step or ("run" in step and step.get("shell") == "bash"), f"action.yml: {step.get('name')}: neither uses nor run with a shell")
steps = "\n".join(step.get("run", "") for step in action["runs"]["steps"])
expect_options("action.yml", steps)
for step in action["runs"]["steps"]:
    if "run" in step:  # as the runner calls bash
        result = subprocess.run(["bash", "-n"], input=step["run"], capture_output=True, text=True)
        expect(result.returncode == 0, f"action.yml: {step['name']}: {result.stderr}")
    expect("github.action_" not in step.get("run", ""), f"action.yml: {step.get('name')}: github.action_... is empty in run")
used = set(re.findall(r"inputs\.([a-z]+)", (root / "action.yml").read_text()))
expect(used == set(action["inputs"]), f"action.yml: inputs {sorted(action['inputs'])}, used are {sorted(used)}")

workflow = load("examples/ci/github-workflow.yml")
expect(True in workflow or "on" in workflow, "github-workflow.yml: no events")  # YAML 1.1 reads `on` as true
found = [step for job in workflow["jobs"].values() for step in job["steps"] if "/heddle@" in step.get("uses", "")]
expect(len(found) == 1, "github-workflow.yml: the action is not used")
for step in found:
    expect(set(step["with"]) <= set(action["inputs"]), f"github-workflow.yml: {sorted(step['with'])} are not all inputs of the action")
uploads = [step for job in workflow["jobs"].values() for step in job["steps"] if "upload-sarif" in step.get("uses", "")]
expect([step["with"]["sarif_file"] for step in uploads] == [action["inputs"]["sarif"]["default"]], "github-workflow.yml: another SARIF file")

gitlab = load("examples/ci/heddle.gitlab-ci.yml")
job = gitlab[".heddle"]
expect(job["image"].get("entrypoint") == [""], "heddle.gitlab-ci.yml: the script is given to heddle in place of a shell")
expect_options("heddle.gitlab-ci.yml", "\n".join(job["script"]))
expect(job["artifacts"]["reports"]["junit"] in job["script"][0], "heddle.gitlab-ci.yml: the JUnit file is not written")

for hook in load(".pre-commit-hooks.yaml"):
    expect({"id", "name", "entry", "language"} <= set(hook), f".pre-commit-hooks.yaml: {hook} lacks a key")
    expect_options(".pre-commit-hooks.yaml", hook["entry"])

print("\n".join(complaints) or "no complaints")
sys.exit(1 if complaints else 0)
