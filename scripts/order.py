#!/usr/bin/env python3
"""Writes the table of docs/Order.md: peaks in the order of the program and in the best one found.

Usage: scripts/order.py [--write]

Without --write, the table is printed. Networks come from scripts/wired-network.py and from models/.
"""

import math
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "Order.md"
SEEDS = range(10)
# Kinds of scripts/wired-network.py, with their names; cells are averaged over seeds.
WIRED = [
    ("RandWire, Watts-Strogatz", ["randwire-ws"]),
    ("RandWire, Erdos-Renyi", ["randwire-er"]),
    ("RandWire, Barabasi-Albert", ["randwire-ba"]),
    ("NASNet-A mobile", ["nasnet"]),
    ("PNASNet-5 mobile", ["pnasnet"]),
    ("DARTS", ["darts"]),
    ("like SwiftNet", ["swiftnet"]),
    ("one stage of 1700 nodes", ["randwire-cell", "--nodes", "1700"]),
]
OPTIONS = "order=auto strategy=greedy-by-size noalias-arguments=true"


def generate(arguments, path):
    command = [sys.executable, ROOT / "scripts" / "wired-network.py", *arguments, "--form", "mlir"]
    path.write_text(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def measure(path):
    """Steps, own peak, peak, bound, and seconds of the pass and of the pipeline."""
    command = [
        ROOT / "target" / "release" / "mem-opt",
        path,
        f"--mem-default-pipeline={OPTIONS}",
        "--mlir-pass-statistics",
        "--mlir-timing",
        "-o",
        "/dev/null",
    ]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    number = lambda name: int(re.search(rf"(\d+) {name} - .*(?:order|ordered|peak)", said)[1])
    seconds = lambda name: float(re.search(rf"([\d.]+) \([^)]*\)\s+{name}$", said, re.MULTILINE)[1])
    counts = [number(name) for name in ("steps", "before", "after", "bound")]
    return [*counts, seconds("mem-reorder"), seconds("Total")]


def row(name, measured):
    steps, before, after, bound, seconds, total = measured
    ratio = f"{before / after:.2f}"
    return f"| {name} | {steps} | {before:,} | {after:,} | {bound:,} | {ratio} | {seconds:.2f} of {total:.2f} |"


def table():
    lines = [
        "| network | steps | own order | best order | lower bound | ratio | seconds |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "network.mlir"
        ratios = []
        for seed in SEEDS:
            generate(["randwire-cell", "--seed", str(seed)], path)
            measured = measure(path)
            ratios.append(measured[1] / measured[2])
            lines.append(row(f"RandWire cell, seed {seed}", measured))
        for name, arguments in WIRED:
            generate(arguments, path)
            lines.append(row(name, measure(path)))
    for model in sorted((ROOT / "models" / "bufferized").glob("*.mlir")):
        lines.append(row(f"`{model.stem}`", measure(model)))
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    lines += ["", f"The geometric mean of the RandWire cells is {mean:.2f}."]
    return "\n".join(lines)


def main():
    text = table()
    if sys.argv[1:] != ["--write"]:
        print(text)
        return
    begin, end = "<!-- table -->\n", "<!-- end -->\n"
    document = DOCUMENT.read_text()
    head, rest = document.split(begin)
    DOCUMENT.write_text(f"{head}{begin}{text}\n{end}{rest.split(end)[1]}")


if __name__ == "__main__":
    main()
