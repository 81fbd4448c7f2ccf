#!/usr/bin/env python3
"""Writes the tables of docs/Tiles.md: peaks and modelled cycles with and without tiles.

Usage: scripts/tiles.py [--write] [MODEL...]
       scripts/tiles.py --execute [--write] [MODEL...]

With --execute, networks run with and without tiles, and all values that they compute are compared, which takes an
hour; without it, the other tables are made. Without --write, tables are printed.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

from models import PROGRAM_RUN, ROOT

DOCUMENT = ROOT / "docs" / "Tiles.md"
MODELS = ROOT / "models" / "bufferized"
# The goal of each network, as a fraction of the peak without tiles.
GOALS = {
    "mobilenet_v2_b1": 10,
    "mobilenet_v1_b1": 8,
    "resnet50_b1": 5,
    "squeezenet11_b1": 4,
    "vgg16_b1": 8,
    "bert_base_s128_b1": 2,
    "gpt2_small_s256_b1": 2,
    "unet_b1": 1,
}
# Convolutional networks, planned for the hierarchy `npu`.
CONVOLUTIONAL = [
    "densenet121_b1",
    "early_exit_cnn_if_b1",
    "googlenet_b1",
    "inception_v3_b1",
    "mobilenet_v1_b1",
    "mobilenet_v2_b1",
    "resnet50_b1",
    "squeezenet11_b1",
    "unet_b1",
    "vgg16_b1",
]

# Sizes of a small copy of GPT-2 that is trained, for scripts/shrink-sizes.py: 16 tokens, 48 channels in 12 heads, and
# 3001 words. The scores of all words take more bytes than the embeddings, as in the network.
SMALL_GPT2 = ["256:16", "1024:64", "64:4", "768:48", "3072:192", "50257:3001"]
# What is executed: a file, options of the pipeline, and by how much the budget is smaller than the peak.
EXECUTED = [
    *[(f"bufferized/{model}", "tile=peak", None) for model in GOALS],
    *[(f"bufferized/{model}", "hierarchy=npu tile=fit", None) for model in CONVOLUTIONAL],
    ("small/unet_32px_b1", "tile=peak", None),
    ("small/unet_32px_b1", "hierarchy=npu tile=fit", None),
    ("small/mobilenet_v2_96px_b1", "tile=peak", None),
    ("small/mobilenet_v2_96px_b1", "hierarchy=microcontroller tile=fit", None),
    ("small/resnet50_32px_b1", "tile=peak", None),
    ("small/resnet50_train_32px_b2", "tile=peak", None),
    ("small/mini_gpt_train_d64", "tile=peak", None),
    ("small/gpt2_small_train_d48", "tile=peak", None),
    ("small/resnet50_train_32px_b2", "hierarchy=gpu tile=fit", 11.15),
    ("small/gpt2_small_train_d48", "hierarchy=gpu tile=fit", 7),
    ("small/gpt2_small_train_d48", "hierarchy=gpu tile=fit", 12),
    ("bufferized/mini_gpt_train_s128_b8", "hierarchy=gpu tile=fit", 7),
    ("bufferized/mini_gpt_train_s128_b8", "hierarchy=gpu tile=fit", 12),
]


def source(model, folder):
    """The file of a network; small copies that are not stored are made in a folder."""
    if model != "small/gpt2_small_train_d48":
        return ROOT / "models" / f"{model}.mlir"
    file = pathlib.Path(folder) / "gpt2_small_train_d48.mlir"
    if not file.exists():
        network = MODELS / "gpt2_small_train_s256_b4.mlir"
        subprocess.run([ROOT / "scripts/shrink-sizes.py", network, *SMALL_GPT2, "-o", file], check=True)
    return file


def executed(model, options, part, folder):
    """A row of the table of executions."""
    file = source(model, folder)
    budget = ""
    if part:
        peak = statistics_of(file, "tile=off")["peak"]
        budget = f" budget={int(peak / part)}"
    tiled = statistics_of(file, options + budget)
    words = options.split()
    hierarchy = [own.replace("=", " ") for own in words if own.startswith("hierarchy=")]
    own = " ".join(own for own in words if not own.startswith("hierarchy="))
    command = [ROOT / "target/release/mem-run", "--compare", "-O0", file, "--pipeline-options", own + budget]
    command += [part for own in hierarchy for part in f"--{own}".split()]
    done = subprocess.run(command, capture_output=True, text=True)
    equal = re.search(r"^equal: (\d+) values, (\d+) bytes$", done.stdout, re.M)
    peaks = [peak for _, peak in PROGRAM_RUN.findall(done.stdout)]
    if done.returncode or not equal or len(peaks) != 2:
        sys.exit(f"{model} with {options}{budget}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    name = f"`{model.split('/')[1]}`" + (", small" if model.startswith("small/") else "")
    how = options + (f", budget 1/{part}" if part else "")
    cells = [name, how, str(tiled["groups"]), str(tiled["tiles"]), f"{int(equal[2]):,}", *(f"{int(own):,}" for own in peaks)]
    row = "| " + " | ".join(cells) + " |"
    print(row, file=sys.stderr, flush=True)
    return row


def executions(models):
    """The table of executions."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = [own for own in EXECUTED if not models or own[0].split("/")[1] in models]
        rows = [executed(*own, folder) for own in wanted]
    header = ["network, executed", "options", "groups", "tiles", "bytes compared", "allocated", "with tiles"]
    lines = table(header, rows).splitlines()
    lines[1] = "| --- | --- |" + " ---: |" * (len(header) - 2)
    return "\n".join(lines) + "\n"


