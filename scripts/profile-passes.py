#!/usr/bin/env python3
"""Measures where the default pipeline spends its time: the CPU time of whole processes beside mlir-opt's, and the
time of each pass, over all models.

Usage: scripts/profile-passes.py [--rounds N] [--binary FILE]... [MODEL]...

Processes alternate, and the least of all rounds counts: user and system time of the process, which other work on
the machine disturbs less than elapsed time. Several binaries, such as one of another commit, are measured side by
side; passes are those of the last one, on one thread.
"""

import argparse
import collections
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
MLIR_OPT = "/usr/lib/llvm-22/bin/mlir-opt"
PASS = re.compile(r"^\s+([\d.]+) \(\s*[\d.]+%\)\s+(.*)$")


def cpu_seconds(command):
    """User and system time of a process, in seconds."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{' '.join(command)} failed")
    return usage.ru_utime + usage.ru_stime


def pass_seconds(binary, model):
    """The elapsed time of each pass, which may run several times."""
    command = [binary, model, "--mem-default-pipeline", "-o", os.devnull, "--mlir-timing",
               "--mlir-disable-threading"]
    report = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    times = collections.Counter()
    for line in report.splitlines():
        found = PASS.match(line)
        if found and not found[2].startswith("(A)"):
            times[found[2].strip()] += float(found[1])
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", metavar="MODEL")
    parser.add_argument("--rounds", type=int, default=7, metavar="N")
    parser.add_argument("--binary", action="append", metavar="FILE")
    given = parser.parse_args()
    binaries = given.binary or [str(ROOT / "target/release/mem-opt")]
    models = given.models or sorted(str(path) for path in ROOT.glob("models/bufferized*/*.mlir"))
    totals, passes = [0.0] * (len(binaries) + 1), collections.Counter()
    print(f"{'CPU milliseconds':<44}" + "".join(f" {pathlib.Path(own).name[-12:]:>12}" for own in binaries)
          + f" {'mlir-opt':>9} {'ratio':>6}")
    for model in models:
        commands = [[own, model, "--mem-default-pipeline", "-o", os.devnull] for own in binaries]
        commands.append([MLIR_OPT, model, "--canonicalize", "--cse", "-o", os.devnull])
        rounds = [[cpu_seconds(command) for command in commands] for _ in range(given.rounds)]
        best = [min(times) for times in zip(*rounds)]
        totals = [total + time for total, time in zip(totals, best)]
        show(pathlib.Path(model).parent.name[len("bufferized"):] + "/" + pathlib.Path(model).stem, best)
        runs = [pass_seconds(binaries[-1], model) for _ in range(3)]
        for name in runs[0]:
            passes[name] += min(run[name] for run in runs)
    show("all", totals)
    print("\nelapsed milliseconds of passes, over all models")
    for name, time in passes.most_common():
        print(f"{time * 1e3:9.1f} {name}")


def show(name, times):
    line = "".join(f" {time * 1e3:12.1f}" for time in times[:-1])
    print(f"{name:<44}{line} {times[-1] * 1e3:9.1f} {times[-2] / times[-1]:6.2f}")


if __name__ == "__main__":
    main()
