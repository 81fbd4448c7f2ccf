#!/usr/bin/env python3
"""Makes a smaller copy of an image network: fewer images, fewer pixels, the same operations.

    scripts/shrink-model.py NETWORK.mlir --image 224 --divide 7 [--batch 32:2] -o SMALL.mlir

NETWORK.mlir is a network on tensors. The copy is verified with mlir-opt and bufferized with the
pipeline that generated models/bufferized. The output is deterministic.

The script changes only the following numbers:

* Spatial sizes in types, slices and shapes: two adjacent, equal dimensions of the form b + d, where b
  is the image size halved any number of times, and d is between -1 and 7, to account for padding,
  kernels and strides. They become b / divide + d, where `--divide` may be a fraction. Sizes of outputs are affine in sizes of inputs, so
  the shapes still match.
* The batch size in all shapes. No number of channels may equal the batch size.
* Constants that count pixels or images. Means are computed from them.

Weights do not change: a shape is spatial only if another dimension is the batch size. A batch size of
one must be the first dimension.

These arguments generated networks in models/small:

    resnet50_b1.mlir        --image 224 --divide 7               -o resnet50_32px_b1.mlir
    unet_b1.mlir            --image 256 --divide 8               -o unet_32px_b1.mlir
    resnet50_train_b32.mlir --image 224 --divide 7 --batch 32:2  -o resnet50_train_32px_b2.mlir
    mobilenet_v2_b1.mlir    --image 224 --divide 7/3             -o mobilenet_v2_96px_b1.mlir
"""

import argparse
import fractions
import os
import re
import subprocess
import sys
import tempfile

BUFFERIZE = (
    "builtin.module(convert-tensor-to-linalg,func.func(empty-tensor-to-alloc-tensor),"
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops "
    "function-boundary-type-conversion=identity-layout-map},canonicalize,cse,"
    "drop-equivalent-buffer-results,buffer-results-to-out-params{modify-public-functions "
    "hoist-static-allocs add-result-attr},canonicalize,cse)"
)


class Shrinker:
    def __init__(self, image, divide, old_batch, new_batch):
        self.divide, self.old_batch, self.new_batch = divide, old_batch, new_batch
        self.bases = []
        while (image / divide).denominator == 1:
            self.bases.append(image)
            if image % 2:
                break
            image //= 2

    def size(self, n):
        """Returns the new value of a spatial size, or None for any other size."""
        for base in self.bases:
            if -1 <= n - base <= 7:
                return int(base / self.divide) + n - base
        return None

    def shape(self, dims):
        dims = list(dims)
        small = [self.new_batch if n == self.old_batch > 1 else n for n in dims]
        for i in range(len(dims) - 1):
            pixels = self.size(dims[i])
            others = dims[:i] + dims[i + 2 :]
            batched = self.old_batch in others if self.old_batch > 1 else i == 1 and dims[0] == 1
            if dims[i] == dims[i + 1] and pixels is not None and batched:
                small[i] = small[i + 1] = pixels
                break
        return small

    def types(self, text):
        def replace(match):
            dims = [int(n) for n in match.group(1).split("x")]
            return "tensor<" + "x".join(map(str, self.shape(dims))) + "x" + match.group(2)

        return re.sub(r"tensor<(\d+(?:x\d+)*)x([a-z])", replace, text)

    def lists(self, text):
        """Shrinks the sizes of slices, the second of three lists, and the shapes of results."""

        def shape(numbers):
            return ", ".join(map(str, self.shape(int(n) for n in numbers.split(", "))))

        numbers = r"\d+(?:, \d+)*"
        text = re.sub(
            rf"(\[{numbers}\]) \[({numbers})\] (\[{numbers}\])",
            lambda m: f"{m.group(1)} [{shape(m.group(2))}] {m.group(3)}",
            text,
        )
        return re.sub(
            rf"output_shape \[({numbers})\]", lambda m: f"output_shape [{shape(m.group(1))}]", text
        )

    def constants(self, text):
        counts = {}
        for base in self.bases:
            pixels, small = base * base, int(base / self.divide) ** 2
            counts[float(pixels)] = float(small)
            counts[float(self.old_batch * pixels)] = float(self.new_batch * small)
        if self.old_batch > 1:
            counts[float(self.old_batch)] = float(self.new_batch)
            counts[-1.0 / self.old_batch] = -1.0 / self.new_batch

        def replace(match):
            value = float(match.group(1))
            return f"arith.constant {counts.get(value, value):.9e} : f32"

        return re.sub(r"arith\.constant (-?\d+\.\d+e[+-]\d+) : f32", replace, text)

    def shrink(self, text):
        return self.constants(self.lists(self.types(text)))


def mlir_opt(text, pipeline):
    """Runs mlir-opt. On an error, prints its diagnostics and exits."""
    tool = os.environ.get("MLIR_OPT", "/usr/lib/llvm-22/bin/mlir-opt")
    done = subprocess.run(
        [tool, f"--pass-pipeline={pipeline}"], input=text, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


def write(path, text):
    """Writes a file atomically."""
    folder = os.path.dirname(os.path.abspath(path))
    with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("network", help="a network on tensors")
    parser.add_argument("--image", type=int, required=True, help="height and width of its images")
    parser.add_argument("--divide", type=fractions.Fraction, required=True, help="factor by which they shrink")
    parser.add_argument("--batch", default="1:1", metavar="OLD:NEW", help="batch sizes")
    parser.add_argument("-o", "--output", required=True)
    arguments = parser.parse_args()
    old, new = map(int, arguments.batch.split(":"))
    with open(arguments.network) as file:
        text = Shrinker(arguments.image, arguments.divide, old, new).shrink(file.read())
    mlir_opt(text, "builtin.module()")
    text = text.replace("func.func public @main(", "func.func private @main(")
    text = mlir_opt(text, BUFFERIZE)
    write(arguments.output, text.replace("func.func private @main(", "func.func public @main("))


if __name__ == "__main__":
    main()
