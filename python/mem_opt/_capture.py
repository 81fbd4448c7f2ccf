"""Captures training steps as the kernels that PyTorch runs without a compiler."""

from __future__ import annotations

import contextlib

import torch
from torch._C import DispatchKey
from torch._dynamo.backends.common import aot_autograd

#: Where PyTorch looks for a decomposition while it captures a graph, whoever runs it.
KEYS = (DispatchKey.Autograd, DispatchKey.CompositeImplicitAutograd)


def eager_aot(**options):
    """As PyTorch's `aot_autograd`, for graphs whose operations run as they are.

    PyTorch decomposes what enlarges images into reads and writes at indices, which compilers fuse. As kernels, they
    take a hundred times as long in the backward part as the one that was written for it.
    """
    backend = aot_autograd(**options)

    def compile_module(module, example_inputs):
        with _whole(_upsampling()):
            return backend(module, example_inputs)

    return compile_module


def _upsampling():
    """All operations that enlarge images."""
    names = [own for own in dir(torch.ops.aten) if own.lstrip("_").startswith("upsample_")]
    packets = [getattr(torch.ops.aten, name) for name in names if not name.endswith("_backward")]
    return [getattr(packet, overload) for packet in packets for overload in packet.overloads()]


@contextlib.contextmanager
def _whole(operations):
    """Hides the decompositions of operations."""
    hidden = [(own, key, own.py_kernels.pop(key)) for own in operations for key in KEYS if key in own.py_kernels]
    for own, _, _ in hidden:
        own._dispatch_cache.clear()
    try:
        yield
    finally:
        for own, key, kernel in hidden:
            own.py_kernels[key] = kernel
            own._dispatch_cache.clear()