def statistics(model, options, first=""):
    """The statistics of the pipeline after the passes `first`, the last value of each name."""
    return statistics_of(MODELS / f"{model}.mlir", options, first)


def statistics_of(file, options, first=""):
    pipeline = f"builtin.module({first}mem-default-pipeline{{{options}}})"
    command = [
        ROOT / "target/release/mem-opt",
        f"--pass-pipeline={pipeline}",
        "--mlir-pass-statistics",
        file,
        "-o",
        "/dev/null",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = re.findall(r"\(S\) +(\d+) (\w+) -", done.stderr + done.stdout)
    return {name: int(value) for value, name in found}


def row(model, goal):
    before = statistics(model, "tile=off")["peak"]
    tiled = statistics(model, "tile=peak")
    after = tiled["peak"]
    cells = [
        f"`{model}`",
        f"{before:,}",
        f"{after:,}",
        f"1/{before / after:.1f}",
        f"1/{goal}" if goal > 1 else "-",
        f"{tiled['extra']} %",
        str(tiled["groups"]),
        str(tiled["tiles"]),
    ]
    return "| " + " | ".join(cells) + " |"


def repeating(model):
    before = statistics(model, "tile=off")["peak"]
    cells = [f"`{model}`"]
    for percent in [5, 10, 20, 50, 100]:
        tiled = statistics(model, "tile=off", f"mem-tile{{overlap=recompute extra-work={percent}}},")
        after = tiled["peak"]
        cells.append(f"{after:,} (1/{before / after:.1f})")
    return "| " + " | ".join(cells) + " |"


def cycles(model):
    untiled = statistics(model, "hierarchy=npu")
    tiled = statistics(model, "hierarchy=npu tile=fit")
    cells = [f"`{model}`"]
    for name in ["makespan", "traffic"]:
        before, after = untiled[name], tiled[name]
        difference = f"{100 * (after - before) / before:.1f} %".replace("-", "−")
        cells += [f"{before:,}", f"{after:,}", difference]
    cells += [
        str(tiled["groups"]),
        str(tiled["tiles"]),
    ]
    return "| " + " | ".join(cells) + " |"


def table(header, rows):
    names = "| " + " | ".join(header) + " |"
    line = "| --- |" + " ---: |" * (len(header) - 1)
    return "\n".join([names, line, *rows]) + "\n"


def replaced(text, new):
    """The text with another table for the same columns."""
    start = text.index(new.splitlines()[0])
    end = text.index("\n\n", start) + 1
    return text[:start] + new + text[end:]


def main():
    arguments = sys.argv[1:]
    models = [name for name in arguments if not name.startswith("--")]
    if "--execute" in arguments:
        write([executions(models)], "--write" in arguments)
        return
    peaks = table(
        ["network", "peak in bytes", "with tiles", "ratio", "goal", "extra operations", "groups", "tiles"],
        [row(model, GOALS.get(model, 1)) for model in models or GOALS],
    )
    repeated = table(
        ["network, rows computed again", "5 % more operations", "10 %", "20 %", "50 %", "100 %"],
        [repeating(model) for model in models or CONVOLUTIONAL],
    )
    times = table(
        [
            "network",
            "cycles on `npu`",
            "with tiles",
            "difference",
            "bytes to and from DRAM",
            "with tiles",
            "difference",
            "groups",
            "tiles",
        ],
        [cycles(model) for model in models or CONVOLUTIONAL],
    )
    write([peaks, repeated, times], "--write" in arguments)


def write(tables, is_written):
    """Writes tables into the document, or prints them."""
    if not is_written:
        print(*tables, sep="\n", end="")
        return
    text = DOCUMENT.read_text()
    for new in tables:
        text = replaced(text, new)
    DOCUMENT.write_text(text)


if __name__ == "__main__":
    main()
