"""Writes the inputs of tensors.mlir with NumPy, and checks the outputs.

Usage: arrays.py write X CACHE; arrays.py check X CACHE Y NEW SUM
"""

import sys

import numpy as np


def inputs():
    random = np.random.default_rng(0)
    # A transposed array, which NumPy writes in Fortran's order.
    x = random.standard_normal((2, 3), dtype=np.float32).T
    return x, np.arange(10, 14, dtype=np.int32)


def main(command, *files):
    x, cache = inputs()
    if command == "write":
        assert np.isfortran(x)
        np.save(files[0], x)
        np.save(files[1], cache)
        return
    y, new, total = (np.load(file) for file in files[2:])
    np.testing.assert_array_equal(y, np.abs(x) * np.float32(2), strict=True)
    cache[2] = 99
    np.testing.assert_array_equal(new, cache, strict=True)
    # One order of summation: row by row.
    expected = np.float32(0)
    for value in y.flatten():
        expected += value
    assert total.shape == () and total.dtype == np.float32 and total == expected, total


main(*sys.argv[1:])
