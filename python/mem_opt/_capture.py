"""Captures training steps as the kernels that PyTorch runs without a compiler."""

from __future__ import annotations

import contextlib

import torch
from torch._C import DispatchKey
from torch._dynamo.backends.common import aot_autograd

#: Under these keys, operations have decompositions that PyTorch applies to every captured graph.
KEYS = (DispatchKey.Autograd, DispatchKey.CompositeImplicitAutograd)


def eager_aot(**options):
    """As PyTorch's `aot_autograd`, for graphs whose operations run as they are.

    PyTorch decomposes interpolation into reads and writes at indices, for compilers that fuse them. Run one by
    one, they take a hundred times as long in the backward part as the kernel that was written for it.
    """
    backend = aot_autograd(**options)

    def compile_module(module, example_inputs):
        with _interpolation_as_it_is():
            return backend(module, example_inputs)

    return compile_module


@contextlib.contextmanager
def _interpolation_as_it_is():
    """Hides the decompositions of interpolation."""
    names = [own for own in dir(torch.ops.aten) if own.lstrip("_").startswith("upsample_")]
    packets = [getattr(torch.ops.aten, name) for name in names]
    operations = [getattr(packet, overload) for packet in packets for overload in packet.overloads()]
    hidden = [(own, key, own.py_kernels.pop(key)) for own in operations for key in KEYS if key in own.py_kernels]
    for own, _, _ in hidden:
        own._dispatch_cache.clear()
    try:
        yield
    finally:
        for own, key, kernel in hidden:
            own.py_kernels[key] = kernel
            own._dispatch_cache.clear()
