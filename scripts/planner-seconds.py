#!/usr/bin/env python3
"""Measures how long decisions within a budget take, on the training steps of docs/Offload.md and docs/Recomputation.md.

    scripts/planner-seconds.py                 all of them
    scripts/planner-seconds.py resnet50 gpt2   only those whose names contain one of the words

Prints a table for docs/PlannerOffload.md: CPU time over all threads, elapsed time, and elapsed time per thousand steps,
in seconds, of `mem-plan`. The networks of docs/Offload.md are first written as problems by
`mem-offload{dump=...}`, in the orders of `mem-reorder`.
"""

import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from models import RELEASE, ROOT

# Name, model, and budgets in bytes: 1/2, 1/4 and 1/7 of the peak, and the need of the widest step.
NETWORKS = [
    ("mini GPT", "mini_gpt_train_s128_b8", {"1/2": 190492672, "1/4": 95246336, "widest": 67117056}),
    (
        "GPT-2",
        "gpt2_small_train_s256_b4",
        {"1/2": 1463769088, "1/4": 731884544, "1/7": 418219739, "widest": 411713536},
    ),
    ("ResNet-50", "resnet50_train_b32", {"1/2": 2634578688, "1/4": 1317289344, "widest": 958169088}),
]

# Name, budgets, and bytes per operation of the link beside which the graph is planned as well.
GRAPHS = [
    ("gpt_4x128_b8", ["9MiB", "14711521"]),
    ("resnet50_64px_b4", ["8MiB", "12MiB", "14711521"]),
]
LINK = "0.002"


def measured(command):
    """Standard output, CPU seconds and elapsed seconds of a command."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    elapsed = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime - before.ru_utime, elapsed


def row(name, n_steps, command, ratio):
    text, cpu, elapsed = measured(command)
    per_thousand = elapsed / n_steps * 1000
    print(f"| {name} | {n_steps} | {cpu:.1f} | {elapsed:.1f} | {per_thousand:.2f} | {ratio(text):.4f} |", flush=True)


def ratio_of_network(text):
    makespan, ideal = re.search(r"makespan\D*(\d+).*?ideal\D*(\d+)", text, re.DOTALL | re.IGNORECASE).groups()
    return int(makespan) / int(ideal)


def ratio_of_graph(text):
    answer = json.loads(text)
    return answer["makespan"] / answer["ideal_operations"]


def dump(model, budget, path):
    options = f"hierarchy=gpu budget={budget} noalias-arguments=true"
    passes = f"inline,convert-memref-to-mem,mem-reorder{{{options}}},mem-offload{{{options} dump={path}}}"
    source = ROOT / "models/bufferized" / f"{model}.mlir"
    command = [RELEASE / "mem-opt", source, f"--pass-pipeline=builtin.module({passes})", "-o", "/dev/null"]
    subprocess.run(command, capture_output=True, check=True)


def main(words):
    is_wanted = lambda name: not words or any(word.lower() in name.lower() for word in words)
    print("| program | steps | CPU | elapsed | per thousand steps | makespan / ideal |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        for name, model, budgets in NETWORKS:
            for share, budget in budgets.items() if is_wanted(name) else []:
                path = Path(folder) / "problem.mem"
                dump(model, budget, path)
                n_steps = len(re.findall(r"^step ", path.read_text(), re.MULTILINE))
                command = [RELEASE / "mem-plan", path, "--policy", "auto"]
                row(f"{name}, {share}", n_steps, command, ratio_of_network)
    for name, budgets in GRAPHS:
        path = ROOT / "instances/remat" / f"{name}.fx"
        n_steps = len(re.findall(r"^s ", path.read_text(), re.MULTILINE))
        for budget in budgets if is_wanted(name) else []:
            for link in ([], ["--link", LINK]):
                command = [RELEASE / "mem-plan", path, "--budget", budget, *link, "--json"]
                row(" ".join([name, budget, *link]), n_steps, command, ratio_of_graph)


if __name__ == "__main__":
    main(sys.argv[1:])
