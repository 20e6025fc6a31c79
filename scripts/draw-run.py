#!/usr/bin/python3
"""Draws what heddle prints as a picture, docs/run.svg, for the README: a real run, with its colours.

draw-run.py HEDDLE: draws it. With --check: fails if the picture does not show what heddle prints now; times and memory may differ.
"""
import html
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
picture = root / "docs/run.svg"
COMMANDS = ["heddle check examples/check/spsc_ring.cpp", "heddle check examples/check/spsc_ring.cpp -- -DBUG"]
COLORS = {"1": "font-weight:bold", "31": "fill:#ff7b72", "32": "fill:#7ee787", "33": "fill:#e3b341", "36": "fill:#79c0ff", "2": "fill:#8b949e"}
WIDTH, LINE, LEFT = 8.4, 19, 18


def output(heddle):
    lines = []
    for command in COMMANDS:
        words = command.split()
        lines.append(f"\x1b[2m$ {command}\x1b[0m")
        printed = subprocess.run([heddle, "check", "--color", "always", *words[2:]], cwd=root, stdout=subprocess.PIPE, text=True).stdout
        lines += printed.rstrip("\n").split("\n") + [""]
    return lines[:-1]


def spans(line):
    """The line as pieces of SVG text; terminal colours become styles."""
    result, style = "", []
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        code = re.fullmatch(r"\x1b\[([0-9;]*)m", piece)
        if code:
            codes = [c for c in code.group(1).split(";") if c not in ("", "0")]
            style = style + codes if codes else []
        elif piece:
            css = ";".join(COLORS[c] for c in style if c in COLORS)
            text = html.escape(piece)
            result += f'<tspan style="{css}">{text}</tspan>' if css else f"<tspan>{text}</tspan>"
    return result


def draw(lines):
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines]
    width = LEFT * 2 + WIDTH * max(map(len, plain))
    height = LINE * (len(lines) + 2)
    text = "".join(f'<text xml:space="preserve" x="{LEFT}" y="{LINE * (i + 2)}">{spans(line)}</text>\n' for i, line in enumerate(lines))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}">\n'
            '<style>text { font: 14px "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #e6edf3; white-space: pre; }</style>\n'
            f'<rect width="100%" height="100%" rx="10" fill="#0d1117"/>\n{text}</svg>\n')


def masked(text):
    return re.sub(r"\d+\.\d+ s, \d+ MB", "N s, N MB", text)


drawn = draw(output(sys.argv[1]))
if "--check" in sys.argv:
    same = masked(drawn).splitlines()[1:] == masked(picture.read_text()).splitlines()[1:]
    if not same:
        print(f"{picture.relative_to(root)} does not show what heddle prints: scripts/draw-run.py draws it")
    sys.exit(0 if same else 1)
picture.write_text(drawn)
