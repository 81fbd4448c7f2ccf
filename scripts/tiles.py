#!/usr/bin/env python3
"""Writes the tables of docs/Tiles.md: peaks and modelled cycles with and without tiles.

Usage: scripts/tiles.py [--write] [MODEL...]

Without --write, the tables are printed.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
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


def statistics(model, options, first=""):
    """The statistics of the pipeline after the passes `first`, the last value of each name."""
    pipeline = f"builtin.module({first}mem-default-pipeline{{{options}}})"
    command = [
        ROOT / "target/release/mem-opt",
        f"--pass-pipeline={pipeline}",
        "--mlir-pass-statistics",
        MODELS / f"{model}.mlir",
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
    if "--write" in arguments:
        text = DOCUMENT.read_text()
        for new in [peaks, repeated, times]:
            text = replaced(text, new)
        DOCUMENT.write_text(text)
    else:
        print(peaks, repeated, times, sep="\n", end="")


if __name__ == "__main__":
    main()
