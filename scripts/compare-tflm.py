#!/usr/bin/env python3
"""Measures DenseNet-121 at 64 pixels in TFLite Micro, with its own plan and with mem_opt's.

    target/python/clients/bin/python scripts/compare-tflm.py [MODEL.tflite]

`make test-clients` makes the environment. Without a model, the script installs TensorFlow into
target/python/tensorflow and converts the network, with random weights. Prints the smallest arenas, in
steps of 16 KiB, in which the model runs. The exit status is 1 if outputs differ in a bit.
"""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import mem_opt.tflm
import numpy as np
from tflite_micro import runtime

FOLDER = Path(__file__).resolve().parent.parent / "target/python"
TENSORFLOW = "tensorflow-cpu==2.21.0"
STEP = 16 * 1024

CONVERT = """
import sys
import tensorflow as tf
tf.keras.utils.set_random_seed(0)
model = tf.keras.applications.DenseNet121(weights=None, input_shape=(64, 64, 3), classes=10)
with open(sys.argv[1], "wb") as file:
    file.write(tf.lite.TFLiteConverter.from_keras_model(model).convert())
"""


def densenet():
    """The path of the converted network."""
    path = FOLDER / "densenet121_64px.tflite"
    if not path.exists():
        environment = FOLDER / "tensorflow"
        subprocess.run([sys.executable, "-m", "venv", "--clear", environment], check=True)
        subprocess.run([environment / "bin/pip", "install", "--quiet", TENSORFLOW], check=True)
        subprocess.run([environment / "bin/python", "-c", CONVERT, path], check=True)
    return path


def run(data, arena_size):
    """The output, or None if the arena is too small."""
    try:
        interpreter = runtime.Interpreter.from_bytes(data, arena_size=arena_size)
    except RuntimeError:
        return None
    shape = interpreter.get_input_details(0)["shape"]
    interpreter.set_input(np.random.default_rng(0).standard_normal(shape).astype(np.float32), 0)
    interpreter.invoke()
    return interpreter.get_output(0)


def smallest_arena(data, low):
    """The smallest multiple of `STEP` in which a model runs, and its output."""
    size = low // STEP * STEP
    while (output := run(data, size)) is None:
        size += STEP
    return size, output


def main(words):
    path = Path(words[0]) if words else densenet()
    data = path.read_bytes()
    planned = mem_opt.tflm.plan_model(data)
    print(f"{path.name}: {planned.plan.summary()}")
    theirs, expected = smallest_arena(data, planned.plan.lower_bound)
    ours, output = smallest_arena(planned.data, planned.plan.lower_bound)
    print(f"tflite_micro {version('tflite_micro')}: arena {theirs:,} bytes; with the plan of mem_opt {ours:,}")
    is_equal = np.array_equal(output, expected)
    print(f"outputs are {'equal' if is_equal else 'different'}")
    return 0 if is_equal else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
