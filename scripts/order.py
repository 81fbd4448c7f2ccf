#!/usr/bin/env python3
"""Writes the tables of docs/Order.md: peaks in the order of the program and in the best one found, the same
for other orders of RandWire cells, and what orders gain with tiles, in hierarchies and within budgets.

Usage: scripts/order.py [--write] [TABLE ...]

Without --write, tables are printed. TABLE is one of networks, cells, tiles and plans; default: all.
Networks come from scripts/wired-network.py and from models/.
"""

import math
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "Order.md"
SEEDS = range(100)
# Kinds of scripts/wired-network.py, with their names.
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
# Orders of the layers of RandWire cells, as options of scripts/wired-network.py.
ORDERS = [("built", "node by node"), ("queue", "from a queue"), ("depth", "depth first")]
# Networks of models/ that are also measured with tiles.
TILED = ["googlenet_b1", "mobilenet_v2_b1", "resnet50_b1", "squeezenet11_b1"]
CYCLES = ("cost", "ycles")
MAKESPAN = ("makespan", "ycles")
# Networks in hierarchies and within budgets.
PLANS = [
    ("RandWire cell, 190,000 bytes of `gpu`", ["randwire-cell"], "hierarchy=gpu budget=190000", MAKESPAN),
    ("RandWire cell, 250,000 bytes of `gpu`", ["randwire-cell"], "hierarchy=gpu budget=250000", MAKESPAN),
    ("RandWire cell, 300,000 bytes of `gpu`", ["randwire-cell"], "hierarchy=gpu budget=300000", MAKESPAN),
    ("RandWire cell, `npu`", ["randwire-cell"], "hierarchy=npu", CYCLES),
    ("RandWire cell, `microcontroller`", ["randwire-cell"], "hierarchy=microcontroller", CYCLES),
    ("like SwiftNet, `npu`", ["swiftnet"], "hierarchy=npu", CYCLES),
    ("like SwiftNet, `microcontroller`", ["swiftnet"], "hierarchy=microcontroller", CYCLES),
    ("RandWire, Watts-Strogatz, `npu`", ["randwire-ws"], "hierarchy=npu", CYCLES),
]


def generate(arguments, path):
    command = [sys.executable, ROOT / "scripts" / "wired-network.py", *arguments, "--form", "mlir"]
    path.write_text(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def run(path, options):
    """What mem-opt says about a pipeline: statistics and times; and the processor time that it takes."""
    command = [
        ROOT / "target" / "release" / "mem-opt",
        path,
        f"--mem-default-pipeline={options} noalias-arguments=true",
        "--mlir-pass-statistics",
        "--mlir-timing",
        "-o",
        "/dev/null",
    ]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return said, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def number(said, name, what):
    return int(re.search(rf"(\d+) {name} - .*(?:{what})", said)[1])


def seconds(said, name):
    return float(re.search(rf"([\d.]+) \([^)]*\)\s+{name}$", said, re.MULTILINE)[1])


def measure(path):
    """Steps, own peak, peak, bound, and processor seconds of the pass and of the pipeline."""
    said, total = run(path, "order=auto strategy=greedy-by-size")
    names = ("steps", "before", "after", "bound")
    counts = [number(said, name, "order|ordered|peak") for name in names]
    share = seconds(said, "mem-reorder") / seconds(said, "Total")
    return [*counts, share * total, total]


def row(name, measured):
    steps, before, after, bound, own, total = measured
    ratio = f"{before / after:.2f}"
    return f"| {name} | {steps} | {before:,} | {after:,} | {bound:,} | {ratio} | {own:.2f} of {total:.2f} |"


def mean(ratios):
    """The geometric mean."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def models(names=None):
    files = sorted((ROOT / "models" / "bufferized").glob("*.mlir"))
    files += sorted((ROOT / "models" / "small").glob("*.mlir"))
    return [(f"`{file.stem}`", file) for file in files if names is None or file.stem in names]


def networks(path):
    lines = [
        "| network | steps | own order | best order | lower bound | ratio | seconds |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for seed in range(10):
        generate(["randwire-cell", "--seed", str(seed)], path)
        lines.append(row(f"RandWire cell, seed {seed}", measure(path)))
    for name, arguments in WIRED:
        generate(arguments, path)
        lines.append(row(name, measure(path)))
    lines += [row(name, measure(file)) for name, file in models()]
    return lines


def cells(path):
    lines = [
        "| own order | ratio | from | to | optimal |",
        "| --- | --- | --- | --- | --- |",
    ]
    for order, name in ORDERS:
        ratios, optimal = [], 0
        for seed in SEEDS:
            generate(["randwire-cell", "--seed", str(seed), "--order", order], path)
            _, before, after, bound, *_ = measure(path)
            ratios.append(before / after)
            optimal += after == bound
        values = [f"{value:.2f}" for value in (mean(ratios), min(ratios), max(ratios))]
        lines.append(f"| {name} | {' | '.join(values)} | {optimal} of {len(SEEDS)} |")
    return lines


def compare(name, path, options, statistic):
    """A row with what the pipeline says about the own order and about the one that is found."""
    values = []
    for order in ("keep", "auto"):
        said, _ = run(path, f"{options} order={order}")
        values.append(number(said, *statistic))
    own, best = values
    return f"| {name} | {own:,} | {best:,} | {own / best:.2f} |"


def head(what):
    return [f"| network | {what}, own order | {what}, best order | ratio |", "| --- | --- | --- | --- |"]


def tiles(path):
    lines = head("bytes")
    peak = ("peak", "Bytes of the largest arena")
    options = "tile=peak strategy=greedy-by-size"
    generate(["randwire-cell"], path)
    lines.append(compare("RandWire cell, seed 0", path, options, peak))
    lines += [compare(name, file, options, peak) for name, file in models(TILED)]
    return lines


def plans(path):
    lines = head("cycles")
    for name, arguments, options, statistic in PLANS:
        generate(arguments, path)
        lines.append(compare(name, path, options, statistic))
    return lines


TABLES = {"networks": networks, "cells": cells, "tiles": tiles, "plans": plans}


def main():
    arguments = sys.argv[1:]
    wanted = [name for name in arguments if name != "--write"] or list(TABLES)
    for name in wanted:
        with tempfile.TemporaryDirectory() as folder:
            text = "\n".join(TABLES[name](pathlib.Path(folder) / "network.mlir"))
        if "--write" not in arguments:
            print(text)
            continue
        document = DOCUMENT.read_text()
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
        start, rest = document.split(begin)
        DOCUMENT.write_text(f"{start}{begin}{text}\n{end}{rest.split(end)[1]}")


if __name__ == "__main__":
    main()
