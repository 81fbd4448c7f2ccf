#!/usr/bin/env python3
"""Runs the sharded networks on several ranks and maintains the table of their peaks in docs/Distributed.md.

    scripts/ranks.py            checks that the table is current
    scripts/ranks.py --write    writes the table

The exit status is 1 if a run fails, or if the table is not current.
"""

import os
import re
import subprocess
import sys

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


def main(arguments):
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
