"""Converts what users pass as buffers to the arrays of the native module."""

from __future__ import annotations

import numpy as np

from . import _native
from .errors import InvalidInput

#: Columns of buffers: name, and the number of a missing column.
COLUMNS = {"lower": None, "upper": None, "size": None, "alignment": 1, "offset": -1}
MAX_NUMBER = 2**63 - 1


def native_buffers(buffers, names, gaps, conflicts, aliases, in_place, penalties, reserved):
    """Returns the arguments of `plan` as one object of the native module."""
    rows, ids = _rows(buffers)
    if names is None:
        names = ids if ids is not None else range(len(rows))
    names = [str(name) for name in names]
    if len(names) != len(rows):
        raise InvalidInput(f"{len(rows)} buffers have {len(names)} names")
    arrays = [
        rows,
        _gaps(gaps),
        _related("conflicts", conflicts, 2),
        _aliases(aliases, len(rows)),
        _related("in_place", in_place, 2),
        _related("penalties", penalties, 3),
        _reserved(reserved),
    ]
    return _native.Buffers(names, *(np.ascontiguousarray(array).tobytes() for array in arrays))


def _integers(what, values, least=0):
    """An array of `int64`; numbers below `least` are an error."""
    try:
        array = np.asarray(values)
        if array.dtype.kind == "f" and not hasattr(values, "dtype"):
            # NumPy makes a list of integers an array of floats if no type of 64 bits holds them all.
            array = np.asarray(values, object)
    except ValueError as error:
        raise InvalidInput(f"{what}: {error}") from None
    if array.size == 0:
        return array.astype(np.int64)
    if array.dtype.kind == "O":
        # Python's integers beyond 64 bits, or no numbers at all.
        for value in array.flat:
            if not hasattr(value, "__index__"):
                raise InvalidInput(f"{what}: {value!r} is not an integer")
    elif array.dtype.kind not in "iu":
        raise InvalidInput(f"{what}: expected integers, not {array.dtype}")
    if int(array.max()) > MAX_NUMBER:
        raise InvalidInput(f"{what}: {int(array.max())} is more than 2^63-1")
    if int(array.min()) < least:
        raise InvalidInput(f"{what}: {int(array.min())} is less than {least}")
    return array.astype(np.int64)


def _rows(buffers):
    """The rows of the buffers: all columns; and their ids, if there are any."""
    names = getattr(getattr(buffers, "dtype", None), "names", None)
    if names is None and hasattr(buffers, "keys"):
        names = list(buffers.keys())
    if names is None:
        return _matrix(buffers), None
    missing = [name for name, other in COLUMNS.items() if other is None and name not in names]
    if missing:
        raise InvalidInput(f"buffers: there is no column '{missing[0]}'")
    unknown = sorted(str(name) for name in names if name not in COLUMNS and name != "id")
    if unknown:
        raise InvalidInput(f"buffers: unknown column '{unknown[0]}'")
    columns = {name: _column(name, buffers[name]) for name in COLUMNS if name in names}
    n_rows = len(columns["size"])
    for name, column in columns.items():
        if len(column) != n_rows:
            raise InvalidInput(f"buffers: {n_rows} sizes and {len(column)} of '{name}'")
    rows = np.empty((n_rows, len(COLUMNS)), np.int64)
    for index, (name, default) in enumerate(COLUMNS.items()):
        rows[:, index] = columns.get(name, default)
    return rows, buffers["id"] if "id" in names else None


def _column(name, values):
    column = _integers(f"buffers: column '{name}'", values, -1 if name == "offset" else 0)
    if column.ndim != 1:
        raise InvalidInput(f"buffers: column '{name}' has {column.ndim} dimensions, expected 1")
    return column


def _matrix(buffers):
    array = _integers("buffers", buffers, -1)
    if array.size == 0:
        return np.empty((0, len(COLUMNS)), np.int64)
    if array.ndim != 2 or not 3 <= array.shape[1] <= len(COLUMNS):
        wanted = "rows of (lower, upper, size[, alignment[, offset]])"
        raise InvalidInput(f"buffers: an array of shape {array.shape}, expected {wanted}")
    rows = np.empty((len(array), len(COLUMNS)), np.int64)
    for index, (name, default) in enumerate(COLUMNS.items()):
        has_column = index < array.shape[1]
        rows[:, index] = _column(name, array[:, index]) if has_column else default
    return rows


def _related(what, rows, width, least=0):
    """Rows that relate buffers."""
    array = _integers(what, [] if rows is None else rows, least)
    if array.size == 0:
        return np.empty((0, width), np.int64)
    if array.ndim != 2 or array.shape[1] != width:
        raise InvalidInput(f"{what}: an array of shape {array.shape}, expected rows of {width} numbers")
    return array


def _gaps(gaps):
    array = _integers("gaps", [] if gaps is None else gaps)
    if array.ndim == 2 and array.shape[1] == 3:
        return np.hstack([array, np.full((len(array), 2), -1, np.int64)])
    return _related("gaps", array, 5)


def _aliases(aliases, n_buffers):
    """Rows of buffer and group."""
    if aliases is None:
        return np.empty((0, 2), np.int64)
    groups = _integers("aliases", aliases, -1)
    if groups.shape != (n_buffers,):
        raise InvalidInput(f"aliases: an array of shape {groups.shape}, expected {n_buffers} groups")
    (members,) = np.nonzero(groups >= 0)
    return np.stack([members, groups[members]], axis=1).astype(np.int64)


def _reserved(reserved):
    regions = _related("reserved", reserved, 2)
    for low, high in regions:
        if low > high:
            raise InvalidInput(f"reserved: ({low}, {high}) is no range of addresses")
    return regions
