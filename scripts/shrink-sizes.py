#!/usr/bin/env python3
"""Makes a smaller copy of a network on buffers, with other sizes and the same operations.

    scripts/shrink-sizes.py NETWORK.mlir 8192:512 1024:256 -o SMALL.mlir

Each listed size in types, shapes and slices becomes the size after its colon. The sizes must be chosen such that the result is
valid; mlir-opt verifies it. The copy computes other values than the original, because constants do not change.

This command generated models/small/mini_gpt_train_d64.mlir,

    mini_gpt_train_s128_b8.mlir 8192:512 1024:256 256:64 128:32 32:8

with a vocabulary of 512, 64 channels, 32 tokens, and eight heads of eight channels each.
"""

import argparse
import re
import subprocess
import sys

# A number before a dimension or the end of a list that is not part of a name or of a decimal number.
SIZE = re.compile(r"(?<![\d.#%@a-wyzA-Z_])(\d+)(?=[x\],>])(?!\.)(?! :)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network")
    parser.add_argument("sizes", nargs="+", help="from:to")
    parser.add_argument("-o", dest="output", required=True)
    wants = parser.parse_args()
    sizes = dict(pair.split(":") for pair in wants.sizes)
    text = SIZE.sub(lambda found: sizes.get(found.group(1), found.group(1)), open(wants.network).read())
    checked = subprocess.run(["/usr/lib/llvm-22/bin/mlir-opt"], input=text, capture_output=True, text=True)
    if checked.returncode:
        sys.exit(f"the program is not valid with these sizes:\n{checked.stderr[:1000]}")
    with open(wants.output, "w") as file:
        file.write(text)


if __name__ == "__main__":
    main()
