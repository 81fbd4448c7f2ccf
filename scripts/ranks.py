#!/usr/bin/env python3
"""Runs networks on several ranks, and maintains the tables of their peaks and of the time that they wait in docs/Distributed.md.

    scripts/ranks.py              checks that the table of peaks is current
    scripts/ranks.py --write      writes the table of peaks
    scripts/ranks.py --waiting    measures on a slow link, and writes the table of waiting times

The exit status is 1 if a run fails, if the table of peaks is not current, or if a program waits longer with messages beside
computation than without.
"""

import os
import re
import subprocess
import sys
import tempfile

import models

MEM_RUN = os.environ.get("MEM_RUN", models.RELEASE / "mem-run")
DOCUMENT = models.ROOT / "docs/Distributed.md"
NETWORKS = {
    "perceptron": "perceptron, columns and rows",
    "convolution": "convolutions, batch",
    "transformer": "transformer block, heads and columns",
    "training": "training step, batch",
}
RANKS = (2, 4)

MEM_OPT = os.environ.get("MEM_OPT", models.RELEASE / "mem-opt")

# Programs of one rank that send and receive, and the ranks that they run on.
EXCHANGES = {
    "training": ("training step, gradients exchanged", 2),
    "halo": ("stencil, rows exchanged", 2),
    "ring": ("products, blocks around a ring", 2),
    "pipeline": ("two stages, four parts of a batch", 2),
}

# The link: seconds, and bytes per second.
LATENCY, BANDWIDTH = 0.005, 50e6

# The model's cycles are nanoseconds. Machine code of a scalar loop takes about one for an element of a matrix product.
MACHINE = """module attributes {{mem.hierarchy = #mem.hierarchy<
  #mem.level<"memory", alignment = 64>, compute = 2.0{link}>}} {{}}
"""
RUNS = 9


def row(network, ranks):
    source = models.ROOT / f"examples/sharded/{network}.mlir"
    command = [MEM_RUN, "--ranks", str(ranks), "--rank-limit", "300", source]
    done = subprocess.run(command, capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, done.stdout + done.stderr
    results = re.findall(r"^result \d+ .*(split|whole)  (equal|.*elements differ)", done.stdout, re.M)
    sums = [kind for kind, _ in results]
    exact = sum(verdict == "equal" for _, verdict in results)
    memory = re.findall(r"^(unsharded|rank \d+) +(\d+) +(\d+)$", done.stdout, re.M)
    assert len(memory) == ranks + 1, done.stdout
    # The arena is the only allocation.
    assert all(allocations == "1" for *_, allocations in memory), done.stdout
    whole, *parts = [int(peak) for _, peak, _ in memory]
    return (
        f"| {NETWORKS[network]} | {ranks} | {whole:,} | {max(parts):,} | "
        f"{sums.count('whole')} | {sums.count('split')} | {exact} |\n"
    )


def table():
    head = "| network, split by | ranks | unsharded peak | peak per rank | whole sums | split sums | equal bits |\n"
    rule = "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n"
    return head + rule + "".join(row(network, ranks) for network in NETWORKS for ranks in RANKS)


def modelled(source, overlap, link):
    """Returns the nanoseconds of a plan, and its peak in bytes."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as machine:
        machine.write(MACHINE.format(link=link))
        machine.flush()
        options = f"hierarchy={machine.name} noalias-arguments=true overlap={overlap}"
        pipeline = f"--pass-pipeline=builtin.module(mem-default-pipeline{{{options}}})"
        command = [MEM_OPT, source, pipeline, "--mlir-pass-statistics", "-o", os.devnull]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and "warning" not in done.stderr, done.stderr
    return int(re.search(r"(\d+) makespan ", done.stderr)[1])


def modelled_waiting(source, overlap):
    cost = f"latency = {LATENCY * 1e9:.0f}, bandwidth = {BANDWIDTH / 1e9}"
    # As the slowed link of the measurement, one for each direction.
    link = f', links = [#mem.link<"between", {cost}, duplex>]'
    return (modelled(source, overlap, link) - modelled(source, overlap, "")) / 1e6


def measured(source, ranks, overlap):
    """Returns the milliseconds that the rank waits that waits longest, those that the slower rank takes, and the peak. Of several
    runs, the one with the least waiting: other processes make ranks wait for each other."""
    command = [MEM_RUN, "--ranks", str(ranks), "--rank-limit", "300", source, "--pipeline-options", f"overlap={overlap}"]
    command += ["--link-latency", str(LATENCY), "--link-bandwidth", str(BANDWIDTH)]
    runs = []
    for _ in range(RUNS):
        done = subprocess.run(command, capture_output=True, text=True, timeout=400)
        assert done.returncode == 0 and done.stdout.endswith("\nequal\n"), done.stdout + done.stderr
        found = re.findall(r"^rank \d+ +planned +([\d.]+) ms +([\d.]+) ms$", done.stdout, re.M)
        assert len(found) == ranks, done.stdout
        runs.append((max(float(wait) for _, wait in found), max(float(time) for time, _ in found)))
    memory = re.findall(r"^rank \d+ +(\d+) +(\d+)$", done.stdout, re.M)
    assert all(allocations == "1" for _, allocations in memory), done.stdout
    return *min(runs), max(int(peak) for peak, _ in memory)


def waiting():
    """Returns the table of waiting times, and whether each program waits less than before."""
    text = "| program | overlap | peak per rank | waiting, modelled | waiting, measured | all, measured |\n"
    text += "| --- | --- | ---: | ---: | ---: | ---: |\n"
    is_less = True
    for name, (title, ranks) in EXCHANGES.items():
        source = models.ROOT / f"examples/ranks/{name}.mlir"
        before = None
        for overlap in ("off", "keep", "any"):
            model = modelled_waiting(source, overlap)
            wait, time, peak = measured(source, ranks, overlap)
            text += f"| {title} | {overlap} | {peak:,} | {model:.1f} ms | {wait:.1f} ms | {time:.1f} ms |\n"
            before = before or (model, wait)
        is_less &= model < before[0] and wait < before[1]
    return text, is_less


def main(arguments):
    if "--waiting" in arguments:
        text, is_less = waiting()
        models.write_block(DOCUMENT, "waiting", text)
        return 0 if is_less else 1
    new = table()
    if "--write" in arguments:
        models.write_block(DOCUMENT, "ranks", new)
        return 0
    is_current = models.block(DOCUMENT, "ranks")[1] == new
    if not is_current:
        print("docs/Distributed.md is out of date; `scripts/ranks.py --write` writes it anew")
    return 0 if is_current else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
