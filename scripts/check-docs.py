#!/usr/bin/python3
"""Do the pages show what heddle prints?

Lines of a block that begin with `$ heddle ...` are run, and what the page shows below each is compared with what it prints. `cd FOLDER &&`
and variables may stand before `heddle`. Times, memory, sizes and versions are masked. A line with only `...` stands for any lines.
Blocks are fenced, or indented by four spaces.
Commands run in a folder of their own that has links to everything in the repository. A comment before a block says more:

    <!-- file: queue.cpp -->   the block is this file. If the repository has it they must be equal; otherwise it is made for the
                               commands below
    <!-- run -->               other commands of the block are run as well
    <!-- as in: FILE -->       the block is part of this file of the repository

check-docs.py HEDDLE [--fix] [PAGE...]: with this heddle; all pages if none is named. --fix writes what heddle prints into the pages.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent

MASKS = [
    (re.compile(r"^heddle \d+\.\d+\.\d+\S*"), "heddle X.Y.Z"),
    (re.compile(r'^  "(version|llvm)": "[^"]*"'), r'  "\1": "X.Y.Z"'),
    (re.compile(r"\b\d+(\.\d+)? s\b"), "N s"),
    (re.compile(r"\(\d+\.\d+ s\)"), "(N s)"),
    (re.compile(r"\b\d+(\.\d+)? (MB|GB)\b"), "N MB"),
    (re.compile(r"^(Time \S+) \d+\.\d+"), r"\1 N"),
    (re.compile(r"^(  (precompiled headers|results of tests)): \d+ files?,"), r"\1: N files,"),
    (re.compile(r"[\d,]+/s\b"), "N/s"),
    (re.compile(r"^(generate code|compile|link|instrument|optimise|explore|total|prepare)( +)\d+\.\d+"), r"\1 N"),
]


def masked(line):
    for pattern, text in MASKS:
        line = pattern.sub(text, line)
    return line.rstrip()


class Block:
    """Some lines of a page, without what makes them a block; `first` is the index of the first line."""

    def __init__(self, directive, first, lines, indent):
        self.directive, self.first, self.lines, self.indent = directive, first, lines, indent


def blocks_of(page):
    lines = page.split("\n")
    blocks, i, directive = [], 0, None
    while i < len(lines):
        line = lines[i]
        comment = re.fullmatch(r"\s*<!-- (run|file: \S+|as in: \S+) -->\s*", line)
        fence = re.match(r"( *)(```+)", line)
        if comment:
            directive = comment.group(1)
        elif fence:
            end = next((j for j in range(i + 1, len(lines)) if lines[j].strip() == fence.group(2)), len(lines))
            indent = len(fence.group(1))
            blocks.append(Block(directive, i + 1, [text[indent:] for text in lines[i + 1:end]], indent))
            i, directive = end, None
        elif line.startswith("    ") and (i == 0 or not lines[i - 1].strip() or comment):
            end = i
            for j in range(i, len(lines)):
                if lines[j].startswith("    "):
                    end = j + 1
                elif lines[j].strip():
                    break
            blocks.append(Block(directive, i, [text[4:] for text in lines[i:end]], 4))
            i, directive = end - 1, None
        elif line.strip():
            directive = None
        i += 1
    return blocks


def commands_of(block):
    """Pairs of a command and what is shown below it, with the index of that among the block's lines."""
    result = []
    for i, line in enumerate(block.lines):
        if line.startswith("$ "):
            result.append([line[2:], i + 1, []])
        elif result:
            result[-1][2].append(line)
    return result


def differs(shown, printed):
    """Line by line, with `...` for any lines."""
    shown = [masked(line) for line in shown]
    printed = [masked(line) for line in printed]
    pattern = "\n".join(r"(?:.*\n)*?(?:.*)" if line.strip() == "..." else re.escape(line) for line in shown)
    return re.fullmatch(pattern, "\n".join(printed)) is None


def stripped(lines):
    lines = list(lines)
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def run(command, folder, heddle):
    command = re.sub(r"^build/heddle\b", "heddle", command)
    environment = dict(os.environ, PATH=f"{heddle.parent}:{os.environ['PATH']}")
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, timeout=60)
    return stripped(done.stdout.split("\n"))


def check(path, heddle, fix):
    complaints, count = [], 0
    page = path.read_text()
    lines = page.split("\n")
    changes = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for entry in root.iterdir():
            if entry.name != ".git":
                (folder / entry.name).symlink_to(entry)
        for block in blocks_of(page):
            where = f"{path.relative_to(root)}:{block.first + 1}"
            text = "\n".join(stripped(block.lines)) + "\n"
            kind, _, name = (block.directive or "").partition(": ")
            if kind == "as in" and text.strip() not in (root / name).read_text():
                complaints.append(f"{where}: this is not in {name}")
            if kind == "file":
                if not (root / name).exists():
                    (folder / name).parent.mkdir(parents=True, exist_ok=True)
                    (folder / name).write_text(text)
                elif (root / name).read_text() != text:
                    complaints.append(f"{where}: {name} is another")
            if kind in ("file", "as in"):
                continue
            for command, at, shown in commands_of(block):
                if kind != "run" and not re.match(r"(cd \S+ && )?([A-Z_]+=\S* )*(build/)?heddle\b", command):
                    continue
                count += 1
                printed = run(command, folder, heddle)
                if not differs(stripped(shown), printed):
                    continue
                complaints.append(f"{where}: {command}\n  the page shows:\n" + "".join(f"    {line}\n" for line in stripped(shown)) +
                                  "  heddle prints:\n" + "".join(f"    {line}\n" for line in printed))
                start = block.first + at
                changes.append((start, start + len(stripped(shown)), [(" " * block.indent + line).rstrip() for line in printed]))
    if fix and changes:
        for start, end, printed in reversed(changes):
            lines[start:end] = printed
        path.write_text("\n".join(lines))
    return complaints, count


def main():
    words = [word for word in sys.argv[1:] if word != "--fix"]
    heddle = pathlib.Path(words[0]).absolute()
    pages = [pathlib.Path(word).absolute() for word in words[1:]]
    if not pages:
        pages = [root / "README.md", *sorted((root / "docs").rglob("*.md")), *sorted((root / "examples").rglob("README.md"))]
    complaints, count = [], 0
    for page in pages:
        found, ran = check(page, heddle, "--fix" in sys.argv)
        complaints += found
        count += ran
    print("\n".join(complaints))
    print(f"{len(pages)} pages, {count} commands, {len(complaints)} complaints")
    return 1 if complaints else 0


sys.exit(main())
