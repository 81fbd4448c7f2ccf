#!/usr/bin/env python3
"""Compares `mem-plan` with planners from PyPI: OR-tools' CP-SAT and ExecuTorch's greedy algorithm.

    python3 -m venv planners && planners/bin/pip install ortools executorch torch
    planners/bin/python scripts/against-planners.py --seconds 10 instances/cut

The command prints one table: each peak as a ratio to the lower bound, and the seconds that the planner took.
The column of a planner that is not installed stays empty. This script checks every answer before it counts.
"""

import argparse
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = ("mem-plan", "CP-SAT", "ExecuTorch greedy", "first fit by size")


def read(path):
    """Reads buffers as tuples: first step, step after the last, size."""
    with open(path, newline="") as file:
        return [tuple(int(row[k]) for k in ("lower", "upper", "size")) for row in csv.DictReader(file)]


def lower_bound(buffers):
    events = sorted([(u, -s) for _, u, s in buffers] + [(l, s) for l, _, s in buffers])
    live = most = 0
    for _, size in events:
        live += size
        most = max(most, live)
    return most


def peak(buffers, offsets):
    """Returns the highest address. Raises an error if two buffers that are live at once overlap."""
    order = sorted(range(len(buffers)), key=lambda i: buffers[i][0])
    active = []
    for i in order:
        lower, upper, size = buffers[i]
        active = [j for j in active if buffers[j][1] > lower]
        for j in active:
            if offsets[i] < offsets[j] + buffers[j][2] and offsets[j] < offsets[i] + size:
                raise ValueError(f"buffers {i} and {j} overlap")
        if lower < upper:
            active.append(i)
    return max((offset + size for offset, (_, _, size) in zip(offsets, buffers)), default=0)


def mem_plan(path, buffers, seconds):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "plan.json"
        command = [ROOT / "target/release/mem-plan", path, "--json", "-o", out]
        subprocess.run([*command, "--time-limit", str(seconds)], check=True)
        return [buffer["offset"] for buffer in json.loads(out.read_text())["buffers"]]


def cp_sat(path, buffers, seconds):
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    top = sum(size for _, _, size in buffers)
    highest = model.new_int_var(lower_bound(buffers), top, "peak")
    offsets, times, places = [], [], []
    for i, (lower, upper, size) in enumerate(buffers):
        offset = model.new_int_var(0, top - size, f"offset{i}")
        offsets.append(offset)
        times.append(model.new_fixed_size_interval_var(lower, upper - lower, f"time{i}"))
        places.append(model.new_fixed_size_interval_var(offset, size, f"place{i}"))
        model.add(offset + size <= highest)
    model.add_no_overlap_2d(times, places)
    model.minimize(highest)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return [solver.value(offset) for offset in offsets]


def executorch(path, buffers, seconds):
    import torch
    from executorch.exir.memory_planning import greedy
    from executorch.exir.tensor import TensorSpec

    specs = []
    for lower, upper, size in buffers:
        spec = TensorSpec(dtype=torch.uint8, shape=torch.Size([size]))
        spec.lifetime = [lower, upper - 1]
        spec.mem_id = 1
        specs.append(spec)
    result = greedy(1, specs, None, None, extra_padding=0)
    return [result.spec_dict[spec].mem_offset for spec in specs]


def first_fit(path, buffers, seconds):
    """First fit in order of decreasing size: the algorithm of TensorFlow Lite and of many other planners."""
    offsets = [0] * len(buffers)
    placed = []
    for i in sorted(range(len(buffers)), key=lambda i: -buffers[i][2]):
        lower, upper, size = buffers[i]
        end = 0
        for j in placed:
            if buffers[j][0] < upper and lower < buffers[j][1]:
                if offsets[j] - end >= size:
                    break
                end = max(end, offsets[j] + buffers[j][2])
        offsets[i] = end
        placed.append(i)
        placed.sort(key=lambda j: offsets[j])
    return offsets


PLANNERS = (mem_plan, cp_sat, executorch, first_fit)


def cell(planner, path, buffers, bound, seconds):
    started = time.monotonic()
    try:
        offsets = planner(path, buffers, seconds)
    except ImportError as error:
        print(f"{planner.__name__}: {error}", file=sys.stderr)
        return ""
    took = time.monotonic() - started
    if offsets is None:
        return f"none ({took:.1f} s)"
    return f"{peak(buffers, offsets) / max(bound, 1):.4f} ({took:.1f} s)"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", type=pathlib.Path, help="CSV files, or folders with CSV files; default: $MEM_INSTANCES")
    parser.add_argument("--seconds", type=float, default=10, help="time limit of each search")
    arguments = parser.parse_args()
    published = os.environ.get("MEM_INSTANCES")
    if not arguments.paths and not published:
        print("skipped: no files are given, and MEM_INSTANCES names no folder (instances/README.md)", file=sys.stderr)
        return
    print(f"| instance | buffers | {' | '.join(COLUMNS)} |")
    print(f"| --- | ---: |{' --- |' * len(COLUMNS)}")
    for path in arguments.paths or [pathlib.Path(published)]:
        for file in sorted(path.rglob("*.csv")) if path.is_dir() else [path]:
            buffers = read(file)
            bound = lower_bound(buffers)
            cells = [cell(planner, file, buffers, bound, arguments.seconds) for planner in PLANNERS]
            print(f"| {file.stem} | {len(buffers)} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
