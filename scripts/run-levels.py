#!/usr/bin/env python3
"""Plans networks for DRAM and a fast memory of a half, a quarter and a tenth of their peak in one level, runs them and the
original networks, and compares all results bit for bit.

    scripts/run-levels.py [MODEL ...]

The exit status is 1 if any result differs. Threads play the copy engines. Each arena has exactly its capacity and lies between
guard zones. The default is all networks that run in about a minute; these take about ten minutes on two cores.
"""

import os
import re
import subprocess
import sys

import levels
import models

RUNNABLE = (
    "bufferized/squeezenet11_b1",
    "bufferized/mobilenet_v1_b1",
    "bufferized/mobilenet_v2_b1",
    "bufferized/early_exit_cnn_if_b1",
    "bufferized/gpt2_small_decode_c512_b1",
    "bufferized/lstm_scan_t64_h512_b16",
    "bufferized/lstm_scan_t64_h512_b16_inplace",
    "bufferized/lstm_train_scan_t32_h256_b16",
    "bufferized/mini_gpt_generate_while_c128_b1",
    "bufferized_cf/early_exit_cnn_if_b1",
    "bufferized_cf/lstm_scan_t64_h512_b16",
    "bufferized_cf/lstm_scan_t64_h512_b16_inplace",
    "bufferized_cf/lstm_train_scan_t32_h256_b16",
    "bufferized_cf/mini_gpt_generate_while_c128_b1",
    "small/resnet50_32px_b1",
    "small/unet_32px_b1",
)


def peak(file):
    """Returns the bytes of the one arena that holds all tensors."""
    pipeline = "builtin.module(inline,mem-default-pipeline{noalias-arguments=true optimize=false})"
    tool = os.environ.get("MEM_OPT", models.RELEASE / "mem-opt")
    command = [tool, file, f"--pass-pipeline={pipeline}", "--mlir-pass-statistics", "-o", os.devnull]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(re.search(r"(\d+) peak ", done.stderr).group(1))


def main(names):
    environment = dict(os.environ, LD_LIBRARY_PATH="/usr/lib/llvm-22/lib")
    failed = False
    print("| model | fast bytes | copies | bytes copied | result |\n| --- | ---: | ---: | ---: | --- |")
    for name in names or RUNNABLE:
        file = models.source(name)
        for part in levels.SIZES:
            capacity = peak(file) // part
            command = [models.RELEASE / "mem-run", file, "--compare", "--hierarchy", levels.HIERARCHY, "-O0"]
            command += ["--pipeline-options", f"capacity={capacity}"]
            done = subprocess.run(command, capture_output=True, text=True, env=environment)
            copies = re.search(r"planned: (\d+) copies by engines, (\d+) bytes", done.stdout)
            n, size = map(int, copies.groups()) if copies else (0, 0)
            verdict = "equal" if done.returncode == 0 else (done.stdout + done.stderr).strip().splitlines()[-1]
            failed |= done.returncode != 0
            print(f"| {name} | {capacity:,} | {n:,} | {size:,} | {verdict} |", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
