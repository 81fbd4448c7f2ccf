#!/usr/bin/env python3
"""Measures how long programs run before and after planning, and writes the table of docs/Benchmarks.md.

    scripts/run-times.py                    all models, which takes an hour
    scripts/run-times.py lstm small/        only those whose names contain one of the words
    scripts/run-times.py --write [WORD ...] replaces these rows of the table

`mem-run --compare` runs the original and the planned program alternately; that all values are equal is part of
the measurement. The planned program is measured once more with buffers where the packing leaves them, and with
an arena that is larger by up to 4 KiB (`spread`). Times are CPU seconds, the shortest of the runs, since other
processes share the machine.
"""

import subprocess
import sys
import tempfile

from models import PROGRAM_RUN, RELEASE, ROOT

DOCUMENT = ROOT / "docs" / "Benchmarks.md"
HEAD = "| model | level | before [bytes] | after [bytes] | before [s] | after [s] | packed [s] | 4 KiB [s] |"
RULE = "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"

# Model, optimization level, and number of runs. At -O2, LLVM takes long for large functions.
PROGRAMS = [
    ("bufferized/squeezenet11_b1", 2, 5),
    ("bufferized/mobilenet_v1_b1", 2, 3),
    ("bufferized/early_exit_cnn_if_b1", 2, 9),
    ("bufferized/lstm_scan_t64_h512_b16", 2, 2),
    ("bufferized/lstm_scan_t64_h512_b16_inplace", 2, 2),
    ("bufferized/lstm_train_scan_t32_h256_b16", 2, 5),
    ("bufferized/mini_gpt_generate_while_c128_b1", 2, 9),
    ("bufferized/gpt2_small_decode_c512_b1", 2, 5),
    ("bufferized/gpt2_small_calls_s256_b1", 2, 1),
    ("bufferized/resnet50_b1", 0, 1),
    ("bufferized/bert_base_s128_b1", 0, 1),
    ("bufferized/inception_v3_b1", 0, 1),
    ("bufferized/densenet121_b1", 0, 1),
    ("bufferized/googlenet_b1", 0, 1),
    ("small/resnet50_32px_b1", 2, 5),
    ("small/unet_32px_b1", 2, 3),
    ("small/resnet50_train_32px_b2", 0, 3),
]


def measured(model, level, n_runs, options):
    """CPU seconds and peak bytes of the original and the planned program."""
    file = ROOT / "models" / f"{model}.mlir"
    return run(file, level, "--compare", "--repeat", str(n_runs), f"--pipeline-options={options}")


def measured_alone(model, level, options):
    """CPU seconds and peak bytes of the planned program."""
    with tempfile.NamedTemporaryFile(suffix=".mlir") as planned:
        pipeline = f"builtin.module(mem-default-pipeline{{{options}}})"
        command = [RELEASE / "mem-opt", ROOT / "models" / f"{model}.mlir", "--pass-pipeline", pipeline]
        subprocess.run([*command, "-o", planned.name], check=True, capture_output=True)
        return run(planned.name, level)


def run(file, level, *arguments):
    """CPU seconds and peak bytes of each program that mem-run runs."""
    command = [RELEASE / "mem-run", file, "-O", str(level), *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{file}: {done.stdout}{done.stderr}")
    return [(float(seconds), int(peak)) for seconds, peak in PROGRAM_RUN.findall(done.stdout)]


def row(model, level, n_runs):
    free = measured(model, level, n_runs, "spread=free")
    others = []
    for spread in ("off", "4KiB"):
        if n_runs > 1:
            others.append(measured(model, level, n_runs, f"spread={spread}"))
        else:
            # A long run is less noisy, and the original program has been measured.
            others.append(measured_alone(model, level, f"spread={spread}"))
    before = min(run[0][0] for run in (free, *others) if len(run) == 2)
    digits = 1 if before > 5 else 2 if before > 0.05 else 3
    times = [before, free[1][0], *(run[-1][0] for run in others)]
    sizes = [free[0][1], free[1][1]]
    cells = [f"{size:,}" for size in sizes] + [f"{time:.{digits}f}" for time in times]
    return f"| {model.removeprefix('bufferized/')} | -O{level} | {' | '.join(cells)} |"


def main():
    words = [word for word in sys.argv[1:] if word != "--write"]
    is_written = len(words) < len(sys.argv) - 1
    print(f"{HEAD}\n{RULE}", flush=True)
    rows = {}
    for model, level, n_runs in PROGRAMS:
        if not words or any(word in model for word in words):
            rows[model.removeprefix("bufferized/")] = row(model, level, n_runs)
            print(rows[model.removeprefix("bufferized/")], flush=True)
    if is_written:
        text = DOCUMENT.read_text()
        start = text.index(HEAD)
        end = text.index("\n\n", start)
        for line in text[start:end].splitlines()[2:]:
            rows.setdefault(line.split(" | ")[0].removeprefix("| "), line)
        names = [model.removeprefix("bufferized/") for model, _, _ in PROGRAMS]
        table = [HEAD, RULE, *(rows[name] for name in names if name in rows)]
        DOCUMENT.write_text(text[:start] + "\n".join(table) + text[end:])


if __name__ == "__main__":
    main()
