"""Sizes as people write them, and as allocators round them."""

from __future__ import annotations

import re
from fractions import Fraction

from .errors import InvalidInput

UNITS = {"": 1, "B": 1, "kB": 1000}
UNITS.update({f"{letter}B": 1000**power for power, letter in enumerate("KMGT", 1)})
UNITS.update({f"{letter}iB": 1024**power for power, letter in enumerate("KMGT", 1)})
#: PyTorch's allocator for GPUs gives out memory in multiples of this many bytes.
GPU_UNIT = 512


def n_bytes(limit, what="budget"):
    """A limit in bytes: an integer, or a text such as `4GiB` or `500 MB`, rounded down. `what`: its name."""
    if isinstance(limit, str):
        found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*", limit)
        # A fraction without a unit: the unit has been forgotten.
        if found and found[2] in UNITS and (UNITS[found[2]] > 1 or "." not in found[1]):
            return int(Fraction(found[1]) * UNITS[found[2]])
    elif hasattr(limit, "__index__") and limit >= 0:
        return int(limit)
    raise InvalidInput(f"{what} is {limit!r}, expected bytes, as in 4294967296 or '4GiB'")


def rounded(n_bytes, unit):
    """The next multiple of `unit` bytes."""
    return -(-n_bytes // unit) * unit
